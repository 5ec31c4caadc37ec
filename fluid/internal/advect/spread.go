package advect

import "github.com/meniscus3d/meniscus/fluid/internal/grid"

// extrapolationScratch is one axis's faces of a block with one layer of its surroundings.
type extrapolationScratch struct {
	n        int // cells along the block
	u        [tileSize]float64
	layer    [tileSize]uint8
	frontier [2][]uint16 // places found last, and being found
	found    bool        // something is known
	changes  []change

	faces []float64 // of the axis: m/s, and which are known
	known []uint8
}

const tileSize = (grid.Edge + 2) * (grid.Edge + 2) * (grid.Edge + 2)

// What a place is, or else the layer in which it is set, from given+1 on.
const (
	open    uint8 = 0   // to be set
	given   uint8 = 1   // known from the start
	queued  uint8 = 254 // to be set in the next layer
	foreign uint8 = 255 // unknown, and not the block's to set
)

// at is the place of a face, -1 to n along each axis.
func (s *extrapolationScratch) at(x, y, z int) int {
	e := s.n + 2
	return x + 1 + e*(y+1+e*(z+1))
}

// spread sets the open places, layer by layer, to the mean of what was set before beside them.
func (s *extrapolationScratch) spread() {
	e := s.n + 2
	stride := [6]int{-1, 1, -e, e, -e * e, e * e}
	last, next := s.frontier[0][:0], s.frontier[1][:0]
	for z := range s.n {
		for y := range s.n {
			from := s.at(0, y, z)
			for i := from; i < from+s.n; i++ {
				if s.layer[i] == open && s.besides(i, &stride) {
					last = append(last, uint16(i))
				}
			}
		}
	}
	for _, i := range last {
		s.layer[i] = queued
	}
	for layer := given; len(last) > 0; layer++ {
		next = next[:0]
		for _, i := range last {
			sum, count := 0., 0.
			for _, d := range stride {
				j := int(i) + d
				switch l := s.layer[j]; {
				case l == open:
					s.layer[j] = queued
					next = append(next, uint16(j))
				case l <= layer:
					sum += s.u[j]
					count++
				}
			}
			s.u[i], s.layer[i] = sum/count, layer+1
		}
		last, next = next, last
	}
	s.frontier = [2][]uint16{last, next}
}

// besides tells whether a given place is next to i.
func (s *extrapolationScratch) besides(i int, stride *[6]int) bool {
	for _, d := range stride {
		if s.layer[i+d] == given {
			return true
		}
	}
	return false
}

// load takes what is known of an axis's faces of a block and beside it. It tells whether anything is.
func (s *extrapolationScratch) load(e *Extrapolation, b int32, a int) bool {
	s.n, s.found = 1<<e.g.Cur.Level[b], false
	s.faces, s.known = e.faces[a], e.known[e.round][a]
	w := s.n + 2
	for i := range s.layer[:w*w*w] {
		s.layer[i] = foreign
	}
	s.loadOwn(int(e.g.Cur.First[b]))
	s.loadLast(e.g, b, a)
	for x := range 3 {
		for side := range 2 {
			if nb := e.g.Neighbour[b][2*x+side]; x != a && nb != grid.None && e.has[e.round][a][nb] != none {
				s.loadSide(e.g, b, nb, a, x, side)
			}
		}
	}
	return s.found
}

// put takes a face from where it is stored, if it is known there.
func (s *extrapolationScratch) put(i, cell int) {
	if cell >= 0 && s.known[cell] != 0 {
		s.u[i], s.layer[i], s.found = s.faces[cell], given, true
	}
}

func (s *extrapolationScratch) loadOwn(c int) {
	for z := range s.n {
		for y := range s.n {
			from := s.at(0, y, z)
			for i := from; i < from+s.n; i++ {
				s.layer[i] = open
				s.put(i, c)
				c++
			}
		}
	}
}

// loadLast takes the plane on the high side along the axis.
func (s *extrapolationScratch) loadLast(g *grid.Grid, b int32, a int) {
	off, plain := g.FacePlane(b, a, s.n)
	p, q := (a+1)%3, (a+2)%3
	for v := range s.n {
		for u := range s.n {
			var at [3]int
			at[p], at[q] = u, v
			c := off + at[0] + s.n*(at[1]+s.n*at[2])
			at[a] = s.n
			if !plain {
				c = g.FaceCell(b, a, at)
			}
			s.put(s.at(at[0], at[1], at[2]), c)
		}
	}
}

// loadSide takes the faces next to the block in the neighbour nb across a side of axis x.
func (s *extrapolationScratch) loadSide(g *grid.Grid, b, nb int32, a, x, side int) {
	n, other := s.n, 3-a-x
	same := g.Cur.Level[nb] == g.Cur.Level[b]
	for i := range n + 1 {
		off, plain := 0, false
		if same {
			off, plain = g.FacePlane(nb, a, i)
		}
		for j := range n {
			var at, in [3]int
			at[x], at[a], at[other] = side*(n+1)-1, i, j
			in[x], in[other] = (1-side)*(n-1), j
			c := off + in[0] + n*(in[1]+n*in[2])
			in[a] = i
			switch {
			case !same:
				c = slot(g, b, a, n, at)
			case !plain:
				c = g.FaceCell(nb, a, in)
			}
			s.put(s.at(at[0], at[1], at[2]), c)
		}
	}
}

// slot is where the face at a place of a block or its halo is stored, or -1.
func slot(g *grid.Grid, b int32, a, n int, at [3]int) int {
	for x := range 3 {
		if x == a || at[x] >= 0 && at[x] < n {
			continue
		}
		side, wrap := 2*x, n
		if at[x] >= n {
			side, wrap = side+1, -n
		}
		from := g.Cur.Level[b]
		if b = g.Neighbour[b][side]; b == grid.None {
			return -1
		}
		at[x] += wrap
		for to := g.Cur.Level[b]; from != to; {
			for y := range 3 {
				if from < to {
					at[y] *= 2
				} else {
					at[y] /= 2
				}
			}
			if from < to {
				from, n = from+1, n*2
			} else {
				from, n = from-1, n/2
			}
		}
	}
	return g.FaceCell(b, a, at)
}
