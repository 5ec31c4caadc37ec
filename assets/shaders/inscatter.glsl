//import alike
// Light on straight ways through the liquid to an eye in it. What falls on the liquid is dimmed with depth, and scatters towards the eye.
uniform float Level;      // of the liquid's surface at rest, m
uniform sampler2D Shafts; // see shafts_fragment.glsl; half the picture's size
uniform float HasShafts;  // 1 with it

// Which way sunlight comes from in the liquid.
vec3 sunInside() {
    return -refract(-SunDir, vec3(0.0, 1.0, 0.0), 1.0 / 1.333);
}

// How much is scattered at an angle of a cosine, beside what goes sideways.
// Source: Henyey and Greenstein, Diffuse radiation in the galaxy (1941).
float phase(float cosine) {
    const float g = 0.5;
    float d = (1.0 + g * g) / (1.0 + g * g - 2.0 * g * cosine);
    return d * sqrt(d);
}

// The sun's part in what scatters at a place, beside that of light from all sides. beam: how much of a beam from the sun reaches there. Deep in cloudy
// liquid all light has been scattered before, so that neither beam nor direction count.
float sunPart(vec3 place, vec3 way, float beam) {
    vec3 sun = sunInside();
    float straight = exp(-Cloud * max(Level - place.y, 0.0) / sun.y);
    return mix(1.0, beam * phase(dot(way, sun)), straight);
}

// How much of the light that falls on the liquid is scattered to a place by what lies on a way from there, of each colour.
vec3 gathered(vec3 from, vec3 way, float path) {
    vec3 k = Cloud + 0.5 * Absorb;
    vec3 x = k * (1.0 - way.y) * path; // on the way up, the deeper is nearer
    vec3 mean = mix((1.0 - exp(-x)) / max(x, 1e-6), 1.0 - 0.5 * x, lessThan(x, vec3(1e-3)));
    return k * path * mean * exp(-k * max(Level - from.y, 0.0));
}

// Light from path m away, and what is added to it. sun: the sun's part in that. By day half of the sky's light goes with the sun's: in the liquid all of it
// comes from a narrow cone.
vec3 hazed(vec3 light, vec3 from, vec3 way, float path, float sun) {
    vec3 even = (1.0 - 0.5 * smoothstep(0.0, 0.1, SunDir.y)) * (daylight() - sunFall());
    vec3 falls = even + (daylight() - even) * sun;
    vec3 t = exp(-(Absorb + Cloud) * path);
    return light * t + Glow * (1.0 - t) + Scatter * falls * gathered(from, way, path);
}

// The sun's part on the way to what a pixel shows path m away: of what is seen about it and as far.
float shaftsAt(ivec2 pixel, float path) {
    ivec2 last = textureSize(Shafts, 0) - 1;
    return alike(Shafts, (pixel + 1) / 2 - 2, path, texelFetch(Shafts, min(pixel / 2, last), 0).r);
}

// Light from a pixel of the picture, path m from the eye, as the eye sees it.
vec3 seenInside(vec3 light, vec3 eye, vec3 way, float path) {
    float sun = HasShafts > 0.5 ? shaftsAt(ivec2(gl_FragCoord.xy), path) : sunPart(eye, way, 1.0);
    return hazed(light, eye, way, path, sun);
}
