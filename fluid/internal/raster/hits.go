package raster

import (
	"fmt"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// hit is where the line of centres along an axis cuts a triangle.
type hit struct {
	fraction float64 // of the way from the lower centre to the upper one
	cell     int32   // the lower one; -1 - row where it is before the first cell of a row along x
	triangle int32
	delta    int32 // of the winding number, from lower to upper
	next     int32 // the next higher hit between the same centres, or -1
}

// chunk is what is found of triangleGrain triangles.
type chunk struct {
	hits    [3][]hit
	skipped int
}

// across are the axis along which a row of lines is gone through, and the axis across the rows. They are in the order of how far a
// centre on the surface counts as moved, so that only the cut of a line has a rule of its own for that (hitCell).
var across = [3][2]int{{1, 2}, {0, 2}, {0, 1}}

// handed is +1 where an axis and the two across it are right-handed.
var handed = [3]int32{1, -1, 1}

// crossed are the edges of a triangle that a row crosses, by the ends below and above it: the one that rises, in the order of the vertices, and the
// one that falls.
type crossed struct{ riseLow, riseHigh, fallLow, fallHigh uint8 }

// crossedBy is by which vertices are not below the row: bits 0, 1 and 2.
var crossedBy = [8]crossed{
	1: {2, 0, 1, 0},
	2: {0, 1, 2, 1},
	3: {2, 0, 2, 1},
	4: {1, 2, 0, 2},
	5: {1, 2, 1, 0},
	6: {0, 1, 0, 2},
}

// span is the whole numbers between the lowest and the highest vertex along an axis, within the lattice.
type span struct{ from, to int32 }

func (s span) empty() bool { return s.from > s.to }

// scanTriangles finds the hits of a chunk.
func (r *Raster) scanTriangles(_, lo, hi int) {
	c := &r.chunks[lo/triangleGrain]
	hits := [3][]hit{c.hits[0][:0], c.hits[1][:0], c.hits[2][:0]}
	skipped := 0
	last := [3]int32{int32(r.Dim[0] - 1), int32(r.Dim[1] - 1), int32(r.Dim[2] - 1)}
	vertices := r.vertices
	for t := lo; t < hi; t++ {
		v := r.surface.Triangles[t]
		if n := uint32(len(vertices)); uint32(v[0]) >= n || uint32(v[1]) >= n || uint32(v[2]) >= n {
			panic(fmt.Sprintf("raster: Triangles[%d]: %v; must be among the %d Positions", t, v, n))
		}
		p := [3]*vertex{&vertices[v[0]], &vertices[v[1]], &vertices[v[2]]}
		if !p[0].valid || !p[1].valid || !p[2].valid {
			skipped++
			continue
		}
		var spans [3]span
		for axis := range 3 {
			f0, f1, f2 := p[0].floor[axis], p[1].floor[axis], p[2].floor[axis]
			spans[axis] = span{max(min(f0, f1, f2)+1, 0), min(max(f0, f1, f2), last[axis])}
		}
		x, y, z := !spans[0].empty(), !spans[1].empty(), !spans[2].empty()
		if y && z {
			hits[0] = r.scanAxis(hits[0], 0, int32(t), &p, spans[1], spans[2])
		}
		if x && z {
			hits[1] = r.scanAxis(hits[1], 1, int32(t), &p, spans[0], spans[2])
		}
		if x && y {
			hits[2] = r.scanAxis(hits[2], 2, int32(t), &p, spans[0], spans[1])
		}
	}
	for axis := range hits {
		c.hits[axis] = withRoom(hits[axis])
	}
	c.skipped = skipped
}

// withRoom is s with room for a third more than it holds: a mesh that moves has a few more hits in one chunk or another from time to time.
func withRoom(s []hit) []hit {
	if 4*len(s) <= 3*cap(s) {
		return s
	}
	return slices.Grow(s, max(32, len(s)))
}

// scanAxis adds the hits of a triangle with the lines along an axis to a list. columns and rows are those of lines that it may meet.
func (r *Raster) scanAxis(list []hit, axis int, triangle int32, p *[3]*vertex, columns, rows span) []hit {
	b, c := across[axis][0], across[axis][1]
	var x, y [3]float64
	var floor [3]int32
	for i, v := range p {
		x[i], y[i], floor[i] = v.at[b], v.at[c], v.floor[c]
	}
	var plane plane
	planeKnown := false
	for row := rows.from; row <= rows.to; row++ {
		above := 0
		for i, f := range floor {
			if f >= row {
				above |= 1 << i
			}
		}
		e := &crossedBy[above]
		level := float64(row)
		rise := meet(x[e.riseLow], y[e.riseLow], x[e.riseHigh], y[e.riseHigh], level)
		fall := meet(x[e.fallLow], y[e.fallLow], x[e.fallHigh], y[e.fallHigh], level)
		low, high, delta := fall, rise, -handed[axis]
		if rise < fall {
			low, high, delta = rise, fall, handed[axis]
		}
		last := min(int32(math.Floor(high)), columns.to)
		for column := max(int32(math.Floor(low))+1, columns.from); column <= last; column++ {
			if !planeKnown {
				plane, planeKnown = planeOf(axis, p), true
			}
			if cell, fraction, ok := r.hitCell(axis, &plane, column, row); ok {
				list = append(list, hit{fraction, cell, triangle, delta, -1})
			}
		}
	}
	return list
}

// meet is where an edge meets a row: y0 < level ≤ y1. It is computed from the nearer end, so that it is exact at the ends.
func meet(x0, y0, x1, y1, level float64) float64 {
	if below, above := level-y0, y1-level; below <= above {
		return x0 + below*(x1-x0)/(y1-y0)
	} else {
		return x1 - above*(x1-x0)/(y1-y0)
	}
}

// plane is that of a triangle as lines along an axis see it: a place and a normal, in the coordinates across the axis and along it,
// and the least and the greatest coordinate of a vertex along it.
type plane struct {
	x, y, z       float64
	nx, ny, nz    float64
	lowest, above float64
}

func planeOf(axis int, p *[3]*vertex) plane {
	b, c := across[axis][0], across[axis][1]
	o, v, w := &p[0].at, &p[1].at, &p[2].at
	vx, vy, vz := v[b]-o[b], v[c]-o[c], v[axis]-o[axis]
	wx, wy, wz := w[b]-o[b], w[c]-o[c], w[axis]-o[axis]
	return plane{
		o[b], o[c], o[axis],
		float64(vy*wz) - float64(vz*wy), float64(vz*wx) - float64(vx*wz), float64(vx*wy) - float64(vy*wx),
		min(o[axis], v[axis], w[axis]), max(o[axis], v[axis], w[axis]),
	}
}

// hitCell is where a line meets a plane: the cell below and the fraction from there. It is not ok where that is between no two cells of the
// lattice, nor before the first one of a row along x.
func (r *Raster) hitCell(axis int, p *plane, column, row int32) (cell int32, fraction float64, ok bool) {
	z := p.z - (float64(p.nx*(float64(column)-p.x))+float64(p.ny*(float64(row)-p.y)))/p.nz
	if !(z >= p.lowest) { // NaN too, of a triangle along the line
		z = p.lowest
	} else if z > p.above {
		z = p.above
	}
	k := int32(math.Floor(z))
	fraction = z - float64(k)
	if fraction == 0 && fallsBehind(axis, p) {
		k, fraction = k-1, 1
	}
	b, c := across[axis][0], across[axis][1]
	switch {
	case k >= int32(r.Dim[axis]-1), k < 0 && axis > 0:
		return 0, 0, false
	case k < 0:
		return -1 - (column + row*int32(r.Dim[1])), 0, true
	}
	return k*r.strides[axis] + column*r.strides[b] + row*r.strides[c], fraction, true
}

// fallsBehind tells whether a centre on a plane, moved as it counts, has the plane at lower coordinates on the line along the axis. Along x the centre
// itself moves farthest. Along y and z the move along x counts before that, and along z the one along y.
func fallsBehind(axis int, p *plane) bool {
	switch slope := p.nx * p.nz; {
	case axis == 0:
		return false
	case slope != 0:
		return slope < 0
	}
	return axis == 2 && p.ny*p.nz < 0
}

// linkHits joins the hits of all chunks along an axis, and those between the same two centres in ascending order.
func (r *Raster) linkHits(_ int, axis int32) {
	n := 0
	for i := range r.chunks {
		n += len(r.chunks[i].hits[axis])
	}
	hits := arrays.Resize(r.hits[axis], n)[:0]
	for i := range r.chunks {
		hits = append(hits, r.chunks[i].hits[axis]...)
	}
	r.hits[axis] = hits
	first := r.first[axis]
	for i := range hits {
		h := &hits[i]
		if h.cell < 0 {
			r.start[-1-h.cell] += h.delta
			continue
		}
		if axis == 0 {
			r.rows[h.cell/r.strides[1]] = mixed
		}
		link := &first[h.cell]
		for *link >= 0 && hits[*link].fraction <= h.fraction {
			link = &hits[*link].next
		}
		h.next, *link = *link, int32(i)
	}
}
