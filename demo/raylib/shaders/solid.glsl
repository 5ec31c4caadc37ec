#version 330
// Daylight on a texture.
in vec3 position;
in vec3 normal;
in vec2 texcoord;
uniform sampler2D texture0;
uniform vec3 eye;
out vec4 color;

void main() {
	vec3 n = normalize(normal);
	float direct = max(dot(n, normalize(vec3(0.4, 0.75, 0.5))), 0.0);
	vec3 light = mix(vec3(0.36, 0.34, 0.31), vec3(0.46, 0.51, 0.58), 0.5 + 0.5 * n.y) + vec3(0.78, 0.71, 0.58) * direct;
	float haze = 1.0 - exp(-0.045 * max(distance(position, eye) - 5.0, 0.0));
	color = vec4(mix(texture(texture0, texcoord).rgb * light, vec3(0.69, 0.815, 0.91), haze), 1.0);
}
