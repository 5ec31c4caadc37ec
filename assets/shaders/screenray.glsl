// Rays through what a picture shows: its colours and depths stand for the scene.
uniform mat4 ViewProj;
uniform mat4 InvViewProj;

vec3 unproject(vec2 uv, float depth) {
    vec4 p = InvViewProj * vec4(vec3(uv, depth) * 2.0 - 1.0, 1.0);
    return p.xyz / p.w;
}

vec2 project(vec3 p) {
    vec4 c = ViewProj * vec4(p, 1.0);
    return c.xy / max(c.w, 1e-3) * 0.5 + 0.5;
}

// Where a ray from a place, both in world space, runs in the picture: from the first of the two to the second, with depths, up to edge
// times the picture's width and height or reach m. Depth too is even along it.
void span(vec3 from, vec3 way, float reach, vec2 edge, out vec3 a, out vec3 b) {
    vec4 p = ViewProj * vec4(from, 1.0), d = ViewProj * vec4(way, 0.0);
    if (d.w < 0.0) {
        reach = min(reach, -0.9 * p.w / d.w); // short of the eye
    }
    vec4 q = p + reach * d;
    a = p.xyz / p.w;
    vec3 run = q.xyz / q.w - a;
    vec2 room = (mix(-edge, edge, step(0.0, run.xy)) - a.xy) / (run.xy + mix(vec2(-1e-6), vec2(1e-6), step(0.0, run.xy)));
    b = a + run * clamp(min(room.x, room.y), 0.0, 1.0);
    a = a * 0.5 + 0.5;
    b = b * 0.5 + 0.5;
}

const int Bisections = 5;
const float Past = 0.25; // how far past the picture's left and right edges rays are followed, of its width

// The colour of what a ray meets, and how sure that is, 0 to 1; met: where. A ray that runs behind something may meet it or not: the picture doesn't
// say how thick it is. It goes on where what it would meet lies too far before it. It may get behind something just before that thing's edge, between two
// steps: the edge is looked for where that can be. The colour is of the texel that the depth is of, or what lies beside it would bleed in. What lies past
// the picture's left and right edges is taken to look like the edge.
// Steps read one depth and nothing else, and what follows is done after them: pixels that are drawn together wait for the one that does most.
vec4 traced(sampler2D color, sampler2D depth, vec3 from, vec3 way, float reach, int steps, out vec3 met) {
    vec3 a, b;
    span(from, way, reach, vec2(1.0 + 2.0 * Past, 1.0), a, b);
    met = from;
    ivec2 size = textureSize(color, 0);
    float was = 1.0;
    bool hidden = false;
    int i = 1;
    while (true) {
        vec3 p;
        bool behind, passed;
        for (; i <= steps; i++) {
            p = mix(a, b, float(i) / float(steps));
            float seen = textureLod(depth, p.xy, 0.0).r;
            bool now = seen < p.z;
            behind = now && !hidden;
            passed = !now && !hidden && was < p.z;
            hidden = now;
            was = seen;
            if (behind || passed) {
                break;
            }
        }
        if (i > steps) {
            return vec4(0.0);
        }
        float lo = float(i - 1) / float(steps), hi = float(i) / float(steps);
        i++;
        for (int k = 0; k < (passed ? 2 : 1) * Bisections; k++) {
            float m = 0.5 * (lo + hi);
            vec3 q = mix(a, b, m);
            float seen = textureLod(depth, q.xy, 0.0).r;
            if (seen < q.z || !behind && seen >= p.z) {
                hi = m;
            } else {
                lo = m;
            }
            behind = behind || seen < q.z;
        }
        if (!behind) {
            continue;
        }
        vec3 q = mix(a, b, hi);
        met = unproject(q.xy, textureLod(depth, q.xy, 0.0).r);
        float gone = length(met - from);
        float fits = 1.0 - smoothstep(0.5, 1.0, length(unproject(q.xy, q.z) - met) / (0.05 + 0.05 * gone));
        if (fits > 0.0) {
            vec2 rim = min(q.xy, 1.0 - q.xy);
            float sure = fits * smoothstep(0.0, 0.06, rim.y) * (1.0 - smoothstep(0.4, 1.0, -rim.x / Past)) * (1.0 - smoothstep(0.5, 1.0, gone / reach));
            return vec4(texelFetch(color, clamp(ivec2(q.xy * vec2(size)), ivec2(0), size - 1), 0).rgb, sure);
        }
    }
}
