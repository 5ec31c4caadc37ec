//import common
//import medium
// Copies the scene's colour and depth; from within the liquid it lays the liquid's haze over it.
in vec2 Coord;
uniform sampler2D SceneColor;
uniform sampler2D SceneDepth;
uniform mat4 InvViewProj;
uniform vec3 Eye;
uniform vec3 Box[2];
out vec4 FragColor;

void main() {
    vec4 c = texture(SceneColor, Coord);
    float depth = texture(SceneDepth, Coord).r;
    if (Under > 0.5) {
        vec4 q = InvViewProj * vec4(vec3(Coord, depth) * 2.0 - 1.0, 1.0);
        vec3 d = q.xyz / q.w - Eye;
        float way = length(d);
        d /= max(way, 1e-5);
        vec3 far = (mix(Box[0], Box[1], step(0.0, d)) - Eye) / (d + mix(vec3(-1e-5), vec3(1e-5), step(0.0, d)));
        way = min(way, max(min(far.x, min(far.y, far.z)), 0.0));
        c.rgb = through(c.rgb, way);
    }
    FragColor = vec4(c.rgb, 1.0);
    gl_FragDepth = depth;
}
