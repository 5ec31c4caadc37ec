//import sunlight
// Light that arrives, beside that of the sun on the level: how much more closely rays lie than they started.
in vec2 Start;
in float Flux;
in float Valid;
in vec3 InSun;
out vec4 FragColor;

const float Most = 60.0; // where rays cross there is no end to it

void main() {
    vec2 dx = dFdx(Start), dy = dFdy(Start);
    if (Valid < 0.999) {
        discard; // beside the surface
    }
    FragColor = vec4(min(abs(dx.x * dy.y - dx.y * dy.x), Most) * Flux * inSun(InSun), 0.0, 0.0, 1.0);
}
