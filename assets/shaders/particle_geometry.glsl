// A particle's streak as a rectangle that faces the camera: as long as the way that it goes while the shutter is open, and as wide as it is itself.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;

in Made {
    vec4 centre;
    vec4 motion;
    float sun;
} FromVertex[];

uniform mat4 ViewProj;
uniform mat4 View;
uniform vec4 Sprite; // radii in one, seconds that the shutter is open, pixels per metre at 1 m, 1 when perspective divides it

out Streak {
    vec3 place;        // world space, m
    vec2 at;           // from the centre along and across the streak, m
    flat vec4 centre;  // and half the width, m
    flat vec4 motion;
    flat vec3 along;   // unit vector
    flat vec3 across;
    flat float reach;  // half the way, m
    flat float fade;   // what is narrower than a pixel dims instead of flickering
    flat float sun;
} Out;

void main() {
    vec4 c = FromVertex[0].centre;
    float depth = (ViewProj * vec4(c.xyz, 1.0)).w;
    if (c.w <= 0.0 || depth <= 0.0) {
        return;
    }
    vec3 right = vec3(View[0].x, View[1].x, View[2].x), back = vec3(View[0].z, View[1].z, View[2].z);
    vec3 way = FromVertex[0].motion.xyz * Sprite.y;
    way -= back * dot(way, back);
    float reach = 0.5 * length(way);
    vec3 along = reach > 1e-5 ? way / (2.0 * reach) : right;
    vec3 across = cross(back, along);
    float radius = c.w * Sprite.x;
    float wide = max(radius, 0.7 * mix(1.0, depth, Sprite.w) / Sprite.z);
    for (int i = 0; i < 4; i++) {
        Out.at = vec2((i & 1) == 0 ? -1.0 : 1.0, i < 2 ? -1.0 : 1.0) * vec2(reach + wide, wide);
        Out.place = c.xyz + along * Out.at.x + across * Out.at.y;
        Out.centre = vec4(c.xyz, wide);
        Out.motion = FromVertex[0].motion;
        Out.along = along;
        Out.across = across;
        Out.reach = reach;
        Out.fade = radius / wide * (radius + reach) / (wide + reach);
        Out.sun = FromVertex[0].sun;
        gl_Position = ViewProj * vec4(Out.place, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
