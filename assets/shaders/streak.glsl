// A particle's streak, as particle_geometry.glsl makes it.
in Streak {
    vec3 place;
    vec2 at;
    flat vec4 centre;
    flat vec4 motion;
    flat vec3 along;
    flat vec3 across;
    flat float reach;
    flat float fade;
    flat float sun;
} In;

// Where a pixel is in the streak's round ends, or across it: at an edge its length is 1.
vec2 inStreak() {
    float beyond = max(abs(In.at.x) - In.reach, 0.0);
    return vec2(sign(In.at.x) * beyond, In.at.y) / In.centre.w;
}

// What the shutter leaves of a particle that goes on while it is open. Light would fall with the streak's area; what there is of
// it here stands for many drops, so it falls with its root.
float smeared() { return inversesqrt(1.0 + 1.2732 * In.reach / In.centre.w); }
