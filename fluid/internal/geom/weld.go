package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Weld merges each vertex with the first earlier one within a tolerance, in the order in which triangles use them. A tolerance of 0 merges vertices at the same
// position. In a chain of vertices, each near the next, that order decides which are merged.
//
// first lists, for each vertex of the welded mesh, the first vertex merged into it. welded are the triangles over these vertices, in order, without those that
// become degenerate. Indices out of range are kept.
//
// tolerance: 0, or at least 2⁻⁵⁰ of the greatest coordinate in use.
func Weld(positions []r3.Vec, triangles [][3]int32, tolerance float64) (first []int32, welded [][3]int32) {
	w := welder{positions: positions, tolerance: tolerance}
	if tolerance > 0 {
		w.cells = make(map[[3]int64]int32, len(positions))
	} else {
		w.same = make(map[r3.Vec]int32, len(positions))
	}
	to := make([]int32, len(positions))
	for i := range to {
		to[i] = -1
	}
	welded = make([][3]int32, 0, len(triangles))
	for _, t := range triangles {
		var f [3]int32
		for k, v := range t {
			if f[k] = v; v < 0 || int(v) >= len(positions) {
				continue
			}
			if to[v] < 0 {
				to[v] = w.find(v)
			}
			f[k] = to[v]
		}
		if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
			welded = append(welded, f)
		}
	}
	return w.first, welded
}

// welder finds, for a vertex, the first earlier one within a tolerance. Its maps are looked up, never ranged over.
type welder struct {
	positions []r3.Vec
	tolerance float64
	first     []int32            // of each vertex that stays: the one that it stands for
	same      map[r3.Vec]int32   // position → vertex that stays; -0 and 0 are equal keys
	cells     map[[3]int64]int32 // cell → newest vertex that stays in it
	next      []int32            // of each vertex that stays: an older one in the same cell, or -1
}

// find is the vertex that stays for vertex v.
func (w *welder) find(v int32) int32 {
	p := w.positions[v]
	if w.tolerance <= 0 {
		i, ok := w.same[p]
		if !ok {
			i = w.add(v)
			w.same[p] = i
		}
		return i
	}
	if i := w.near(p); i >= 0 {
		return i
	}
	key := [3]int64{w.cell(p.X), w.cell(p.Y), w.cell(p.Z)}
	older, ok := w.cells[key]
	if !ok {
		older = -1
	}
	i := w.add(v)
	w.cells[key], w.next = i, append(w.next, older)
	return i
}

func (w *welder) add(v int32) int32 {
	w.first = append(w.first, v)
	return int32(len(w.first) - 1)
}

// near is the first vertex that stays within the tolerance of a place, or -1.
func (w *welder) near(p r3.Vec) int32 {
	best := int32(math.MaxInt32)
	t := w.tolerance
	for x := w.cell(p.X - t); x <= w.cell(p.X+t); x++ {
		for y := w.cell(p.Y - t); y <= w.cell(p.Y+t); y++ {
			for z := w.cell(p.Z - t); z <= w.cell(p.Z+t); z++ {
				i, ok := w.cells[[3]int64{x, y, z}]
				for ; ok && i >= 0; i = w.next[i] {
					if i < best && reproducible.Norm2(r3.Sub(p, w.positions[w.first[i]])) <= t*t {
						best = i
					}
				}
			}
		}
	}
	if best == math.MaxInt32 {
		return -1
	}
	return best
}

// Edges of cells are 4 tolerances: most places then look into one cell only.
func (w *welder) cell(x float64) int64 { return int64(math.Floor(x / (4 * w.tolerance))) }
