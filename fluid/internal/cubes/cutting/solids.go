package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// touch, in cells, is how close to a solid a face counts as lying in it: more than the
// rounding of single-precision distances, less than any slit the grid could resolve.
const touch = 1e-4

// staticSolids is what static solids and the domain's sides leave of faces and cells.
type staticSolids struct {
	topology
	domain *domain

	distance  shapes.Distance          // nil: none
	thickness func(box r3.Box) float64 // how thick their walls are there at least, m

	open   [3][]float64 // of each face, as a fraction
	volume []float32    // of each cell, m³

	known []key  // per base cell: what open and volume were made for
	plain []bool // per base cell: no static solid and no wall touches it
	bare  []bool // per base cell: no static solid touches it
	thin  []bool // per base cell: a wall thinner than a cell stands in it
}

// init makes room for so many base cells.
func (st *staticSolids) init(bases int) {
	st.known, st.thin = make([]key, bases), make([]bool, bases)
	st.plain, st.bare = make([]bool, bases), make([]bool, bases)
}

// grow makes room for so many cells.
func (st *staticSolids) grow(cells int) {
	for a := range st.open {
		st.open[a] = arrays.Lengthen(st.open[a], cells)
	}
	st.volume = arrays.Lengthen(st.volume, cells)
}

// forget makes update measure every block anew.
func (st *staticSolids) forget() {
	for b := range st.known {
		st.known[b].first = layout.None
	}
}

// update measures static solids and walls, where they or the layout have changed, and tells whether they have.
func (st *staticSolids) update(s *scratch, b int32) bool {
	now, was := st.keyOf(b), st.known[b]
	if was == now {
		return false
	}
	k := st.block(b)
	st.known[b] = now
	if st.bare[b] && was.level == now.level && was.first == now.first { // only blocks below have changed
		for a := range 3 {
			if was.low[a] != now.low[a] {
				st.measureLow(&k, now, a, !st.plain[b])
			}
		}
		return true
	}
	st.measure(s, &k, now)
	return true
}

func (st *staticSolids) measure(s *scratch, k *block, now key) {
	s.finest, s.dry = finestCut, mask{}
	clear := st.clearance(s, k)
	st.bare[k.b], st.thin[k.b] = clear, false
	walls := st.domain.wallDistance(k.middle()) <= k.reach()
	st.plain[k.b] = clear && !walls
	st.measureWalls(k, now, walls)
	if clear {
		return
	}
	st.measureStatic(s, k, now, walls)
	around := r3.Box{Min: k.centre(-1, -1, -1), Max: k.centre(k.n, k.n, k.n)}
	if t := st.thickness(around); t < thin*k.h {
		st.shutStatic(s, k, wall{st.distance, t, t < k.h})
	}
}

// measureWalls measures what the domain's sides leave of a block.
func (st *staticSolids) measureWalls(k *block, now key, walls bool) {
	n := k.n * k.n * k.n
	volume, whole := st.volume[k.first:][:n], k.h*k.h*k.h
	var part [3][layout.Edge]float64 // that they leave of a cell's edge
	var shut [3][layout.Edge]bool    // a side of the domain is in the faces below the cell
	for a := range 3 {
		for i := range k.n {
			part[a][i] = 1
			if walls {
				part[a][i], shut[a][i] = st.domain.within(k, a, i, 1), st.domain.inSide(k, a, i)
			}
		}
	}
	for c := range volume {
		at := k.place(c)
		x, y, z := part[0][at[0]], part[1][at[1]], part[2][at[2]]
		volume[c] = float32(whole * (x * y * z))
		for a, open := range [3]float64{y * z, z * x, x * y} {
			if shut[a][at[a]] {
				open = 0
			}
			st.open[a][int(k.first)+c] = 1 - tidy(1-open)
		}
	}
	for a := range 3 {
		st.measureLow(k, now, a, walls)
	}
}

// measureLow measures what the domain's sides leave of the faces on a block's low side.
func (st *staticSolids) measureLow(k *block, now key, a int, walls bool) {
	p, q := (a+1)%3, (a+2)%3
	for i := range k.n {
		for j := range k.n {
			var at [3]int
			at[p], at[q] = i, j
			open, _ := st.domain.openFace(k, now, a, at, walls)
			st.open[a][int(k.first)+k.index(at)] = 1 - tidy(1-open)
		}
	}
}

// measureStatic takes what static solids cover of a block off what the domain's sides leave.
func (st *staticSolids) measureStatic(s *scratch, k *block, now key, walls bool) {
	s.enter(st.domain, k)
	s.nodeDistances(k, [3]int{}, [3]int{k.n, k.n, k.n}, st.distance)
	s.near, s.faces, s.pts = s.near[:0], s.faces[:0], s.pts[:0]
	for c := range k.n * k.n * k.n {
		at := k.place(c)
		s.addCell(k, at, k.first+int32(c))
		for a := range 3 {
			if open, size := st.domain.openFace(k, now, a, at, walls); open > 0 && s.classifyFace(k, a, at, size, k.first+int32(c)) < 0 {
				st.open[a][int(k.first)+c] = 0
			}
		}
	}
	s.cutCells(st.distance, k)
	for i := range s.near {
		c := &s.near[i]
		st.volume[c.to] = float32(k.h * k.h * k.h * max(0, st.domain.openCell(k, c.at, walls)-c.solid))
	}
	s.cutFaces(st.distance, k.h)
	for i := range s.faces {
		f := &s.faces[i]
		open, _ := st.domain.openFace(k, now, f.plane.axis, k.place(int(f.to-k.first)), walls)
		st.open[f.plane.axis][f.to] = 1 - tidy(1-max(0, open-f.solid))
	}
}

// clearance tells whether no static solid touches the block or the cells around it.
func (st *staticSolids) clearance(s *scratch, k *block) bool {
	if st.distance == nil {
		return true
	}
	s.pts = append(s.pts[:0], k.middle())
	st.distance(s.dist[:1], s.pts)
	return float64(s.dist[0]) > k.reach()
}

// StaticDistance writes how far places, m, are from the nearest static solid or closed side of the domain, m; negative in or beyond it.
func (d *Discretiser) StaticDistance(dst []float32, at []r3.Vec) {
	if d.static.distance == nil {
		for i := range dst {
			dst[i] = math.MaxFloat32
		}
	} else {
		d.static.distance(dst, at)
	}
	for i, x := range at {
		dst[i] = float32(min(float64(dst[i]), d.domain.wallDistance(x)))
	}
}

// nodeDistances fills s.nodes with a solid's distance, in cells, at the corners of the block's
// cells lo ≤ cell < hi.
func (s *scratch) nodeDistances(k *block, lo, hi [3]int, f shapes.Distance) {
	s.pts = s.pts[:0]
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				s.pts = append(s.pts, r3.Vec{X: k.lo[0] + float64(float64(x)*k.h), Y: k.lo[1] + float64(float64(y)*k.h), Z: k.lo[2] + float64(float64(z)*k.h)})
			}
		}
	}
	f(s.dist[:len(s.pts)], s.pts)
	inv := 1 / k.h
	i, m := 0, k.n+1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				s.nodes[x+m*(y+m*z)] = min(float64(s.dist[i])*inv, 1e6)
				i++
			}
		}
	}
}

// square writes the four corner distances of a face, in cells, less touch.
func (s *scratch) square(c *[4]float64, k *block, a int, at [3]int, size int) {
	m := k.n + 1
	stride := [3]int{1, m, m * m}
	i := at[0] + m*(at[1]+m*at[2])
	p, q := size*stride[(a+1)%3], size*stride[(a+2)%3]
	c[0], c[1], c[2], c[3] = s.nodes[i]-touch, s.nodes[i+p]-touch, s.nodes[i+q]-touch, s.nodes[i+p+q]-touch
}

// corners writes the eight corner distances of a cell, in cells.
func (s *scratch) corners(c *[8]float64, k *block, at [3]int) {
	m := k.n + 1
	for i := range 4 {
		row := s.nodes[at[0]+m*(at[1]+i&1+m*(at[2]+i>>1)):][:2]
		c[2*i], c[2*i+1] = row[0], row[1]
	}
}
