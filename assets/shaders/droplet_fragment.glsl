//import common
//import medium

in vec3 Centre;
in float Radius;
in float Fade;
flat in float Lit;

uniform mat4 ViewProj;
uniform mat4 View;
uniform vec3 Eye;
uniform vec4 Frame;
uniform vec4 Detail;
uniform sampler2D SceneColor;

out vec4 FragColor;

void main() {
    vec2 p = gl_PointCoord * 2.0 - 1.0;
    float r2 = dot(p, p);
    if (r2 > 1.0) {
        discard;
    }
    vec3 view = vec3(p.x, -p.y, sqrt(1.0 - r2));
    vec3 n = normalize(transpose(mat3(View)) * view);
    vec3 v = normalize(Eye - Centre);
    float k = 1.0 - max(dot(n, v), 0.0);
    float f = 0.0204 + 0.9796 * k * k * k * k * k;
    vec3 sky = skyGradient(reflect(-v, n));
    // A ball lens turns the picture behind it upside down.
    vec3 upside = normalize(refract(-v, n, 0.75) - 0.8 * n * (1.0 - k));
    vec3 through = skyGradient(vec3(upside.x, abs(upside.y), upside.z));
    if (Frame.y > 0.5) {
        vec2 at = clamp(gl_FragCoord.xy * Detail.zw - 0.03 * view.xy * Detail.zw / Detail.w, 0.0, 1.0);
        through = mix(texture(SceneColor, at).rgb, through, 0.5);
    }
    float h = max(dot(n, normalize(v + SunDir)), 0.0);
    vec3 c = mix(through, sky, f) + Lit * SunColor * (3.0 * pow(h, 90.0)) + 0.14 * daylight();
    float edge = 1.0 - smoothstep(0.8, 1.0, r2);
    FragColor = vec4(drawn(c), Fade * (0.35 + 0.6 * edge));
}
