//import common
//import medium
//import sunlight
//import screenray
//import mirror
//import refraction
//import form
//import crust
//import lens
//import wind
//import inscatter

in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;

uniform vec3 Eye;
uniform vec3 Box[2];       // the surface's bounds, m
uniform vec4 Frame;        // time s, 1 with refraction, triangles of the free surface, roughness
uniform vec4 Detail;       // ripple strength, foam pattern 1/m, 1/width, 1/height
uniform vec3 FoamColor;
uniform sampler2D Noise;   // slopes in xy, foam pattern in z, soft noise in w
uniform vec2 NoiseInfo[3];
uniform sampler2D SceneColor;
uniform sampler2D SceneDepth;
uniform sampler2D Interval; // the straight way through all of the liquid, m, 1 where the eye is in it, and the faces up to a wall behind what is seen
uniform float Sliver;       // how much liquid may have come through a wall, m; 0 for none

uniform sampler2D Foam;     // how much foam of particles lies on the surface
uniform float Splats;       // 1 with it

out vec4 FragColor;

float Lit = 1.0; // what shadows leave of the sun

const float F0 = 0.0204;
const float Gap = 0.05;      // between liquid and what it touches, m
const float Aside = 0.16;    // of the picture
const float LensReach = 1.0; // how far behind thin liquid things are taken to be at most, m
const float Reach = 100.0;   // of mirrored rays, m
const float Floor = 0.4; // what an unseen floor is taken to throw back

float fresnel(float cosine) {
    float k = 1.0 - clamp(cosine, 0.0, 1.0);
    return F0 + (1.0 - F0) * k * k * k * k * k;
}

// How far a ray from p stays in the surface's bounds.
float boxExit(vec3 p, vec3 d) {
    vec3 far = (mix(Box[0], Box[1], step(0.0, d)) - p) / (d + mix(vec3(-1e-5), vec3(1e-5), step(0.0, d)));
    return max(min(far.x, min(far.y, far.z)), 0.0);
}

// A place or a velocity on the surface along two axes of a pattern.
vec2 skewed(vec3 p) {
    return vec2(p.x + 0.6 * p.y, p.z + 0.4 * p.y);
}

const float Period = 1.6; // s

// Two copies of a pattern ride with the flow for Period seconds each, one fading in while the other fades out, so that it moves with the liquid and
// never stretches far. at: m; v: m/s; apart: how far one copy is from the other, in patterns. With none what rests stays as it is.
vec4 carried(float scale, vec2 at, vec2 v, vec2 apart) {
    float a = fract(Frame.x / Period), b = fract(a + 0.5);
    vec4 pa = texture(Noise, (at - v * (a - 0.5) * Period) * scale);
    vec4 pb = texture(Noise, (at - v * (b - 0.5) * Period) * scale + apart);
    return mix(pa, pb, abs(2.0 * a - 1.0));
}

vec4 flowing(float scale) {
    return carried(scale, skewed(WorldPos), skewed(Flow), vec2(0.37, 0.71));
}

// The pattern of the crust, upright on walls. What is soft of it is larger, so that it doesn't look the same again where it repeats.
vec4 plates(bool side, vec3 n) {
    vec2 at = skewed(WorldPos), v = skewed(Flow);
    if (side) {
        bool along = abs(n.x) > abs(n.z);
        at = along ? WorldPos.zy : WorldPos.xy;
        v = along ? Flow.zy : Flow.xy;
    }
    return vec4(carried(Plates, at, v, vec2(0.0)).xyz, carried(0.29 * Plates, at, v, vec2(0.0)).w);
}

vec3 surfaceNormal(bool side, bool below, vec3 v) {
    vec3 flatNormal = normalize(cross(dFdx(WorldPos), dFdy(WorldPos)));
    vec2 wind = windSlope(WorldPos.xz, length(Flow));
    if (side) {
        return flatNormal;
    }
    vec3 n = normalize(WorldNormal + 1e-6);
    float speed = length(Flow);
    float ripple = Detail.x * smoothstep(0.05, 1.2, speed);
    if (ripple > 0.002) {
        vec2 slope = flowing(0.9).xy + 0.6 * flowing(2.3).yx - 0.8;
        n = normalize(n + ripple * vec3(slope.x, 0.0, slope.y));
    }
    if (Windy > 0.5) {
        n = normalize(n - max(n.y, 0.0) * vec3(wind.x, 0.0, wind.y));
    }
    if (below) {
        n = -n;
    }
    // A smooth normal may face away where the triangle does not: tilt it back to the rim.
    float facing = dot(n, v);
    return facing < 0.04 ? normalize(n + v * (0.04 - facing)) : n;
}

// Whether any of the four texels that a filtered read at a point mixes lies in front of the surface.
bool hidden(vec2 at) {
    vec2 t = 0.5 * Detail.zw;
    float near = min(min(depthBehindAt(0, at + t), depthBehindAt(0, at - t)),
        min(depthBehindAt(0, at + vec2(t.x, -t.y)), depthBehindAt(0, at + vec2(-t.x, t.y))));
    return near < gl_FragCoord.z;
}

// The place in the picture where something is seen some way on, if nothing is known to lie there. The picture holds only what the camera sees, so the
// step aside is squeezed smoothly to stay in it, and to be no more than Aside.
vec2 stepped(vec2 uv, vec3 way) {
    vec2 aside = project(WorldPos + way) - uv;
    vec2 room = min(vec2(Aside), 0.9 * min(uv, 1.0 - uv));
    aside *= room / (room + abs(aside));
    vec2 at = uv + aside;
    if (hidden(at)) { // beside the liquid: something in front of the surface must not bleed in
        at = uv + 0.4 * aside;
        if (hidden(at)) {
            at = uv;
        }
    }
    return at;
}

vec3 sunGlint(vec3 n, vec3 v) {
    vec3 dx = dFdx(n), dy = dFdy(n);
    float spread = min(0.5 * (dot(dx, dx) + dot(dy, dy)), 0.12);
    float a2 = Frame.w * Frame.w + spread + Unseen; // the slopes a pixel cannot show widen the glint
    float h = max(dot(n, normalize(v + SunDir)), 0.0);
    float d = h * h * (a2 - 1.0) + 1.0;
    return Lit * SunColor * min(0.25 * a2 / (3.1416 * d * d), 40.0) * smoothstep(0.0, 0.1, dot(n, SunDir));
}

// The way of a ray off the surface.
vec3 mirrorWay(bool side, bool below, vec3 n, vec3 v) {
    vec3 way = reflect(-v, n);
    if (!side && !below) {
        way.y = mix(way.y, abs(way.y), 0.85); // a wave's far side mostly mirrors other water, not the ground
        way = normalize(way);
    }
    return way;
}

// What a ray off the surface meets, and how far away, m: of the picture, else of the mirrored one; else the sky, or in the liquid the end of its bounds.
vec4 mirrored(bool side, bool below, vec3 way) {
    vec4 light = below ? vec4(Floor * daylight(), boxExit(WorldPos, way)) : vec4(skyGradient(way), 0.0);
    float sharp = below ? 1.0 : 1.0 - smoothstep(0.15, 0.5, Frame.w); // what is rough blurs things into the sky
    float far;
    vec4 still = planar(WorldPos, way, below ? -1.0 : side ? 0.0 : 1.0, far);
    light = mix(light, vec4(still.rgb, far), sharp * still.a);
    if (Mirror.z > 0.5) {
        vec3 met;
        vec4 seen = traced(SceneColor, SceneDepth, WorldPos, way, Reach, int(Mirror.z), met);
        light = mix(light, vec4(seen.rgb, length(met - WorldPos)), sharp * seen.a);
    }
    return light;
}

// The light into the liquid, which is path m thick there. What a wall hides is lit from above.
vec3 falls(bool side, vec3 n, float path) {
    return side ? daylight() : fallsIn(n, path, Lit);
}

// Without Draw, blended over whatever is there. f: Fresnel's share; r: the bent way; mirror: what the surface mirrors.
vec4 plain(bool side, bool below, vec3 n, vec3 v, float f, vec3 r, vec3 mirror) {
    if (below) {
        vec3 deep = through(Floor * daylight(), boxExit(WorldPos, reflect(-v, n)));
        return vec4(mix(skyGradient(-v), deep, f), mix(0.25, 0.85, f));
    }
    float box = boxExit(WorldPos, r);
    vec3 keep = exp(-(Absorb + Cloud) * box);
    vec3 own = through(0.5 * Floor * daylight(), box, falls(side, n, box)); // blending cannot tint: guess what it covers
    float alpha = clamp(1.0 - (1.0 - f) * dot(keep, vec3(0.3, 0.4, 0.3)), 0.08, 0.97);
    return vec4((f * mirror + (1.0 - f) * own) / alpha, alpha);
}

// What the bent way r leads to: the light from there, after its way through the liquid for an eye in the air.
vec3 refracted(vec2 uv, bool side, bool below, vec3 n, vec3 v, vec3 r) {
    float box = boxExit(WorldPos, r);
    float straight = length(unproject(uv, texture(SceneDepth, uv).r) - WorldPos);
    float body = clamp(texture(Interval, uv).r, 0.0, straight);
    float depthBehind = min(body, box); // bent down, the way is shorter
    // Where liquid reaches up to the scene, or beyond the bounds' end on the bent way, the ray runs through it until it meets something.
    float reach = below ? Reach : straight - body < Gap || box < body ? 1.05 * box + Gap : depthBehind;
    vec2 at;
    int layer;
    bool met = bent(WorldPos, r, reach, at, layer);
    if (!met && !below) {
        // What is thin and round is a lens, which bends light once more where it leaves.
        float beyond = side ? 0.0 : min(straight - depthBehind, LensReach) * (1.0 - smoothstep(0.1, 0.4, body));
        at = stepped(uv, r * depthBehind + (2.0 * r + v) * max(beyond, 0.0));
    }
    at = within(uv, at);
    vec3 behind = unproject(at, depthBehindAt(layer, at));
    vec3 light = lightBehind(layer, at);
    if (below) {
        return light;
    }
    float path = length(behind - WorldPos);
    if (!met) {
        path = min(path, body);
    }
    float chord = body * dot(r, n) / -dot(v, n); // of a ball
    if (!met && !side && Mirror.z > 0.5 && chord < 1.02 * box) {
        vec3 way = leaves(n, r, chord), place;
        vec4 seen = traced(SceneColor, SceneDepth, WorldPos + chord * r, way, Reach, int(Mirror.z), place);
        // What leaves the picture meets the sky, unless something is close behind.
        light = mix(mix(light, skyGradient(way), smoothstep(0.3, LensReach, straight - body)), seen.rgb, seen.a);
        path = chord;
    }
    return through(light, path, falls(side, n, body));
}

// What the eye sees of the surface without its foam: Fresnel between what it mirrors and what lies behind it. From within there is Snell's window, and
// total reflection beyond it.
vec4 seen(vec2 uv, bool side, bool below, vec3 n, vec3 v) {
    vec3 r = refract(-v, n, below ? Index : 1.0 / Index), way = mirrorWay(side, below, n, v);
    float f = below ? dot(r, r) < 0.5 ? 1.0 : fresnel(dot(-n, r)) : fresnel(dot(n, v));
    vec4 met = mirrored(side, below, way);
    vec3 mirror = below ? hazed(met.rgb, WorldPos, way, met.a, sunPart(WorldPos, way, 1.0)) : met.rgb + sunGlint(n, v);
    if (metallic() && !below) {
        return vec4(metalShare(dot(n, v)) * mirror + Glow, 1.0);
    }
    if (Frame.y < 0.5) {
        return plain(side, below, n, v, f, r, mirror);
    }
    return vec4(f < 1.0 ? mix(refracted(uv, side, below, n, v, r), mirror, f) : mirror, 1.0);
}

// The foam's lace at a scale, as evenly spread over 0 to 1 as in the texture: a mean of two copies has less contrast than each of them.
// Source: Heitz and Neyret, High-performance by-example noise using a histogram-preserving blending operator (2018).
float lace(float scale) {
    float b = abs(2.0 * fract(Frame.x / Period) - 1.0);
    return 0.5 + (flowing(scale).z - 0.5) / length(vec2(b, 1.0 - b));
}

// Share of foam on a face of normal n, and how thick it is where it lies: of the surface's own and of the particles' patches. Where there is little of
// it, it is a thin net of bubbles' walls, and where there is much, white with holes in it. On what is steep no bubbles rest: only patches are seen there.
// Far away, where a pixel is as large as a bubble, the net's mean is seen.
vec2 foamMask(vec2 uv, vec3 n) {
    const float Most = 0.93, Soft = 0.2, Bubbles = 9.0; // across the pattern
    vec2 at = skewed(WorldPos) * Detail.y * Bubbles;
    float pixel = max(length(dFdx(at)), length(dFdy(at)));
    float level = smoothstep(0.25, 0.75, abs(n.y));
    float amount = max(FoamAmount, 0.0) * level;
    if (Splats > 0.5) {
        float a = texture(Foam, uv).r;
        amount = 0.5 * amount + a * a / (a + 1.5); // a patch alone hardly shows
    }
    if (amount < 0.01) {
        return vec2(0.0);
    }
    float clumps = smoothstep(0.25, 0.75, flowing(0.31 * Detail.y).w);
    float cover = Most * (1.0 - exp(-2.0 * clumps * amount));
    float grain = 0.5 + (0.5 * lace(Detail.y) + 0.5 * lace(2.7 * Detail.y) - 0.5) / length(vec2(0.5, 0.5));
    float net = mix(cover, smoothstep(1.0 - cover - Soft, 1.0 - cover + Soft, grain), level * (1.0 - smoothstep(0.25, 0.75, pixel)));
    return vec2(net * smoothstep(0.0, 0.6, cover), grain);
}

void main() {
    bool side = float(gl_PrimitiveID) >= Frame.z;
    bool below = !gl_FrontFacing;
    vec3 toEye = Eye - WorldPos;
    float distance = length(toEye);
    bend(WorldPos, normalize(WorldNormal + 1e-6));
    // From the air no back is to be seen. From within the first face is a back: through a side no front that stands beyond it is drawn.
    vec3 ways = texture(Interval, gl_FragCoord.xy * Detail.zw).rgb;
    bool inside = ways.g > 0.5;
    if (below && side || Frame.y > 0.5 && below != inside) {
        discard;
    }
    if (Frame.y > 0.5 && !inside && ways.r < Sliver && ways.b < 1.5) {
        discard; // it goes on through what is seen, a hull's wall thinner than the cells: the liquid is on the other side of that
    }
    vec3 v = toEye / max(distance, 1e-5);
    vec3 n = surfaceNormal(side, below, v);
#ifdef MENISCUS_LINEAR
    Lit = sunlit(SunFromWorld, WorldPos, below ? -n : n, SunDir);
#endif
    vec2 uv = gl_FragCoord.xy * Detail.zw;
    vec4 c = seen(uv, side, below, n, v);

    if (Crust != vec3(0.0) && !below) {
        c.rgb = crusted(c.rgb, plates(side, n), length(Flow), n, v, Lit);
    }

    vec3 white = FoamColor * (0.35 * SkyZenith + 0.35 * SkyHorizon
        + Lit * SunColor * (0.25 + 0.45 * max(dot(below ? -n : n, SunDir), 0.0)));
    if (below) {
        white *= 0.5;
    }
    vec2 lace = side ? vec2(0.0) : foamMask(uv, n);
    white *= mix(0.78, 1.1, smoothstep(0.2, 0.8, lace.y));
    vec3 light = mix(c.rgb, white, lace.x);
    if (below && Frame.y > 0.5) {
        light = seenInside(light, Eye, -v, distance);
    }
    FragColor = vec4(drawn(light), mix(c.a, 1.0, lace.x));
}
