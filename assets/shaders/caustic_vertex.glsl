layout(location = 0) in vec3 VertexPosition;
layout(location = 1) in vec3 VertexNormal;
layout(location = 2) in vec3 VertexVelocity;
layout(location = 3) in float VertexFoam;
uniform float Back;
uniform vec3 Sun;   // direction to it
uniform vec3 Floor; // y, m
uniform vec4 Area;  // least x and z, 1/size in x and z
uniform float Still; // 1 to draw where light through still water arrives
out vec2 Start;
out vec2 Hit;
out float Shade;
void main() {
    vec3 p = VertexPosition - VertexVelocity * Back;
    vec3 n = VertexNormal.y > 0.05 ? VertexNormal : vec3(0.0, 1.0, 0.0);
    vec3 d = refract(-Sun, normalize(n), 1.0 / 1.333);
    vec3 level = refract(-Sun, vec3(0.0, 1.0, 0.0), 1.0 / 1.333);
    float drop = max(p.y - Floor.x, 0.0);
    // Both are measured where light through still water would land, so still water maps to itself.
    Start = p.xz + level.xz / -level.y * drop;
    Hit = p.xz + d.xz / max(-d.y, 0.2) * drop;
    Shade = 1.0 - 0.7 * clamp(VertexFoam, 0.0, 1.0);
    gl_Position = vec4(((Still > 0.5 ? Start : Hit) - Area.xy) * Area.zw * 2.0 - 1.0, 0.0, 1.0);
}
