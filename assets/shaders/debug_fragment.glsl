//import tone
// Shows what a render target holds.
in vec2 Coord;
uniform sampler2D SceneColor;
uniform vec2 Show; // how: 0 light, 1 depth, 2 signed numbers, 3 normals, 4 as a display shows it; distance of the near plane, m, 0 where depth is even
out vec4 FragColor;

void main() {
    vec4 v = texture(SceneColor, Coord);
    vec3 c = encode(v.rgb);
    if (Show.x > 3.5) {
        c = v.rgb;
    } else if (Show.x > 2.5) {
        c = 0.5 + 0.5 * v.xyz;
    } else if (Show.x > 1.5) {
        c = vec3(max(v.x, 0.0), abs(v.y), max(-v.x, 0.0));
        c = c / (1.0 + c);
    } else if (Show.x > 0.5) {
        c = vec3(Show.y > 0.0 ? pow(1.0 - v.r, 0.2) : v.r);
    }
    FragColor = vec4(c, 1.0);
}
