// The scene as an eye in the water sees it; nothing elsewhere.
in vec2 uv;
uniform sampler2D interval;
out vec4 color;

void main() {
	vec2 way = textureLod(interval, uv, 0.0).rg;
	if (way.g < 0.5) {
		discard;
	}
	color = vec4(through(lightAt(uv), max(way.r, 0.0), 1.0), 1.0);
}
