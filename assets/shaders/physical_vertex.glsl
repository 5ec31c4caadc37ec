//import mesh_vertex
// Stands for g3n's physical vertex shader in Draw.
void main() {
    place();
}
