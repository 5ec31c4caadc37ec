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

// facePlane is where a face lies: its low corner, m, and a cell's edge along each of the two axes after the face's.
type facePlane struct{ lo, u, v r3.Vec }

func (k *block) plane(a int, at [3]int) facePlane {
	edges := [3]r3.Vec{{X: k.h}, {Y: k.h}, {Z: k.h}}
	return facePlane{k.point(r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}), edges[(a+1)%3], edges[(a+2)%3]}
}

// at is the point (x, y) cells from the low corner.
func (p *facePlane) at(x, y float64) r3.Vec {
	return r3.Vec{X: p.lo.X + x*p.u.X + y*p.v.X, Y: p.lo.Y + x*p.u.Y + y*p.v.Y, Z: p.lo.Z + x*p.u.Z + y*p.v.Z}
}

// facePart is a square that is part of a face.
type facePart struct {
	x, y   float64    // its low corner, in cells from the face's
	edge   float64    // cells
	d      [4]float64 // distance at its corners, cells
	middle float64    // and at its middle
	depth  int
}

// solidArea is the part that a solid covers of a face, size cells wide, none and all taken for what is
// nearly so, and that part's centroid, if there is one.
func (s *scratch) solidArea(f Distance, k *block, a int, at [3]int, size int) (solid float64, x r3.Vec) {
	p := facePart{edge: float64(size)}
	s.square(&p.d, k, a, at, size)
	if s.crossed(at, size, 1<<a) {
		f = s.confineSquare(&p.d, k, a, at, size)
	}
	side := whole(&p.d)
	if side == 1 {
		return 0, x
	}
	s.face = k.plane(a, at)
	if side == 0 {
		s.few[0] = s.face.at(p.edge/2, p.edge/2)
		s.sample(f, k, 1)
		p.middle = s.got[0] - touch
	}
	solid, u, v := s.cutFace(f, k, &p)
	return tidy(solid), s.face.at(u, v)
}

// whole is 1 where none of a square is solid, -1 where all is, and else 0.
func whole(d *[4]float64) int {
	switch {
	case d[0] >= 0 && d[1] >= 0 && d[2] >= 0 && d[3] >= 0:
		return 1
	case d[0] < 0 && d[1] < 0 && d[2] < 0 && d[3] < 0:
		return -1
	}
	return 0
}

// cutFace is the part of a square that is solid, and that part's centroid, in cells from the face's low corner.
func (s *scratch) cutFace(f Distance, k *block, p *facePart) (solid, x, y float64) {
	switch whole(&p.d) {
	case 1:
		return 0, p.x + p.edge/2, p.y + p.edge/2
	case -1:
		return 1, p.x + p.edge/2, p.y + p.edge/2
	}
	d := p.d
	mean := (d[0] + d[1] + d[2] + d[3]) / 4
	if p.depth < s.finest && max(mean-p.middle, p.middle-mean) > crooked*p.edge {
		return s.quarter(f, k, p)
	}
	e := bulge(mean/p.edge, p.middle/p.edge) * p.edge
	for i := range d {
		d[i] -= e
	}
	solid, x, y = cutSquare(d)
	return solid, p.x + x*p.edge, p.y + y*p.edge
}

// quarter cuts a square into four.
func (s *scratch) quarter(f Distance, k *block, p *facePart) (solid, x, y float64) {
	half := p.edge / 2
	for i, at := range [8][2]float64{{1, 0}, {0, 1}, {2, 1}, {1, 2}, {.5, .5}, {1.5, .5}, {.5, 1.5}, {1.5, 1.5}} {
		s.few[i] = s.face.at(p.x+half*at[0], p.y+half*at[1])
	}
	s.sample(f, k, 8)
	var g [8]float64
	for i := range g {
		g[i] = s.got[i] - touch
	}
	c, m := &p.d, p.middle
	for i, d := range [4][4]float64{{c[0], g[0], g[1], m}, {g[0], c[1], m, g[2]}, {g[1], m, c[2], g[3]}, {m, g[2], g[3], c[3]}} {
		child := &s.quarters[p.depth][i]
		*child = facePart{p.x + half*float64(i&1), p.y + half*float64(i>>1), half, d, g[4+i], p.depth + 1}
		part, u, v := s.cutFace(f, k, child)
		solid, x, y = solid+part/4, x+part/4*u, y+part/4*v
	}
	if solid == 0 {
		return 0, p.x + half, p.y + half
	}
	return solid, x / solid, y / solid
}

// cellPart is a cube that is part of a cell.
type cellPart struct {
	lo     r3.Vec     // its low corner, in cells from the block's
	edge   float64    // cells
	d      [8]float64 // distance at its corners, cells
	middle float64    // and at its middle
	solid  float64    // 0 or 1 where the corners say so, else mixed
	depth  int
}

const mixed = -1

// solidVolume is the part that a solid fills of a cell, and that part's centroid. d is the distance at the cell's
// corners, middle that at its middle, in cells.
func (s *scratch) solidVolume(f Distance, k *block, at [3]int, d *[8]float64, middle float64) (solid float64, x r3.Vec) {
	p := cellPart{lo: r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}, edge: 1, d: *d, middle: middle}
	if s.crossed(at, 1, 0) {
		f = s.confineCell(&p, k)
	}
	switch lo, hi := extent(&p.d); {
	case lo >= 0 && middle >= pokes:
		solid, x = 0, p.place(.5, .5, .5)
	case hi <= 0 && middle <= -pokes:
		solid, x = 1, p.place(.5, .5, .5)
	default:
		solid, x = s.cutCell(f, k, &p)
	}
	return solid, k.point(x)
}

// pokes, in cells, is how far the middle of a cell whose corners are all on one side may be from a solid's
// surface that an edge of still comes into the cell.
const pokes = .25

// place is some edges from the part's low corner, in cells from the block's.
func (p *cellPart) place(x, y, z float64) r3.Vec {
	return r3.Vec{X: p.lo.X + x*p.edge, Y: p.lo.Y + y*p.edge, Z: p.lo.Z + z*p.edge}
}

// cutCell is the part of a cube that is solid, and that part's centroid, in cells from the block's low corner.
func (s *scratch) cutCell(f Distance, k *block, p *cellPart) (solid float64, x r3.Vec) {
	mean := (p.d[0] + p.d[1] + p.d[2] + p.d[3] + p.d[4] + p.d[5] + p.d[6] + p.d[7]) / 8
	if p.depth < s.finest && max(mean-p.middle, p.middle-mean) > crooked*p.edge {
		return s.cutUp(f, k, p)
	}
	e := bulge(mean/p.edge, p.middle/p.edge)
	d := p.d
	for i := range d {
		d[i] = d[i]/p.edge - e
	}
	solid, u, v, w := octants(&d)
	return solid, p.place(u, v, w)
}

// cutUp cuts a cube into eight.
func (s *scratch) cutUp(f Distance, k *block, p *cellPart) (solid float64, x r3.Vec) {
	parts := &s.parts[p.depth]
	s.cutParts(parts, f, k, p)
	for o := range parts {
		c := &parts[o]
		part, y := c.solid, c.place(.5, .5, .5)
		if part == mixed {
			part, y = s.cutCell(f, k, c)
		}
		solid += part / 8
		x = r3.Add(x, r3.Scale(part/8, y))
	}
	return solid, r3.Scale(1/max(solid, least), x)
}

// between is where those of a cube's 3³ points that are neither its corners nor its middle stand, in half edges.
var between = [18]r3.Vec{
	{X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: 2, Y: 1}, {X: 1, Y: 2},
	{Z: 1}, {X: 1, Z: 1}, {X: 2, Z: 1}, {Y: 1, Z: 1}, {X: 2, Y: 1, Z: 1}, {Y: 2, Z: 1}, {X: 1, Y: 2, Z: 1}, {X: 2, Y: 2, Z: 1},
	{X: 1, Z: 2}, {Y: 1, Z: 2}, {X: 1, Y: 1, Z: 2}, {X: 2, Y: 1, Z: 2}, {X: 1, Y: 2, Z: 2},
}

// Of the 3³ points: partFirst is each part's low corner, partStep the way from there to its corners, and
// partPoints its corners as bits.
var (
	partFirst  = [8]int{0, 1, 3, 4, 9, 10, 12, 13}
	partStep   = partFirst
	partPoints = func() (m [8]uint32) {
		for o, first := range partFirst {
			for _, step := range partStep {
				m[o] |= 1 << (first + step)
			}
		}
		return m
	}()
)

// cutParts makes the eight parts of a cube.
func (s *scratch) cutParts(parts *[8]cellPart, f Distance, k *block, p *cellPart) {
	half := p.edge / 2
	for i := range between {
		t := &between[i]
		s.few[i] = k.point(p.place(t.X/2, t.Y/2, t.Z/2))
	}
	s.sample(f, k, len(between))
	c, g := &p.d, &s.got
	d := [32]float64{
		c[0], g[0], c[1], g[1], g[2], g[3], c[2], g[4], c[3],
		g[5], g[6], g[7], g[8], p.middle, g[9], g[10], g[11], g[12],
		c[4], g[13], c[5], g[14], g[15], g[16], c[6], g[17], c[7],
	}
	solid, open := uint32(0), uint32(0) // the points that are, as bits
	for i, v := range d[:27] {
		if v < 0 {
			solid |= 1 << i
		}
		if v > 0 {
			open |= 1 << i
		}
	}
	cut := 0
	for o := range parts {
		part := &parts[o]
		part.lo = p.place(float64(o&1)/2, float64(o>>1&1)/2, float64(o>>2)/2)
		part.edge, part.depth, part.solid = half, p.depth+1, mixed
		switch {
		case solid&partPoints[o] == 0:
			part.solid = 0
		case open&partPoints[o] == 0:
			part.solid = 1
		default:
			for i, step := range partStep {
				part.d[i] = d[(partFirst[o]+step)&31]
			}
			s.few[cut] = k.point(part.place(.5, .5, .5))
			cut++
		}
	}
	s.sample(f, k, cut)
	for o, i := 0, 0; i < cut; o++ {
		if parts[o].solid == mixed {
			parts[o].middle = s.got[i]
			i++
		}
	}
}
