// How deep the sun's map says that a face lies: farther by what the face falls within the reach of a filtered read.
float farther() {
    float fall = abs(dFdx(gl_FragCoord.z)) + abs(dFdy(gl_FragCoord.z));
    return gl_FragCoord.z + 1.5 * fall;
}
