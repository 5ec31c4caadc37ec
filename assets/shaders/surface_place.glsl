// The liquid's surface, drawn Back seconds before the end of the step that made it.
layout(location = 0) in vec3 VertexPosition;
layout(location = 1) in vec3 VertexNormal;
layout(location = 2) in vec3 VertexVelocity;
layout(location = 3) in float VertexFoam;

uniform mat4 ViewProj;
uniform float Back;

out vec3 WorldPos;
out vec3 WorldNormal;
out vec3 Flow;
out float FoamAmount;

void place() {
    WorldPos = VertexPosition - VertexVelocity * Back;
    WorldNormal = VertexNormal;
    Flow = VertexVelocity;
    FoamAmount = VertexFoam;
    gl_Position = ViewProj * vec4(WorldPos, 1.0);
}
