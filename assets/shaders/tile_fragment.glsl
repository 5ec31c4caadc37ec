//import common
//import sunlight
//import sundepth
//import clip
//import wetness
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 ViewPos;
in vec3 ViewNormal;
uniform vec3 TileColor[3]; // tile, its second shade, joint; linear
uniform vec4 Tile;         // size m, joint m, water level m, 1 with caustics
uniform vec4 Area;         // caustic map: least x and z, 1/size in x and z
uniform vec3 Floor;        // y of the caustic map's plane, m
uniform float Haze;        // of the horizon, 1/m
uniform sampler2D Caustic;
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

// Sunlight beside that on a dry floor. What arrives through the surface takes the place of what would through still water. Where still water would send
// none, as beside a wall between here and the sun, the floor is lit as a dry one, and what waves throw there adds to it.
float caustics(vec3 level) {
    vec2 hit = WorldPos.xz + level.xz / level.y * (WorldPos.y - Floor.x);
    vec2 uv = (hit - Area.xy) * Area.zw;
    vec2 t = 0.75 / vec2(textureSize(Caustic, 0));
    float sum = 0.0, cover = 0.0, still = 0.0;
    for (int i = 0; i < 4; i++) {
        vec4 s = texture(Caustic, uv + t * vec2(i < 2 ? -1.0 : 1.0, i % 2 == 0 ? -1.0 : 1.0));
        sum += s.r;
        cover += 0.25 * min(s.g, 1.0);
        still += 0.25 * min(s.b, 1.0);
    }
    return 1.0 - cover * still + sum;
}

// Where sunlight that arrives here under water has entered the liquid's bounds, if the water were still, or a little deeper: walls stand just there.
vec3 entry(float above) {
    vec3 up = -refract(-SunDir, vec3(0.0, 1.0, 0.0), 1.0 / 1.333);
    vec2 to = (Area.xy + step(0.0, up.xz) / Area.zw - WorldPos.xz) / (up.xz + mix(vec2(-1e-5), vec2(1e-5), step(0.0, up.xz)));
    return WorldPos + up * max(min(-above / up.y, min(to.x, to.y)) - 0.1, 0.0);
}

#ifdef MENISCUS_DEPTH
void main() {
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

    float above = WorldPos.y - Tile.z;
    vec3 eye = normalize(-ViewPos), face = faceforward(normalize(ViewNormal), -eye, normalize(ViewNormal));
    albedo *= soaked(albedo, ViewPos, face, mix(1.0, 0.85, body));
    float sun = max(dot(n, SunDir), 0.0);
    if (Tile.w > 0.5 && above < 0.0) {
        sun *= caustics(refract(-SunDir, vec3(0.0, 1.0, 0.0), 1.0 / 1.333));
    }
#if defined(MENISCUS_LINEAR) && !defined(MENISCUS_SHADOWLESS)
    if (sun > 0.0) {
        vec3 from = Tile.w > 0.5 && above < 0.0 ? entry(above) : WorldPos;
        sun *= sunlit(SunFromWorld, from, n, SunDir);
    }
#endif
    vec3 light = mix(SkyGround, 0.6 * SkyZenith + 0.4 * SkyHorizon, 0.5 + 0.5 * n.y) * 0.55 + SunColor * sun * 0.85;
    light = albedo * light + sheen(face, eye) + SunColor * sun * glint(SunView, face, eye);
    float clear = exp(-Haze * length(ViewPos));
    FragColor = vec4(drawn(mix(SkyHorizon, light, clear)), 1.0);
}
#endif
