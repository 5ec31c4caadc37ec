// A place and normal in camera coordinates, of skinned and morphed meshes too.
#include <attributes>
uniform mat4 ModelViewMatrix;
uniform mat3 NormalMatrix;
uniform mat4 MVP;
#include <morphtarget_vertex_declaration>
#include <bones_vertex_declaration>
out vec3 ViewPos;
out vec3 ViewNormal;
out vec2 FragTexcoord;

void place() {
    vec3 vPosition = VertexPosition;
    vec3 vNormal = VertexNormal;
    mat4 finalWorld = mat4(1.0);
    #include <morphtarget_vertex>
    #include <bones_vertex>
    vec4 at = finalWorld * vec4(vPosition, 1.0);
    ViewPos = (ModelViewMatrix * at).xyz;
    ViewNormal = NormalMatrix * mat3(finalWorld) * vNormal;
    FragTexcoord = VertexTexcoord;
    gl_Position = MVP * at;
}
