// What water does to light on its way to the eye.
const vec3 Absorb = vec3(1.1, 0.3, 0.16);    // 1/m; more than of clear water, so that it shows
const vec3 Scatter = vec3(0.02, 0.10, 0.13); // what deep water throws back

vec3 through(vec3 light, float path, float sun) {
	vec3 kept = exp(-Absorb * path);
	return light * kept + Scatter * (skylight(vec3(0.0, 1.0, 0.0)) + Sun * sun) * (1.0 - kept);
}
