// A droplet or a particle of white water, drawn Back seconds before the end of the step that made it.
layout(location = 0) in vec4 Particle; // centre and radius, m
layout(location = 1) in vec4 Motion;   // velocity, m/s, and the share of its life that is left

uniform float Back;

out Made {
    vec4 centre; // and radius, m; 0 for nothing to draw
    vec4 motion;
    float sun;   // what shadows leave of the sun
} ToGeometry;

void place() {
    ToGeometry.centre = vec4(Particle.xyz - Motion.xyz * Back, Particle.w);
    ToGeometry.motion = Motion;
    ToGeometry.sun = 1.0;
}
