// Of a liquid's look what is not its medium, see scene's Look: metal, the liquid's own light, and the crust on it.
uniform vec3 Looks[4];
#define Metal Looks[0]    // what a metal mirrors head on, 0 to 1; 0 for what is no metal
#define Glow  Looks[1]    // light that the liquid gives where it is hot, linear
#define Crust Looks[2]    // the crust's colour, linear; 0 for none
#define Plates Looks[3].x // of the crust, 1/m

bool metallic() { return Metal.g > 0.0; }

// What a metal mirrors at an angle to its normal. Source: Schlick 1994.
vec3 metalShare(float cosine) {
    float k = 1.0 - clamp(cosine, 0.0, 1.0);
    return Metal + (1.0 - Metal) * (k * k * k * k * k);
}
