package blocks

// Distances between corners are taken as linear. Where a solid has an edge they are not, and a floating box
// whose edges are off by a tenth of a cell is pushed sideways for ever; there faces and cells are cut up.

const (
	// crooked, in edges, is how far the distance at the middle may be from the mean of the corners'
	// before a face or a cell is cut up: less than an edge of a box does, more than a sphere of five cells.
	crooked = .05
	// finestCut is how often it is cut up: to a quarter of a cell an edge is out by a 64th of it.
	finestCut = 2
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
	if p.depth == finestCut || max(mean-middle, middle-mean) <= crooked*p.edge {
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
	at    [3]int
	lo    [3]float64 // its low corner, in cells from the cell's
	edge  float64    // cells
	d     [8]float64 // distance at its corners, cells
	depth int
}

// solidVolume is the part that a solid fills of a cell, and that part's centroid, in cells from the
// cell's low corner. d is its corner distances, in cells.
func (s *scratch) solidVolume(f Distance, k *block, at [3]int, d *[8]float64) (solid float64, x [3]float64) {
	return s.cutCell(f, k, cellPart{at: at, edge: 1, d: *d})
}

func (s *scratch) cutCell(f Distance, k *block, p cellPart) (solid float64, x [3]float64) {
	for a := range x {
		x[a] = p.lo[a] + p.edge/2
	}
	switch lo, hi := extent(&p.d); {
	case lo >= touching*p.edge:
		return 0, x
	case hi <= -touching*p.edge:
		return 1, x
	}
	mean := 0.
	for _, d := range p.d {
		mean += d / 8
	}
	s.few[0] = k.inCell(p.at, x)
	s.sample(f, k, 1)
	middle := s.got[0]
	if p.depth == finestCut || max(mean-middle, middle-mean) <= crooked*p.edge {
		e := bulge(mean/p.edge, middle/p.edge)
		for i := range p.d {
			p.d[i] = p.d[i]/p.edge - e
		}
		solid, x = octants(&p.d)
		for a := range x {
			x[a] = p.lo[a] + x[a]*p.edge
		}
		return solid, x
	}
	return s.cutUp(f, k, &p)
}

// cutUp cuts a cube into eight.
func (s *scratch) cutUp(f Distance, k *block, p *cellPart) (solid float64, x [3]float64) {
	for i := range s.few {
		var m [3]float64
		for a, t := range [3]int{i % 3, i / 3 % 3, i / 9} {
			m[a] = p.lo[a] + p.edge/2*float64(t)
		}
		s.few[i] = k.inCell(p.at, m)
	}
	s.sample(f, k, len(s.few))
	d := s.got
	for o := range 8 {
		child := cellPart{at: p.at, edge: p.edge / 2, depth: p.depth + 1}
		for a := range x {
			child.lo[a] = p.lo[a] + p.edge/2*float64(o>>a&1)
		}
		for c := range child.d {
			child.d[c] = d[o&1+c&1+3*(o>>1&1+c>>1&1)+9*(o>>2+c>>2)]
		}
		part, y := s.cutCell(f, k, child)
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
