//import common
//import stars
in vec2 Coord;
uniform mat4 InvViewProj;
out vec4 FragColor;

void main() {
    vec4 a = InvViewProj * vec4(Coord * 2.0 - 1.0, -1.0, 1.0);
    vec4 b = InvViewProj * vec4(Coord * 2.0 - 1.0, 1.0, 1.0);
    vec3 d = normalize(b.xyz / b.w - a.xyz / a.w);
    float near = max(dot(d, SunDir), 0.0);
    float disc = smoothstep(0.9994, 0.9998, near) + 0.1 * pow(near, 1500.0); // and the glow of the air about it
    FragColor = vec4(drawn(skyGradient(d) + 6.0 * SunColor * disc + stars(d, length(dFdx(d)))), 1.0);
}
