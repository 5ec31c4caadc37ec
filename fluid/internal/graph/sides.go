package graph

import "github.com/meniscus3d/meniscus/fluid/internal/geom"

// SideRows are the rows on a side of a face, with the part of the face that leads to each: one row, or the four of a composite side. Some may be Air.
type SideRows struct {
	Row   [4]int32
	Share [4]float64
	N     int // of Row and Share
}

// RowsOn is what is on a side of a face.
func (g *Graph) RowsOn(side int32) SideRows {
	if IsComposite(side) {
		return SideRows{g.Cubes.Quads[^side], g.Cubes.Shares[^side], 4}
	}
	return SideRows{Row: [4]int32{side}, Share: [4]float64{1}, N: 1}
}

// IsComposite tells whether several rows are on a side of a face.
func IsComposite(side int32) bool { return side < 0 && side != Air }

// FirstRow is the first row on a side of a face that is not Air, or -1.
func (g *Graph) FirstRow(side int32) int32 {
	if !IsComposite(side) {
		return max(side, -1)
	}
	for _, r := range &g.Cubes.Quads[^side] {
		if r >= 0 {
			return r
		}
	}
	return -1
}

// ShareOf is the part of a face that leads to a row on a side of it.
func (g *Graph) ShareOf(r, side int32) float64 {
	on := g.RowsOn(side)
	for k, q := range on.Row[:on.N] {
		if q == r {
			return on.Share[k]
		}
	}
	return 0
}

// Across is the side of one of a row's faces that the row is not on, and outward is 1 if the face points there, else -1.
func (g *Graph) Across(r, f int32) (side int32, outward float64) {
	a, b := g.A[f], g.B[f]
	if a == r || b != r && g.isOn(r, a) {
		return b, 1
	}
	return a, -1
}

// Opposite is the face through which one leaves a row's cell who comes in through another of its faces and goes straight on, or -1: of cubes the one on the
// other side, of other cells the one that points most the other way.
func (g *Graph) Opposite(r, f int32) int32 {
	if g.cubic() {
		for side, is := range &g.Cubes.Sides[r] {
			if is == f {
				return g.Cubes.Sides[r][side^1]
			}
		}
		return -1
	}
	best, most := int32(-1), 0.
	_, out := g.Across(r, f)
	n := &g.Normals[f]
	for _, k := range g.FacesOf(r) {
		_, to := g.Across(r, k)
		if along := -float64(out * to * geom.Dot(n, &g.Normals[k])); along > most {
			best, most = k, along
		}
	}
	return best
}
