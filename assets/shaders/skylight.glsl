//import wetness
// Light from all sides on its way down through a liquid. Where the sun's map can't tell whether a place is in the liquid, as in the shadow of a hull,
// what the liquid wets does.
#if defined(MENISCUS_LINEAR) && !defined(MENISCUS_PLAIN)
const float Enters = 0.934; // by Fresnel's formulas, of light from all sides
const float Slant = 1.2;    // its way for a metre of depth; Source: Kirk, Light and Photosynthesis in Aquatic Ecosystems (2011)

// How much of the sky's light comes to a place of a normal n, both in the world. It is called after soaked.
vec3 skyShare(vec3 place, vec3 n) {
    vec4 medium;
    vec3 got = inLiquid(place, n, bentSun(mat3(WorldFromView) * SunView), medium);
    float depth = got.y > 0.0 ? got.z / got.y : max(medium.w, 0.0);
    return mix(vec3(1.0), Enters * exp(-Slant * medium.xyz * depth), max(got.y, medium.w > 0.0 ? Sunk : 0.0));
}
#else
vec3 skyShare(vec3 place, vec3 n) { return vec3(1.0); }
#endif
