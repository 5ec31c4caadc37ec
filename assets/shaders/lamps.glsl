//import tone
//import skylight
//import openness
// g3n's lights as they reach a place: for each of them shine is called with the direction to it and its light, linear.
#include <lights>
in vec3 ViewPos;    // camera coordinates
in vec3 ViewNormal;

vec3 facing() {
    vec3 n = normalize(ViewNormal);
    return dot(n, cross(dFdx(ViewPos), dFdy(ViewPos))) < 0.0 ? -n : n;
}

void shine(vec3 l, vec3 light);

vec3 fromSky = vec3(1.0); // how much of light from all sides comes to the place

// The light from all sides. Lamps count as much after it.
vec3 ambient() {
    vec3 place = (WorldFromView * vec4(ViewPos, 1.0)).xyz, n = mat3(WorldFromView) * facing();
    fromSky = skyShare(place, n) * openSky(place, n);
    vec3 light = vec3(0.0);
#if AMB_LIGHTS > 0
    for (int i = 0; i < AMB_LIGHTS; i++) {
        light += AmbientLightColor[i];
    }
#endif
    return light * fromSky;
}

// A directional light. If it comes from where the sun stands, shadows and water change it; else it is part of the sky.
void fromAfar(vec3 l, vec3 light) {
    if (dot(l, SunView) < 0.9998) {
        shine(l, light * fromSky);
        return;
    }
    mat3 turn = mat3(WorldFromView); // times a vector on its left it turns back
    SunShare direct, mirrored;
    sunShares((WorldFromView * vec4(ViewPos, 1.0)).xyz, turn * facing(), turn * SunView, direct, mirrored);
    shine(direct.way * turn, light * direct.share);
    if (mirrored.share.g > 0.0) {
        shine(mirrored.way * turn, light * mirrored.share);
    }
}

void lamps() {
#if DIR_LIGHTS > 0
    for (int i = 0; i < DIR_LIGHTS; i++) {
        fromAfar(normalize(DirLightPosition(i)), DirLightColor(i));
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
