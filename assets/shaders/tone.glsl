precision highp float;

const float Knee = 0.8; // below it the tone map is the identity

// Light as a display shows it: the tone map and the sRGB curve.
vec3 encode(vec3 c) {
    c = max(c, 0.0);
    vec3 over = Knee + (1.0 - Knee) * (1.0 - exp((Knee - c) / (1.0 - Knee)));
    c = mix(c, over, step(Knee, c));
    return mix(12.92 * c, 1.055 * pow(max(c, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

// Light as what is drawn into wants it: as it is in Draw, for a display in a game's own Render.
vec3 drawn(vec3 c) {
#ifdef MENISCUS_LINEAR
    return c;
#else
    return encode(c);
#endif
}

// A colour of a display as light.
vec3 linear(vec3 c) {
    return mix(c / 12.92, pow((max(c, 0.0) + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}
