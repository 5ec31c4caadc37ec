layout(location = 0) in vec3 VertexPosition; // clip space
out vec2 Coord;
void main() {
    Coord = VertexPosition.xy * 0.5 + 0.5;
    gl_Position = vec4(VertexPosition, 1.0);
}
