//import common
//import medium
// What is seen from within the liquid, through the liquid's haze; nothing elsewhere.
in vec2 Coord;
uniform sampler2D SceneColor;
uniform sampler2D Interval;
out vec4 FragColor;

void main() {
    vec2 way = texture(Interval, Coord).rg;
    if (way.g < 0.5) {
        discard;
    }
    FragColor = vec4(through(texture(SceneColor, Coord).rgb, max(way.r, 0.0)), 1.0);
}
