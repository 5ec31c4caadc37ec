// The scene mirrored at the liquid's mean level, as pass_mirror.go draws it.
uniform sampler2D MirrorColor;
uniform sampler2D MirrorDepth;
uniform mat4 FromMirror; // from that picture to the world
uniform vec3 Mirror;     // how much there is of one: up to 1 of what is above the level, to -1 of what is below; the level, m; steps of rays through the scene's picture

// How much of a filtered read of the picture is of something: 0 where it shows nothing but the sky.
float covered(vec2 uv) {
    ivec2 size = textureSize(MirrorDepth, 0);
    vec2 p = uv * vec2(size) - 0.5;
    ivec2 at = ivec2(floor(p)), last = size - 1;
    vec2 f = p - vec2(at);
    vec4 is = vec4(lessThan(vec4(texelFetch(MirrorDepth, clamp(at, ivec2(0), last), 0).r, texelFetch(MirrorDepth, clamp(at + ivec2(1, 0), ivec2(0), last), 0).r,
        texelFetch(MirrorDepth, clamp(at + ivec2(0, 1), ivec2(0), last), 0).r, texelFetch(MirrorDepth, clamp(at + ivec2(1, 1), ivec2(0), last), 0).r), vec4(1.0)));
    return mix(mix(is.x, is.y, f.x), mix(is.z, is.w, f.x), f.y);
}

// What a ray from a place near the level meets above it, side 1, or below it, side -1, and how much of it; along: how far away, m. Where the surface is
// flat the ray is one point of the picture; where it isn't, the place to look at is found from how far what is seen there lies.
vec4 planar(vec3 from, vec3 way, float side, out float along) {
    float near = 1.0 - smoothstep(0.25, 0.75, abs(from.y - Mirror.y));
    along = 1.0;
    near *= max(Mirror.x * side, 0.0);
    if (near <= 0.0) {
        return vec4(0.0);
    }
    vec2 uv;
    for (int i = 0; i < 3; i++) {
        vec3 p = from + way * along;
        uv = clamp(project(vec3(p.x, 2.0 * Mirror.y - p.y, p.z)), 0.001, 0.999);
        vec4 q = FromMirror * vec4(vec3(uv, textureLod(MirrorDepth, uv, 0.0).r) * 2.0 - 1.0, 1.0);
        float seen = dot(q.xyz / q.w - from, way);
        along = seen > 0.0 ? min(seen, 100.0) : 100.0;
    }
    return vec4(textureLod(MirrorColor, uv, 0.0).rgb, near * covered(uv));
}
