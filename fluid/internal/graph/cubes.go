package graph

// Cubes is what only a graph of cubes on a grid has beside the rest.
//
// A side of a face may be ^q here for the four rows of Quads[q], whose mean pressure acts on the face: one composite face where a
// coarse cell meets four fine ones. Some of the four may be Air.
type Cubes struct {
	// Red tells which rows are red in the red-black colouring of cells: of two cells of one size that share a face, one is red at most.
	Red []bool

	Quads [][4]int32
	// Shares are the parts of a composite face that lead to each of the four, and sum to 1: solids leave less of some. Still is what the
	// pressure of still liquid at each is above that in the middle of the four, Pa, where shares differ or the quad is regularised.
	Shares, Still [][4]float64
	Regularised   []bool  // per quad: solids are near, so its rows may have no other open face
	Axis          []uint8 // of the face's normal, which points along +axis

	// Sides has the face on each side of a row's cell, -x, +x, -y, …, or -1. The row is on side B of those
	// that lie below it, on side A of the others.
	Sides [][6]int32
}

// Mean is the value of x on a side of a face, by shares; rows that are Air count as air.
func (g *Graph) Mean(side int32, x []float64, air float64) float64 {
	switch {
	case side >= 0:
		return x[side]
	case side == Air:
		return air
	}
	sum, shares := 0., &g.Cubes.Shares[^side]
	for i, r := range g.Cubes.Quads[^side] {
		if r == Air {
			sum += float64(shares[i] * air)
		} else {
			sum += float64(shares[i] * x[r])
		}
	}
	return sum
}

// equal is the shares where solids leave as much to each.
var equal = [4]float64{.25, .25, .25, .25}

// HydrostaticOffset is by how much, in still liquid, Mean of the pressure on a side exceeds the pressure in the middle of the side, Pa.
func (g *Graph) HydrostaticOffset(side int32) (lean float64) {
	if side >= 0 || side == Air || g.Cubes.Shares[^side] == equal {
		return 0
	}
	for i, share := range g.Cubes.Shares[^side] {
		lean += float64(share * g.Cubes.Still[^side][i])
	}
	return lean
}

// AirShare is the part of a side that is Air.
func (g *Graph) AirShare(side int32) float64 {
	switch {
	case side >= 0:
		return 0
	case side == Air:
		return 1
	}
	n := 0
	for _, r := range g.Cubes.Quads[^side] {
		if r == Air {
			n++
		}
	}
	return float64(n) / 4
}

// cubeFaceCentre is FaceCentre of cubes.
func (g *Graph) cubeFaceCentre(f int) (x [3]float64) {
	a, b, axis := g.A[f], g.B[f], g.Cubes.Axis[f]
	switch {
	case a >= 0:
		x = g.Centre[a]
		x[axis] += float64(.5 * float64(g.Size[a]))
	case b >= 0:
		x = g.Centre[b]
		x[axis] -= float64(.5 * float64(g.Size[b]))
	case a != Air:
		x = g.quadCentre(&g.Cubes.Quads[^a], axis, .5)
	default:
		x = g.quadCentre(&g.Cubes.Quads[^b], axis, -.5)
	}
	return x
}

// quadCentre is the middle of the four faces of a quad, shift cells along the axis.
func (g *Graph) quadCentre(q *[4]int32, axis uint8, shift float64) (x [3]float64) {
	for i, r := range q {
		if r != Air {
			h := float64(g.Size[r])
			x = g.Centre[r]
			x[axis] += float64(shift * h)
			x[(axis+1)%3] += float64(h * (.5 - float64(i&1)))
			x[(axis+2)%3] += float64(h * (.5 - float64(i>>1)))
			return x
		}
	}
	return x
}
