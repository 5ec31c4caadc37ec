//import common
//import medium
//import form
//import streak
//import scenedepth
// A droplet: a lens with the sky in it, or of what is cloudy or a metal a ball. The light is premultiplied.
uniform mat4 View;
uniform vec3 Eye;
uniform vec4 Frame;
uniform vec4 Detail;
uniform sampler2D SceneColor;

out vec4 FragColor;

void main() {
    vec2 p = inStreak();
    float r2 = dot(p, p);
    if (r2 > 1.0) {
        discard;
    }
    vec3 back = vec3(View[0].z, View[1].z, View[2].z);
    vec3 n = In.along * p.x + In.across * p.y + back * sqrt(1.0 - r2);
    vec3 v = normalize(Eye - In.place);
    float facing = dot(n, v);
    float k = 1.0 - max(facing, 0.0);
    vec3 f = metallic() ? metalShare(facing) : vec3(0.0204 + 0.9796 * k * k * k * k * k);
    vec3 sky = skyGradient(reflect(-v, n));
    // A ball lens turns the picture behind it upside down.
    vec3 upside = normalize(refract(-v, n, 0.75) - 0.8 * n * (1.0 - k));
    vec3 lens = skyGradient(vec3(upside.x, abs(upside.y), upside.z));
    float chord = 2.0 * In.centre.w * sqrt(1.0 - r2);
    float opaque = metallic() ? 1.0 : 1.0 - exp(-Cloud * chord);
    float a = mix(0.35 + 0.6 * (1.0 - smoothstep(0.8, 1.0, r2)), 1.0, opaque) * In.fade * smeared() * min(In.motion.w, 1.0);
    if (Frame.y > 0.5) {
        vec2 uv = gl_FragCoord.xy * Detail.zw;
        vec2 aside = (mat3(View) * n).xy;
        lens = mix(texture(SceneColor, clamp(uv - 0.03 * aside * Detail.zw / Detail.w, 0.0, 1.0)).rgb, lens, 0.5);
        a *= smoothstep(0.0, In.centre.w, behind(uv, In.place, back));
    }
    float h = max(dot(n, normalize(v + SunDir)), 0.0);
    vec3 body = metallic() ? Glow : (1.0 - f) * through(lens, chord, fallsIn(n, chord, In.sun));
    vec3 c = body + f * sky + In.sun * SunColor * (3.0 * pow(h, 90.0)) + 0.14 * (1.0 - opaque) * daylight();
    FragColor = vec4(drawn(c) * a, a);
}
