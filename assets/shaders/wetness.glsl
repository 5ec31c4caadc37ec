//import common
//import lightmap
// What the liquid has left on a face: it is darker, since light is caught in its pores, and a film on it mirrors sky and lamps. Directions and places are in
// camera coordinates.
#if defined(MENISCUS_LINEAR) && !defined(MENISCUS_PLAIN)
uniform sampler3D Wet;      // 1 in the liquid, 3/4 where it has just left, 0 where it is dry
uniform mat4 WetFromView;   // to it, 0 to 1; upwards is first
uniform float WetReach;     // m before a face is what has wetted it; 0 for what never gets wet

float Film = 0.0; // of liquid in the air, 0 to 1
float Sunk = 0.0; // 1 in the liquid

// What is left of a face's paint. porous: how much it takes up, 0 for glass, 1 for sand.
vec3 soaked(vec3 paint, vec3 place, vec3 n, float porous) {
    vec3 at = (WetFromView * vec4(place + n * WetReach, 1.0)).xyz;
    vec3 margin = 0.25 / vec3(textureSize(Wet, 0));
    if (WetReach == 0.0 || any(lessThan(at, -margin)) || any(greaterThan(at, 1.0 + margin))) {
        return vec3(1.0);
    }
    float v = texture(Wet, at).r;
    float wet = smoothstep(0.06, 0.45, v);
    Sunk = smoothstep(0.78, 0.9, v);
    Film = wet * (1.0 - Sunk);
    vec3 tone = mix(vec3(dot(paint, vec3(0.3, 0.6, 0.1))), paint, 0.3); // the darker, the more light stays in the pores; colours deepen a little
    return pow(clamp(tone, 0.03, 1.0), vec3(0.7 * porous * wet));
}

float filmFresnel(float cosine) {
    return 0.0204 + 0.15 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0); // a film is no plane: it mirrors little more at its edge
}

// The sky in the film.
vec3 sheen(vec3 n, vec3 eye) {
    return Film > 0.0 ? Film * filmFresnel(dot(n, eye)) * skyGradient(mat3(WorldFromView) * reflect(-eye, n)) : vec3(0.0);
}

// How much of a lamp's light the film sends to the eye.
float glint(vec3 l, vec3 n, vec3 eye) {
    const float Slope2 = 0.02; // square of the film's mean slope
    vec3 h = normalize(l + eye);
    float nh = max(dot(n, h), 0.0), k = nh * nh * (Slope2 - 1.0) + 1.0;
    return Film * filmFresnel(dot(eye, h)) * 0.25 * Slope2 / (3.1416 * k * k);
}
#else
vec3 soaked(vec3 paint, vec3 place, vec3 n, float porous) { return vec3(1.0); }
vec3 sheen(vec3 n, vec3 eye) { return vec3(0.0); }
float glint(vec3 l, vec3 n, vec3 eye) { return 0.0; }
#endif
