// Light that a piece of surface sends to the floor: the ratio of the two areas.
precision highp float;
in vec2 Start;
in vec2 Hit;
in float Shade;
uniform float TexelArea; // of this map on the floor, m²
out vec4 FragColor;
void main() {
    vec2 dx = dFdx(Start), dy = dFdy(Start);
    float light = abs(dx.x * dy.y - dx.y * dy.x) / TexelArea;
    FragColor = vec4(vec3(clamp(light, 0.0, 4.0) * 0.25 * Shade), 1.0);
}
