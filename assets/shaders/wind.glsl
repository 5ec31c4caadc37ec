// Ripples of the wind.
uniform vec4 Waves[16]; // wave number along x and z, 1/m, greatest slope, and phase where x = z = 0
uniform float Windy;    // how many there are

float Unseen = 0.0; // mean square of the slopes that a pixel cannot show

// The slope of the surface along x and z. What flows tears its ripples.
vec2 windSlope(vec2 at, float speed) {
    vec2 right = dFdx(at), up = dFdy(at);
    vec2 slope = vec2(0.0);
    for (int i = 0; i < int(Windy); i++) {
        vec2 k = Waves[i].xy;
        float seen = 1.0 - smoothstep(1.0, 2.6, max(abs(dot(k, right)), abs(dot(k, up)))); // radians a pixel
        slope += normalize(k) * (seen * Waves[i].z * cos(dot(k, at) - Waves[i].w));
        Unseen += 0.5 * Waves[i].z * Waves[i].z * (1.0 - seen * seen);
    }
    return slope * (1.0 - smoothstep(0.3, 1.5, speed));
}
