// The crust of a hot liquid: plates that ride with the flow, with cracks that glow where the liquid moves.

// How hot the surface is: 1 liquid, 0 the middle of a plate. pattern: the noise there; speed: m/s.
float heatOf(vec4 pattern, float speed) {
    float edge = 0.2 + 0.52 * pattern.z + 0.25 * pow(pattern.z, 12.0); // few places are hot cracks
    float torn = 0.65 * smoothstep(0.03, 0.9, speed) + 0.5 * smoothstep(0.9, 2.5, speed);
    return smoothstep(0.52 - torn, 0.92 - 0.4 * torn, edge + 0.5 * (pattern.w - 0.5));
}

// The light of the liquid's surface under its crust. light: without; n: the normal; v: to the eye; sun: what shadows leave of it.
vec3 crusted(vec3 light, vec4 pattern, float speed, vec3 n, vec3 v, float sun) {
    // Wien's law at 610, 550 and 465 nm for a liquid at 1420 K and plates at 950 K in the middle: c2/(λT) is 16.6, 18.4 and 21.8 in the liquid.
    const vec3 Wien = vec3(16.6, 18.4, 21.8);
    const float Coldest = 0.5; // 1420/950 - 1
    float heat = heatOf(pattern, speed);
    vec3 glow = Glow * exp(-Wien * Coldest * (1.0 - heat));
    vec2 slope = pattern.xy - 0.5;
    vec3 rough = normalize(n + 0.8 * vec3(slope.x, 0.0, slope.y));
    float k = 1.0 - clamp(dot(rough, v), 0.0, 1.0);
    vec3 plate = Crust * fallsOn(rough, sun) + 0.15 * (0.04 + 0.96 * k * k * k * k * k) * skyGradient(reflect(-v, rough));
    return mix(plate + glow, light, smoothstep(0.7, 1.0, heat));
}
