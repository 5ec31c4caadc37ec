//import surface_place
void main() {
    place();
}
