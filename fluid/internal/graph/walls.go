package graph

// WallImpulse is what a pressure gives all that shuts cells, walls and bodies alike, N·s: of a cell's surface what is not open. pi is per row, Pa·s.
func (g *Graph) WallImpulse(pi []float64) (sum [3]float64) {
	if g.cubic() {
		return g.shutCubes(pi)
	}
	// The area vectors of a closed surface sum to 0, so that those of what shuts it are those of its open faces the other way round.
	for r := range int32(g.Rows) {
		for _, f := range g.FacesOf(r) {
			inward := float64(g.Area[f] * g.Open[f] * pi[r])
			if g.A[f] == r {
				inward = -inward
			}
			g.AddAlong(int(f), &sum, inward)
		}
	}
	return sum
}

// shutCubes is WallImpulse of cubes: of a cube's six faces what is not open.
func (g *Graph) shutCubes(pi []float64) (sum [3]float64) {
	for r, sides := range g.Cubes.Sides[:g.Rows] {
		whole := float64(float64(g.Size[r]) * float64(g.Size[r]))
		for side, f := range sides {
			shut, out := whole, float64(side&1*2-1)
			if f >= 0 {
				open := float64(g.Area[f] * g.Open[f])
				if mine := [2]int32{g.B[f], g.A[f]}[side&1]; mine < 0 { // one of the four on a composite face
					open = float64(open / 4)
				}
				shut -= open
			}
			sum[side/2] += float64(out * shut * pi[r])
		}
	}
	return sum
}
