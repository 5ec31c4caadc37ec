//import tone
//import sunlight
// g3n's lights as they reach a place: for each of them shine is called with the direction to it and its light, linear.
#include <lights>
in vec3 ViewPos;    // camera coordinates
in vec3 ViewNormal;
in vec2 FragTexcoord;

vec3 facing() {
    vec3 n = normalize(ViewNormal);
    return dot(n, cross(dFdx(ViewPos), dFdy(ViewPos))) < 0.0 ? -n : n;
}

void shine(vec3 l, vec3 light);

// What shadows leave of a directional light, if it comes from where the sun stands.
float sunShare(vec3 l) {
#ifdef MENISCUS_SHADOWLESS
    return 1.0;
#else
    return dot(l, SunView) > 0.9998 ? sunlit(SunFromView, ViewPos, facing(), SunView) : 1.0;
#endif
}

void lamps() {
#if DIR_LIGHTS > 0
    for (int i = 0; i < DIR_LIGHTS; i++) {
        vec3 l = normalize(DirLightPosition(i));
        shine(l, DirLightColor(i) * sunShare(l));
    }
#endif
#if POINT_LIGHTS > 0
    for (int i = 0; i < POINT_LIGHTS; i++) {
        vec3 to = PointLightPosition(i) - ViewPos;
        float far = length(to);
        shine(to / far, PointLightColor(i) / (1.0 + far * (PointLightLinearDecay(i) + far * PointLightQuadraticDecay(i))));
    }
#endif
#if SPOT_LIGHTS > 0
    for (int i = 0; i < SPOT_LIGHTS; i++) {
        vec3 to = SpotLightPosition(i) - ViewPos;
        float far = length(to);
        float along = dot(-to / far, SpotLightDirection(i));
        if (along > cos(radians(clamp(SpotLightCutoffAngle(i), 0.0, 90.0)))) {
            shine(to / far, SpotLightColor(i) * pow(along, SpotLightAngularDecay(i))
                / (1.0 + far * (SpotLightLinearDecay(i) + far * SpotLightQuadraticDecay(i))));
        }
    }
#endif
}
