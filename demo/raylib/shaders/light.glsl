// Sun and sky. Light is linear: twice as much of it is twice the number.
uniform vec3 toSun;
uniform sampler2D sunDepth;
uniform mat4 sunFromWorld; // to the map of how far the sun sees, -1 to 1
uniform float sunTexel;    // of the map, m

const vec3 Sun = vec3(1.0, 0.9, 0.74);
const vec3 Zenith = vec3(0.09, 0.25, 0.62);
const vec3 Horizon = vec3(0.48, 0.65, 0.8);
const vec3 Ground = vec3(0.2, 0.22, 0.12);

vec3 sky(vec3 d) {
	vec3 c = mix(Horizon, Zenith, 1.0 - pow(1.0 - clamp(d.y, 0.0, 1.0), 3.0));
	return mix(c, Ground, smoothstep(0.0, -0.3, d.y));
}

vec3 sunDisc(vec3 d) { return 25.0 * Sun * pow(max(dot(d, toSun), 0.0), 900.0); }

// What falls on a face from all of the sky.
vec3 skylight(vec3 n) { return mix(vec3(0.2, 0.19, 0.17), vec3(0.32, 0.38, 0.47), 0.5 + 0.5 * n.y); }

// How much of the sun reaches a place on a face: nine comparisons with the map, each mixed of its four texels. A place is looked at a little
// outside of its face, or the face would shadow itself.
float sunlit(vec3 place, vec3 n) {
	vec3 p = (sunFromWorld * vec4(place + sunTexel * (toSun + 2.0 * n), 1.0)).xyz * 0.5 + 0.5;
	if (p != clamp(p, vec3(0.01), vec3(0.99))) {
		return 1.0;
	}
	vec2 at = p.xy * vec2(textureSize(sunDepth, 0)) - 0.5, f = fract(at);
	float sum = 0.0;
	for (int y = -1; y <= 2; y++) {
		for (int x = -1; x <= 2; x++) {
			vec2 w = clamp(2.0 - abs(vec2(x, y) - f), 0.0, 1.0);
			sum += texelFetch(sunDepth, ivec2(at) + ivec2(x, y), 0).r < p.z ? 0.0 : w.x * w.y;
		}
	}
	return sum / 9.0;
}

// A colour of a display as light.
vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
