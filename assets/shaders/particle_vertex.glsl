//import particle_place
//import sunlight

void main() {
    place();
    ToGeometry.sun = 1.0;
#ifdef MENISCUS_LINEAR
    ToGeometry.sun = inSun((SunFromWorld * vec4(ToGeometry.centre.xyz, 1.0)).xyz);
#endif
}
