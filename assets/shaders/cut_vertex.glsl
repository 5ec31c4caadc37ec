layout(location = 0) in vec3 VertexPosition; // world, m
layout(location = 1) in vec3 VertexColor;
uniform mat4 View;
uniform mat4 Proj;
uniform float Opacity;
out vec4 Color;
void main() {
    Color = vec4(VertexColor, Opacity);
    vec4 p = Proj * View * vec4(VertexPosition, 1.0);
    // The nearest hundredth of all depths: nothing else hides the cut, which hides itself.
    p.z = 0.01 * (p.z + p.w) - p.w;
    gl_Position = p;
}
