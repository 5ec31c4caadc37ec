//import common
//import looks
//import streak
//import scenedepth
// Spray: drops too small to see each, lit by sun and sky, and as hot as the liquid. The light is premultiplied.
uniform mat4 View;
uniform vec3 Eye;
uniform vec4 Frame;
uniform vec4 Detail;
uniform vec3 FoamColor;

out vec4 FragColor;

void main() {
    vec2 p = inStreak();
    float soft = max(1.0 - dot(p, p), 0.0);
    float a = 0.5 * soft * soft * In.fade * smeared() * smoothstep(0.0, 0.4, In.motion.w);
    if (Frame.y > 0.5) {
        vec3 back = vec3(View[0].z, View[1].z, View[2].z);
        a *= smoothstep(0.0, 2.0 * In.centre.w, behind(gl_FragCoord.xy * Detail.zw, In.place, back));
    }
    // Drops scatter forwards: they are brightest against the sun.
    float forward = max(dot(normalize(In.centre.xyz - Eye), SunDir), 0.0);
    vec3 c = FoamColor * (0.25 * SkyZenith + 0.5 * SkyHorizon + In.sun * SunColor * (0.4 + 0.6 * forward * forward * forward));
    FragColor = vec4(drawn(c + Glow) * a, a);
}
