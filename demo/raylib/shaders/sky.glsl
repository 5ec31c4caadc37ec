in vec2 uv;
uniform vec3 eye;
uniform mat4 toWorld;
out vec4 color;

void main() {
	vec4 far = toWorld * vec4(uv * 2.0 - 1.0, 1.0, 1.0);
	vec3 d = normalize(far.xyz / far.w - eye);
	color = vec4(sky(d) + sunDisc(d), 1.0);
}
