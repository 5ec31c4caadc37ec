//import smooth
// Shows the finished picture, its edges smoothed, with noise of half a step of a display that hides bands. The noise stands still.
// Source of the noise: Jimenez, Next generation post processing in Call of Duty (2014).
in vec2 Coord;
uniform sampler2D Picture;
uniform vec3 Texel; // 1/width, 1/height, how far an edge is followed each way, pixels; 0 for unsmoothed ones
out vec4 FragColor;

void main() {
    vec3 c = Texel.z > 0.5 ? smoothed(Picture, Coord, Texel.xy, int(Texel.z)) : texelFetch(Picture, ivec2(Coord / Texel.xy), 0).rgb;
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    FragColor = vec4(c + noise / 255.0, 1.0);
}
