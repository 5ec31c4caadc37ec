package advect

import (
	"bytes"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Extrapolation spreads known face velocities outwards, layer by layer, each face taking the
// mean of its neighbours of the same axis that were known before it. It reaches every face of a
// block with a known one in it or beside it, and then those of the blocks beside these: at least
// one whole block beyond the liquid's own, more than a step's CFL number needs.
type Extrapolation struct {
	g     *layout.Grid
	pool  *par.Pool
	has   [2][3][]uint8 // per base cell, at the start and after the first round: which of its block's faces are known
	sides [3][]uint8    // likewise, of those with some at the start: the sides, as bits, along which some may be known
	round int
	faces *Faces

	// Reached tells per base cell whether the last Extrapolate left a known face in its block.
	Reached []bool
	state   *[3][]uint8
	ready   func(b int32)
	work    []tile
}

// Which faces of a block are known.
const (
	none uint8 = iota
	some
	every
)

// unknown is the state of a face that is to be filled.
var unknown = []byte{0}

// NewExtrapolation makes one for a grid.
func NewExtrapolation(g *layout.Grid, pool *par.Pool) *Extrapolation {
	e := &Extrapolation{g: g, pool: pool, work: make([]tile, pool.Workers())}
	e.Reached = make([]bool, g.Bases())
	for a := range 3 {
		e.has[0][a], e.has[1][a], e.sides[a] = make([]uint8, g.Bases()), make([]uint8, g.Bases()), make([]uint8, g.Bases())
	}
	return e
}

// Extrapolate fills the faces whose state is 0 from those whose state isn't. Of each block ready is called first, which may set
// the latter.
func (e *Extrapolation) Extrapolate(faces *Faces, state *[3][]uint8, ready func(b int32)) {
	e.faces, e.state, e.ready = faces, state, ready
	n := e.g.Bases()
	par.Each(e.pool, n, 2, e, (*Extrapolation).start)
	for e.round = range e.has {
		par.Each(e.pool, n, 2, e, (*Extrapolation).visitBlock)
	}
	for w := range e.work {
		e.work[w].changes = e.work[w].changes[:0]
	}
	par.Each(e.pool, n, 2, e, (*Extrapolation).propose)
	par.Each(e.pool, len(e.work), 1, e, (*Extrapolation).change)
	e.faces, e.state, e.ready = nil, nil, nil
}

func (e *Extrapolation) visitBlock(worker int, b int32) {
	for a := range 3 {
		e.visit(&e.work[worker], b, a)
	}
}

// change makes the changes that a worker has proposed.
func (e *Extrapolation) change(_ int, w int32) {
	for _, c := range e.work[w].changes {
		e.faces[c.axis][c.slot] = c.u
	}
}

// start notes what is known of a block.
func (e *Extrapolation) start(_ int, b int32) {
	e.ready(b)
	first := e.g.Cur.First[b]
	cells := int32(1) << (3 * e.g.Cur.Level[b])
	e.Reached[b] = false
	for a := range 3 {
		state, has := e.state[a][first:][:cells], some
		switch bytes.Count(state, unknown) {
		case int(cells):
			has = none
		case 0:
			has = every
		default:
			e.sides[a][b] = allSides
			if _, plain := e.g.FacePlane(b, a, 0); plain {
				e.sides[a][b] = knownSides(state, 1<<e.g.Cur.Level[b])
			}
		}
		e.has[0][a][b], e.has[1][a][b] = has, has
		e.Reached[b] = e.Reached[b] || has != none
	}
}

const allSides = 1<<6 - 1

// knownSides is the sides, as bits -x, +x, -y, ..., of a block of n³ faces along which some are known.
func knownSides(state []uint8, n int) (sides uint8) {
	var x, lowY, highY, lowZ, highZ uint64
	for z := range n {
		plane, any := state[n*n*z:][:n*n], uint64(0)
		for y := 0; y < len(plane); y += n {
			any |= word(plane[y:], n)
		}
		x, lowY, highY = x|any, lowY|word(plane, n), highY|word(plane[n*n-n:], n)
		if z == 0 {
			lowZ = any
		}
		highZ = any
	}
	for side, w := range [6]uint64{x & 0xff, x >> (8*n - 8), lowY, highY, lowZ, highZ} {
		if w != 0 {
			sides |= 1 << side
		}
	}
	return sides
}

// knownBeside tells whether faces of an axis may be known beside a block, on a side of it. Of finer neighbours other faces are taken
// than those along the side.
func (e *Extrapolation) knownBeside(a int, b int32, side int) bool {
	nb := e.g.Neighbour[b][side]
	if nb == layout.None {
		return false
	}
	has := e.has[e.round][a][nb]
	return has == every || has == some && (e.sides[a][nb]>>(side^1)&1 != 0 || e.g.Cur.Level[nb] > e.g.Cur.Level[b])
}

// visit fills a block's faces of an axis if any is known in it or beside it. The first round's
// are the second's known ones; nothing reads what the second finds.
func (e *Extrapolation) visit(t *tile, b int32, a int) {
	has := e.has[e.round][a][b]
	near := has == some
	for side := 0; side < 6 && has == none && !near; side++ {
		near = e.knownBeside(a, b, side)
	}
	if !near || !t.load(e, b, a) {
		return
	}
	spread(t, e.faces[a][e.g.Cur.First[b]:][:t.n*t.n*t.n])
	e.Reached[b] = true
	if e.round == 0 {
		e.has[1][a][b] = every
	}
}
