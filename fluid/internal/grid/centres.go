package grid

// Values are a component's: in a block of n³ cells n+1 along its axis and n+2 across, x fastest.
func (t *Tile) Values(axis int) []float32 {
	third := len(t.t) / 3
	return t.t[axis*third:][:third]
}
