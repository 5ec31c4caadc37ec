//import lamps
//import sundepth
//import clip
//import wetness
// Stands for g3n's physical fragment shader in Draw: metal and roughness, in linear light without a limit.
// Source: Karis, Real Shading in Unreal Engine 4 (2013): the distribution of Trowbridge and Reitz, Schlick's Fresnel term, Smith's shadowing.
#ifdef HAS_BASECOLORMAP
uniform sampler2D uBaseColorSampler;
#endif
#ifdef HAS_METALROUGHNESSMAP
uniform sampler2D uMetallicRoughnessSampler;
#endif
#ifdef HAS_NORMALMAP
uniform sampler2D uNormalSampler;
#endif
#ifdef HAS_EMISSIVEMAP
uniform sampler2D uEmissiveSampler;
#endif
#ifdef HAS_OCCLUSIONMAP
uniform sampler2D uOcclusionSampler;
#endif
uniform vec4 Material[3]; // base colour; emission; metal, roughness
in vec2 FragTexcoord;
out vec4 FragColor;

const float Pi = 3.141592653589793;

vec3 normal, eye, body, mirror, light;
float rough; // its square is the slope

vec3 bumped() {
    vec3 n = facing();
#ifdef HAS_NORMALMAP
    vec3 px = dFdx(ViewPos), py = dFdy(ViewPos);
    vec2 tx = dFdx(FragTexcoord), ty = dFdy(FragTexcoord);
    vec3 t = (ty.y * px - tx.y * py) / (tx.x * ty.y - ty.x * tx.y);
    t = normalize(t - n * dot(n, t));
    vec3 m = 2.0 * texture(uNormalSampler, FragTexcoord).rgb - 1.0;
    n = normalize(mat3(t, normalize(cross(n, t)), n) * m);
#endif
    return n;
}

void shine(vec3 l, vec3 lamp) {
    vec3 h = normalize(l + eye);
    float nl = clamp(dot(normal, l), 0.001, 1.0), nv = abs(dot(normal, eye)) + 0.001;
    float nh = clamp(dot(normal, h), 0.0, 1.0), vh = clamp(dot(eye, h), 0.0, 1.0);
    float a2 = rough * rough * rough * rough;
    float most = clamp(25.0 * max(mirror.r, max(mirror.g, mirror.b)), 0.0, 1.0);
    vec3 f = mirror + (most - mirror) * pow(1.0 - vh, 5.0);
    float g = 4.0 * nl * nv / ((nl + sqrt(a2 + (1.0 - a2) * nl * nl)) * (nv + sqrt(a2 + (1.0 - a2) * nv * nv)));
    float k = nh * nh * (a2 - 1.0) + 1.0;
    light += nl * lamp * ((1.0 - f) * body / Pi + f * g * a2 / (Pi * k * k) / (4.0 * nl * nv) + glint(l, normal, eye));
}

#ifdef MENISCUS_DEPTH
void main() {
    clip();
    float alpha = Material[0].a;
#ifdef HAS_BASECOLORMAP
    alpha *= texture(uBaseColorSampler, FragTexcoord).a;
#endif
    if (alpha < 0.5) {
        discard;
    }
    gl_FragDepth = farther();
    FragColor = vec4(ViewNormal, FragTexcoord.x); // every attribute: g3n sets up a buffer's once, for the first program
}
#else
void main() {
    clip();
    float metal = Material[2].x;
    rough = Material[2].y;
#ifdef HAS_METALROUGHNESSMAP
    vec4 mr = texture(uMetallicRoughnessSampler, FragTexcoord);
    metal *= mr.b;
    rough *= mr.g;
#endif
    metal = clamp(metal, 0.0, 1.0);
    rough = clamp(rough, 0.04, 1.0);
    vec4 base = Material[0];
#ifdef HAS_BASECOLORMAP
    vec4 t = texture(uBaseColorSampler, FragTexcoord);
    base *= vec4(linear(t.rgb), t.a);
#endif
    normal = bumped();
    eye = normalize(-ViewPos);
    base.rgb *= soaked(base.rgb, ViewPos, normal, rough * (1.0 - metal));
    body = base.rgb * 0.96 * (1.0 - metal);
    mirror = mix(vec3(0.04), base.rgb, metal);
    light = sheen(normal, eye) + body * ambient();
    lamps();
#ifdef HAS_OCCLUSIONMAP
    light *= texture(uOcclusionSampler, FragTexcoord).r;
#endif
    vec3 own = Material[1].rgb;
#ifdef HAS_EMISSIVEMAP
    own *= linear(texture(uEmissiveSampler, FragTexcoord).rgb);
#endif
    FragColor = vec4(murky(light + own), base.a);
}
#endif
