precision highp float;

// Sky: 0 zenith, 1 horizon, 2 ground, 3 direction to the sun, 4 the sun's colour; linear light.
uniform vec3 Sky[5];
#define SkyZenith  Sky[0]
#define SkyHorizon Sky[1]
#define SkyGround  Sky[2]
#define SunDir     Sky[3]
#define SunColor   Sky[4]

const float Knee = 0.8; // below it the tone map is the identity, so g3n's own materials keep their colours

vec3 skyGradient(vec3 d) {
    float up = clamp(d.y, 0.0, 1.0);
    vec3 c = mix(SkyHorizon, SkyZenith, 1.0 - pow(1.0 - up, 3.0));
    c = mix(c, SkyGround, smoothstep(0.0, -0.35, d.y));
    float glow = max(dot(d, SunDir), 0.0);
    float g2 = glow * glow, g8 = g2 * g2 * g2 * g2;
    return c + SunColor * (0.05 * g8 + 0.16 * g8 * g8 * g8 * g8) * smoothstep(-0.15, 0.05, d.y);
}

// The light that falls on an upward face, without shadows: sky and sun.
vec3 daylight() {
    return 0.45 * SkyZenith + 0.25 * SkyHorizon + 0.55 * SunColor * max(SunDir.y, 0.0);
}

vec3 encode(vec3 c) {
    c = max(c, 0.0);
    vec3 over = Knee + (1.0 - Knee) * (1.0 - exp((Knee - c) / (1.0 - Knee)));
    c = mix(c, over, step(Knee, c));
    return mix(12.92 * c, 1.055 * pow(max(c, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

// The inverse of encode; a cubic stands for the power, off by less than one step of 8 bits.
vec3 decode(vec3 c) {
    c = c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
    vec3 over = Knee - (1.0 - Knee) * log(max(1.0 - (c - Knee) / (1.0 - Knee), 0.05));
    return mix(c, over, step(Knee, c));
}
