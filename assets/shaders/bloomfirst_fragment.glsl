//import glare
// The glare of a picture at half its size. Every pixel counts as much as any other, so that the sum of light stays.
uniform sampler2D Source;
out vec4 FragColor;

const float Weight[4] = float[](0.125, 0.375, 0.375, 0.125);

void main() {
    ivec2 least = 2 * ivec2(gl_FragCoord.xy) - 1, last = textureSize(Source, 0) - 1;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 16; i++) {
        ivec2 step = ivec2(i % 4, i / 4);
        sum += Weight[step.x] * Weight[step.y] * glare(texelFetch(Source, clamp(least + step, ivec2(0), last), 0).rgb);
    }
    FragColor = vec4(sum, 1.0);
}
