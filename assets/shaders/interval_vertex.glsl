//import surface_place
// The far plane cuts nothing off: the sums need all faces.
void main() {
    place();
    if (gl_Position.w > 0.0) {
        gl_Position.z = min(gl_Position.z, gl_Position.w);
    }
}
