package validation

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// reach, in cells, is how far distances are measured: what is further away counts as so far.
const reach = 12

// bins are the triangles of a surface by the cells of a lattice that their boxes reach into.
type bins struct {
	positions []r3.Vec
	triangles [][3]int32
	cell      float64 // m
	of        map[[3]int][]int32
}

func newBins(positions []r3.Vec, triangles [][3]int32, cell float64) *bins {
	b := &bins{positions, triangles, cell, make(map[[3]int][]int32, len(triangles))}
	for i, t := range triangles {
		lo, hi := b.home(positions[t[0]]), b.home(positions[t[0]])
		for _, v := range t[1:] {
			for a, k := range b.home(positions[v]) {
				lo[a], hi[a] = min(lo[a], k), max(hi[a], k)
			}
		}
		eachCell(lo, hi, func(k [3]int) { b.of[k] = append(b.of[k], int32(i)) })
	}
	return b
}

func (b *bins) home(x r3.Vec) [3]int {
	return [3]int{int(math.Floor(x.X / b.cell)), int(math.Floor(x.Y / b.cell)), int(math.Floor(x.Z / b.cell))}
}

func eachCell(lo, hi [3]int, visit func(k [3]int)) {
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for z := lo[2]; z <= hi[2]; z++ {
				visit([3]int{x, y, z})
			}
		}
	}
}

// distance is how far a place is from the surface, m, at most reach cells.
func (b *bins) distance(x r3.Vec) float64 {
	at, best := b.home(x), reach*b.cell
	for ring := 0; ring <= reach && float64(ring-1)*b.cell < best; ring++ {
		lo, hi := at, at
		for a := range at {
			lo[a], hi[a] = at[a]-ring, at[a]+ring
		}
		eachCell(lo, hi, func(k [3]int) {
			for a := range k {
				if k[a] == lo[a] || k[a] == hi[a] { // what lies further in has been looked at
					for _, i := range b.of[k] {
						t := b.triangles[i]
						best = min(best, fromTriangle(x, b.positions[t[0]], b.positions[t[1]], b.positions[t[2]]))
					}
					return
				}
			}
		})
	}
	return best
}

// fromTriangle is how far x is from a triangle, m.
func fromTriangle(x, a, b, c r3.Vec) float64 {
	ab, ac, ax := r3.Sub(b, a), r3.Sub(c, a), r3.Sub(x, a)
	n := r3.Cross(ab, ac)
	if square := r3.Norm2(n); square > 0 {
		// The shares of b and c in the foot of the perpendicular.
		v, w := r3.Dot(r3.Cross(ax, ac), n)/square, r3.Dot(r3.Cross(ab, ax), n)/square
		if v >= 0 && w >= 0 && v+w <= 1 {
			return math.Abs(r3.Dot(ax, n)) / math.Sqrt(square)
		}
	}
	return min(fromEdge(x, a, b), fromEdge(x, b, c), fromEdge(x, c, a))
}

// fromEdge is how far x is from an edge, m.
func fromEdge(x, a, b r3.Vec) float64 {
	along, s := r3.Sub(b, a), 0.
	if square := r3.Norm2(along); square > 0 {
		s = max(0, min(1, r3.Dot(along, r3.Sub(x, a))/square))
	}
	return r3.Norm(r3.Sub(x, r3.Add(a, r3.Scale(s, along))))
}

// surfacesApart is how far the liquid's surface is from a mesh, m: the furthest vertex of either from the other, and the mean over the liquid's vertices.
func surfacesApart(liquid *fluid.Surface, positions []r3.Vec, triangles [][3]int32, cell float64) (worst, mean float64) {
	if len(liquid.Indices) == 0 {
		return reach * cell, reach * cell
	}
	mesh := newBins(positions, triangles, cell)
	vertices := make([]r3.Vec, len(liquid.Positions)/3)
	for i := range vertices {
		p := liquid.Positions[3*i:]
		vertices[i] = r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		d := mesh.distance(vertices[i])
		worst, mean = max(worst, d), mean+d/float64(len(vertices))
	}
	faces := make([][3]int32, len(liquid.Indices)/3)
	for i := range faces {
		k := liquid.Indices[3*i:]
		faces[i] = [3]int32{int32(k[0]), int32(k[1]), int32(k[2])}
	}
	surface := newBins(vertices, faces, cell)
	for _, x := range positions {
		worst = max(worst, surface.distance(x))
	}
	return worst, mean
}
