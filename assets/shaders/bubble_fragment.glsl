//import common
//import medium
//import streak
//import scenedepth
//import inscatter
// Bubbles: air in the liquid, bright at its rim, which the liquid dims: on the light's way down to it and on the way to the eye. The light is
// premultiplied.
uniform mat4 View;
uniform vec3 Eye;
uniform vec4 Detail;
uniform vec4 Sprite;
uniform vec3 FoamColor;
uniform sampler2D Interval; // in y 1 where the eye is in the liquid
uniform sampler2D Front;    // the liquid's nearest face: normal, and distance, m

out vec4 FragColor;

void main() {
    if (metallic() || Crust != vec3(0.0)) {
        discard; // nothing shows through those
    }
    vec2 uv = gl_FragCoord.xy * Detail.zw;
    vec4 front = texture(Front, uv);
    bool inside = texture(Interval, uv).g > 0.5;
    vec3 way = In.place - Eye;
    float far = length(way);
    vec3 v = way / max(far, 1e-5);
    float path = inside ? far : far - front.w;
    if (inside ? front.w > 0.0 && far > front.w : front.w <= 0.0 || path < 0.0) {
        discard;
    }
    float r = length(inStreak());
    float soft = max(1.0 - r * r, 0.0);
    float edge = r * Sprite.x; // 1 where the bubble ends; around it is a haze of smaller ones
    float rim = smoothstep(0.3, 0.7, edge) * (1.0 - smoothstep(0.7, 1.2, edge));
    float k = inside ? 0.0 : 1.0 - clamp(-dot(front.xyz, v), 0.0, 1.0);
    float a = (0.11 * soft * soft + 0.08 * rim) * smeared() * In.fade * smoothstep(0.0, 0.3, In.motion.w) * (1.0 - k * k * k * k * k);
    vec3 back = vec3(View[0].z, View[1].z, View[2].z);
    a *= smoothstep(0.0, 2.0 * In.centre.w, behind(uv, In.place, back));
    float down = max(front.w > 0.0 ? (Eye + v * front.w).y - In.centre.y : 0.0, 0.0);
    vec3 light = 1.3 * FoamColor * daylight() * exp(-(Absorb + Cloud) * down) * mix(0.6, 1.0, In.sun);
    light = inside ? seenInside(light, Eye, v, path) : through(light, path);
    FragColor = vec4(drawn(light) * a, a);
}
