// Water: Fresnel's share of what it mirrors, and for the rest what is seen through it, less what it absorbs.
in vec3 position;
in vec3 normal;
in vec2 texcoord; // foam, 0
uniform sampler2D sceneColor;
uniform sampler2D interval;
uniform vec3 least, most; // the water's bounds, m
out vec4 color;

const vec3 Absorb = vec3(1.1, 0.3, 0.16);    // 1/m; more than of clear water, so that it shows
const vec3 Scatter = vec3(0.02, 0.10, 0.13); // what deep water throws back

// The scene's light at a place of its picture, of one texel: at a body's edge others would bleed in.
vec3 lightAt(vec2 uv) {
	ivec2 size = textureSize(sceneColor, 0);
	return texelFetch(sceneColor, clamp(ivec2(uv * vec2(size)), ivec2(0), size - 1), 0).rgb;
}

// How far a ray stays in the water's bounds.
float exit(vec3 from, vec3 way) {
	vec3 far = (mix(least, most, step(0.0, way)) - from) / (way + mix(vec3(-1e-5), vec3(1e-5), step(0.0, way)));
	return max(min(far.x, min(far.y, far.z)), 0.0) + 0.05;
}

bool before(vec2 at) { return depthAt(at) < gl_FragCoord.z; }

// A place of the picture in the stead of at, where something before the water may hide what light comes from: as far this side of its edge.
vec2 unhidden(vec2 uv, vec2 at) {
	if (!before(at)) {
		return at;
	}
	float near = 0.0, far = 1.0;
	for (int k = 0; k < 6; k++) {
		float middle = 0.5 * (near + far);
		if (before(mix(uv, at, middle))) {
			far = middle;
		} else {
			near = middle;
		}
	}
	return mix(uv, at, max(2.0 * near - 1.0, 0.0));
}

void main() {
	vec2 uv = gl_FragCoord.xy * pixel, at;
	vec3 look = normalize(position - eye), n = normalize(normal + 1e-6);
	n = normalize(n - look * max(dot(n, look) + 0.04, 0.0)); // a smooth normal may look away where its face does not
	float sun = sunlit(position, n);
	float fresnel = 0.0204 + 0.9796 * pow(1.0 - clamp(-dot(n, look), 0.0, 1.0), 5.0);

	vec3 way = reflect(look, n);
	way.y = abs(way.y); // down there is mostly other water, which mirrors the sky
	vec3 mirrored = sky(way) + sun * sunDisc(way);
	float sure = meets(position, way, 20.0, at);
	mirrored = mix(mirrored, lightAt(at), sure);

	float straight = distance(seenAt(uv), position);
	float path = clamp(textureLod(interval, uv, 0.0).r, 0.0, straight);
	bool deep = straight - path < 0.05; // the water reaches to what is seen
	vec3 bent = refract(look, n, 1.0 / 1.333);
	float reach = deep ? exit(position, bent) : path;
	sure = meets(position, bent, reach, at);
	if (deep) {
		path = min(distance(seenAt(at), position), reach);
	} else if (sure == 0.0) {
		at = toPicture(fromWorld * vec4(position + bent * path + look * (straight - path), 1.0)).xy;
	}
	at = unhidden(uv, at);
	vec3 kept = exp(-Absorb * path);
	vec3 through = lightAt(at) * kept + Scatter * (skylight(n) + Sun * sun) * (1.0 - kept);

	vec3 white = 0.8 * (skylight(n) + Sun * sun * max(dot(n, toSun), 0.0));
	color = vec4(mix(mix(through, mirrored, fresnel), white, clamp(texcoord.x, 0.0, 1.0)), 1.0);
}
