//import tone
// Shows the finished picture: tone map, sRGB curve, its stair-steps smoothed along the edges' direction, and noise of half a step that hides bands.
// Source: Lottes, FXAA (2009), the short variant.
in vec2 Coord;
uniform sampler2D SceneColor;
uniform vec3 Texel; // 1/width, 1/height, 1 to smooth
out vec4 FragColor;

// Brightness about as a display shows it.
float luma(vec2 at) {
    float l = dot(texture(SceneColor, at).rgb, vec3(0.299, 0.587, 0.114));
    return sqrt(min(max(l, 0.0), 1.0));
}

vec3 shown(vec2 at) { return encode(texture(SceneColor, at).rgb); }

vec3 smoothed() {
    vec2 t = Texel.xy;
    float lm = luma(Coord);
    float nw = luma(Coord + vec2(-t.x, t.y));
    float ne = luma(Coord + t);
    float sw = luma(Coord - t);
    float se = luma(Coord + vec2(t.x, -t.y));
    float lo = min(lm, min(min(nw, ne), min(sw, se)));
    float hi = max(lm, max(max(nw, ne), max(sw, se)));
    if (hi - lo < max(0.04, 0.12 * hi)) {
        return shown(Coord);
    }
    vec2 d = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float least = max(0.25 * 0.125 * (nw + ne + sw + se), 1.0 / 128.0);
    d = clamp(d / (min(abs(d.x), abs(d.y)) + least), -8.0, 8.0) * t;
    vec3 a = 0.5 * (shown(Coord - d / 6.0) + shown(Coord + d / 6.0));
    vec3 b = 0.5 * a + 0.25 * (shown(Coord - 0.5 * d) + shown(Coord + 0.5 * d));
    float lb = sqrt(dot(b * b, vec3(0.299, 0.587, 0.114)));
    return lb < lo || lb > hi ? a : b;
}

void main() {
    vec3 c = Texel.z > 0.5 ? smoothed() : shown(Coord);
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5; // Jimenez 2014
    FragColor = vec4(c + noise / 255.0, 1.0);
}
