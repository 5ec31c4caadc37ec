layout(location = 0) in vec3 VertexPosition;
layout(location = 1) in vec3 VertexNormal;
uniform mat4 ModelMatrix;
uniform mat4 ModelViewMatrix;
uniform mat4 MVP;
uniform mat3 NormalMatrix;
uniform vec4 Inward; // the mesh is seen from this side of it only, if any; how far from its middle, m
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
    vec3 face = (ModelViewMatrix * vec4(Inward.xyz * Inward.w, 1.0)).xyz;
#ifdef MENISCUS_DEPTH
    return; // the sun sees it from anywhere
#endif
    if (dot(NormalMatrix * Inward.xyz, face) > 0.0) { // the eye is behind it
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}
