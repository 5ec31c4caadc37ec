// The liquid's surface where the sun's light comes to it: the normal's x and z, height over the mean level, m, and foam.
precision highp float;
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;
uniform float Level;
out vec4 FragColor;
void main() {
    vec3 n = normalize(WorldNormal + 1e-6);
    FragColor = vec4(n.xz, WorldPos.y - Level, clamp(FoamAmount, 0.0, 1.0) + 1e-9 * Flow.x); // every attribute: g3n sets up a buffer's once
}
