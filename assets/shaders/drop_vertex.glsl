// A drop on the lens, or the trail that it leaves: a quad of the picture.
layout(location = 0) in vec4 Corner; // in clip space; from -1 to 1 across and along
layout(location = 1) in vec4 Drop;   // half its width and length, of the picture's height; how much of it is left, 0 to 1; -1 for a trail, else its shape, rad
out vec2 In;
out vec4 Of;
void main() {
    In = Corner.zw;
    Of = Drop;
    gl_Position = vec4(Corner.xy, 0.0, 1.0);
}
