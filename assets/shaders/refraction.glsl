// Refraction: the scene behind the liquid's first face, and the places in its picture that bent rays lead to. Where there is liquid behind what is seen
// there too, a hull for one, a second layer shows what lies in it.
uniform sampler2D BehindColor;
uniform sampler2D BehindDepth;
uniform sampler2D BeyondColor;
uniform sampler2D BeyondDepth; // 0 where there is none
uniform vec4 Place; // of the viewport in that picture, which is wider: size and least corner
uniform vec2 Bend;  // steps of a ray, layers

const float Beyond = 1.6; // rays are followed out of the viewport, to this many times its size

// From the viewport to the picture.
vec2 placed(vec2 uv) {
    return uv * Place.xy + Place.zw;
}

// Out of the picture, which repeats its edge when it is read.
bool outside(vec2 uv) {
    vec2 place = placed(uv);
    return place != clamp(place, 0.0, 1.0);
}

// Depth in the second layer, 1 where there is none.
float inBeyond(float depth) {
    return depth > 0.0 ? depth : 1.0;
}

float depthBehindAt(int layer, vec2 uv) {
    return layer == 0 ? textureLod(BehindDepth, placed(uv), 0.0).r : inBeyond(textureLod(BeyondDepth, placed(uv), 0.0).r);
}

float texelBehind(int layer, ivec2 at) {
    return layer == 0 ? texelFetch(BehindDepth, at, 0).r : inBeyond(texelFetch(BeyondDepth, at, 0).r);
}

// The light from a place behind, of the four texels about it those that lie about as deep as the nearest: at a body's edge the other side would bleed in.
vec3 lightBehind(int layer, vec2 uv) {
    ivec2 last = textureSize(BehindColor, 0) - 1;
    vec2 p = placed(uv) * vec2(last + 1) - 0.5;
    ivec2 least = ivec2(floor(p));
    vec2 f = p - vec2(least);
    float deep = 1.0 - texelBehind(layer, clamp(ivec2(floor(p + 0.5)), ivec2(0), last));
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 step = ivec2(i % 2, i / 2), at = clamp(least + step, ivec2(0), last);
        vec2 w = mix(1.0 - f, f, vec2(step));
        float near = abs(1.0 - texelBehind(layer, at) - deep) < 0.05 * deep + 1e-6 ? w.x * w.y + 1e-4 : 0.0;
        vec3 light = layer == 0 ? texelFetch(BehindColor, at, 0).rgb : texelFetch(BeyondColor, at, 0).rgb;
        sum += near * vec4(light, 1.0);
    }
    return sum.rgb / sum.a;
}

// A place in the viewport in the stead of at, which may lie beyond the picture's edge: of what is far from uv the more is taken off the nearer the
// edge is.
vec2 within(vec2 uv, vec2 at) {
    vec2 aside = (at - uv) * Place.xy, from = placed(uv);
    vec2 room = max(0.98 * mix(from, 1.0 - from, step(0.0, aside)), 1e-4);
    vec2 part = aside / room;
    part *= part;
    return uv + aside / sqrt(sqrt(1.0 + part * part)) / Place.xy;
}

// The smaller of two steps in depth to the sides: the other one may lead over an edge.
float slope(float less, float here, float more) {
    return abs(more - here) < abs(here - less) ? more - here : here - less;
}

// How much farther than q, which is on it, a ray from a to b meets the plane of what is seen there, as a share of its length. Depth is even in a picture
// of a plane.
float toPlane(int layer, vec3 a, vec3 b, vec3 q) {
    vec2 size = vec2(textureSize(BehindDepth, 0)), p = placed(q.xy) * size;
    ivec2 at = clamp(ivec2(p), ivec2(1), ivec2(size) - 2);
    float z = texelBehind(layer, at);
    vec2 rise = vec2(slope(texelBehind(layer, at - ivec2(1, 0)), z, texelBehind(layer, at + ivec2(1, 0))),
        slope(texelBehind(layer, at - ivec2(0, 1)), z, texelBehind(layer, at + ivec2(0, 1))));
    vec2 from = p - (vec2(at) + 0.5), run = (b.xy - a.xy) * Place.xy * size;
    float fall = b.z - a.z - dot(rise, run);
    return (z + dot(rise, from) - q.z) / (abs(fall) < 1e-9 ? 1e-9 : fall);
}

// Where between two shares of its length a ray gets behind a layer.
float crossing(int layer, vec3 a, vec3 b, float lo, float hi) {
    for (int k = 0; k < Bisections; k++) {
        float m = 0.5 * (lo + hi);
        vec3 q = mix(a, b, m);
        if (depthBehindAt(layer, q.xy) < q.z) {
            hi = m;
        } else {
            lo = m;
        }
    }
    return hi;
}

// Whether what a layer shows at a place lies about where a ray from a place is, which is q in the viewport.
bool meetsAt(int layer, vec3 from, vec3 q, vec2 uv) {
    vec3 met = unproject(uv, depthBehindAt(layer, uv));
    return length(unproject(q.xy, q.z) - met) < 0.03 + 0.05 * length(met - from);
}

// Where in the viewport, and in which layer, a ray from a place meets the scene within reach m, or where it ends if that is out of the picture; false if
// neither. A ray that runs behind something is followed to where it comes out, or meets the second layer. What no layer shows is taken to look like what is
// seen beside, mirrored at the edge.
bool bent(vec3 from, vec3 way, float reach, out vec2 at, out int layer) {
    vec3 a, b;
    span(from, way, reach, vec2(Beyond), a, b);
    at = b.xy;
    layer = 0;
    bvec2 hidden = bvec2(false, Bend.y < 1.5);
    bool lost = false;
    float texels = length((b.xy - a.xy) * Place.xy * vec2(textureSize(BehindDepth, 0))), texel = 1.0 / max(texels, 1.0); // of the ray
    int steps = clamp(int(0.5 * texels), 1, int(Bend.x)), i = 1; // none is shorter than two texels
    while (true) {
        bvec2 gets = bvec2(false);
        for (; i <= steps; i++) {
            vec3 p = mix(a, b, float(i) / float(steps));
            bvec2 now = bvec2(depthBehindAt(0, p.xy) < p.z, Bend.y < 1.5 || depthBehindAt(1, p.xy) < p.z);
            gets = bvec2(now.x && !hidden.x, now.y && !hidden.y);
            if (any(gets)) {
                break;
            }
            hidden = now;
        }
        if (i > steps) {
            return lost || outside(b.xy);
        }
        int k = gets.x ? 0 : 1;
        hidden[k] = true;
        float meets = crossing(k, a, b, float(i - 1) / float(steps), float(i) / float(steps));
        vec3 q = mix(a, b, meets);
        if (outside(q.xy)) {
            at = b.xy;
            return true;
        }
        if (meetsAt(k, from, q, q.xy)) {
            vec2 finer = mix(a, b, meets + clamp(toPlane(k, a, b, q), -4.0 * texel, 4.0 * texel)).xy;
            at = meetsAt(k, from, q, finer) ? finer : q.xy; // not over an edge
            layer = k;
            return true;
        }
        if (k == 0 && !lost) {
            at = mix(a, b, max(2.0 * (meets - texel) - 1.0, 0.0)).xy;
            lost = true;
        }
    }
}
