//import common
// Where the liquid's surface meets the lens: below that line the liquid rises along the glass. It bends the picture away from the line, is dark where it
// is steep, and has the sky along its rim. Nothing else is drawn.
uniform sampler2D SceneColor; // the picture
uniform sampler2D Interval;   // in y 1 where the lens is in the liquid
uniform float Reach;          // how far below the line it begins, pixels
out vec4 FragColor;

bool dry(ivec2 at) {
    return texelFetch(Interval, clamp(at, ivec2(0), textureSize(Interval, 0) - 1), 0).g < 0.5;
}

// Whether one of eight pixels about one is dry.
bool near(ivec2 at) {
    int r = int(Reach), s = int(0.7 * Reach + 0.5);
    return dry(at + ivec2(r, 0)) || dry(at - ivec2(r, 0)) || dry(at + ivec2(0, r)) || dry(at - ivec2(0, r))
        || dry(at + ivec2(s, s)) || dry(at - ivec2(s, s)) || dry(at + ivec2(s, -s)) || dry(at + ivec2(-s, s));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    if (dry(at) || !near(at)) {
        discard;
    }
    // The dry part of a disc tells the distance to the line: a half at it, nothing at the disc's edge. Its middle tells the direction.
    float all = 0.0, some = 0.0;
    vec2 to = vec2(0.0);
    for (float y = -Reach; y <= Reach; y++) {
        for (float x = -Reach; x <= Reach; x++) {
            vec2 d = vec2(x, y);
            float w = clamp(Reach + 0.5 - length(d), 0.0, 1.0);
            all += w;
            if (w > 0.0 && dry(at + ivec2(d))) {
                some += w;
                to += w * d;
            }
        }
    }
    float steep = min(2.0 * some / all, 1.0); // 1 at the line
    if (steep <= 0.0) {
        discard;
    }
    vec2 size = vec2(textureSize(SceneColor, 0));
    vec2 off = to / max(length(to), 1e-3) * (5.0 * Reach * steep * steep);
    vec3 light = texture(SceneColor, clamp((gl_FragCoord.xy - off) / size, 0.0, 1.0)).rgb;
    float rim = smoothstep(0.45, 0.8, steep);
    light *= 1.0 - 0.6 * smoothstep(0.0, 0.5, steep);
    FragColor = vec4(light + rim * 0.4 * SkyHorizon, 1.0);
}
