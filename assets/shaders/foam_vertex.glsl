//import particle_place
// Foam, moved to the face of the liquid that the eye sees where it is.
uniform mat4 ViewProj;
uniform vec3 Eye;
uniform sampler2D Front;

const float Off = 0.12; // how far from that face foam still lies on it, m

void main() {
    place();
    vec4 clip = ViewProj * vec4(ToGeometry.centre.xyz, 1.0);
    vec4 front = textureLod(Front, clip.xy / max(clip.w, 1e-3) * 0.5 + 0.5, 0.0);
    vec3 way = normalize(ToGeometry.centre.xyz - Eye);
    float off = dot(ToGeometry.centre.xyz - Eye - way * front.w, front.xyz);
    ToGeometry.centre.xyz -= off * front.xyz;
    if (clip.w <= 0.0 || front.w <= 0.0 || abs(off) > Off) {
        ToGeometry.centre.w = 0.0; // hidden, or on another face
    }
}
