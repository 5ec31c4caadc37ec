// The picture that a g3n material's textures make, laid over each other, as light.
#include <material>
#define LAYER(i) if (MatTexVisible(i)) { \
        vec4 t = texture(MatTexture[i], at * MatTexRepeat(i) + MatTexOffset(i)); \
        t.rgb = linear(t.rgb); \
        paint = bare ? t : Blend(paint, t); \
        bare = false; \
    }

vec4 layers(vec2 at) {
    vec4 paint = vec4(1.0);
#if MAT_TEXTURES > 0
    bool bare = true;
    LAYER(0)
#endif
#if MAT_TEXTURES > 1
    LAYER(1)
#endif
#if MAT_TEXTURES > 2
    LAYER(2)
#endif
    return paint;
}
