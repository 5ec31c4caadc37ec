package advect

import (
	"bytes"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Extrapolation spreads known face velocities outwards, layer by layer, each face taking the
// mean of its neighbours of the same axis that were known before it. It reaches every face of a
// block with a known one in it or beside it, and then those of the blocks beside these: at least
// one whole block beyond the liquid's own, more than a step's CFL number needs.
type Extrapolation struct {
	g     *grid.Grid
	pool  *par.Pool
	has   [2][3][]uint8 // per base cell, at the start and after the first round: which of its block's faces are known
	round int
	faces *Faces

	// Reached tells per base cell whether the last Spread left a known face in its block.
	Reached []bool
	state   *[3][]uint8
	work    []tile

	startBody, roundBody, proposeBody par.Body
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
func NewExtrapolation(g *grid.Grid, pool *par.Pool) *Extrapolation {
	e := &Extrapolation{g: g, pool: pool, work: make([]tile, pool.Workers())}
	e.Reached = make([]bool, g.Bases())
	for r := range e.has {
		for a := range 3 {
			e.has[r][a] = make([]uint8, g.Bases())
		}
	}
	e.startBody = func(_, lo, hi int) {
		for b := lo; b < hi; b++ {
			e.start(b)
		}
	}
	e.roundBody = func(w, lo, hi int) {
		for b := lo; b < hi; b++ {
			for a := range 3 {
				e.visit(&e.work[w], int32(b), a)
			}
		}
	}
	e.proposeBody = func(w, lo, hi int) {
		for b := lo; b < hi; b++ {
			e.propose(&e.work[w], int32(b))
		}
	}
	return e
}

// Spread fills the faces whose state is 0 from those whose state isn't.
func (e *Extrapolation) Spread(faces *Faces, state *[3][]uint8) {
	e.faces, e.state = faces, state
	n := e.g.Bases()
	e.pool.For(n, 32, e.startBody)
	for e.round = range e.has {
		e.pool.For(n, 8, e.roundBody)
	}
	for w := range e.work {
		e.work[w].changes = e.work[w].changes[:0]
	}
	e.pool.For(n, 8, e.proposeBody)
	for w := range e.work {
		for _, c := range e.work[w].changes {
			e.faces[c.axis][c.slot] = c.u
		}
	}
	e.faces, e.state = nil, nil
}

// start notes what is known of a block.
func (e *Extrapolation) start(b int) {
	first := e.g.Cur.First[b]
	cells := int32(1) << (3 * e.g.Cur.Level[b])
	e.Reached[b] = false
	for a := range 3 {
		has := some
		switch bytes.Count(e.state[a][first:][:cells], unknown) {
		case int(cells):
			has = none
		case 0:
			has = every
		}
		e.has[0][a][b], e.has[1][a][b] = has, has
		e.Reached[b] = e.Reached[b] || has != none
	}
}

// visit fills a block's faces of an axis if any is known in it or beside it. The first round's
// are the second's known ones; nothing reads what the second finds.
func (e *Extrapolation) visit(t *tile, b int32, a int) {
	has := e.has[e.round][a]
	near := has[b] == some
	if has[b] == none {
		for _, nb := range e.g.Neighbour[b] {
			near = near || nb != grid.None && has[nb] != none
		}
	}
	if !near || !t.load(e, b, a) {
		return
	}
	t.spread(e.faces[a], int(e.g.Cur.First[b]))
	e.Reached[b] = true
	if e.round == 0 {
		e.has[1][a][b] = every
	}
}
