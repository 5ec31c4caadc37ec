layout(location = 0) in vec3 VertexPosition; // world, m
layout(location = 1) in vec3 VertexNormal;
layout(location = 2) in vec3 VertexColor;
uniform mat4 View;
uniform mat4 Proj;
out vec4 Color;
void main() {
    vec4 p = View * vec4(VertexPosition, 1.0);
    // What faces away is dim: one sees which side is near, as nothing hides a line.
    float facing = dot(mat3(View) * VertexNormal, -p.xyz);
    Color = vec4(VertexColor, facing > 0.0 ? 1.0 : 0.15);
    gl_Position = Proj * p;
}
