//import lamps
//import sundepth
//import clip
//import layers
//import wetness
// Stands for g3n's standard fragment shader in Draw: Phong's model, or Blinn's, in linear light without a limit. Colours and textures are
// taken for a display's; how bright a lamp's mirror image is counts as a plain factor.
in vec2 FragTexcoord;
out vec4 FragColor;

vec3 normal, eye, paint, diffuse, mirrored;

void shine(vec3 l, vec3 light) {
    float cosine = dot(l, normal);
    if (cosine < 1e-5) {
        return;
    }
    diffuse += light * paint * cosine;
#ifdef BLINN
    float gloss = dot(normal, normalize(l + eye));
#else
    float gloss = dot(reflect(-l, normal), eye);
#endif
    mirrored += light * (MatSpecularColor * pow(max(gloss, 0.0), MatShininess) + cosine * glint(l, normal, eye));
}

#ifdef MENISCUS_DEPTH
void main() {
    clip();
    if (MatOpacity * layers(FragTexcoord).a < 0.5) {
        discard;
    }
    gl_FragDepth = farther();
    FragColor = vec4(ViewNormal, FragTexcoord.x); // every attribute: g3n sets up a buffer's once, for the first program
}
#else
void main() {
    clip();
    vec4 layer = layers(FragTexcoord);
    normal = facing();
    eye = normalize(-ViewPos);
    layer.rgb *= soaked(linear(MatDiffuseColor) * layer.rgb, ViewPos, normal, mix(1.0, 0.3, smoothstep(10.0, 100.0, MatShininess)));
    paint = linear(MatDiffuseColor) * layer.rgb;
    diffuse = linear(MatEmissiveColor);
    mirrored = sheen(normal, eye);
#if AMB_LIGHTS + DIR_LIGHTS + POINT_LIGHTS + SPOT_LIGHTS > 0
    diffuse += linear(MatAmbientColor) * layer.rgb * ambient();
    lamps();
#else
    diffuse += paint; // a material without lights shows its colour
#endif
    FragColor = vec4(murky(diffuse + mirrored), min(MatOpacity * layer.a, 1.0));
}
#endif
