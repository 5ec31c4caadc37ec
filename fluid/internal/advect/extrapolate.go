package advect

import (
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Extrapolation spreads known face velocities outwards, layer by layer, each face taking the
// mean of its neighbours of the same axis that were known before it.
type Extrapolation struct {
	g     *grid.Grid
	pool  *par.Pool
	known [2][3][]uint8 // before and after the round
	some  [2][]bool     // per base cell: some face of its block is known
	round int
	faces *Faces
	state *[3][]uint8
	work  []extrapolationScratch

	startBody, roundBody par.Body
}

// rounds is how often blocks look at their neighbours: velocity reaches at least one whole
// block beyond the liquid's own, more than a step's CFL number needs.
const rounds = 2

const tileSize = (grid.Edge + 1) * (grid.Edge + 2) * (grid.Edge + 2)

type extrapolationScratch struct {
	u     [tileSize]float64
	layer [tileSize]uint8
}

// NewExtrapolation makes one for a grid.
func NewExtrapolation(g *grid.Grid, pool *par.Pool) *Extrapolation {
	e := &Extrapolation{g: g, pool: pool, work: make([]extrapolationScratch, pool.Workers())}
	g.OnGrow(func(n int) {
		for r := range e.known {
			for a := range 3 {
				e.known[r][a] = append(e.known[r][a], make([]uint8, n-len(e.known[r][a]))...)
			}
		}
	})
	for r := range e.some {
		e.some[r] = make([]bool, g.Bases())
	}
	e.startBody = func(_, lo, hi int) {
		for b := lo; b < hi; b++ {
			first := e.g.Cur.First[b]
			cells := int32(1) << (3 * e.g.Cur.Level[b])
			any := uint8(0)
			for a := range 3 {
				to := e.known[0][a][first : first+cells]
				for i, s := range e.state[a][first : first+cells] {
					to[i] = min(s, 1)
					any |= s
				}
			}
			e.some[0][b] = any != 0
		}
	}
	e.roundBody = func(w, lo, hi int) {
		for b := lo; b < hi; b++ {
			e.visit(&e.work[w], int32(b))
		}
	}
	return e
}

// Spread fills the faces whose state is 0 from those whose state isn't.
func (e *Extrapolation) Spread(faces *Faces, state *[3][]uint8) {
	e.faces, e.state = faces, state
	n := e.g.Bases()
	e.pool.For(n, 64, e.startBody)
	for e.round = 0; e.round < rounds; e.round++ {
		e.pool.For(n, 8, e.roundBody)
	}
	e.faces, e.state = nil, nil
}

// visit spreads within a block if anything is known in it or beside it.
func (e *Extrapolation) visit(s *extrapolationScratch, b int32) {
	before, after := e.some[e.round&1], e.some[e.round&1^1]
	near := before[b]
	for _, nb := range e.g.Neighbour[b] {
		near = near || nb != grid.None && before[nb]
	}
	after[b] = near
	for a := range 3 {
		if near {
			e.spread(s, b, a)
			continue
		}
		first := e.g.Cur.First[b]
		clear(e.known[e.round&1^1][a][first : first+1<<(3*e.g.Cur.Level[b])])
	}
}

// spread runs the layers within a block, from what it and its neighbours knew at the start.
func (e *Extrapolation) spread(s *extrapolationScratch, b int32, a int) {
	before, after := &e.known[e.round&1], &e.known[e.round&1^1]
	n := 1 << e.g.Cur.Level[b]
	first := int(e.g.Cur.First[b])
	copy(after[a][first:first+n*n*n], before[a][first:first+n*n*n])
	if all(before[a][first : first+n*n*n]) {
		return
	}
	d := [3]int{n + 2, n + 2, n + 2}
	d[a] = n + 1
	if !e.load(s, b, a, n, d, before[a]) {
		return
	}
	o := [3]int{1, 1, 1}
	o[a] = 0
	for layer := uint8(1); layer <= 2*grid.Edge; layer++ {
		changed := false
		for z := range n {
			for y := range n {
				i := o[0] + d[0]*(y+o[1]+d[1]*(z+o[2]))
				for x := range n {
					if s.layer[i+x] == 0 && s.average(i+x, layer, d, [3]int{x + o[0], y + o[1], z + o[2]}) {
						changed = true
						c := first + x + n*(y+n*z)
						e.faces[a][c] = s.u[i+x]
						after[a][c] = 1
					}
				}
			}
		}
		if !changed {
			return
		}
	}
}

func all(known []uint8) bool {
	for _, k := range known {
		if k == 0 {
			return false
		}
	}
	return true
}

// average sets a face from its neighbours of earlier layers.
func (s *extrapolationScratch) average(i int, layer uint8, d, at [3]int) bool {
	sum, count := 0., 0.
	stride := 1
	for x := range 3 {
		if at[x] > 0 {
			if l := s.layer[i-stride]; l != 0 && l <= layer {
				sum += s.u[i-stride]
				count++
			}
		}
		if at[x] < d[x]-1 {
			if l := s.layer[i+stride]; l != 0 && l <= layer {
				sum += s.u[i+stride]
				count++
			}
		}
		stride *= d[x]
	}
	if count == 0 {
		return false
	}
	s.u[i], s.layer[i] = sum/count, layer+1
	return true
}

// load copies a component of a block, and what lies across its sides but not its edges, which no
// face of the block has for a neighbour. It tells whether anything is known there.
func (e *Extrapolation) load(s *extrapolationScratch, b int32, a, n int, d [3]int, known []uint8) bool {
	clear(s.layer[:d[0]*d[1]*d[2]])
	u, any := e.faces[a], false
	o := [3]int{1, 1, 1}
	o[a] = 0
	put := func(at [3]int, c int) {
		if c >= 0 && known[c] != 0 {
			i := at[0] + o[0] + d[0]*(at[1]+o[1]+d[1]*(at[2]+o[2]))
			s.u[i], s.layer[i] = u[c], 1
			any = true
		}
	}
	c := int(e.g.Cur.First[b])
	for z := range n {
		for y := range n {
			i := o[0] + d[0]*(y+o[1]+d[1]*(z+o[2]))
			for x := range n {
				if known[c] != 0 {
					s.u[i+x], s.layer[i+x] = u[c], 1
					any = true
				}
				c++
			}
		}
	}
	p, q := (a+1)%3, (a+2)%3
	for s := range n {
		for t := range n {
			var at [3]int
			at[p], at[q] = s, t
			put(at, e.g.FaceCell(b, a, at))
			at[a] = n
			put(at, e.g.FaceCell(b, a, at))
		}
	}
	for _, x := range [2]int{p, q} {
		other := p + q - x
		for side := range 2 {
			nb := e.g.Neighbour[b][2*x+side]
			if nb == grid.None {
				continue
			}
			same := e.g.Cur.Level[nb] == e.g.Cur.Level[b]
			for i := range n + 1 {
				for j := range n {
					var at, in [3]int
					at[x], at[a], at[other] = side*(n+1)-1, i, j
					if same {
						in = at
						in[x] = (1 - side) * (n - 1)
						put(at, e.g.FaceCell(nb, a, in))
					} else {
						put(at, e.slot(b, a, n, at))
					}
				}
			}
		}
	}
	return any
}

// slot is where the face at a place of a block or its halo is stored, or -1.
func (e *Extrapolation) slot(b int32, a, n int, at [3]int) int {
	g := e.g
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
