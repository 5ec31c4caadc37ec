//import alike
// Shafts of light without the pattern of their samples: of four by four texels each has others.
uniform sampler2D Beams;
out vec4 FragColor;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 here = texelFetch(Beams, at, 0).rg;
    FragColor = vec4(alike(Beams, at - 1, here.g, here.r), here.g, 0.0, 1.0);
}
