// Light as a display shows it: a tone map that leaves what is darker than Knee as it is, the sRGB curve, edges smoothed along their direction
// (Lottes, FXAA, 2009, the short variant), and noise of half a step that hides bands (Jimenez 2014).
in vec2 uv;
uniform vec2 pixel;
uniform sampler2D light;
out vec4 color;

const float Knee = 0.8;

vec3 shown(vec2 at) {
	vec3 c = max(textureLod(light, at, 0.0).rgb, 0.0);
	c = mix(c, Knee + (1.0 - Knee) * (1.0 - exp((Knee - c) / (1.0 - Knee))), step(Knee, c));
	return mix(12.92 * c, 1.055 * pow(max(c, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

float luma(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

void main() {
	vec3 c = shown(uv);
	float m = luma(c), nw = luma(shown(uv + pixel * vec2(-1, 1))), ne = luma(shown(uv + pixel)),
		sw = luma(shown(uv - pixel)), se = luma(shown(uv + pixel * vec2(1, -1)));
	float lo = min(m, min(min(nw, ne), min(sw, se))), hi = max(m, max(max(nw, ne), max(sw, se)));
	if (hi - lo > max(0.04, 0.12 * hi)) {
		vec2 d = vec2(sw + se - nw - ne, nw + sw - ne - se);
		d = clamp(d / (min(abs(d.x), abs(d.y)) + 0.008), -8.0, 8.0) * pixel;
		vec3 a = 0.5 * (shown(uv - d / 6.0) + shown(uv + d / 6.0));
		vec3 b = 0.5 * a + 0.25 * (shown(uv - d / 2.0) + shown(uv + d / 2.0));
		float l = luma(b);
		c = l < lo || l > hi ? a : b;
	}
	float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
	color = vec4(c + noise / 255.0, 1.0);
}
