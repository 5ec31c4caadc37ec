// Rays through the scene's picture: its colours and depths stand for what is there.
uniform vec3 eye;
uniform vec2 pixel; // 1/width, 1/height
uniform mat4 fromWorld; // to clip space
uniform mat4 toWorld;
uniform sampler2D sceneColor;
uniform sampler2D sceneDepth;

float depthAt(vec2 uv) { return textureLod(sceneDepth, uv, 0.0).r; }

vec3 toPicture(vec4 clip) { return clip.xyz / clip.w * 0.5 + 0.5; }

vec3 toPlace(vec3 p) {
	vec4 q = toWorld * vec4(p * 2.0 - 1.0, 1.0);
	return q.xyz / q.w;
}

// The place that the picture shows somewhere.
vec3 seenAt(vec2 uv) { return toPlace(vec3(uv, depthAt(uv))); }

// The light at a place of the picture, of one texel: at a body's edge others would bleed in.
vec3 lightAt(vec2 uv) {
	ivec2 size = textureSize(sceneColor, 0);
	return texelFetch(sceneColor, clamp(ivec2(uv * vec2(size)), ivec2(0), size - 1), 0).rgb;
}

// How surely a ray meets what the picture shows, 0 to 1, and where in the picture. Where it runs behind something, at lies as far before that
// edge as the ray's end lies beyond it; where it meets nothing, at is the ray's end.
float meets(vec3 from, vec3 way, float reach, out vec2 at) {
	const int Steps = 28, Halvings = 5;
	vec4 start = fromWorld * vec4(from, 1.0), along = fromWorld * vec4(way, 0.0);
	if (along.w < 0.0) {
		reach = min(reach, -0.9 * start.w / along.w); // short of the eye
	}
	vec3 a = toPicture(start), run = toPicture(start + reach * along) - a; // even in the picture, depth too
	vec2 room = (step(0.0, run.xy) - a.xy) / (run.xy + mix(vec2(-1e-6), vec2(1e-6), step(0.0, run.xy)));
	run *= clamp(min(room.x, room.y), 0.0, 1.0);
	bool hidden = false, lost = false;
	at = (a + run).xy;
	for (int i = 1; i <= Steps; i++) {
		float far = float(i) / float(Steps), near = far - 1.0 / float(Steps);
		vec3 p = a + run * far;
		bool was = hidden;
		hidden = depthAt(p.xy) < p.z;
		if (!hidden || was) {
			continue;
		}
		for (int k = 0; k < Halvings; k++) {
			float middle = 0.5 * (near + far);
			p = a + run * middle;
			if (depthAt(p.xy) < p.z) {
				far = middle;
			} else {
				near = middle;
			}
		}
		p = a + run * far;
		vec3 seen = seenAt(p.xy);
		float fits = 1.0 - smoothstep(0.5, 1.0, distance(toPlace(p), seen) / (0.05 + 0.05 * distance(seen, from)));
		if (fits > 0.0) {
			vec2 rim = min(p.xy, 1.0 - p.xy);
			at = p.xy;
			return fits * smoothstep(0.0, 0.06, min(rim.x, rim.y));
		}
		if (!lost) {
			at = (a + run * max(2.0 * near - 1.0, 0.0)).xy;
			lost = true;
		}
	}
	return 0.0;
}
