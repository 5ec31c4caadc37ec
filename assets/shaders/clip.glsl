// Leaves out what lies before the liquid's first face, for the picture of what is behind that; where there is no liquid nothing is left out.
#ifdef MENISCUS_BEHIND
uniform sampler2D FrontDepth;
void clip() {
    float front = texelFetch(FrontDepth, ivec2(gl_FragCoord.xy), 0).r;
    if (front < 1.0 && gl_FragCoord.z < front) {
        discard;
    }
}
#else
void clip() {}
#endif
