// Leaves out what lies before the liquid's first face, for the picture of what is behind that; where there is no liquid nothing is left out.
#ifdef MENISCUS_BEHIND
uniform sampler2D FrontDepth;
uniform vec3 Margin; // of the picture beside and below that of the first face, pixels
void clip() {
    ivec2 at = ivec2(gl_FragCoord.xy - Margin.xy), size = textureSize(FrontDepth, 0);
    float front = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(FrontDepth, at, 0).r : 1.0;
    if (front < 1.0 && gl_FragCoord.z < front) {
        discard;
    }
}
#else
void clip() {}
#endif
