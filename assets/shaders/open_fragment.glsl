//import heights
// How much of the sky is seen from a place, of each two texels beside each other. Left: height of what lies topmost there, of its underside, m over the lowest; the share
// of the sky on it and on a floor under it. Right: the share Low, Middle, High and Highest above it. Light counts as on a level face.
precision highp float;
in vec2 Coord;
uniform sampler2D Tops;
uniform sampler2D Undersides;
out vec4 FragColor;

const int Ways = 12, Steps = 18;

// Height that a depth of the maps stands for, m; far below where there is nothing.
float heightOf(float depth) {
    return depth >= 1.0 ? -1e3 : (depth - OpenFromWorld[3][2]) / OpenFromWorld[1][2];
}

vec2 solidAt(vec2 at) {
    ivec2 texel = clamp(ivec2(at * vec2(textureSize(Tops, 0))), ivec2(0), textureSize(Tops, 0) - 1);
    float top = heightOf(texelFetch(Tops, texel, 0).r);
    return vec2(top, min(heightOf(texelFetch(Undersides, texel, 0).r), top - 0.02));
}

// What an elevation of a tangent leaves of a level face's light below it.
vec4 below(vec4 tangent) {
    vec4 t = max(tangent, 0.0);
    return t * t / (1.0 + t * t);
}

// The share of the sky at four heights of a place. Along a way what stands on the ground hides all up to its top; of what floats one piece is known.
vec4 open(vec2 at, vec4 y) {
    float texel = 1.0 / float(textureSize(Tops, 0).x);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < Ways; i++) {
        float angle = 6.283185 * (float(i) + 0.5) / float(Ways), reach = 1.0;
        vec2 way = texel * vec2(cos(angle), sin(angle));
        vec4 hidden = vec4(0.0), from = vec4(1.0), to = vec4(0.0);
        for (int k = 0; k < Steps; k++) {
            vec2 solid = solidAt(at + way * reach);
            vec4 high = below((solid.x - y - 0.02) / (reach * OpenMap.y)), low = below((solid.y - y) / (reach * OpenMap.y));
            vec4 stands = step(low, hidden), floats = (1.0 - stands) * step(1e-4, high - low);
            hidden = max(hidden, high * stands);
            from = mix(from, min(from, low), floats);
            to = max(to, high * floats);
            reach *= 1.3;
        }
        sum += 1.0 - hidden - max(to - max(from, hidden), 0.0);
    }
    return sum / float(Ways);
}

void main() {
    bool left = Coord.x < 0.5;
    vec2 at = vec2(2.0 * Coord.x - (left ? 0.0 : 1.0), Coord.y), solid = solidAt(at);
    float top = max(solid.x, OpenMap.z);
    vec4 got = open(at, left ? vec4(top, min(OpenMap.z, solid.y), top, top) : top + vec4(Low, Middle, High, Highest));
    FragColor = left ? vec4(top - OpenMap.z, max(solid.y - OpenMap.z, -1e3), got.xy) : got;
}
