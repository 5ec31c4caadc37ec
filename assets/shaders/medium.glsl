//import looks
// What light meets on its way through the liquid.
uniform vec3 Medium[3];
#define Absorb   Medium[0]   // 1/m
#define Scatter  Medium[1]   // colour that cloudiness throws back, linear
#define Cloud    Medium[2].x // 1/m

// falls: the light that falls into the liquid. What takes light up gives its own light as well as it does (Kirchhoff).
vec3 through(vec3 light, float path, vec3 falls) {
    vec3 t = exp(-(Absorb + Cloud) * path);
    vec3 own = Scatter * falls * (1.0 - exp(-(Cloud + 0.5 * Absorb) * path));
    return light * t + own + Glow * (1.0 - t);
}

vec3 through(vec3 light, float path) {
    return through(light, path, daylight());
}
