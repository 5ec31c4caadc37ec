//import mesh_vertex
// Stands for g3n's standard vertex shader in Draw.
#include <material>
void main() {
    place();
#if MAT_TEXTURES > 0
    if (MatTexFlipY(0)) {
        FragTexcoord.y = 1.0 - FragTexcoord.y;
    }
#endif
}
