//import sunlight
layout(location = 0) in vec4 Droplet; // centre and radius, m
layout(location = 1) in vec3 DropletVelocity;

uniform mat4 ViewProj;
uniform mat4 View;
uniform float Back;
uniform vec2 Scale; // pixels per metre at 1 m, 1 when perspective divides it

out vec3 Centre;
out float Radius;
out float Fade;
flat out float Lit; // what shadows leave of the sun

void main() {
    Centre = Droplet.xyz - DropletVelocity * Back;
    Radius = Droplet.w;
    Lit = 1.0;
#ifdef MENISCUS_LINEAR
    Lit = inSun((SunFromWorld * vec4(Centre, 1.0)).xyz);
#endif
    gl_Position = ViewProj * vec4(Centre, 1.0);
    float size = 2.0 * Radius * Scale.x / mix(1.0, max(gl_Position.w, 1e-3), Scale.y);
    Fade = clamp(size, 0.0, 1.0); // below a pixel it dims instead of flickering
    gl_PointSize = clamp(size, 1.0, 255.0);
}
