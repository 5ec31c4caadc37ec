// Leaves out what lies on one side of one of the liquid's faces, and dims what is in the liquid with the eye.
#ifdef MENISCUS_BEHIND
uniform sampler2D FrontDepth; // 1 where there is no face
uniform sampler2D Inside; // 1 in y where the eye is in the liquid
uniform vec4 Cut;     // the picture's margins beside and below that of the face, pixels; what is left out; the face's depth in the margins
uniform vec3 Murk[4]; // of the liquid: what it takes of light, 1/m, what it fills up, 1/m, and with which light; the way's steps aside at the picture's edges
void clip() {
    ivec2 at = ivec2(gl_FragCoord.xy - Cut.xy), size = textureSize(FrontDepth, 0);
    float front = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) ? texelFetch(FrontDepth, at, 0).r : Cut.w;
    bool before = gl_FragCoord.z < front;
    // Before the face where there is one, and all where its depth is 0; before it; behind it.
    if (Cut.z < 0.5 ? front < 1.0 && before || front == 0.0 : before == (Cut.z < 1.5)) {
        discard;
    }
}

vec3 murky(vec3 light) {
    if (Cut.z < 1.5 || texelFetch(Inside, ivec2(gl_FragCoord.xy), 0).g < 0.5) {
        return light;
    }
    vec2 aside = (2.0 * gl_FragCoord.xy / vec2(textureSize(Inside, 0)) - 1.0) * Murk[3].xy;
    float path = length(vec3(aside, 1.0)) / gl_FragCoord.w;
    return light * exp(-Murk[0] * path) + Murk[2] * (1.0 - exp(-Murk[1] * path));
}
#else
void clip() {}
vec3 murky(vec3 light) { return light; }
#endif
