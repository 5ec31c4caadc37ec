// A particle as a rectangle that faces the eye, as long as its way while the shutter is open.
in vec3 vertexPosition; // a corner, -1 to 1
in mat4 instanceTransform; // place and radius, m; velocity, m/s, and share of life left; how it looks, see particles.go
uniform mat4 fromWorld;
uniform vec3 eye;
uniform vec2 pixel;
out vec3 position;
out vec2 along; // in half widths: from the middle, along and across
out float reach; // half the way, likewise
out float share;

void main() {
	vec4 place = instanceTransform[0], motion = instanceTransform[1], look = instanceTransform[2];
	vec3 back = normalize(eye - place.xyz);
	vec3 way = motion.xyz * look.z;
	way -= back * dot(way, back);
	float run = length(way);
	vec3 u = run > 1e-5 ? way / run : normalize(cross(vec3(0.0, 1.0, 0.01), back)), v = cross(back, u);
	float wide = place.w * look.x, least = 0.7 * pixel.y * distance(eye, place.xyz); // about a pixel: what is smaller dims instead
	float size = max(wide, least);
	reach = 0.5 * run / size;
	along = vertexPosition.xy * vec2(1.0 + reach, 1.0);
	position = place.xyz + look.w * back + size * (along.x * u + along.y * v);
	share = look.y * min(wide / size, 1.0) * smoothstep(0.0, 0.4, motion.w) / sqrt(1.0 + 1.27 * reach);
	gl_Position = fromWorld * vec4(position, 1.0);
}
