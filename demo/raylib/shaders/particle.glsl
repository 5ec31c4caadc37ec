// Drops or bubbles, lit by sky and sun. The light is premultiplied.
in vec3 position;
in vec2 along;
in float reach;
in float share;
out vec4 color;

void main() {
	vec2 p = vec2(max(abs(along.x) - reach, 0.0), along.y);
	float soft = max(1.0 - dot(p, p), 0.0);
	color = vec4(0.85 * (skylight(vec3(0.0, 1.0, 0.0)) + 0.7 * Sun * sunlit(position, vec3(0.0))), 1.0) * share * soft;
}
