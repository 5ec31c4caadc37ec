// Package raster finds the cells of a lattice that lie in a closed triangle mesh, and where the mesh crosses between their centres.
//
// Lines through the centres are cut with the triangles, one set of lines per axis. The winding number of a centre is the sum of the
// signed cuts before it; a centre is inside where that is above 0, so that parts that overlap are inside and cavities, whose triangles
// face inwards, are outside.
//
// No line slips between two triangles. A vertex lies below a row of lines or not below it, which is an exact comparison. An edge from
// below to above meets the row at one place, which is computed from the edge's two ends alone and is therefore the same for both of
// its triangles. The line in the row cuts a triangle that has the line between the places of its two such edges. Around a
// closed mesh these cuts add up to 0 whatever the rounding of the places. Where a centre lies on the mesh itself, it counts as moved
// towards lower coordinates, by far the most along x and by the least along z, so that the three sets of lines agree.
//
// All arithmetic gives the same bits on every machine and for any number of workers.
package raster

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Lattice is cubes of edge H, m. Cell (i, j, k) has index i + Dim[0]*(j + Dim[1]*k), and its centre is at Origin + H*(i+.5, j+.5, k+.5).
type Lattice struct {
	Origin [3]float64
	H      float64
	Dim    [3]int
}

// Cells is the number of cells.
func (l *Lattice) Cells() int { return l.Dim[0] * l.Dim[1] * l.Dim[2] }

// Strides are the differences of index between neighbours along each axis.
func (l *Lattice) Strides() [3]int32 { return [3]int32{1, int32(l.Dim[0]), int32(l.Dim[0] * l.Dim[1])} }

// Surface is a mesh, m and m/s: closed, counter-clockwise from outside. It may be several surfaces, one in another, or overlap itself.
// Two triangles share an edge if their vertices have the same positions, whatever their indices.
type Surface struct {
	Positions, Velocities []r3.Vec  // per vertex; Velocities may be nil: at rest
	Weights               []float32 // per vertex; nil: all 1
	Triangles             [][3]int32
}

// Volume is what the surface encloses, m³: what it encloses twice counts twice, a cavity less, and it is negative for a surface that is
// clockwise from outside. It is not finite where a position is not.
func (s *Surface) Volume() float64 {
	return geom.Volume(s.Positions, s.Triangles)
}

// Crossing is where the surface separates the centres of a cell and of the next one along an axis.
type Crossing struct {
	Cell     int32      // the lower of the two
	Outward  int8       // +1: the lower cell is inside, -1: the upper one is
	Fraction float64    // of the way from the lower centre to the upper one, in 0…1
	Velocity [3]float64 // m/s there, interpolated in its triangle
	Normal   [3]float64 // unit, outward, of its triangle
	Weight   float32    // interpolated likewise
}

// Raster is a surface on a lattice, as Scan leaves it. Its arrays are for reading, and valid until the next Scan.
type Raster struct {
	Lattice
	Inside    []bool        // per cell
	Crossings [3][]Crossing // per axis, ascending by Cell; exactly the pairs of neighbours of which one is inside
	At        [3][]int32    // per axis and cell: index into Crossings of the one between it and the next cell, or -1

	// Held is how many centres are inside, and Again how often one is so once more, where the surface overlaps itself.
	Held, Again int

	// Made is how many crossings have the data of a triangle nearby, since no triangle separates their centres on the line through them.
	// That happens where a centre is inside by the rounding along x alone, and where Scan has skipped triangles.
	Made int

	surface  *Surface
	strides  [3]int32
	vertices []vertex
	chunks   []chunk
	hits     [3][]hit
	first    [3][]int32 // per axis and cell: index into hits of the lowest one between it and the next cell, or -1
	start    []int32    // per row of cells along x: the winding number at its first cell
	rows     []rowState
	tallies  []tally // per row of cells along x
	layers   []layer
	pockets  pockets
}

// vertex is a position in edges of cells, so that centres have whole coordinates.
type vertex struct {
	at    [3]float64
	floor [3]int32
	valid bool
}

// rowState says what is known of a row of cells along x.
type rowState uint8

const (
	allOutside rowState = iota
	allInside
	mixed
)

// tally is how many centres of a row are inside, and how often one is so once more.
type tally struct{ held, again int32 }

// layer is what is counted in one layer of cells across z.
type layer struct {
	crossings [3]int32 // their number, then the index of the first
	made      int32
	farthest  float64 // greatest distance, in edges, from a centre to the triangle whose data a crossing was made with
}

const (
	vertexGrain   = 1024
	triangleGrain = 256
	rowGrain      = 128
	// farthestVertex is how many cells away from the origin a vertex may be: floors fit an int32, and products of three a float64.
	farthestVertex = 1 << 30
	// fastest is the greatest component of a velocity, whose differences are still finite.
	fastest = math.MaxFloat64 / 4
)

// Scan rasters a surface on a lattice, and sizes and fills all arrays. Cells beyond the lattice have no crossings. Scan allocates
// nothing once its arrays are long enough.
//
// skipped is the number of triangles left out since a vertex has a position, velocity or weight that is not finite, or a position more
// than 2³⁰ cells away. Where it is not 0 the surface is open, and Inside may hold for cells behind the holes.
//
// Scan panics if the lattice has a negative size, an edge that is not above 0, or more cells than an int32 counts, and if lengths
// or indices of the surface don't fit.
func (r *Raster) Scan(pool *par.Pool, s *Surface, lattice Lattice) (skipped int) {
	check(s, &lattice)
	r.reset()
	r.Lattice, r.surface = lattice, s
	r.resize()
	par.For(pool, len(s.Positions), vertexGrain, r, (*Raster).placeVertices)
	par.For(pool, len(s.Triangles), triangleGrain, r, (*Raster).scanTriangles)
	for i := range r.chunks {
		skipped += r.chunks[i].skipped
	}
	par.Each(pool, 3, 1, r, (*Raster).linkHits)
	par.For(pool, len(r.rows), rowGrain, r, (*Raster).fillRows)
	par.For(pool, lattice.Dim[2], 1, r, (*Raster).countCrossings)
	r.placeCrossings()
	par.For(pool, lattice.Dim[2], 1, r, (*Raster).fillCrossings)
	for i := range r.layers {
		r.Made += int(r.layers[i].made)
	}
	for _, t := range r.tallies {
		r.Held, r.Again = r.Held+int(t.held), r.Again+int(t.again)
	}
	r.surface = nil
	return skipped
}

// check panics where a programmer's arguments can't be right.
func check(s *Surface, l *Lattice) {
	if !(l.H > 0) || math.IsInf(l.H, 1) {
		panic(fmt.Sprintf("raster: Lattice.H: %v m; must be finite and above 0", l.H))
	}
	cells := 1.
	for axis, n := range l.Dim {
		if n < 0 {
			panic(fmt.Sprintf("raster: Lattice.Dim[%d]: %d; must be at least 0", axis, n))
		}
		cells *= float64(n)
	}
	if cells > math.MaxInt32 {
		panic(fmt.Sprintf("raster: Lattice.Dim: %v, %.0f cells; must be at most %d", l.Dim, cells, math.MaxInt32))
	}
	n := len(s.Positions)
	if s.Velocities != nil && len(s.Velocities) != n {
		panic(fmt.Sprintf("raster: %d Velocities for %d Positions", len(s.Velocities), n))
	}
	if s.Weights != nil && len(s.Weights) != n {
		panic(fmt.Sprintf("raster: %d Weights for %d Positions", len(s.Weights), n))
	}
}

// reset takes out of the arrays what the last Scan has entered, which is less than all there is.
func (r *Raster) reset() {
	for axis := range 3 {
		for i := range r.Crossings[axis] {
			r.At[axis][r.Crossings[axis][i].Cell] = -1
		}
		for i := range r.hits[axis] {
			if cell := r.hits[axis][i].cell; cell >= 0 {
				r.first[axis][cell] = -1
			}
		}
		r.Crossings[axis], r.hits[axis] = r.Crossings[axis][:0], r.hits[axis][:0]
	}
	r.Made, r.Held, r.Again = 0, 0, 0
}

// resize sets the lengths of the arrays.
func (r *Raster) resize() {
	r.strides = r.Strides()
	n, rows := r.Cells(), r.Dim[1]*r.Dim[2]
	r.Inside = arrays.Resize(r.Inside, n)
	for axis := range 3 {
		r.At[axis] = resizeEmpty(r.At[axis], n)
		r.first[axis] = resizeEmpty(r.first[axis], n)
	}
	r.start = arrays.Resize(r.start, rows)
	r.rows = arrays.Resize(r.rows, rows)
	r.tallies = arrays.Resize(r.tallies, rows)
	clear(r.start)
	clear(r.rows)
	r.layers = arrays.Resize(r.layers, r.Dim[2])
	r.vertices = arrays.Resize(r.vertices, len(r.surface.Positions))
	chunks := par.Chunks(len(r.surface.Triangles), triangleGrain)
	r.chunks = arrays.Lengthen(r.chunks[:cap(r.chunks)], chunks)[:chunks]
}

// resizeEmpty is s with n elements, all -1, if all of s up to its capacity are.
func resizeEmpty(s []int32, n int) []int32 {
	if n <= cap(s) {
		return s[:n]
	}
	s = arrays.Resize(s, n)
	for i := range s[:cap(s)] {
		s[:cap(s)][i] = -1
	}
	return s
}

// placeVertices moves vertices to the coordinates of cells.
func (r *Raster) placeVertices(_, lo, hi int) {
	s := r.surface
	for i := lo; i < hi; i++ {
		p, v := &s.Positions[i], &r.vertices[i]
		v.valid = true
		for axis, x := range [3]float64{p.X, p.Y, p.Z} {
			x = (x-r.Origin[axis])/r.H - .5
			if !(math.Abs(x) < farthestVertex) {
				v.valid = false
				break
			}
			v.at[axis], v.floor[axis] = x, int32(math.Floor(x))
		}
		if s.Velocities != nil {
			u := &s.Velocities[i]
			v.valid = v.valid && math.Abs(u.X) < fastest && math.Abs(u.Y) < fastest && math.Abs(u.Z) < fastest
		}
		if s.Weights != nil {
			v.valid = v.valid && s.Weights[i]-s.Weights[i] == 0
		}
	}
}

// fillRows finds which cells of some rows along x are inside.
func (r *Raster) fillRows(_, lo, hi int) {
	nx := r.Dim[0]
	for row := lo; row < hi; row++ {
		inside := r.Inside[row*nx : (row+1)*nx]
		first := r.first[0][row*nx : (row+1)*nx]
		winding, t := r.start[row], &r.tallies[row]
		*t = tally{}
		switch {
		case r.rows[row] == mixed:
			for i := range inside {
				if inside[i] = winding > 0; inside[i] {
					t.held, t.again = t.held+1, t.again+winding-1
				}
				for h := first[i]; h >= 0; h = r.hits[0][h].next {
					winding += r.hits[0][h].delta
				}
			}
		case winding > 0:
			r.rows[row] = allInside
			for i := range inside {
				inside[i] = true
			}
			*t = tally{int32(nx), int32(nx) * (winding - 1)}
		default:
			clear(inside)
		}
	}
}

// winding is the winding number of a cell's centre.
func (r *Raster) winding(cell int32) int32 {
	nx := int32(r.Dim[0])
	row := cell / nx
	w := r.start[row]
	for _, h := range r.first[0][row*nx : cell] {
		for ; h >= 0; h = r.hits[0][h].next {
			w += r.hits[0][h].delta
		}
	}
	return w
}
