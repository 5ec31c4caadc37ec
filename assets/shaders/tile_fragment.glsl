//import common
//import lamps
//import sundepth
//import clip
in vec3 WorldPos;
in vec3 WorldNormal;
uniform vec3 TileColor[3]; // tile, its second shade, joint; linear
uniform vec2 Tile;         // size m, joint m
uniform float Haze;        // of the horizon, 1/m
out vec4 FragColor;

float hash(vec2 p) {
    return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453);
}

// One minus the joints' share of a pixel along one axis, exactly filtered.
float tiled(float x, float width, float joint) {
    float w = max(width, 1e-4);
    float a = x - 0.5 * w, b = x + 0.5 * w;
    float gone = (floor(b) * joint + min(fract(b), joint)) - (floor(a) * joint + min(fract(a), joint));
    return 1.0 - clamp(gone / w, 0.0, 1.0);
}

// The sun's light on a face.
vec3 sunOn(vec3 n) {
#ifdef MENISCUS_LINEAR
    SunShare direct, mirrored;
    sunShares(WorldPos, n, SunDir, direct, mirrored);
    return SunColor * (direct.share * max(dot(n, direct.way), 0.0) + mirrored.share * max(dot(n, mirrored.way), 0.0));
#else
    return SunColor * max(dot(n, SunDir), 0.0);
#endif
}

vec3 eye, face; // camera coordinates
vec3 matt, shiny; // light of g3n's lamps that falls on the paint, and that a film mirrors

void shine(vec3 l, vec3 light) {
    float cosine = max(dot(l, face), 0.0);
    matt += light * cosine;
    shiny += light * cosine * glint(l, face, eye);
}

#ifdef MENISCUS_DEPTH
void main() {
    clip();
    gl_FragDepth = farther();
    FragColor = vec4(WorldNormal, 1.0); // every attribute: g3n sets up a buffer's once, for the first program
}
#else
void main() {
    clip();
    vec3 n = normalize(WorldNormal);
    if (dot(normalize(ViewNormal), ViewPos) > 0.0) {
        n = -n;
    }
    vec3 an = abs(n);
    vec2 p = an.y > an.x && an.y > an.z ? WorldPos.xz : an.x > an.z ? WorldPos.zy : WorldPos.xy;
    p /= Tile.x;
    vec2 width = max(abs(dFdx(p)), abs(dFdy(p)));
    float joint = Tile.y / Tile.x;
    float body = tiled(p.x, width.x, joint) * tiled(p.y, width.y, joint);
    vec2 cell = floor(p);
    float tone = mix(hash(cell), 0.5, smoothstep(0.3, 1.0, max(width.x, width.y)));
    float check = mix(mod(cell.x + cell.y, 2.0), 0.5, smoothstep(0.3, 1.0, max(width.x, width.y)));
    vec3 paint = mix(TileColor[0], TileColor[1], check) * (0.9 + 0.2 * tone);
    vec3 albedo = mix(TileColor[2], paint, body);

    eye = normalize(-ViewPos);
    face = faceforward(normalize(ViewNormal), -eye, normalize(ViewNormal));
    albedo *= soaked(albedo, ViewPos, face, mix(1.0, 0.85, body));
    vec3 sky = skyOn(n) * skyShare(WorldPos, n) * openSky(WorldPos, n), sun = sunOn(n);
    matt = 0.55 * sky + 0.85 * sun;
    shiny = sheen(face, eye) + sun * glint(SunView, face, eye);
#ifdef MENISCUS_LINEAR
    lamps();
#endif
    vec3 light = albedo * matt + shiny;
    float clear = exp(-Haze * length(ViewPos));
    FragColor = vec4(drawn(mix(SkyHorizon, light, clear)), 1.0);
}
#endif
