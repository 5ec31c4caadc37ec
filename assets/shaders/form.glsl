// The light that falls into a liquid, of which a cloudy one shows the form of its surface.

// The light on a face, as tiles have it. sun: what shadows leave of the sun.
vec3 fallsOn(vec3 n, float sun) {
    return 0.55 * skyOn(n) + sun * SunColor * (0.85 * max(dot(n, SunDir), 0.0));
}

// The light into a liquid of a normal n that is path m thick there. A liquid shows its form as far as light is scattered within Form m: what goes
// farther has come in elsewhere. Of what is thin a part comes in at the back: two streams that exchange light leave half of it where scattering is
// rare, and 4/3 of the mean free path's share of the thickness where it isn't.
// Source: Ishimaru, Wave Propagation and Scattering in Random Media (1978), ch. 10, the diffusion of light in a slab.
vec3 fallsIn(vec3 n, float path, float sun) {
    const float Form = 0.1;
    float back = 0.5 / (1.0 + 0.375 * Cloud * path);
    return mix(daylight(), mix(fallsOn(n, sun), fallsOn(-n, sun), back), 1.0 - exp(-Cloud * Form));
}
