//import common
//import medium
//import inscatter
//import screenray
// The scene as an eye in the liquid sees it; nothing elsewhere.
in vec2 Coord;
uniform vec3 Eye;
uniform sampler2D SceneColor;
uniform sampler2D Interval;
out vec4 FragColor;

void main() {
    vec2 through = texture(Interval, Coord).rg;
    if (through.g < 0.5) {
        discard;
    }
    vec3 way = normalize(unproject(Coord, 0.5) - Eye);
    FragColor = vec4(seenInside(texture(SceneColor, Coord).rgb, Eye, way, max(through.r, 0.0)), 1.0);
}
