//import sunlight
// Light that arrives, beside that of the sun on the level: how much more closely rays lie than they started.
in vec2 Start;
in float Flux;
in float Valid;
in float Landed;
in vec3 InSun;
out vec4 FragColor;

const float Most = 60.0; // where rays cross there is no end to it
const float Edge = 0.12; // rays that end so far one behind the other, metres of height for a texel at their start, are on either side of an edge

void main() {
    vec2 dx = dFdx(Start), dy = dFdy(Start);
    float bundle = abs(dx.x * dy.y - dx.y * dy.x), lx = dFdx(Landed), ly = dFdy(Landed);
    if (abs(lx * dy.y - ly * dx.y) + abs(ly * dx.x - lx * dy.x) > Edge * bundle) { // Landed by Start
        bundle = 1.0; // no bundle: either thing is lit up to its edge
    }
    if (Valid < 0.999) {
        discard; // beside the surface
    }
    FragColor = vec4(min(bundle, Most) * Flux * inSun(InSun), 0.0, 0.0, 1.0);
}
