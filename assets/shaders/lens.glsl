// Free liquid as a lens: what leaves it at its back is bent once more.

const float Index = 1.333;

vec3 Side[2]; // how the place differs from a pixel to the next, m
vec3 Turn[2]; // and how the normal does

// To be called for each pixel before any choice between pixels.
void bend(vec3 place, vec3 n) {
    Side = vec3[2](dFdx(place), dFdy(place));
    Turn = vec3[2](dFdx(n), dFdy(n));
}

// Curvature of the surface along a unit vector, 1/m.
float curvature(vec3 along) {
    float aa = dot(Side[0], Side[0]), bb = dot(Side[1], Side[1]), ab = dot(Side[0], Side[1]);
    float a = dot(Side[0], along), b = dot(Side[1], along), det = max(aa * bb - ab * ab, 1e-20);
    return dot(((bb * a - ab * b) * Turn[0] + (aa * b - ab * a) * Turn[1]) / det, along);
}

// The way on of a ray that has entered along r at a normal n, and leaves chord m on. As far as the surface is as round as that of a ball with such a
// chord, the ray leaves as it does there; where it is flat, the back is parallel to it.
vec3 leaves(vec3 n, vec3 r, float chord) {
    float down = -dot(n, r);
    vec3 along = r + down * n;
    // A mesh's curvature leaps from face to face: what is half as round counts as round.
    float rounded = smoothstep(0.1, 0.5, curvature(along / max(length(along), 1e-4)) * chord / (2.0 * down));
    vec3 back = normalize(mix(-n, n + 2.0 * down * r, rounded));
    vec3 way = refract(r, -back, Index);
    return dot(way, way) < 0.5 ? reflect(r, back) : way;
}
