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

float depthBehindAt(vec2 uv) {
    return textureLod(BehindDepth, placed(uv), 0.0).r;
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

// Where in the viewport a ray from a place meets the scene within reach m; false if it doesn't. A ray that runs behind something is followed to where
// it comes out. What is hidden there is taken to look like what is seen beside, mirrored at the edge.
bool bent(vec3 from, vec3 way, float reach, out vec2 at) {
    vec3 a, b;
    span(from, way, reach, Beyond, a, b);
    at = b.xy;
    float before = 0.0;
    bool hidden = false, lost = false;
    int steps = int(BendSteps);
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
            vec3 met = unproject(q.xy, depthBehindAt(q.xy));
            if (length(unproject(q.xy, q.z) - met) < 0.03 + 0.05 * length(met - from)) {
                at = q.xy;
                return true;
            }
            if (!lost) {
                at = mix(a, b, 2.0 * lo - 1.0).xy;
                lost = true;
            }
        }
        hidden = now;
        before = s;
    }
    return lost;
}
