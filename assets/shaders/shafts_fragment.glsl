//import common
//import medium
//import inscatter
//import screenray
//import beam
// Shafts of sunlight before an eye in the liquid: red is the sun's part in what is scattered to it, beside that of light from all sides; green is how far
// it sees in the liquid, m, 0 from outside.
uniform vec3 Eye;
uniform float MarchSteps;
uniform sampler2D SceneDepth;
uniform sampler2D Interval;
uniform sampler2D Front;
out vec4 FragColor;

// The four numbers of Bayer's smaller matrix, from 0 to 3/4.
float bayer(vec2 at) {
    at = floor(at);
    return fract(0.5 * at.x + 0.75 * at.y * at.y);
}

void main() {
    ivec2 at = min(2 * ivec2(gl_FragCoord.xy), textureSize(Interval, 0) - 1);
    if (texelFetch(Interval, at, 0).g < 0.5) {
        FragColor = vec4(1.0, 0.0, 0.0, 1.0);
        return;
    }
    vec2 uv = (vec2(at) + 0.5) / vec2(textureSize(Interval, 0));
    vec3 seen = unproject(uv, texelFetch(SceneDepth, at, 0).r) - Eye;
    float path = length(seen), front = texelFetch(Front, at, 0).w;
    vec3 way = seen / path, sun = sunInside();
    if (front > 0.0) {
        path = min(path, front);
    }
    float from = bayer(gl_FragCoord.xy) + 0.25 * bayer(0.5 * gl_FragCoord.xy) + 1.0 / 32.0; // each of sixteen in four by four pixels
    // Samples lie the denser the more of their light arrives.
    float k = max(Cloud + 0.5 * min(Absorb.r, min(Absorb.g, Absorb.b)), 1e-3);
    float all = 1.0 - exp(-k * path), sum = 0.0;
    for (float i = 0.0; i < MarchSteps; i++) {
        vec3 p = Eye - way * log(1.0 - all * (i + from) / MarchSteps) / k;
        sum += sunPart(p, way, beamAt(p, sun, Level));
    }
    FragColor = vec4(sum / MarchSteps, path, 0.0, 1.0);
}
