// The first of the liquid's faces that the eye sees, whatever hides it: its normal towards the eye, and how far away it is, m.
precision highp float;
in vec3 WorldPos;
in vec3 WorldNormal;
in vec3 Flow;
in float FoamAmount;
uniform vec3 Eye;
uniform vec3 Free; // triangles of the free surface, 1/width, 1/height
uniform sampler2D Interval;
out vec4 FragColor;
void main() {
    bool inside = texture(Interval, gl_FragCoord.xy * Free.yz).g > 0.5;
    if (!gl_FrontFacing && !inside) {
        discard; // a rim: from the air no back is to be seen
    }
    bool side = float(gl_PrimitiveID) >= Free.x;
    vec3 toEye = Eye - WorldPos;
    vec3 n = side ? normalize(cross(dFdx(WorldPos), dFdy(WorldPos))) : normalize(WorldNormal + 1e-6);
    if (side ? dot(n, toEye) < 0.0 : !gl_FrontFacing) {
        n = -n;
    }
    FragColor = vec4(n, length(toEye) + 1e-9 * (Flow.x + FoamAmount)); // every attribute: g3n sets up a buffer's once, for the first program
}
