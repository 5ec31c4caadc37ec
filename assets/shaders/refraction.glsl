// Refraction: the scene behind the liquid's first face, and the places in its picture that bent rays lead to.
uniform sampler2D BehindColor;
uniform sampler2D BehindDepth;
uniform vec4 Place; // of the viewport in that picture, which is wider: size and least corner
uniform float BendSteps; // of a ray

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

float depthBehindAt(vec2 uv) {
    return textureLod(BehindDepth, placed(uv), 0.0).r;
}

// The light from a place behind, of the four texels about it those that lie about as deep as the nearest: at a body's edge the other side would bleed in.
vec3 lightBehind(vec2 uv) {
    ivec2 last = textureSize(BehindColor, 0) - 1;
    vec2 p = placed(uv) * vec2(last + 1) - 0.5;
    ivec2 least = ivec2(floor(p));
    vec2 f = p - vec2(least);
    float deep = 1.0 - texelFetch(BehindDepth, clamp(ivec2(floor(p + 0.5)), ivec2(0), last), 0).r;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 step = ivec2(i % 2, i / 2), at = clamp(least + step, ivec2(0), last);
        vec2 w = mix(1.0 - f, f, vec2(step));
        float near = abs(1.0 - texelFetch(BehindDepth, at, 0).r - deep) < 0.05 * deep + 1e-6 ? w.x * w.y + 1e-4 : 0.0;
        sum += near * vec4(texelFetch(BehindColor, at, 0).rgb, 1.0);
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
float toPlane(vec3 a, vec3 b, vec3 q) {
    vec2 size = vec2(textureSize(BehindDepth, 0)), p = placed(q.xy) * size;
    ivec2 at = clamp(ivec2(p), ivec2(1), ivec2(size) - 2);
    float z = texelFetch(BehindDepth, at, 0).r;
    vec2 rise = vec2(slope(texelFetch(BehindDepth, at - ivec2(1, 0), 0).r, z, texelFetch(BehindDepth, at + ivec2(1, 0), 0).r),
        slope(texelFetch(BehindDepth, at - ivec2(0, 1), 0).r, z, texelFetch(BehindDepth, at + ivec2(0, 1), 0).r));
    vec2 from = p - (vec2(at) + 0.5), run = (b.xy - a.xy) * Place.xy * size;
    float fall = b.z - a.z - dot(rise, run);
    return (z + dot(rise, from) - q.z) / (abs(fall) < 1e-9 ? 1e-9 : fall);
}

// Where in the viewport a ray from a place meets the scene within reach m, or where it ends if that is out of the picture; false if neither. A ray that runs behind something is followed to where
// it comes out. What is hidden there is taken to look like what is seen beside, mirrored at the edge.
bool bent(vec3 from, vec3 way, float reach, out vec2 at) {
    vec3 a, b;
    span(from, way, reach, Beyond, a, b);
    at = b.xy;
    float before = 0.0;
    bool hidden = false, lost = false;
    int steps = int(BendSteps);
    float texel = 1.0 / max(length((b.xy - a.xy) * Place.xy * vec2(textureSize(BehindDepth, 0))), 1.0); // of the ray
    for (int i = 1; i <= steps; i++) {
        float s = float(i) / float(steps);
        vec3 p = mix(a, b, s);
        bool now = depthBehindAt(p.xy) < p.z;
        if (now && !hidden) {
            float lo = before, hi = s;
            for (int k = 0; k < Bisections; k++) {
                float m = 0.5 * (lo + hi);
                vec3 q = mix(a, b, m);
                if (depthBehindAt(q.xy) < q.z) {
                    hi = m;
                } else {
                    lo = m;
                }
            }
            vec3 q = mix(a, b, hi);
            if (outside(q.xy)) {
                at = b.xy;
                return true;
            }
            vec3 met = unproject(q.xy, depthBehindAt(q.xy));
            if (length(unproject(q.xy, q.z) - met) < 0.03 + 0.05 * length(met - from)) {
                at = mix(a, b, hi + clamp(toPlane(a, b, q), -4.0 * texel, 4.0 * texel)).xy;
                return true;
            }
            if (!lost) {
                at = mix(a, b, max(2.0 * (lo - texel) - 1.0, 0.0)).xy;
                lost = true;
            }
        }
        hidden = now;
        before = s;
    }
    return lost || outside(b.xy);
}
