// Where a ray that entered the liquid leaves it: only the depth counts. The colour uses
// every attribute so that no driver drops one (g3n sets up a buffer's attributes once).
precision highp float;
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;
out vec4 FragColor;
void main() {
    FragColor = vec4(0.5 * WorldNormal + 0.01 * Flow, FoamAmount);
}
