//import sunlight
// How much of a beam from the sun reaches a place in the liquid: what waves bundle, and what stands in the sun before it enters.
uniform vec3 Box[2];       // the liquid's bounds, m
uniform sampler2D Caustic; // see caustic_fragment.glsl
uniform float HasCaustic;  // 1 with it

const float Contrast = 3.0; // of shafts: a way crosses many, which even out

// sun: the direction to it in the liquid.
float beamAt(vec3 place, vec3 sun, float level) {
    vec2 to = (mix(Box[0].xz, Box[1].xz, step(0.0, sun.xz)) - place.xz) / (sun.xz + mix(vec2(-1e-5), vec2(1e-5), step(0.0, sun.xz)));
    float up = min((level - place.y) / sun.y, min(to.x, to.y)) - 0.1; // walls stand where it enters
    float lit = inSun((SunFromWorld * vec4(place + sun * max(up, 0.0), 1.0)).xyz);
    if (HasCaustic > 0.5) {
        vec2 floor = place.xz - sun.xz / sun.y * (place.y - Box[0].y);
        vec4 s = textureLod(Caustic, (floor - Box[0].xz) / max(Box[1].xz - Box[0].xz, 1e-3), 0.0);
        float bundled = 1.0 - min(s.g, 1.0) * min(s.b, 1.0) + 4.0 * s.r;
        lit *= max(1.0 + Contrast * (bundled - 1.0), 0.0);
    }
    return lit;
}
