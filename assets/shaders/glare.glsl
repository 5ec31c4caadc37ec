// What of a pixel's light the eye scatters: the part far above what a display shows as white. Below 1 there is none, and it rises smoothly from there.
// Single pixels as bright as the sun are cut off, or they would flash as they come and go.
vec3 glare(vec3 c) {
    float l = max(c.r, max(c.g, c.b));
    if (!(l > 1.0)) { // nor for what is no number
        return vec3(0.0);
    }
    float over = min(l - 1.0, 50.0);
    return max(c, 0.0) * (over * over / ((over + 1.0) * l));
}
