// What the scene's picture shows behind a liquid's first face, a hair nearer than it is, so that the same drawn once more is hidden by it.
uniform sampler2D SceneColor;
uniform sampler2D SceneDepth;
uniform sampler2D FrontDepth;
uniform vec2 Margin; // of the picture that is drawn into, beside and below the scene's, pixels
out vec4 FragColor;

const float Hair = 3.0e-7; // some steps of a depth of 24 bits

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy - Margin), size = textureSize(SceneDepth, 0);
    if (any(lessThan(gl_FragCoord.xy, Margin)) || any(greaterThanEqual(at, size))) {
        discard;
    }
    float depth = texelFetch(SceneDepth, at, 0).r, front = texelFetch(FrontDepth, at, 0).r;
    if (front < 1.0 && depth < front) {
        discard;
    }
    gl_FragDepth = depth < 1.0 ? depth - Hair : 1.0;
    FragColor = texelFetch(SceneColor, at, 0);
}
