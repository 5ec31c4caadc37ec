// How deep the sun's map says that a face lies. One that the sun can light lies farther, by what it falls within the reach of a filtered read, or it would
// shadow itself; one that it can't lies where it is, so that little light leaks where a floor meets a wall.
#ifdef MENISCUS_DEPTH
float farther() {
    float fall = 0.75 * (abs(dFdx(gl_FragCoord.z)) + abs(dFdy(gl_FragCoord.z)));
#if MENISCUS_DEPTH > 1 // seen from both sides
    return gl_FragCoord.z + fall;
#else
    return gl_FragCoord.z + (gl_FrontFacing ? fall : 0.0);
#endif
}
#endif
