// How far it is to a face, or to what hides it, m, and 1: taken off where one looks into the water, added where one looks out. The sums are the way
// through all of the water, and 1 where the eye is in it.
in vec3 position;
out vec4 color;

void main() {
	float way = min(distance(position, eye), distance(seenAt(gl_FragCoord.xy * pixel), eye));
	color = (gl_FrontFacing ? -1.0 : 1.0) * vec4(way, 1.0, 0.0, 0.0);
}
