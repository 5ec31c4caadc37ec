//import tone
//import glare
// The picture as a display shows it, with its brightness in alpha. Bloom spreads a share of the glare and takes it from where it was.
uniform sampler2D SceneColor;
uniform sampler2D Bloom;
uniform float Share;
out vec4 FragColor;

void main() {
    vec3 c = texelFetch(SceneColor, ivec2(gl_FragCoord.xy), 0).rgb;
    if (Share > 0.0) {
        c += Share * (texture(Bloom, 0.5 * gl_FragCoord.xy / vec2(textureSize(Bloom, 0))).rgb - glare(c));
    }
    vec3 shown = encode(c);
    FragColor = vec4(shown, dot(shown, vec3(0.299, 0.587, 0.114)));
}
