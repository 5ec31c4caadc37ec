// A texel of a light map before light is added to it, see lightmap.glsl. Heights are over the mean level.
precision highp float;
in vec2 Coord;
uniform sampler2D Wave;
uniform sampler2D Receivers;
uniform sampler2D Column;
uniform vec4 Heights; // of the near and the far plane, the level, 1 if the light goes down
out vec4 FragColor;
void main() {
    float y = mix(Heights.x, Heights.y, texture(Receivers, Coord).r);
    vec2 column = texture(Column, Coord).rg;
    FragColor = vec4(0.0, y - Heights.z, texture(Wave, Coord).z, Heights.w > 0.5 && column.y > 0.5 ? max(column.x, 0.0) : -1.0);
}
