layout(location = 0) in vec3 VertexPosition; // clip space, -1 to 1
uniform vec4 Rect; // centre and half size, clip space
out vec2 Coord;
void main() {
    Coord = vec2(VertexPosition.x * 0.5 + 0.5, 0.5 - VertexPosition.y * 0.5);
    gl_Position = vec4(Rect.xy + VertexPosition.xy * Rect.zw, -0.999, 1.0);
}
