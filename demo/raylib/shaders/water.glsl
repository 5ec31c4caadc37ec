// Water: Fresnel's share of what it mirrors, and for the rest what is seen through it, less what it absorbs.
in vec3 position;
in vec3 normal;
in vec2 texcoord; // foam, 0
uniform sampler2D interval;
uniform vec3 least, most; // the water's bounds, m
out vec4 color;

// How far a ray stays in the water's bounds.
float exit(vec3 from, vec3 way) {
	vec3 far = (mix(least, most, step(0.0, way)) - from) / (way + mix(vec3(-1e-5), vec3(1e-5), step(0.0, way)));
	return max(min(far.x, min(far.y, far.z)), 0.0) + 0.05;
}

bool before(vec2 at) { return depthAt(at) < gl_FragCoord.z; }

// A place of the picture to read in place of at. Where something before the water hides at, it lies as far before that edge as at lies beyond it.
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

float fresnel(float cosine) { return 0.0204 + 0.9796 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0); }

vec3 fromAir(vec3 look, vec3 n, float sun) {
	vec2 uv = gl_FragCoord.xy * pixel, at;
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
	return mix(through(lightAt(unhidden(uv, at)), path, sun), mirrored, fresnel(-dot(n, look)));
}

// From within: the world above in Snell's window, and the basin mirrored around it.
vec3 fromWater(vec3 look, vec3 n, float sun) {
	vec2 at;
	vec3 bent = refract(look, n, 1.333), way = reflect(look, n);
	float share = bent == vec3(0.0) ? 1.0 : fresnel(-dot(n, bent));
	float sure = meets(position, bent, 20.0, at);
	vec3 above = mix(sky(bent) + sun * sunDisc(bent), lightAt(at), sure);
	float reach = exit(position, way);
	sure = meets(position, way, reach, at);
	vec3 basin = through(mix(0.3 * (skylight(n) + Sun * sun), lightAt(at), sure), reach, sun); // gray where the picture doesn't show it
	return through(mix(above, basin, share), distance(position, eye), sun);
}

void main() {
	bool within = textureLod(interval, gl_FragCoord.xy * pixel, 0.0).g > 0.5;
	if (!gl_FrontFacing && !within) {
		discard; // from the air no back is to be seen
	}
	vec3 look = normalize(position - eye), n = normalize(normal + 1e-6);
	float sun = sunlit(position, n);
	vec3 white = 0.8 * (skylight(n) + Sun * sun * max(dot(n, toSun), 0.0));
	n = gl_FrontFacing ? n : -n;
	n = normalize(n - look * max(dot(n, look) + 0.04, 0.0)); // a smooth normal may look away where its face does not
	vec3 light = gl_FrontFacing ? fromAir(look, n, sun) : fromWater(look, n, sun);
	color = vec4(mix(light, white, clamp(texcoord.x, 0.0, 1.0)), 1.0);
}
