// How much of the way that sunlight goes in still water lies in the liquid, above what it comes to, metres of height, and in how many more places it
// enters than leaves: 1 where what it comes to is in the liquid. The surface is closed, so the sums over all its faces are right whatever their order.
precision highp float;
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;
uniform vec4 Heights; // of the near and the far plane, m
uniform sampler2D Receivers; // depth of what the light comes to
out vec4 FragColor;

const float Gap = 0.05; // between liquid and what it touches, m

void main() {
    float over = WorldPos.y - mix(Heights.x, Heights.y, texelFetch(Receivers, ivec2(gl_FragCoord.xy), 0).r);
    float enters = gl_FrontFacing ? 1.0 : -1.0;
    float counts = step(gl_FrontFacing ? 0.0 : Gap, over);
    FragColor = vec4(enters * max(over, 0.0), enters * counts, 1e-9 * (WorldNormal.x + Flow.x + FoamAmount), 1.0);
}
