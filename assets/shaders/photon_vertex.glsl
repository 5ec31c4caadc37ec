// A ray of sunlight from the surface on to what it comes to first. The vertices lie on a grid across the light as still water would send it on.
layout(location = 0) in vec3 VertexPosition; // in the map, 0 to 1
uniform mat4 SunFromWorld; // to the map of what the sun sees
uniform sampler2D Wave;
uniform sampler2D Receivers;
uniform vec4 Area;    // of the map: x and z at its first texel, 1/size in x and z
uniform vec4 Lean;    // x and z that light goes for a metre of height in still water, the level, m, 1 if it goes down
uniform vec4 Heights; // of the near and the far plane, m
uniform vec3 Sun;     // direction to it
out vec2 Start; // texels
out float Flux; // beside what falls on still water
out float Valid;
out float Landed; // height where it ends, m
out vec3 InSun; // place in the map of what the sun sees

// The surface about a point: the mean of the four texels there that have any.
vec4 about(vec2 p, float reach) {
    ivec2 last = textureSize(Wave, 0) - 1;
    vec4 sum = vec4(0.0);
    float n = 0.0;
    for (int i = 0; i < 4; i++) {
        vec4 s = texelFetch(Wave, clamp(ivec2(floor(p + reach * (vec2(i % 2, i / 2) - 0.5))), ivec2(0), last), 0);
        if (s.z > -1000.0) {
            sum += s;
            n += 1.0;
        }
    }
    return n > 0.0 ? sum / n : vec4(0.0, 0.0, -1e4, 0.0);
}

void main() {
    vec2 uv = VertexPosition.xy, size = vec2(textureSize(Wave, 0));
    Start = uv * size;
    vec4 wave = about(Start, 1.0);
    if (wave.z < -1000.0) {
        wave = about(Start, 5.0); // beside the surface's edge
    }
    Valid = wave.z < -1000.0 ? 0.0 : 1.0;
    Flux = 0.0;
    InSun = vec3(0.0);
    Landed = 0.0;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
    if (Valid < 0.5) {
        return;
    }
    bool down = Lean.w > 0.5;
    vec3 still = normalize(vec3(Lean.xy, 1.0)).xzy * (down ? -1.0 : 1.0);
    vec3 n = vec3(wave.x, sqrt(max(1.0 - dot(wave.xy, wave.xy), 0.0)), wave.y);
    if (dot(n, Sun) < 0.05 || n.y < 0.05) {
        n = vec3(0.0, 1.0, 0.0);
    }
    vec3 d = down ? refract(-Sun, n, 1.0 / 1.333) : reflect(-Sun, n);
    if (down ? d.y > -0.2 : d.y < 0.1) {
        d.y = down ? -0.2 : 0.1;
        Flux = down ? Flux : -1.0; // it falls back
    }
    vec3 p = vec3(Area.xy + uv / Area.zw, Lean.z + wave.z).xzy;
    p.xz += Lean.xy * wave.z;
    InSun = (SunFromWorld * vec4(p, 1.0)).xyz;
    vec2 aside = (d.xz / d.y - Lean.xy) * Area.zw, at = uv; // of the map for a metre of height
    float depth = 0.0;
    for (int i = 0; i < 4; i++) {
        depth = textureLod(Receivers, at, 0.0).r;
        Landed = mix(Heights.x, Heights.y, depth);
        at = uv + aside * (down ? min(Landed - p.y, 0.0) : max(Landed - p.y, 0.0));
    }
    if (Flux < 0.0 || !down && depth >= 1.0) {
        Flux = 0.0;
        return;
    }
    float k = 1.0 - clamp(dot(n, Sun), 0.0, 1.0), f = 0.0204 + 0.9796 * k * k * k * k * k;
    float spread = dot(n, Sun) / max(abs(dot(n, still)), 0.1) * abs(still.y) / Sun.y; // of the grid's cell on the surface
    Flux = (down ? 1.0 - f : f) * spread * (1.0 - 0.7 * wave.w);
    gl_Position.xy = at * 2.0 - 1.0;
}
