package graph

import "math"

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

// leastShut is the part of a cell's surface that counts as shut.
const leastShut = 1e-9

// Bind takes from the components of the rows, by their labels, those that something else than air touches: walls, solids, bodies.
func (g *Graph) Bind(label []int32, free []bool) {
	for i := range g.Bodies {
		for _, r := range g.Bodies[i].Row {
			free[label[r]] = false
		}
	}
	for r := range int32(g.Rows) {
		if c := label[r]; free[c] && g.isShut(r) {
			free[c] = false
		}
	}
}

// isShut tells whether some of a row's cell's surface is shut.
func (g *Graph) isShut(r int32) bool {
	if !g.cubic() {
		return g.isListedShut(r)
	}
	for _, f := range g.Cubes.Sides[r] {
		if f < 0 || g.Open[f] < 1-leastShut {
			return true
		}
	}
	return false
}

// isListedShut is isShut by the area vectors of the row's faces: those of a closed surface sum to 0.
func (g *Graph) isListedShut(r int32) bool {
	var sum [3]float64
	whole := 0.
	for _, f := range g.FacesOf(r) {
		_, outward := g.Across(r, f)
		area := float64(g.Area[f] * g.Open[f])
		g.AddAlong(int(f), &sum, float64(outward*area))
		whole += area
	}
	return math.Abs(sum[0])+math.Abs(sum[1])+math.Abs(sum[2]) > float64(leastShut*whole)
}
