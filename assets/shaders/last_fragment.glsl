// From where on there is something to see behind what is seen through the liquid's first face: a little behind the last of the faces by which the straight
// way enters the liquid there; or, where only a face follows by which it leaves, a little behind what is seen.
precision highp float;
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;
uniform mat4 ViewProj;
uniform mat4 InvViewProj;
uniform vec3 Eye;
uniform vec2 Pixel;  // 1/width, 1/height
uniform vec2 Aside;  // of the picture behind the first face, beside and below the viewport, pixels
uniform float Into;  // a wall's thickness, and how far liquid may reach into a body, m
uniform sampler2D BehindDepth;
out vec4 FragColor;

void main() {
    vec4 q = InvViewProj * vec4(vec3(gl_FragCoord.xy * Pixel, texelFetch(BehindDepth, ivec2(gl_FragCoord.xy + Aside), 0).r) * 2.0 - 1.0, 1.0);
    float seen = length(q.xyz / q.w - Eye), far = length(WorldPos - Eye);
    if (far < seen + Into) {
        discard;
    }
    vec4 c = ViewProj * vec4(Eye + (WorldPos - Eye) * (((gl_FrontFacing ? far : seen) + Into) / far), 1.0);
    gl_FragDepth = 0.5 * c.z / c.w + 0.5;
    FragColor = vec4(WorldNormal, Flow.x + FoamAmount); // every attribute: g3n sets up a buffer's once, for the first program
}
