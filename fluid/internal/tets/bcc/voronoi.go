package bcc

import "math"

// Weights are what a value at a point is made of: values of tetrahedra, at their circumcentres, times W. The sum of W is 1. One may be used again and again, by one
// goroutine at a time.
type Weights struct {
	Tets []int32
	W    []float64

	// Scratch: of the vertex whose cell it is, per edge.
	ends   []int32   // the other end
	factor []float64 // half the edge's square, less the edge times the point's place relative to the vertex
	slots  [slotted]uint8
}

// slotted is how many places a table of the edges of a vertex has: a power of two, and more than twice the edges.
const slotted = 256

// leastFactor is the least that a point's distance from a Voronoi polygon counts as, as a part of the polygon's from its vertex: a point on a polygon has its
// weights there. It moves the point by less than rounding does.
const leastFactor = 1e-15

// Voronoi writes what interpolates values at circumcentres at a point, m: generalised barycentric coordinates of the Voronoi cell of the nearest vertex,
//
//	w_t = 6 Vol(t) / Π_i e_i·(c_t - x), e_i = p_i - p_v,
//
// for the tetrahedra t around the vertex v, with the circumcentre c_t and the other corners p_i, divided by their sum. They are positive, exact for
// linear fields, and what they interpolate is continuous from cell to cell. Where circumcentres coincide the sum of their weights is that of the cell's corner, however tetrahedra divide what is
// around it. It reports false, and no weights, for cells at the layout's sides, which corners of tetrahedra don't close: there vertices' values are to be
// interpolated, by Locate. A point beyond the layout is taken to its side.
//
// Source: Klingner et al. 2006 eq. 4; Warren, Schaefer, Hirani, Desbrun 2007.
func (l *Lattice) Voronoi(x [3]float64, s *Weights) bool {
	s.Tets, s.W = s.Tets[:0], s.W[:0]
	var p locus
	offset := l.locus(&p, &x)
	var faces [12]int32
	if p.r[0]+p.r[1]+p.r[2] <= 1.5 {
		if l.plainAround(&p.cell, &faces) {
			s.plain(&offset, &faces, &centreTets)
			return true
		}
	} else if corner, ok := l.plainCorner(&p.cell, &offset, &faces); ok {
		s.plain(&corner, &faces, &cornerTets)
		return true
	}
	t, _ := l.inFace(&p)
	l.clamp(&x)
	v := l.nearest(&l.Corners[t], &x, s)
	if l.atSide(v) {
		return false
	}
	l.around(v, s)
	return true
}

// starTet is one of the 24 tetrahedra around a vertex of the uniform lattice: on which side along which axis it is, which of the twelve pairs of
// neighbours next to each other along an axis it has, and which tetrahedron of which face it is.
type starTet struct{ side, pair, face, tet uint8 }

// pairs are those neighbours, of eight at the corners of a cube, x fastest.
var pairs = func() (all [12][2]uint8) {
	for a := range 3 {
		for i := range 4 {
			low := uint8(i&1<<((a+1)%3) | i>>1<<((a+2)%3))
			all[4*a+i] = [2]uint8{low, low | 1<<a}
		}
	}
	return all
}()

// centreTets and cornerTets are the tetrahedra around a centre, by its six faces, low and high along each axis; and those around a corner of cells, by
// the twelve faces at it: per axis that they are across those low or high along the next two, the first fastest.
var centreTets, cornerTets = makeStar()

func makeStar() (centre, corner [24]starTet) {
	at := 0
	for c := range 3 { // along which the pair is
		for i := range 4 {
			a, b := (c+1)%3, (c+2)%3
			sides := [2]int{i & 1, i >> 1}
			for k, axis := range [2]int{a, b} {
				side := sides[1-k]
				t := starTet{side: uint8(2*axis + sides[k]), pair: uint8(4*c + i)}
				t.face, t.tet = t.side, uint8(edgeAt(axis, c, side))
				centre[at] = t
				// The tetrahedron around the edge along axis, between two centres along c.
				t.face, t.tet = uint8(4*c+i), uint8(edgeAt(c, axis, 1-side))
				corner[at] = t
				at++
			}
		}
	}
	return centre, corner
}

// plain writes the weights in the cell of a vertex of the uniform lattice at a place relative to it, in halves of a cell's edge.
func (s *Weights) plain(x *[3]float64, faces *[12]int32, tets *[24]starTet) {
	var side [6]float64
	var corner [8]float64
	for a := range 3 {
		side[2*a] = 1 / max(2+float64(2*x[a]), leastFactor)
		side[2*a+1] = 1 / max(2-float64(2*x[a]), leastFactor)
	}
	for i := range corner {
		h := 1.5
		for a := range 3 {
			if i>>a&1 == 1 {
				h -= x[a]
			} else {
				h += x[a]
			}
		}
		corner[i] = 1 / max(h, leastFactor)
	}
	var pair [12]float64
	for i, p := range pairs {
		pair[i] = corner[p[0]] * corner[p[1]]
	}
	sum := 0.
	for _, t := range tets {
		w := float64(side[t.side] * pair[t.pair])
		sum += w
		s.Tets = append(s.Tets, faces[t.face]+int32(t.tet))
		s.W = append(s.W, w)
	}
	s.scale(1 / sum)
}

func (s *Weights) scale(by float64) {
	for i := range s.W {
		s.W[i] *= by
	}
}

// plainAround takes the first tetrahedra of a cell's faces if all have four whole ones.
func (l *Lattice) plainAround(c *cell, faces *[12]int32) bool {
	n := 1 << l.blocks[c.b].level()
	for a := range 3 {
		t, code := l.face(c.b, a, c.x, n)
		if code != 0 {
			return false
		}
		faces[2*a] = t
		high := *c
		if high.x[a]++; high.x[a] == n {
			if l.blocks[c.b].neighbour(a, 1) != l.blocks[c.b].level() {
				return false
			}
			high.b, high.x[a] = l.beside(c.b, a), 0
		}
		if t, code = l.face(high.b, a, high.x, n); code != 0 {
			return false
		}
		faces[2*a+1] = t
	}
	return true
}

// plainCorner takes the faces at the corner of a cell that is nearest to a place relative to its centre, if all have four whole tetrahedra, and gives the place
// relative to that corner.
func (l *Lattice) plainCorner(c *cell, offset *[3]float64, faces *[12]int32) (from [3]float64, ok bool) {
	k := &l.blocks[c.b]
	level, n := k.level(), 1<<k.level()
	var at [3]int // of the cell high along all axes at the corner
	for a := range 3 {
		at[a] = c.x[a]
		from[a] = offset[a] + 1
		if offset[a] >= 0 {
			at[a]++
			from[a] = offset[a] - 1
		}
	}
	if min(at[0], at[1], at[2]) > 0 && max(at[0], at[1], at[2]) < n {
		return from, l.plainWithin(c.b, at, n, faces)
	}
	around := l.nearby(c.b)
	for a := range 3 {
		u, v := (a+1)%3, (a+2)%3
		for i := range 4 {
			x := at
			x[u] += i&1 - 1
			x[v] += i>>1 - 1
			slot := 13
			for d, s := range partStride {
				if x[d] < 0 {
					x[d], slot = n-1, slot-s
				} else if x[d] == n {
					x[d], slot = 0, slot+s
				}
			}
			if k.around[slot] != level {
				return from, false
			}
			t, code := l.face(around[slot], a, x, n)
			if code != 0 {
				return from, false
			}
			faces[4*a+i] = t
		}
	}
	return from, true
}

// plainWithin is plainCorner for a corner that isn't on the base cell's sides; at is the cell that has it for its low corner.
func (l *Lattice) plainWithin(b int32, at [3]int, n int, faces *[12]int32) bool {
	first, strides := l.TetRuns[b], [3]int{1, n, n * n}
	own := l.faces[l.blocks[b].faces:][:3*n*n*n]
	cell := at[0] + n*(at[1]+n*at[2])
	codes := uint32(0)
	for a := range 3 {
		du, dv, f := strides[(a+1)%3], strides[(a+2)%3], a*n*n*n+cell
		for i, k := range [4]int{f - du - dv, f - dv, f - du, f} {
			face := own[k]
			codes |= face
			faces[4*a+i] = first + int32(face>>codeBits)
		}
	}
	return codes&(1<<codeBits-1) == 0
}

// nearest is the vertex that is nearest to a point, m, from some vertices on: in a Delaunay lattice there is a nearer one next to any other. It writes the vertex's
// edges into the scratch.
func (l *Lattice) nearest(some *[4]int32, x *[3]float64, s *Weights) int32 {
	best, least := int32(-1), math.Inf(1)
	for _, v := range some {
		if d := l.away(v, x); d < least && !l.Beyond[v] {
			best, least = v, d
		}
	}
	for {
		v := l.edges(best, x, s)
		if v < 0 {
			return best
		}
		d := l.away(v, x)
		if !(d < least) {
			return best
		}
		best, least = v, d
	}
}

// edges writes the edges of a vertex into the scratch, with their factors at a point, m. It is the end to which the point is the nearest by these, or -1 if the point is
// in the vertex's cell.
func (l *Lattice) edges(v int32, x *[3]float64, s *Weights) (nearer int32) {
	p := l.Position[v]
	at := [3]float64{x[0] - p[0], x[1] - p[1], x[2] - p[2]}
	s.ends, s.factor = s.ends[:0], s.factor[:0]
	nearer = none
	least := 0.
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		q := l.Ends[e][0] + l.Ends[e][1] - v
		y := &l.Position[q]
		a := [3]float64{y[0] - p[0], y[1] - p[1], y[2] - p[2]}
		half := (float64(a[0]*a[0]) + float64(a[1]*a[1]) + float64(a[2]*a[2])) / 2
		f := half - (float64(a[0]*at[0]) + float64(a[1]*at[1]) + float64(a[2]*at[2]))
		if f < least {
			least, nearer = f, q
		}
		s.ends, s.factor = append(s.ends, q), append(s.factor, max(f, half*leastFactor))
	}
	return nearer
}

// away is the square of a vertex's distance from a point, m².
func (l *Lattice) away(v int32, x *[3]float64) float64 {
	d := sub(l.Position[v], *x)
	return dot(d, d)
}

// atSide tells whether a vertex's cell is at one of the layout's sides: it is a corner there, or the centre of a cell there.
func (l *Lattice) atSide(v int32) bool {
	reach := .75 * l.grid.CellSize(l.Level[v])
	for a, lo := range l.grid.Origin {
		x := l.Position[v][a] - lo
		if x < reach || float64(8*l.h*float64(l.grid.Dim[a]))-x < reach {
			return true
		}
	}
	return false
}

// around writes the weights of the tetrahedra around a vertex whose edges are in the scratch.
func (l *Lattice) around(v int32, s *Weights) {
	for i, q := range s.ends {
		s.factor[i] = 1 / s.factor[i]
		at := uint8(q)
		for s.slots[at] != 0 {
			at++
		}
		s.slots[at] = uint8(i + 1)
	}
	sum := 0.
	for i, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		for _, t := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
			// Each is around three of the vertex's edges. It counts at the one to the lowest vertex.
			if w, ok := s.weight(&l.Corners[t], v, i); ok {
				w *= volumes[l.Shapes[t]&7] * l.cubes[l.Level[l.Corners[t][0]]&3]
				sum += w
				s.Tets = append(s.Tets, t)
				s.W = append(s.W, w)
			}
		}
	}
	s.scale(1 / sum)
	clear(s.slots[:])
}

// weight is the product of a tetrahedron's inverse factors at three of a vertex's edges, of which one is given. It is for the edge with the lowest end.
func (s *Weights) weight(c *[4]int32, v int32, edge int) (w float64, ok bool) {
	q := s.ends[edge]
	w = s.factor[edge]
	for _, r := range c {
		if r == v || r == q {
			continue
		}
		if r < q {
			return 0, false
		}
		at := uint8(r)
		for s.ends[s.slots[at]-1] != r {
			at++
		}
		w *= s.factor[s.slots[at]-1]
	}
	return w, true
}

// volumes are six times those of the shapes, by the cube of the edge of the cell whose centre is the first corner.
var volumes = [8]float64{Whole: 1. / 2, Bisected: 1. / 4, Quadrisected: 1. / 8, HalfPyramid: 1. / 2, Tip: 1. / 8, Core: 1. / 4}
