// Shows the finished picture, its stair-steps smoothed along the edges' direction.
// Source: Lottes, FXAA (2009), the short variant.
precision highp float;
in vec2 Coord;
uniform sampler2D SceneColor;
uniform vec3 Texel; // 1/width, 1/height, 1 to smooth
out vec4 FragColor;

float luma(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

void main() {
    vec3 m = texture(SceneColor, Coord).rgb;
    FragColor = vec4(m, 1.0);
    if (Texel.z < 0.5) {
        return;
    }
    vec2 t = Texel.xy;
    float nw = luma(texture(SceneColor, Coord + vec2(-t.x, t.y)).rgb);
    float ne = luma(texture(SceneColor, Coord + t).rgb);
    float sw = luma(texture(SceneColor, Coord - t).rgb);
    float se = luma(texture(SceneColor, Coord + vec2(t.x, -t.y)).rgb);
    float lm = luma(m);
    float lo = min(lm, min(min(nw, ne), min(sw, se)));
    float hi = max(lm, max(max(nw, ne), max(sw, se)));
    if (hi - lo < max(0.04, 0.12 * hi)) {
        return;
    }
    vec2 d = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float least = max(0.25 * 0.125 * (nw + ne + sw + se), 1.0 / 128.0);
    d = clamp(d / (min(abs(d.x), abs(d.y)) + least), -8.0, 8.0) * t;
    vec3 a = 0.5 * (texture(SceneColor, Coord - d / 6.0).rgb + texture(SceneColor, Coord + d / 6.0).rgb);
    vec3 b = 0.5 * a + 0.25 * (texture(SceneColor, Coord - 0.5 * d).rgb + texture(SceneColor, Coord + 0.5 * d).rgb);
    float lb = luma(b);
    FragColor.rgb = lb < lo || lb > hi ? a : b;
}
