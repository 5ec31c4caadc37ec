// Smooths the stair-steps of edges: a pixel at a step takes of its neighbour across the edge what a straight edge between the step's two ends would give it.
// The picture's brightness is in its alpha. Source: Lottes, FXAA 3.11 (2011), after Reshetov, Morphological antialiasing (2009).
const float Unresolved = 0.5; // of what is smaller than a pixel, how much is smoothed

// How far from a place an edge runs on one way, pixels, and how brightness leaves it there. A read on the edge is the mean of its two sides. All pixels are
// read: longer strides would miss thin lines that cross.
vec2 run(sampler2D picture, vec2 edge, vec2 along, float mean, float limit, int longest) {
    float off = 0.0;
    int i = 0;
    while (i < longest && abs(off) < limit) {
        i++;
        off = textureLod(picture, edge + float(i) * along, 0.0).a - mean;
    }
    return vec2(i, off);
}

// t: a pixel's size; longest: how far an edge is followed each way, pixels.
vec3 smoothed(sampler2D picture, vec2 at, vec2 t, int longest) {
    vec4 here = textureLod(picture, at, 0.0);
    float m = here.a;
    vec2 dx = vec2(t.x, 0.0), dy = vec2(0.0, t.y);
    float n = textureLod(picture, at + dy, 0.0).a, s = textureLod(picture, at - dy, 0.0).a;
    float e = textureLod(picture, at + dx, 0.0).a, w = textureLod(picture, at - dx, 0.0).a;
    float hi = max(m, max(max(n, s), max(e, w))), range = hi - min(m, min(min(n, s), min(e, w)));
    if (range < max(0.03, 0.1 * hi)) {
        return here.rgb;
    }
    float ne = textureLod(picture, at + dx + dy, 0.0).a, nw = textureLod(picture, at - dx + dy, 0.0).a;
    float se = textureLod(picture, at + dx - dy, 0.0).a, sw = textureLod(picture, at - dx - dy, 0.0).a;
    // An edge is level where brightness bends more from row to row than from column to column.
    bool level = 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e) + abs(nw + sw - 2.0 * w)
        >= 2.0 * abs(e + w - 2.0 * m) + abs(ne + nw - 2.0 * n) + abs(se + sw - 2.0 * s);
    vec2 along = level ? dx : dy, across = level ? dy : dx;
    float there = level ? n : e, back = level ? s : w;
    if (abs(back - m) > abs(there - m)) {
        across = -across;
        float swap = there;
        there = back;
        back = swap;
    }
    float mean = 0.5 * (m + there), limit = 0.25 * abs(there - m);
    float sharp = 1.0 - clamp((m - back) / (there - m), 0.0, 1.0); // in the middle of a slope there is no step
    vec2 edge = at + 0.5 * across;
    vec2 a = run(picture, edge, along, mean, limit, longest), b = run(picture, edge, -along, mean, limit, longest);
    vec2 near = a.x < b.x ? a : b;
    // At the nearer end the edge turns to this pixel's side, or away from it.
    float share = (near.y < 0.0) != (m < mean) ? sharp * (0.5 - near.x / (a.x + b.x)) : 0.0;
    float lone = min(abs((2.0 * (n + s + e + w) + ne + nw + se + sw) / 12.0 - m) / range, 1.0);
    lone = lone * lone * (3.0 - 2.0 * lone);
    return textureLod(picture, at + max(share, Unresolved * lone * lone) * across, 0.0).rgb;
}
