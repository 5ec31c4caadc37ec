package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Where the surface gains or loses volume as it moves, most of all in sheets thinner than a cell, it is set right there. Were the
// component as a whole to make up for it, a jet would swell by what its film loses on a plate.
//
// A block's error is what came to be in it beyond what the old velocity carried over its sides, and openings and open sides put in or
// took out. Errors of the estimate have opposite signs in two blocks that share a side. So the sum over all blocks is what the
// ledger drifts by, and only the errors of its sign are corrected, in proportion.

// losses is what the motion of the surface gained or lost in a substep, and scratch to set it right.
type losses struct {
	old    []float32 // per base cell: the part of it that was liquid before the substep
	inflow []float64 // per base cell: what came through open sides, m³, so less than 0
	spilt  []float64 // per base cell: what left through open sides, m³
	exempt []bool    // per base cell: an opening or a current fills it, and its error isn't known
	error  []float64 // per base cell: positive where liquid was gained, m³
	rest   []float64 // per base cell: what is still to be taken away, m³
	by     []float32 // per base cell: how far its surface moves inwards, m
	part   []float32 // per cell: by what part of that it moves
	list   []int32   // base cells that are corrected
	near   []bool    // per base cell: its surface, or that of one around it, has moved in this round
	moved  []bool    // per base cell: likewise in any round
	slack  float64   // components.Slack; more where the blocks' errors account for all that the ledger is off by
	tally  tally
}

// tally is what was in some blocks before liquid came.
type tally struct {
	box    r3.Box
	before float64 // m³
}

const (
	// correctRounds is how often a step corrects blocks, since how much volume a shift moves is known only roughly, and
	// correctLimit, in cells, is by how much each moves the surface at most.
	correctRounds = 3
	correctLimit  = .25
	// throughSlack is the part of what comes and goes in a substep that is left for the blocks to set right in the next.
	throughSlack = .1
	// leastError is the part of a finest cell up to which a block's error is left alone.
	leastError = 1e-3
)

func (x *losses) init(n int) {
	x.inflow, x.spilt, x.error, x.rest = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	x.exempt, x.near, x.moved = make([]bool, n), make([]bool, n), make([]bool, n)
	x.old, x.by, x.list = make([]float32, n), make([]float32, n), make([]int32, 0, n)
}

// Note notes what is there before the surface gains or loses volume in a substep.
func (v *Volumes) Note() {
	x := &v.losses
	copy(x.old, v.survey.Fraction)
	clear(x.inflow)
	clear(x.spilt)
	clear(x.exempt)
}

// exempt leaves the error of a base cell alone in this substep: an opening or a current fills it.
func (v *Volumes) exempt(b int32) { v.losses.exempt[b] = true }

// spill books liquid, m³, that was taken away in a base cell since it has left through an open side. What a base cell that is all beyond the side has taken in
// counts as that of the one within, from which it came: then no error depends on an estimate of what passed the side.
func (v *Volumes) spill(b int32, volume float64) {
	b = v.m.within(b)
	v.losses.inflow[b] -= volume
	v.losses.spilt[b] += volume
}

// correctLosses sets the volume right where the surface gained or lost it, and tells whether it moved any.
func (v *Volumes) correctLosses(a *components.Account) bool {
	m := v.m
	x := &v.losses
	v.bookSpilt(a)
	drift := a.Drift()
	if math.Abs(drift) <= float64(components.Noise*a.HeldL) {
		return false
	}
	par.Each(m.Pool, m.Grid.Bases(), 4, v, (*Volumes).measureError)
	if !v.chooseBlocks(a, drift*components.Litre) {
		return false
	}
	clear(x.moved)
	for b := range x.near {
		x.near[b] = true
	}
	for round := range correctRounds {
		par.Each(m.Pool, len(x.list), 1, v, (*Volumes).planShift)
		if !x.noteMoves(m.Grid) {
			return round > 0
		}
		par.Each(m.Pool, len(x.list), 1, v, (*Volumes).shiftBlock)
		par.Each(m.Pool, len(x.list), 1, v, (*Volumes).remeasureShifted)
	}
	return true
}

// noteMoves notes near which surfaces are to move, and tells whether any are.
func (x *losses) noteMoves(g *layout.Grid) (any bool) {
	clear(x.near)
	for _, b := range x.list {
		if x.by[b] == 0 {
			continue
		}
		any = true
		for _, nb := range g.Nearby(b) {
			if nb != layout.None {
				x.near[nb], x.moved[nb] = true, true
			}
		}
	}
	return any
}

// bookSpilt books as drained what the velocity carried out through open sides, in place of what the surface lost there, which
// differs by the error.
func (v *Volumes) bookSpilt(a *components.Account) {
	x := &v.losses
	for b, spilt := range x.spilt {
		if spilt > 0 {
			over := min(spilt, float64(v.errorOf(int32(b))*spilt)/(spilt+v.survey.Volume[b]))
			x.inflow[b] += over
			a.DrainedL = max(a.Before.DrainedL, a.DrainedL-float64(over/components.Litre))
		}
	}
}

func (v *Volumes) measureError(_ int, b int32) { v.losses.error[b] = v.errorOf(b) }

// errorOf is what a block gained beyond what its sides let in, m³. Of one whose cells are new, that an opening fills, or where a thin wall takes
// liquid along, it isn't known.
func (v *Volumes) errorOf(b int32) float64 {
	m := v.m
	x, g := &v.losses, m.Grid
	edge := float64(g.H * layout.Edge)
	was, now := float64(float64(x.old[b])*(edge*edge*edge)), v.survey.Volume[b]
	if g.Cur.First[b] != g.Prev.First[b] || x.exempt[b] || m.Set.ClipBlocks[b] || was == now && x.inflow[b] == 0 {
		return 0
	}
	return now - was - x.inflow[b] + float64(m.Dt*v.outflow(b))
}

// outflow is the liquid that the old velocity carries out of a block that keeps its level, m³/s.
func (v *Volumes) outflow(b int32) (sum float64) {
	m := v.m
	g := m.Grid
	level := g.Cur.Level[b]
	n, e, h := 1<<level, 1<<level+2, g.CellSize(level)
	phi, vel, step := m.Set.Tiles.Tile(b), m.Vel.Tile(b), [3]int{1, e, e * e}
	beside := v.m.besideOpen(b)
	for a := range 3 {
		p, q := (a+1)%3, (a+2)%3
		for side := range 2 {
			if beside && v.m.endsAtOpen(b, a, side) {
				continue // what leaves there is measured: see spill
			}
			out := 0.
			for i := range n {
				for j := range n {
					var at [3]int
					at[a], at[p], at[q] = side*n, i, j
					t := 1 + at[0] + e*(1+at[1]+e*(1+at[2]))
					wet := WetFraction(phi[t], float32(h)) + WetFraction(phi[t-step[a]], float32(h))
					if beside {
						wet = v.m.wetWithin(b, a, at, phi[t-step[a]], phi[t])
					}
					if wet == 0 {
						continue
					}
					if slot := g.FaceCell(b, a, at); slot >= 0 {
						out += float64(float64(wet*vel.Face(a, at[0], at[1], at[2])) * m.Solids.Open[a][slot])
					}
				}
			}
			sum += float64(float64(2*side-1) * out)
		}
	}
	return sum * (h * h / 2)
}

// chooseBlocks lists the blocks to be corrected and what is to be taken away in each, so that it is no more than the drift, m³.
// It tells whether there are any.
func (v *Volumes) chooseBlocks(a *components.Account, drift float64) bool {
	m := v.m
	x, sum := &v.losses, 0.
	sign, h := math.Copysign(1, drift), m.CellSize
	least := float64(leastError * h * h * h)
	x.list = x.list[:0]
	for b := range int32(m.Grid.Bases()) {
		if v.survey.Volume[b] == 0 || m.Set.ClipBlocks[b] { // a shift would not know on which side of a thin wall it is
			continue
		}
		if e := float64(sign * v.meanError(b)); e > least+float64(components.RateLimit*m.Dt*v.survey.Volume[b]) {
			x.list = append(x.list, b)
			x.rest[b] = e
			sum += e
		}
	}
	if sum == 0 {
		return false
	}
	x.slack = components.Slack
	if was := a.Before; math.Abs(drift) <= sum && a.HeldL > 0 {
		x.slack += float64(throughSlack*(a.EmittedL-was.EmittedL+a.DrainedL-was.DrainedL)) / a.HeldL
	}
	scale := sign * min(1, math.Abs(drift)/sum)
	for _, b := range x.list {
		x.rest[b] *= scale
	}
	return true
}

// meanError is a block's error, half of it shared with the blocks beside it that hold liquid: most of what the estimate is off by
// cancels then.
func (v *Volumes) meanError(b int32) float64 {
	m := v.m
	x, volume := &v.losses, v.survey.Volume
	mean := x.error[b]
	for _, nb := range m.Grid.Neighbour[b] {
		if nb != layout.None && volume[nb] > 0 {
			mean += (x.error[nb] - x.error[b]) / 12
		}
	}
	return mean
}

// beginTally begins a measure of what comes into the blocks that a box, m, reaches.
func (v *Volumes) beginTally(box r3.Box) {
	m := v.m
	x := &v.losses
	x.tally.box, x.tally.before = box, 0
	m.Grid.EachBase(box, func(b int32) {
		x.tally.before += v.survey.LiquidOf(b)
		x.exempt[b] = true
	})
}

// countTally is what came since beginTally, m³.
func (v *Volumes) countTally() float64 {
	m := v.m
	t, now := &v.losses.tally, 0.
	m.Grid.EachBase(t.box, m.Set.Measure)
	m.Grid.EachBase(t.box, func(b int32) { now += v.survey.LiquidOf(b) })
	return now - t.before
}
