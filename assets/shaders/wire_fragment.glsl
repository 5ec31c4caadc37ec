//import tone
in vec4 Color;
out vec4 FragColor;
void main() {
#ifdef MENISCUS_LINEAR
    FragColor = vec4(linear(Color.rgb), Color.a);
#else
    FragColor = Color;
#endif
}
