// How much of the sun reaches a place, 0 to 1: the map of what it sees, compared at 3×3 texels.
uniform sampler2DShadow SunDepth;
uniform mat4 SunFromWorld; // to the map, 0 to 1
uniform vec3 SunMap;       // 1 with a map, its texel of its edge and in m

// p: in the map. Two by two filtered reads between texels weigh the nine with 1, 2 and 1.
float inSun(vec3 p) {
    if (SunMap.x < 0.5 || any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) {
        return 1.0;
    }
    float h = 0.5 * SunMap.y;
    return 0.25 * (texture(SunDepth, p + vec3(-h, -h, 0.0)) + texture(SunDepth, p + vec3(h, -h, 0.0))
        + texture(SunDepth, p + vec3(-h, h, 0.0)) + texture(SunDepth, p + vec3(h, h, 0.0)));
}

// A place of a normal n is looked at from a little nearer to the sun, or a face would shadow itself: what the map holds lies a little farther already,
// see farther. Where a face turns away from the sun, those of round bodies by steps, it is looked at from outside of it too.
float sunlit(mat4 map, vec3 place, vec3 n, vec3 sun) {
    float away = 1.0 - clamp(dot(n, sun), 0.0, 1.0);
    return inSun((map * vec4(place + (sun + n * (2.0 * away * away)) * SunMap.z, 1.0)).xyz);
}
