//import streak
// How much foam lies on the liquid's nearest face: a patch for each particle, drawn out along its way on the face.
precision highp float;
uniform vec3 Eye;
uniform vec4 Sprite;
uniform vec2 Pixel; // 1/width, 1/height
uniform sampler2D Front;

out vec4 FragColor;

void main() {
    vec4 front = texture(Front, gl_FragCoord.xy * Pixel);
    vec3 q = Eye + normalize(In.place - Eye) * front.w - In.centre.xyz;
    vec3 way = In.motion.xyz - front.xyz * dot(In.motion.xyz, front.xyz);
    float speed = length(way), reach = 0.5 * speed * Sprite.y;
    float along = speed > 1e-4 ? dot(q, way) / speed : 0.0;
    float across2 = max(dot(q, q) - along * along, 0.0);
    float beyond = max(abs(along) - reach, 0.0);
    float d2 = (beyond * beyond + across2) / (In.centre.w * In.centre.w);
    float soft = front.w > 0.0 ? max(1.0 - d2, 0.0) : 0.0;
    float a = soft * soft * smoothstep(0.0, 0.5, In.motion.w) / (1.0 + 1.2732 * reach / In.centre.w);
    FragColor = vec4(a * In.fade, 0.0, 0.0, 1.0);
}
