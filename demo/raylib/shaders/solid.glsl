// Daylight on a texture.
in vec3 position;
in vec3 normal;
in vec2 texcoord;
uniform sampler2D texture0;
uniform vec3 eye;
out vec4 color;

void main() {
	vec3 n = normalize(normal), way = position - eye;
	vec3 light = skylight(n) + Sun * max(dot(n, toSun), 0.0) * sunlit(position, n);
	float haze = 1.0 - exp(-0.045 * max(length(way) - 5.0, 0.0));
	color = vec4(mix(linear(texture(texture0, texcoord).rgb) * light, Horizon, haze), 1.0);
}
