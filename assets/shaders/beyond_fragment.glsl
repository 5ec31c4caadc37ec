// The least depth where there is nothing beyond what is seen behind a liquid's first face; the rest is left as it is.
uniform sampler2D LastDepth;
uniform vec2 Margin; // of the picture that is drawn into, beside and below the scene's, pixels
out vec4 FragColor;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy - Margin), size = textureSize(LastDepth, 0);
    if (all(greaterThanEqual(gl_FragCoord.xy, Margin)) && all(lessThan(at, size)) && texelFetch(LastDepth, at, 0).r > 0.0) {
        discard;
    }
    gl_FragDepth = 0.0;
    FragColor = vec4(0.0);
}
