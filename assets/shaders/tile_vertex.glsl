layout(location = 0) in vec3 VertexPosition;
layout(location = 1) in vec3 VertexNormal;
uniform mat4 ModelMatrix;
uniform mat4 ModelViewMatrix;
uniform mat4 MVP;
uniform mat3 NormalMatrix;
out vec3 WorldPos;
out vec3 WorldNormal;
out vec3 ViewPos;
out vec3 ViewNormal;
void main() {
    WorldPos = (ModelMatrix * vec4(VertexPosition, 1.0)).xyz;
    WorldNormal = mat3(ModelMatrix) * VertexNormal;
    ViewPos = (ModelViewMatrix * vec4(VertexPosition, 1.0)).xyz;
    ViewNormal = NormalMatrix * VertexNormal;
    gl_Position = MVP * vec4(VertexPosition, 1.0);
}
