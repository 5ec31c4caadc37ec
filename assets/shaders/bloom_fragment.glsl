// A level of bloom from the one that is twice or half as large: the mean of four reads between its texels. All texels count the same.
uniform sampler2D Source;
uniform vec3 Tap; // that one's size beside this one's, how far from the middle reads are, its texels, the share, alpha
out vec4 FragColor;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(Source, 0)), at = gl_FragCoord.xy * Tap.x * texel, t = Tap.y * texel;
    vec3 sum = texture(Source, at - t).rgb + texture(Source, at + t).rgb
        + texture(Source, at + vec2(-t.x, t.y)).rgb + texture(Source, at + vec2(t.x, -t.y)).rgb;
    FragColor = vec4(0.25 * sum, Tap.z);
}
