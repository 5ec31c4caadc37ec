#version 330
// Water over a floor at y = 0: what it takes of the light on the way there, and what it mirrors.
in vec3 position;
in vec3 normal;
in vec2 texcoord; // foam, 0
uniform vec3 eye;
out vec4 color;

vec3 sky(vec3 d) {
	vec3 c = mix(vec3(0.78, 0.87, 0.94), vec3(0.30, 0.52, 0.82), clamp(d.y, 0.0, 1.0));
	return c + vec3(1.0, 0.95, 0.85) * pow(max(dot(d, normalize(vec3(0.4, 0.75, 0.5))), 0.0), 300.0) * 3.0;
}

void main() {
	vec3 n = normalize(normal);
	vec3 look = normalize(position - eye);
	float fresnel = 0.02 + 0.98 * pow(1.0 - clamp(-dot(n, look), 0.0, 1.0), 5.0);
	vec3 mirrored = reflect(look, n);
	mirrored.y = abs(mirrored.y);
	vec3 inside = refract(look, n, 1.0 / 1.33);
	float way = clamp(max(position.y, 0.02) / max(-inside.y, 0.25), 0.0, 3.0); // m, straight to the floor
	vec3 kept = exp(-way * vec3(1.7, 0.40, 0.20)); // more is taken than by water, so that it shows
	vec3 own = vec3(0.0, 0.43, 0.80) * (0.55 + 0.45 * n.y) * (1.0 - kept);
	float through = (1.0 - fresnel) * dot(kept, vec3(1.0 / 3.0));
	vec3 c = (own * (1.0 - fresnel) + sky(mirrored) * fresnel) / max(1.0 - through, 0.05);
	float foam = clamp(texcoord.x, 0.0, 1.0);
	color = mix(vec4(c, 1.0 - through), vec4(0.93, 0.96, 0.97, 0.95), foam);
}
