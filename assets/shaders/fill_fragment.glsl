// Empties a picture without touching the game's clear colour.
precision highp float;
in vec2 Coord;
out vec4 FragColor;
void main() {
    FragColor = vec4(0.0);
}
