//import common
// A drop on the lens: it shows the picture upside down, dark towards its edge, with the sky's light in it. A trail spreads the picture sideways.
in vec2 In;
in vec4 Of;
uniform sampler2D SceneColor; // the picture
uniform sampler2D Interval;   // in y 1 where the lens is in the liquid
out vec4 FragColor;

const float Turned = 0.25; // how much of the picture's height a drop shows to each side

// Where in a round drop a place in an uneven one is. One that runs is narrower above.
vec2 shaped(vec2 at) {
    float turn = atan(at.y, at.x);
    at *= 1.06 + 0.05 * sin(2.0 * turn + Of.w) + 0.04 * sin(3.0 * turn + 2.0 * Of.w);
    at.x *= 1.0 + clamp(Of.y / Of.x - 1.0, 0.0, 1.0) * (0.5 + 0.5 * at.y);
    return at;
}

void main() {
    if (texelFetch(Interval, ivec2(gl_FragCoord.xy), 0).g > 0.5) {
        discard;
    }
    vec2 size = vec2(textureSize(SceneColor, 0));
    bool trail = Of.w < 0.0;
    vec2 p = trail ? vec2(In.x, 0.0) : shaped(In);
    float r2 = dot(p, p);
    if (r2 >= 1.0) {
        discard;
    }
    float r = sqrt(r2);
    vec2 aside = trail ? vec2(-0.06 * In.x * r2, 0.0) : -Turned * p * (0.35 + 0.65 * r2);
    vec2 at = gl_FragCoord.xy / size + aside * vec2(size.y / size.x, 1.0);
    at = 1.0 - abs(1.0 - abs(at)); // mirrored at the picture's edges
    vec3 light = texture(SceneColor, at).rgb;
    float soft = 1.0 - smoothstep(1.0 - 1.5 / max(Of.x * size.y, 1.5), 1.0, r);
    if (trail) {
        float along = 0.5 - 0.5 * In.y; // 0 at its old end
        FragColor = vec4(light * (1.0 - 0.15 * r2), soft * smoothstep(0.0, 0.3, along) * Of.z);
        return;
    }
    vec3 n = vec3(p, sqrt(1.0 - r2));
    float rim = r2 * r2;
    light *= 1.0 - 0.5 * rim * (0.6 + 0.4 * In.y); // the upper edge shows the ground
    float spot = smoothstep(0.9, 0.97, dot(n, normalize(vec3(-0.35, 0.55, 0.75))));
    FragColor = vec4(light + 0.35 * spot * SkyHorizon, soft * smoothstep(0.0, 0.25, Of.z));
}
