package fluid

// View is the camera that decides where the grid is fine. The zero View means none.
type View struct {
	// View and Projection are 4×4, column-major, as OpenGL has them.
	View, Projection [16]float32
	// Height is the viewport's, in pixels.
	Height int
}
