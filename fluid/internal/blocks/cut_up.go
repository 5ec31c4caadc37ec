package blocks

import "gonum.org/v1/gonum/spatial/r3"

// Distances between corners are taken as linear. Where a solid has an edge they are not, and a floating box
// whose edges are off by a tenth of a cell is pushed sideways for ever; there faces and cells are cut up.

const (
	// crooked, in edges, is how far the distance at the middle may be from the mean of the corners'
	// before a face or a cell is cut up: less than an edge of a box does, more than a sphere of five cells.
	crooked = .05
	// finestCut is how often it is cut up: to a quarter of a cell an edge is out by a 64th of it. A wall
	// thinner than a cell has next to nothing in it.
	finestCut, finestSheet = 2, 0
)

// bulge is by how much linear values between corners exceed the distance on average: two thirds
// of what they do at the middle, where the surface is curved. Where it has an edge, no more
// than a tenth of an edge.
func bulge(corners, middle float64) float64 {
	return max(-.1, min(.1, 2./3*(corners-middle)))
}

// sample asks a solid for its distance at the first n points of s.few and leaves it in s.got, in cells.
func (s *scratch) sample(f Distance, k *block, n int) {
	f(s.dist[:n], s.few[:n])
	for i, d := range s.dist[:n] {
		s.got[i] = float64(d) / k.h
	}
}

// facePart is a square that is part of a face.
type facePart struct {
	axis  int
	at    [3]int
	lo    [2]float64 // its low corner, in cells along the two axes after the face's
	edge  float64    // cells
	d     [4]float64 // distance at its corners, cells
	depth int
}

// solidArea is the part that a solid covers of a face, size cells wide, and that part's centroid in
// cells from the face's low corner along the two axes after a.
func (s *scratch) solidArea(f Distance, k *block, a int, at [3]int, size int) (solid, cx, cy float64) {
	return s.cutFace(f, k, facePart{axis: a, at: at, edge: float64(size), d: square(s, k, a, at, size)})
}

func (s *scratch) cutFace(f Distance, k *block, p facePart) (solid, cx, cy float64) {
	c := p.d
	mx, my := p.lo[0]+p.edge/2, p.lo[1]+p.edge/2
	if min(c[0], c[1], c[2], c[3]) >= 0 {
		return 0, mx, my
	}
	if max(c[0], c[1], c[2], c[3]) < 0 {
		return 1, mx, my
	}
	for i, at := range [5][2]float64{{.5, .5}, {.5, 0}, {0, .5}, {1, .5}, {.5, 1}} {
		s.few[i] = k.onFace(p.axis, p.at, p.lo[0]+at[0]*p.edge, p.lo[1]+at[1]*p.edge)
	}
	s.sample(f, k, 1)
	mean, middle := (c[0]+c[1]+c[2]+c[3])/4, s.got[0]-touch
	if p.depth >= s.finest || max(mean-middle, middle-mean) <= crooked*p.edge {
		e := bulge(mean/p.edge, middle/p.edge) * p.edge
		for i := range c {
			c[i] -= e
		}
		solid, cx, cy = cutSquare(c)
		return solid, p.lo[0] + cx*p.edge, p.lo[1] + cy*p.edge
	}
	s.sample(f, k, 5)
	m := s.got
	for i := range m[:5] {
		m[i] -= touch
	}
	for i, d := range [4][4]float64{{c[0], m[1], m[2], m[0]}, {m[1], c[1], m[0], m[3]}, {m[2], m[0], c[2], m[4]}, {m[0], m[3], m[4], c[3]}} {
		child := facePart{p.axis, p.at, [2]float64{p.lo[0] + p.edge/2*float64(i&1), p.lo[1] + p.edge/2*float64(i>>1)}, p.edge / 2, d, p.depth + 1}
		part, x, y := s.cutFace(f, k, child)
		solid, cx, cy = solid+part/4, cx+part/4*x, cy+part/4*y
	}
	if solid == 0 {
		return 0, mx, my
	}
	return solid, cx / solid, cy / solid
}

// cellPart is a cube that is part of a cell.
type cellPart struct {
	at     [3]int
	lo     [3]float64 // its low corner, in cells from the cell's
	edge   float64    // cells
	d      [8]float64 // distance at its corners, cells
	middle float64    // and at its middle
	depth  int
}

// solidVolume is the part that a solid fills of a cell, and that part's centroid, in cells from the
// cell's low corner. d is its corner distances, middle that of its middle, in cells.
func (s *scratch) solidVolume(f Distance, k *block, at [3]int, d *[8]float64, middle float64) (solid float64, x [3]float64) {
	p := cellPart{at: at, edge: 1, d: *d, middle: middle}
	switch lo, hi := extent(d); {
	case lo >= 0 && middle >= pokes:
		return 0, p.centre()
	case hi <= 0 && middle <= -pokes:
		return 1, p.centre()
	}
	return s.cutCell(f, k, p)
}

// pokes, in cells, is how far the middle of a cell whose corners are all on one side may be from a solid's
// surface that an edge of still comes into the cell.
const pokes = .25

func (p cellPart) centre() (x [3]float64) {
	for a := range x {
		x[a] = p.lo[a] + p.edge/2
	}
	return x
}

func (s *scratch) cutCell(f Distance, k *block, p cellPart) (solid float64, x [3]float64) {
	mean := (p.d[0] + p.d[1] + p.d[2] + p.d[3] + p.d[4] + p.d[5] + p.d[6] + p.d[7]) / 8
	if p.depth < s.finest && max(mean-p.middle, p.middle-mean) > crooked*p.edge {
		return s.cutUp(f, k, p)
	}
	e := bulge(mean/p.edge, p.middle/p.edge)
	d := p.d
	for i := range d {
		d[i] = d[i]/p.edge - e
	}
	solid, x = octants(&d)
	for a := range x {
		x[a] = p.lo[a] + x[a]*p.edge
	}
	return solid, x
}

// cutUp cuts a cube into eight.
func (s *scratch) cutUp(f Distance, k *block, p cellPart) (solid float64, x [3]float64) {
	lo := k.inCell(p.at, p.lo)
	half := p.edge / 2 * k.h
	i := 0
	for z := range 3 {
		for y := range 3 {
			for x := range 3 {
				s.few[i] = r3.Vec{X: lo.X + half*float64(x), Y: lo.Y + half*float64(y), Z: lo.Z + half*float64(z)}
				i++
			}
		}
	}
	for o := range 8 {
		s.few[i] = r3.Vec{X: lo.X + half*(.5+float64(o&1)), Y: lo.Y + half*(.5+float64(o>>1&1)), Z: lo.Z + half*(.5+float64(o>>2))}
		i++
	}
	s.sample(f, k, i)
	d := s.got
	for o := range 8 {
		child := cellPart{at: p.at, lo: p.lo, edge: p.edge / 2, middle: d[27+o], depth: p.depth + 1}
		for a := range x {
			child.lo[a] += p.edge / 2 * float64(o>>a&1)
		}
		first := o&1 + 3*(o>>1&1) + 9*(o>>2)
		for c, step := range [8]int{0, 1, 3, 4, 9, 10, 12, 13} {
			child.d[c] = d[first+step]
		}
		part, y := 0., child.centre()
		switch lo, hi := extent(&child.d); {
		case lo >= 0:
		case hi <= 0:
			part = 1
		default:
			part, y = s.cutCell(f, k, child)
		}
		solid += part / 8
		for a := range x {
			x[a] += part / 8 * y[a]
		}
	}
	for a := range x {
		x[a] /= max(solid, least)
	}
	return solid, x
}
