// Leaves out what lies before one of the liquid's faces, for the picture of what is behind that: where the face has depth 1 nothing, where 0 all.
#ifdef MENISCUS_BEHIND
uniform sampler2D FrontDepth;
uniform vec3 Margin; // of the picture beside and below that of the face, pixels, and the depth to take there
void clip() {
    ivec2 at = ivec2(gl_FragCoord.xy - Margin.xy), size = textureSize(FrontDepth, 0);
    float front = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(FrontDepth, at, 0).r : Margin.z;
    if (front < 1.0 && gl_FragCoord.z < front || front == 0.0) {
        discard;
    }
}
#else
void clip() {}
#endif
