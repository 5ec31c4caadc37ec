//import sunlight
// The sun's light at a place: straight, or bent by a liquid's surface above, and what a surface below mirrors.
//
// Each liquid has two maps, of the light that its surface bends and of that which it mirrors. A point of a map is a line along which
// that light goes if the water is still, told by where it crosses the mean level. A texel knows the first thing on its line, how much light comes
// there through the waves, and where the line crosses the surface. So the light is right at any depth, and what lies behind is in shadow.

// A texel: light beside that of the sun on the level; height of what it comes to; height of the surface, -1e4 for none; metres of height of liquid above
// what it comes to, -1 if that is not in the liquid. Heights are over the level, m.
uniform sampler2D LightMap;
uniform mat4 WorldFromView;
uniform vec3 SunView;   // direction to the sun, camera coordinates
uniform vec3 LightMaps; // how many liquids have maps; a map's edge, texels
// For each liquid: area of the map of bent light, and of mirrored light: x and z at the first texel, 1/size in x and z; bounds: least and greatest x
// and z; least and greatest height, level, 1 with mirrored light; extinction, 1/m.
uniform vec4 LightAt[20];

struct SunShare {
    vec3 way;   // to where it comes from
    vec3 share; // of the sun's light across its way
};

// Weights of the three texels about a point, f texels off the middle one's centre: a quadratic spline.
vec3 spline(float f) {
    return vec3(0.5 * (0.5 - f) * (0.5 - f), 0.75 - f * f, 0.5 * (0.5 + f) * (0.5 + f));
}

// What a map has for a place on a plane of a normal n: light; how much of it is under the surface; metres of height of liquid above. lean: x and z that
// light goes for a metre of height; down: 1, or -1 for light that goes up.
vec3 inMap(vec4 area, ivec2 corner, vec2 lean, float down, vec3 place, vec3 n) {
    vec2 at = (place.xz - lean * place.y - area.xy) * area.zw * LightMaps.y; // place.y is over the level
    if (any(lessThan(at, vec2(1.5))) || any(greaterThan(at, vec2(LightMaps.y - 1.5)))) {
        return vec3(0.0);
    }
    vec2 base = floor(at), f = at - base - 0.5;
    float across = n.y + dot(n.xz, lean);
    vec2 rise = -n.xz / (across < 0.0 ? min(across, -0.1) : max(across, 0.1)) / (area.zw * LightMaps.y); // of the plane, m per texel
    float most = 0.02 + 0.5 / (abs(area.z) * LightMaps.y) + 0.75 * (abs(rise.x) + abs(rise.y)); // how far behind what the map has a place may seem, m
    vec3 wx = spline(f.x), wy = spline(f.y), got = vec3(0.0);
    for (int i = 0; i < 9; i++) {
        ivec2 tap = ivec2(i % 3, i / 3) - 1;
        vec4 s = texelFetch(LightMap, corner + ivec2(base) + tap, 0);
        float w = wx[tap.x + 1] * wy[tap.y + 1];
        float y = place.y + dot(rise, vec2(tap) - f);
#ifdef MENISCUS_SHADOWLESS
        bool seen = true;
#else
        bool seen = down * (s.g - y) < most;
#endif
        bool surface = s.b > -1000.0;
        if (down < 0.0) {
            got.x += seen && place.y > s.b ? w * s.r : 0.0;
        } else if (surface ? place.y < s.b && !(seen && s.a < 0.0) : seen && s.a >= 0.0) {
            got += w * vec3(seen ? s.r : 0.0, surface ? 1.0 : 0.0, max(seen ? s.a - max(y - s.g, 0.0) : s.b - y, 0.0));
        }
    }
    return got;
}

#ifndef MENISCUS_PLAIN
// What the map of bent light has for a place of a normal n, see inMap. bent: to where that light comes from. medium: of the liquid that it is in, or
// whose bounds it is in: extinction, 1/m; metres below the level.
vec3 inLiquid(vec3 place, vec3 n, vec3 bent, out vec4 medium) {
    vec3 best = vec3(0.0);
    medium = vec4(0.0);
    for (int i = 0; i < int(LightMaps.x); i++) {
        vec4 bounds = LightAt[5 * i + 2], heights = LightAt[5 * i + 3];
        if (place.y > heights.x && place.y < heights.y && all(greaterThan(place.xz, bounds.xy)) && all(lessThan(place.xz, bounds.zw))) {
            vec3 p = place - vec3(0.0, heights.z, 0.0);
            vec3 got = inMap(LightAt[5 * i], ivec2(0, i * int(LightMaps.y)), bent.xz / bent.y, 1.0, p, n);
            if (got.y > best.y || best.y == 0.0) { // of liquids that lie on each other the one that it is in
                best = max(got.x, got.y) > 0.0 ? got : best;
                medium = vec4(LightAt[5 * i + 4].xyz, -p.y);
            }
        }
    }
    return best;
}

// Which way the sun's light comes from in still liquid.
vec3 bentSun(vec3 sun) {
    return -refract(-sun, vec3(0.0, 1.0, 0.0), 1.0 / 1.333);
}
#endif

// The sun's light at a place of a normal n: what comes straight or bent, and what water mirrors.
void sunShares(vec3 place, vec3 n, vec3 sun, out SunShare direct, out SunShare mirrored) {
    direct = SunShare(sun, vec3(1.0));
    mirrored = SunShare(vec3(sun.x, -sun.y, sun.z), vec3(0.0));
    float straight = 1.0;
#ifndef MENISCUS_PLAIN
    vec4 medium;
    vec3 bent = bentSun(sun), got = inLiquid(place, n, bent, medium), keep = exp(-medium.xyz * (got.z / bent.y));
    float light = got.x * sun.y / bent.y;
    straight = 1.0 - got.y;
    for (int i = 0; i < int(LightMaps.x); i++) {
        vec3 p = place - vec3(0.0, LightAt[5 * i + 3].z, 0.0);
        if (LightAt[5 * i + 3].w > 0.5 && dot(n, mirrored.way) > 0.0) {
            mirrored.share += inMap(LightAt[5 * i + 1], ivec2(int(LightMaps.y), i * int(LightMaps.y)), -sun.xz / sun.y, -1.0, p, n).x;
        }
    }
    direct.way = normalize(mix(bent, sun, straight));
#endif
#ifndef MENISCUS_SHADOWLESS
    if (straight > 0.0 && dot(n, sun) > 0.0) {
        straight *= sunlit(SunFromWorld, place, n, sun);
    }
#endif
#ifndef MENISCUS_PLAIN
    direct.share = (straight + light) * keep;
#else
    direct.share = vec3(straight);
#endif
}
