precision highp float;
in vec2 Coord;
uniform sampler2D Picture;
uniform vec2 PictureInfo[3];
out vec4 FragColor;
void main() {
    FragColor = texture(Picture, Coord);
}
