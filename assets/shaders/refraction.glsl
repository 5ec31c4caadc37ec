// Refraction: the scene behind the liquid's first face, and the places in its picture that bent rays lead to.
uniform sampler2D BehindColor;
uniform sampler2D BehindDepth;
uniform vec3 Bend; // steps of a ray

const float Wide = 1.4; // rays are followed beyond the picture, to this many times its size

// A place in the picture in the stead of at, which may lie beyond its edge: of what is far from uv the more is taken off the nearer the edge is.
vec2 within(vec2 uv, vec2 at) {
    vec2 aside = at - uv;
    vec2 room = max(0.95 * mix(uv, 1.0 - uv, step(0.0, aside)), 1e-4);
    vec2 part = aside / room;
    part *= part;
    return uv + aside / sqrt(sqrt(1.0 + part * part));
}

// Where in the picture a ray from a place meets the scene within reach m; false if it doesn't. A ray that runs behind something is followed to where
// it comes out; if it doesn't, at is the last place before that, which shows what lies beside.
bool bent(vec3 from, vec3 way, float reach, out vec2 at) {
    vec3 a, b;
    span(from, way, reach, Wide, a, b);
    at = b.xy;
    float before = 0.0;
    bool hidden = false, lost = false;
    int steps = int(Bend.x);
    for (int i = 1; i <= steps; i++) {
        float s = float(i) / float(steps);
        vec3 p = mix(a, b, s);
        bool now = textureLod(BehindDepth, p.xy, 0.0).r < p.z;
        if (now && !hidden) {
            vec2 ends = bisected(BehindDepth, a, b, vec2(before, s));
            vec3 q = mix(a, b, ends.y);
            vec3 met = unproject(q.xy, textureLod(BehindDepth, q.xy, 0.0).r);
            float off = length(unproject(q.xy, q.z) - met);
            if (off < 0.03 + 0.05 * length(met - from)) {
                at = q.xy;
                return true;
            }
            if (!lost) {
                at = mix(a, b, ends.x).xy;
                lost = true;
            }
        }
        hidden = now;
        before = s;
    }
    return lost;
}
