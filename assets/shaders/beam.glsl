//import lightmap
// How much of a beam from the sun reaches a place in the liquid: what waves bundle, and what stands in the sun before it enters or in the liquid.
uniform vec3 Box[2]; // the liquid's bounds, m
uniform float Row;   // of the liquid's light map, -1 for none

const float Contrast = 3.0; // of shafts: a way crosses many, which even out

// By what stands in the sun alone. sun: the direction to it in the liquid.
float unbundled(vec3 place, vec3 sun, float level) {
    vec2 to = (mix(Box[0].xz, Box[1].xz, step(0.0, sun.xz)) - place.xz) / (sun.xz + mix(vec2(-1e-5), vec2(1e-5), step(0.0, sun.xz)));
    float up = min((level - place.y) / sun.y, min(to.x, to.y)) - 0.1; // walls stand where it enters
    return inSun((SunFromWorld * vec4(place + sun * max(up, 0.0), 1.0)).xyz);
}

float beamAt(vec3 place, vec3 sun, float level) {
    if (Row < 0.0) {
        return unbundled(place, sun, level);
    }
    int i = int(Row);
    vec4 area = LightAt[5 * i];
    float over = place.y - LightAt[5 * i + 3].z;
    vec2 at = (place.xz - sun.xz / sun.y * over - area.xy) * area.zw * LightMaps.y;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(LightMaps.y)))) {
        return unbundled(place, sun, level);
    }
    vec4 s = texelFetch(LightMap, ivec2(at) + ivec2(0, i * int(LightMaps.y)), 0);
    if (over < s.g) { // behind what the light comes to
        return 0.0;
    }
    const float Still = 0.97; // of the light that falls on still water enters
    return max(1.0 + Contrast * (s.r / Still - 1.0), 0.0);
}
