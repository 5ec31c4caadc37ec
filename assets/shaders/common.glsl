//import tone

// Sky: 0 zenith, 1 horizon, 2 ground, 3 direction to the sun, 4 the sun's colour; linear light.
uniform vec3 Sky[5];
#define SkyZenith  Sky[0]
#define SkyHorizon Sky[1]
#define SkyGround  Sky[2]
#define SunDir     Sky[3]
#define SunColor   Sky[4]

vec3 skyGradient(vec3 d) {
    float up = clamp(d.y, 0.0, 1.0);
    vec3 c = mix(SkyHorizon, SkyZenith, 1.0 - pow(1.0 - up, 3.0));
    c = mix(c, SkyGround, smoothstep(0.0, -0.35, d.y));
    float glow = max(dot(d, SunDir), 0.0);
    float g2 = glow * glow, g8 = g2 * g2 * g2 * g2;
    return c + SunColor * (0.05 * g8 + 0.16 * g8 * g8 * g8 * g8) * smoothstep(-0.15, 0.05, d.y);
}

// The sun's light that falls on an upward face, without shadows.
vec3 sunFall() {
    return 0.55 * SunColor * max(SunDir.y, 0.0);
}

// The sky's light on a face of a normal n, and what the ground sends back to it.
vec3 skyOn(vec3 n) {
    return mix(SkyGround, 0.6 * SkyZenith + 0.4 * SkyHorizon, 0.5 + 0.5 * n.y);
}

// The light that falls on an upward face, without shadows: sky and sun.
vec3 daylight() {
    return 0.45 * SkyZenith + 0.25 * SkyHorizon + sunFall();
}
