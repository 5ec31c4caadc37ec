package advect

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// extrapolationScratch is one axis's faces of a block with one layer of its surroundings: n+2 places along
// each axis, x fastest.
type extrapolationScratch struct {
	n       int // cells along the block
	u       [tileRows * tileEdge]float64
	known   [tileRows]uint16 // per row of places, a bit for each
	layer   [tileRows]uint16 // likewise: those that are being set
	found   [grid.Edge * grid.Edge * grid.Edge]float64
	changes []change
}

const (
	tileEdge = grid.Edge + 2
	tileRows = tileEdge * tileEdge
)

// spread sets the block's unknown faces, layer by layer, to the mean of what was known before beside them.
// first is that of the block in faces.
func (s *extrapolationScratch) spread(faces []float64, first int) {
	for s.nextLayer() {
		s.means()
		s.set(faces, first)
	}
}

// nextLayer finds the unknown places of the block beside known ones. It tells whether there are any.
func (s *extrapolationScratch) nextLayer() bool {
	e := s.n + 2
	own := uint16(1)<<(s.n+1) - 2
	any := uint16(0)
	for z := 1; z <= s.n; z++ {
		for r := 1 + e*z; r <= s.n+e*z; r++ {
			k := s.known[r]
			if k&own == own {
				s.layer[r] = 0
				continue
			}
			f := (k<<1 | k>>1 | s.known[r-1] | s.known[r+1] | s.known[r-e] | s.known[r+e]) & own &^ k
			s.layer[r] = f
			any |= f
		}
	}
	return any != 0
}

// means finds the layer's velocities. Unknown places hold 0, so that all six beside a place add up.
func (s *extrapolationScratch) means() {
	e := s.n + 2
	found := s.found[:0]
	for z := 1; z <= s.n; z++ {
		for r := 1 + e*z; r <= s.n+e*z; r++ {
			f := s.layer[r]
			if f == 0 {
				continue
			}
			k, below, above, before, behind := s.known[r], s.known[r-1], s.known[r+1], s.known[r-e], s.known[r+e]
			for ; f != 0; f &= f - 1 {
				x := bits.TrailingZeros16(f) & 15
				count := k>>(x-1)&1 + k>>(x+1)&1 + below>>x&1 + above>>x&1 + before>>x&1 + behind>>x&1
				i := r*e + x
				sum := s.u[i-1] + s.u[i+1] + s.u[i-e] + s.u[i+e] + s.u[i-e*e] + s.u[i+e*e]
				found = append(found, sum/float64(count))
			}
		}
	}
}

// set makes the layer known.
func (s *extrapolationScratch) set(faces []float64, first int) {
	e := s.n + 2
	found := s.found[:]
	for z := 1; z <= s.n; z++ {
		for y := 1; y <= s.n; y++ {
			r := y + e*z
			f := s.layer[r]
			if f == 0 {
				continue
			}
			s.known[r] |= f
			row := faces[first+s.n*(y-1+s.n*(z-1)):][:s.n]
			for ; f != 0; f &= f - 1 {
				x := bits.TrailingZeros16(f)
				s.u[r*e+x], row[x-1] = found[0], found[0]
				found = found[1:]
			}
		}
	}
}

// load takes what is known of an axis's faces of a block and beside it. It tells whether anything is.
func (s *extrapolationScratch) load(e *Extrapolation, b int32, a int) bool {
	n := 1 << e.g.Cur.Level[b]
	s.n = n
	w := n + 2
	clear(s.known[:w*w])
	clear(s.u[:w*w*w])
	if e.has[e.round][a][b] != none {
		s.loadOwn(e.faces[a], e.state[a], int(e.g.Cur.First[b]))
	}
	p, q := (a+1)%3, (a+2)%3
	for v := range n {
		s.loadLine(e, line{b: b, a: a, x: p, other: q, plane: n, at: v, in: v})
	}
	for _, x := range [2]int{p, q} {
		for side := range 2 {
			nb := e.g.Neighbour[b][2*x+side]
			if nb == grid.None || e.has[e.round][a][nb] == none {
				continue
			}
			k := line{b: nb, a: a, x: x, other: 3 - a - x, at: side*(n+1) - 1, in: (1 - side) * (n - 1)}
			for k.plane = range n + 1 {
				s.loadLine(e, k)
			}
		}
	}
	any := uint16(0)
	for _, k := range s.known[:w*w] {
		any |= k
	}
	return any != 0
}

func (s *extrapolationScratch) loadOwn(faces []float64, state []uint8, c int) {
	e := s.n + 2
	for z := 1; z <= s.n; z++ {
		for r := 1 + e*z; r <= s.n+e*z; r++ {
			k := uint16(0)
			dst, src := s.u[r*e+1:][:s.n], faces[c:][:s.n]
			for x, state := range state[c:][:s.n] {
				if state != 0 {
					k |= 2 << x
					dst[x] = src[x]
				}
			}
			s.known[r] = k
			c += s.n
		}
	}
}

// line is n faces beside each other, of block b, which is the one that is being filled or a neighbour.
type line struct {
	b             int32
	a, x, other   int // axes: the faces' own, the one that leads out of the block, and the line's
	plane, at, in int // along a, and along x in the filled block and in b; all in the filled block's cells
}

// loadLine takes what is known of a line.
func (s *extrapolationScratch) loadLine(e *Extrapolation, k line) {
	g := e.g
	level := int(g.Cur.Level[k.b])
	own := bits.TrailingZeros(uint(s.n))
	scale := func(i int) int { return i << level >> own }
	plane, owner := scale(k.plane), k.b
	if k.plane == s.n {
		owner = g.Neighbour[k.b][2*k.a+1]
	}
	if owner == grid.None || e.has[e.round][k.a][owner] == none {
		return
	}
	all := e.has[e.round][k.a][owner] == every
	off, plain := g.FacePlane(k.b, k.a, plane)
	w := s.n + 2
	x, row := [3]int{1, 0, 0}, [3]int{0, 1, w} // steps along the axes
	at, r := 1+x[k.a]*k.plane+x[k.x]*k.at, 1+w+row[k.a]*k.plane+row[k.x]*k.at
	in := [3]int{}
	in[k.a], in[k.x] = plane, scale(k.in)
	off += in[k.x] << (level * k.x)
	faces, state := e.faces[k.a], e.state[k.a]
	for j := range s.n {
		in[k.other] = scale(j)
		c := off + in[k.other]<<(level*k.other)
		if !plain {
			c = g.FaceCell(k.b, k.a, in)
		}
		if all || state[c] != 0 {
			s.u[r*w+at] = faces[c]
			s.known[r] |= 1 << at
		}
		at, r = at+x[k.other], r+row[k.other]
	}
}
