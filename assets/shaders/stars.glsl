// A few fixed stars, as faint as the sky around is bright.
const float Cells = 40.0; // across a radian

// Three numbers from 0 to 1 that depend on a cell without a pattern.
// Source: Jarzynski and Olano, Hash functions for GPU rendering (2020), pcg3d.
vec3 scattered(ivec3 cell) {
    uvec3 v = uvec3(cell) * 1664525u + 1013904223u;
    v += v.yzx * v.zxy;
    v ^= v >> 16u;
    v += v.yzx * v.zxy;
    return vec3(v >> 8u) / 16777216.0;
}

// The light of the star that a direction d, a unit vector, leads to; pixel: what one takes of the directions, rad. Each cell that the unit sphere cuts has a
// star at most, and none whose light would reach over the cell's edge.
vec3 stars(vec3 d, float pixel) {
    ivec3 cell = ivec3(floor(d * Cells));
    vec3 at = scattered(cell);
    vec3 star = normalize(vec3(cell) + at);
    vec3 inside = star * Cells - vec3(cell);
    float width = max(0.001, 0.7 * pixel);
    float away = length(cross(d, star)) / width;
    float margin = 3.0 * width * Cells;
    if (any(lessThan(inside, vec3(margin))) || any(greaterThan(inside, vec3(1.0 - margin)))) {
        return vec3(0.0);
    }
    float big = at.x * at.y * at.z;
    vec3 tint = mix(vec3(1.0, 0.85, 0.7), vec3(0.75, 0.85, 1.0), at.y);
    float dark = exp(-60.0 * SkyZenith.g) * smoothstep(0.0, 0.35, d.y);
    return tint * dark * (0.08 + 2.5 * big) * exp(-away * away) * 0.001 / width * 0.001 / width;
}
