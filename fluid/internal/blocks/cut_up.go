package blocks

import "gonum.org/v1/gonum/spatial/r3"

// Distances between corners are taken as linear. Where a solid has an edge they are not, and a floating box
// whose edges are off by a tenth of a cell is pushed sideways for ever; there faces and cells are cut up. Those of
// a block are cut up together, level by level, so that a solid is asked about many points at once.

const (
	// crooked, in edges, is how far the distance at the middle may be from the mean of the corners'
	// before a face or a cell is cut up: less than an edge of a box does, more than a sphere of five cells.
	crooked = .05
	// finestCut is how often it is cut up: to a quarter of a cell an edge is out by a 64th of it. A wall
	// thinner than a cell has next to nothing in it.
	finestCut, finestSheet = 2, 0
	// facesAtOnce and cellsAtOnce are how many are cut up together.
	facesAtOnce, cellsAtOnce = 32, 8
	// mostSquares, mostCubes and mostPoints are how many they and those of their parts are that may be cut up, and the points that one level of
	// parts asks about.
	mostSquares = facesAtOnce * (1 + 4)
	mostCubes   = cellsAtOnce * (1 + 8)
	mostPoints  = cellsAtOnce * 8 * len(asked)
)

// bulge is by how much linear values between corners exceed the distance on average: two thirds
// of what they do at the middle, where the surface is curved. Where it has an edge, no more
// than a tenth of an edge.
func bulge(corners, middle float64) float64 {
	return max(-.1, min(.1, 2./3*(corners-middle)))
}

// bent tells whether a part is to be cut up, from the mean at its corners and the distance at its middle, in cells.
func (s *scratch) bent(depth int, mean, middle, edge float64) bool {
	return depth < s.finest && max(mean-middle, middle-mean) > crooked*edge
}

// ask asks a solid for its distance at s.pts and leaves it in s.dist, m.
func (s *scratch) ask(f Distance) { f(s.dist[:len(s.pts)], s.pts) }

// cutFace is a face that a solid's surface runs through.
type cutFace struct {
	plane    facePlane
	size     float64    // edge, cells
	d        [4]float64 // distance at its corners, cells
	confined bool       // a side of the domain runs through it
	to       int32      // whose it is: the caller's
	solid    float64    // the part that is solid, none and all taken for what is nearly so
	x        r3.Vec     // centroid of that part, m
}

// facePlane is where a face lies: its low corner, m, its normal's axis and a cell's edge, m.
type facePlane struct {
	lo   r3.Vec
	axis int
	h    float64
}

func (k *block) plane(a int, at [3]int) facePlane {
	return facePlane{k.point(r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}), a, k.h}
}

// at is the point (x, y) cells from the low corner along the two axes after the normal's.
func (p *facePlane) at(x, y float64) r3.Vec {
	x, y = x*p.h, y*p.h
	switch p.axis {
	case 0:
		return r3.Vec{X: p.lo.X, Y: p.lo.Y + x, Z: p.lo.Z + y}
	case 1:
		return r3.Vec{X: p.lo.X + y, Y: p.lo.Y, Z: p.lo.Z + x}
	}
	return r3.Vec{X: p.lo.X + x, Y: p.lo.Y + y, Z: p.lo.Z}
}

// meetFace is 1 where none of a face, size cells wide, is solid by its corners, -1 where all is, and else 0: then
// it is to be cut.
func (s *scratch) meetFace(k *block, a int, at [3]int, size int, to int32) int {
	var d [4]float64
	s.square(&d, k, a, at, size)
	confined := s.crossed(at, size, 1<<a)
	if confined {
		s.confineSquare(&d, k, a, at, size)
	}
	side := whole(&d)
	if side == 0 {
		s.faces = append(s.faces, cutFace{plane: k.plane(a, at), size: float64(size), d: d, confined: confined, to: to})
	}
	return side
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

// square is a face that is cut, or a part of one.
type square struct {
	x, y        float64    // its low corner, in cells from the face's
	edge        float64    // cells
	d           [4]float64 // distance at its corners, cells
	middle      float64    // and at its middle
	solid, u, v float64    // the part that is solid, and that part's centroid, in cells from the face's low corner
	face        *cutFace
	parts       []square // its quarters, if it is cut up
}

// cutFaces measures s.faces.
func (s *scratch) cutFaces(f Distance, h float64) {
	for rest := s.faces; len(rest) > 0; {
		n := min(len(rest), facesAtOnce)
		s.squares, s.pts = s.squares[:0], s.pts[:0]
		for i := range rest[:n] {
			p := &rest[i]
			s.squares = append(s.squares, square{edge: p.size, d: p.d, face: p})
			s.pts = append(s.pts, p.plane.at(p.size/2, p.size/2))
		}
		s.ask(f)
		for i := range s.squares {
			p := &s.squares[i]
			s.confine(p.face.confined, i, 1)
			p.middle = float64(s.dist[i])/h - touch
		}
		s.cutSquares(f, h)
		for i := range rest[:n] {
			p, q := &rest[i], &s.squares[i]
			p.solid, p.x = tidy(q.solid), p.plane.at(q.u, q.v)
		}
		rest = rest[n:]
	}
}

// cutSquares measures s.squares and adds their parts there.
func (s *scratch) cutSquares(f Distance, h float64) {
	for lo, depth := 0, 0; lo < len(s.squares); depth++ {
		level := s.squares[lo:]
		lo = len(s.squares)
		s.pts = s.pts[:0]
		for i := range level {
			s.measureSquare(&level[i], depth)
		}
		s.ask(f)
		at := 0
		for i := range level {
			if p := &level[i]; p.parts != nil {
				s.confine(p.face.confined, at, len(quartered))
				p.quarter((*[len(quartered)]float32)(s.dist[at:]), h)
				at += len(quartered)
				if depth+1 == s.finest {
					p.finish()
				}
			}
		}
	}
	for i := len(s.squares) - 1; i >= 0; i-- {
		if p := &s.squares[i]; p.parts != nil {
			p.join()
		}
	}
}

// measureSquare measures a square, or has it cut into four: it makes room for them and adds the points to be asked about.
func (s *scratch) measureSquare(p *square, depth int) {
	if whole(&p.d) != 0 || !s.bent(depth, p.mean(), p.middle, p.edge) {
		p.measure()
		return
	}
	for _, q := range &quartered {
		s.pts = append(s.pts, p.face.plane.at(p.x+q[0]*p.edge, p.y+q[1]*p.edge))
	}
	if depth+1 == s.finest {
		p.parts = s.quarters[:]
		return
	}
	n := len(s.squares)
	s.squares = s.squares[:n+4]
	p.parts = s.squares[n:]
}

// mean is that of the distances at the corners, in cells.
func (p *square) mean() float64 { return (p.d[0] + p.d[1] + p.d[2] + p.d[3]) / 4 }

// measure measures a square that is not cut up.
func (p *square) measure() {
	p.u, p.v = p.x+p.edge/2, p.y+p.edge/2
	if side := whole(&p.d); side != 0 {
		p.solid = float64((1 - side) / 2)
		return
	}
	e := bulge(p.mean()/p.edge, p.middle/p.edge) * p.edge
	d := p.d
	for i := range d {
		d[i] -= e
	}
	solid, x, y := cutSquare(d)
	p.solid, p.u, p.v = solid, p.x+x*p.edge, p.y+y*p.edge
}

// finish measures a square whose parts are cut no more; they are needed no more, either.
func (p *square) finish() {
	for i := range p.parts {
		p.parts[i].measure()
	}
	p.join()
	p.parts = nil
}

// quartered is the points that a square that is cut into four is asked about, in edges: the middles of its edges, and of
// the four.
var quartered = [8][2]float64{{.5, 0}, {0, .5}, {1, .5}, {.5, 1}, {.25, .25}, {.75, .25}, {.25, .75}, {.75, .75}}

// quarter makes the four parts from the distances, m, at the points.
func (p *square) quarter(dist *[len(quartered)]float32, h float64) {
	var g [len(quartered)]float64
	for i, d := range dist {
		g[i] = float64(d)/h - touch
	}
	c, m, half := &p.d, p.middle, p.edge/2
	for i, d := range [4][4]float64{{c[0], g[0], g[1], m}, {g[0], c[1], m, g[2]}, {g[1], m, c[2], g[3]}, {m, g[2], g[3], c[3]}} {
		p.parts[i] = square{x: p.x + half*float64(i&1), y: p.y + half*float64(i>>1), edge: half, d: d, middle: g[4+i], face: p.face}
	}
}

// join sums the parts up.
func (p *square) join() {
	solid, u, v := 0., 0., 0.
	for i := range p.parts {
		q := &p.parts[i]
		part := q.solid / 4
		solid, u, v = solid+part, u+part*q.u, v+part*q.v
	}
	p.solid, p.u, p.v = solid, p.x+p.edge/2, p.y+p.edge/2
	if solid > 0 {
		p.u, p.v = u/solid, v/solid
	}
}
