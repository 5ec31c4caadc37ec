// Light that a piece of surface sends to the floor: red is the ratio of the two areas, green where it arrives; blue is where it would through
// still water.
precision highp float;
in vec2 Start;
in vec2 Hit;
in float Shade;
uniform float TexelArea; // of this map on the floor, m²
uniform float Still;     // 1 to draw where light through still water arrives
out vec4 FragColor;
void main() {
    vec2 dx = dFdx(Start), dy = dFdy(Start);
    float light = abs(dx.x * dy.y - dx.y * dy.x) / TexelArea;
    FragColor = Still > 0.5 ? vec4(0.0, 0.0, 1.0, 1.0) : vec4(clamp(light, 0.0, 4.0) * 0.25 * Shade, 1.0, 0.0, 1.0);
}
