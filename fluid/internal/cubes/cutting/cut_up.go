package cutting

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// Distances between corners are taken as linear. Where a solid has an edge they are not, and a floating box
// whose edges are off by a tenth of a cell is pushed sideways for ever; there faces and cells are cut up. Those of
// a block are cut up together, level by level, so that a solid is asked about many points at once.

const (
	// cutTolerance, in edges, is how far the distance at the middle may be from the mean of the corners'
	// before a face or a cell is cut up: less than an edge of a box does, more than a sphere of five cells.
	cutTolerance = .05
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

// curvatureCorrection is by how much linear values between corners exceed the distance on average: two thirds
// of what their mean does at the middle, where the surface is curved. Where it has an edge, no more
// than a tenth of an edge.
func curvatureCorrection(off float64) float64 { return max(-.1, min(.1, 2./3*off)) }

// toleranceAt is cutTolerance for a part that has been cut up some times.
func (s *scratch) toleranceAt(depth int) float64 {
	if depth < s.finest {
		return cutTolerance
	}
	return math.MaxFloat64
}

// evaluate writes a solid's distance at s.pts, m, into s.dist.
func (s *scratch) evaluate(f shapes.Distance) { f(s.dist[:len(s.pts)], s.pts) }

// cutFace is a face that a solid's surface runs through.
type cutFace struct {
	plane facePlane
	size  float64    // edge, cells
	d     [4]float64 // distance at its corners, cells
	to    int32      // whose it is: the caller's
	solid float64    // the part that is solid, none and all taken for what is nearly so
	u, v  float64    // its moments about the face's low corner, cells
	x     r3.Vec     // its centroid, m
}

// facePlane is where a face lies: its low corner, m, its normal's axis and a cell's edge, m.
type facePlane struct {
	lo   r3.Vec
	axis int
	h    float64
	// What of it is in the domain: from where on along the two axes after the normal's, cells, and by what part of its edge.
	from, part [2]float64
}

func (k *block) plane(a int, at [3]int) facePlane {
	return facePlane{k.point(r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}), a, k.h, [2]float64{}, [2]float64{1, 1}}
}

// at is the point (x, y) cells from the low corner along the two axes after the normal's, as if all of the face were in the domain.
func (p *facePlane) at(x, y float64) r3.Vec {
	x, y = float64((p.from[0]+float64(x*p.part[0]))*p.h), float64((p.from[1]+float64(y*p.part[1]))*p.h)
	switch p.axis {
	case 0:
		return r3.Vec{X: p.lo.X, Y: p.lo.Y + x, Z: p.lo.Z + y}
	case 1:
		return r3.Vec{X: p.lo.X + y, Y: p.lo.Y, Z: p.lo.Z + x}
	}
	return r3.Vec{X: p.lo.X + x, Y: p.lo.Y + y, Z: p.lo.Z}
}

// classifyFace is 1 where none of a face, size cells wide, is solid by its corners, -1 where all is, and else 0: then
// it is to be cut.
func (s *scratch) classifyFace(k *block, a int, at [3]int, size int, to int32) int {
	p := s.cutFace(k, a, at, size, to)
	s.confineFace(p, a, at, size)
	side := whole(&p.d)
	if side != 0 {
		s.faces = s.faces[:len(s.faces)-1]
	}
	return side
}

// cutFace adds a face to s.faces, in place.
func (s *scratch) cutFace(k *block, a int, at [3]int, size int, to int32) *cutFace {
	n := len(s.faces)
	s.faces = slices.Grow(s.faces, 1)[:n+1]
	p := &s.faces[n]
	p.plane.lo = k.point(r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])})
	p.plane.axis, p.plane.h, p.size, p.to = a, k.h, float64(size), to
	p.plane.from, p.plane.part = [2]float64{}, [2]float64{1, 1}
	s.square(&p.d, k, a, at, size)
	p.solid, p.u, p.v = 0, 0, 0
	return p
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
	x, y, edge float64    // its low corner, from the face's, and its edge, cells
	d          [4]float64 // distance at its corners, edges
	middle     float64    // and at its middle
	face       *cutFace
}

// cutFaces measures s.faces.
func (s *scratch) cutFaces(f shapes.Distance, h float64) {
	for rest := s.faces; len(rest) > 0; {
		n := min(len(rest), facesAtOnce)
		s.squares, s.pts = s.squares[:0], s.pts[:0]
		for i := range rest[:n] {
			p := &rest[i]
			s.pts = append(s.pts, p.plane.at(p.size/2, p.size/2))
		}
		s.evaluate(f)
		for lo := 0; lo < n; lo += 4 {
			s.measureFaces(rest[lo:min(lo+4, n)], lo, h)
		}
		s.cutSquares(f, h)
		for i := range rest[:n] {
			rest[i].finish()
		}
		rest = rest[n:]
	}
}

// finish makes of the moments of what is solid its centroid.
func (p *cutFace) finish() {
	u, v := p.size/2, p.size/2
	if p.solid > 0 {
		u, v = p.u/p.solid, p.v/p.solid
	}
	p.solid, p.x = float64(tidy(p.solid)*p.plane.part[0])*p.plane.part[1], p.plane.at(u, v)
}

// cutSquares measures s.squares by their quarters.
func (s *scratch) cutSquares(f shapes.Distance, h float64) {
	for lo, depth := 0, 1; lo < len(s.squares); depth++ {
		level := s.squares[lo:]
		lo = len(s.squares)
		s.pts = s.pts[:0]
		for i := range level {
			p := &level[i]
			for _, q := range &quartered {
				s.pts = append(s.pts, p.face.plane.at(p.x+float64(q[0]*p.edge), p.y+float64(q[1]*p.edge)))
			}
		}
		s.evaluate(f)
		for i := range level {
			p := &level[i]
			s.measureQuarters(p, (*[len(quartered)]float32)(s.dist[i*len(quartered):]), h, depth)
		}
	}
}

// measureFaces measures up to four faces, about whose middles first and the next of s.pts are, or has them cut up.
func (s *scratch) measureFaces(faces []cutFace, first int, h float64) {
	w := &s.panes
	for i := range w.middles {
		if i >= len(faces) {
			w.put(i, &[4]float64{}, 0) // nothing of it is solid
			continue
		}
		p := &faces[i]
		edges := 1 / p.size
		d := p.d
		for c := range d {
			d[c] *= edges
		}
		w.put(i, &d, (float64(s.dist[first+i])/h-touch)*edges)
	}
	w.crooked = s.toleranceAt(0)
	cutPanes(w)
	for i := range faces {
		s.addSquare(&faces[i], i, 0, 0, faces[i].size)
	}
}

// addSquare adds what is solid of a square that was measured to its face, or puts it on the list of those to be cut into four.
func (s *scratch) addSquare(p *cutFace, i int, x, y, edge float64) {
	w := &s.panes
	i &= 3
	if w.again>>i&1 != 0 {
		s.squares = append(s.squares, square{x, y, edge, [4]float64{w.d[0][i], w.d[1][i], w.d[2][i], w.d[3][i]}, w.middles[i], p})
		return
	}
	share := edge / p.size
	share *= share
	p.solid += float64(share * w.solid[i])
	p.u += float64(share * (float64(x*w.solid[i]) + float64(edge*w.x[i])))
	p.v += float64(share * (float64(y*w.solid[i]) + float64(edge*w.y[i])))
}

// quartered is the points at which a square that is cut into four is evaluated, in edges: the middles of its edges, and of
// the four.
var quartered = [8][2]float64{{.5, 0}, {0, .5}, {1, .5}, {.5, 1}, {.25, .25}, {.75, .25}, {.25, .75}, {.75, .75}}

// measureQuarters measures the four parts of a square from the distances, m, at the points.
func (s *scratch) measureQuarters(p *square, dist *[len(quartered)]float32, h float64, depth int) {
	half := float64(p.edge / 2)
	parts := 1 / half // in a cell
	var g [len(quartered)]float64
	for i, d := range dist {
		g[i] = (float64(d)/h - touch) * parts
	}
	a, b, c, d, m := 2*p.d[0], 2*p.d[1], 2*p.d[2], 2*p.d[3], 2*p.middle
	s.panes.d = [4][4]float64{{a, g[0], g[1], m}, {g[0], b, m, g[2]}, {g[1], m, c, g[3]}, {m, g[2], g[3], d}}
	s.panes.middles, s.panes.crooked = [4]float64(g[4:]), s.toleranceAt(depth)
	cutPanes(&s.panes)
	for i := range 4 {
		s.addSquare(p.face, i, p.x+float64(half*float64(i&1)), p.y+float64(half*float64(i>>1)), half)
	}
}
