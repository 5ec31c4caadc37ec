// How far the way from the eye runs through the liquid, up to what is seen of the scene, m, and in how many more places it leaves than enters: 1 where
// the eye's side of the near plane is in the liquid, 0 elsewhere; and how many such places lie no more than Wall behind what is seen. The surface is closed,
// so the sums over all its faces are right whatever their order.
precision highp float;
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;
uniform vec3 Eye;
uniform mat4 InvViewProj;
uniform vec2 Pixel; // 1/width, 1/height
uniform float Wall; // m
uniform sampler2D SceneDepth;
out vec4 FragColor;
void main() {
    vec2 uv = gl_FragCoord.xy * Pixel;
    vec4 q = InvViewProj * vec4(vec3(uv, texture(SceneDepth, uv).r) * 2.0 - 1.0, 1.0);
    float far = length(WorldPos - Eye), seen = length(q.xyz / q.w - Eye);
    float leaves = gl_FrontFacing ? -1.0 : 1.0;
    // Every attribute is used, or a driver drops one: g3n sets up a buffer's attributes once.
    FragColor = vec4(leaves * min(far, seen), leaves, (far < seen + Wall ? 1.0 : 0.0) + 1e-9 * (WorldNormal.x + Flow.x + FoamAmount), 1.0);
}
