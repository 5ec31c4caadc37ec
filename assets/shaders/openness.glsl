//import heights
// The share of the sky that is open over a place. What hides the rest sends some light too.
#if defined(MENISCUS_LINEAR) && !defined(MENISCUS_SHADOWLESS)
uniform sampler2D OpenSky; // see open_fragment.glsl

const float Bounce = 0.4; // of the sky's light, from what hides it

// At one texel of the map, for a height over the lowest, m.
float openIn(ivec2 texel, float y) {
    ivec2 size = textureSize(OpenSky, 0) / ivec2(2, 1);
    texel = clamp(texel, ivec2(0), size - 1);
    vec4 at = texelFetch(OpenSky, texel, 0), over = texelFetch(OpenSky, texel + ivec2(size.x, 0), 0);
    if (y < at.y) {
        return at.w * clamp(1.0 - y / max(at.y, 0.01), 0.0, 1.0);
    }
    float t = y - at.x;
    return t < Low ? mix(at.z, over.x, clamp(t / Low, 0.0, 1.0)) : t < Middle ? mix(over.x, over.y, (t - Low) / (Middle - Low))
        : t < High ? mix(over.y, over.z, (t - Middle) / (High - Middle)) : mix(over.z, over.w, clamp((t - High) / (Highest - High), 0.0, 1.0));
}

// n: the face's normal. It is looked at from beside it; that a steep face itself hides half of the sky there counts elsewhere.
float openSky(vec3 place, vec3 n) {
    if (OpenMap.x < 0.5) {
        return 1.0;
    }
    vec3 from = place + n * (2.0 * OpenMap.y);
    float y = from.y - OpenMap.z;
    vec2 at = (OpenFromWorld * vec4(from, 1.0)).xy;
    vec2 inside = smoothstep(0.0, 0.05, at) * smoothstep(0.0, 0.05, 1.0 - at);
    vec2 p = at * vec2(textureSize(OpenSky, 0) / ivec2(2, 1)) - 0.5, f = fract(p);
    ivec2 base = ivec2(floor(p));
    float open = mix(mix(openIn(base, y), openIn(base + ivec2(1, 0), y), f.x),
        mix(openIn(base + ivec2(0, 1), y), openIn(base + ivec2(1, 1), y), f.x), f.y);
    open = min(open * 2.0 / (1.0 + max(n.y, 0.0)), 1.0);
    return mix(1.0, mix(Bounce, 1.0, open), inside.x * inside.y);
}
#else
float openSky(vec3 place, vec3 n) { return 1.0; }
#endif
