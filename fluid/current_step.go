package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What the stages of a substep do for the currents through the domain's sides.

// leastFilm, in cells, is how deep below its surface the middle of the lowest cell must be in what comes in, for the grid to keep it.
const leastFilm = -.25

// applyCurrents lets in what comes through the sides.
func (l *Liquid) applyCurrents() {
	c := &l.currents
	c.cells = c.cells[:0]
	for side := range c.side {
		s := &c.side[side]
		s.from, s.to, s.push, s.tight = len(c.cells), len(c.cells), 0, false
		if s.Velocity == 0 {
			continue
		}
		if l.readSide(side); s.Velocity > 0 && s.to > s.from {
			l.letIn(s)
		}
	}
}

// letIn has what comes in through the wet part of a side pressed into the cells there, and has what comes in above that, up to the level, fill them
// little by little. What cells take on is measured as the ledger measures it, and so need not be what was owed: the debt keeps the
// difference.
func (l *Liquid) letIn(s *current) {
	cells := l.currents.of(s)
	deep, wet, dry := &cells[0], 0., 0.
	for i := range cells {
		c := &cells[i]
		under := c.under(l.m.Set.Phi)
		wet, dry = wet+under, dry+c.wet()-under
		if c.above < deep.above {
			deep = c
		}
	}
	if wet > 0 && l.m.InSealedComponent(deep.cell) {
		s.debt, s.tight = 0, true
		l.m.OpenTally(s.box)
		l.raise(cells, 0) // refills what the surface has lost there, which is no inflow
		return
	}
	s.push = s.Velocity * wet
	put := float64(s.push * l.m.Dt)
	if dry > 0 {
		s.debt += float64(s.Velocity * dry * l.m.Dt)
		l.m.OpenTally(s.box)
		took := l.fillBeside(cells, deep, s.debt)
		s.debt -= took
		put += took
	}
	if put > 0 {
		l.ledger.EmittedL += put / litre
		l.bookCurrent(cells, put/(wet+dry))
	}
}

// fillBeside fills cells up to the level, or as far under it as a volume, m³, is enough for, and returns what they took on, m³. What is too
// little for the grid it leaves.
func (l *Liquid) fillBeside(cells []sideCell, deep *sideCell, volume float64) (took float64) {
	if took = l.raise(cells, 0); took <= volume {
		return took
	}
	l.lower(cells)
	sunk := l.sunkFor(cells, max(0, volume)/took)
	if deep.above+float32(sunk) > leastFilm*deep.edge {
		return 0
	}
	return l.raise(cells, sunk)
}

// bookCurrent books what came in, m for each m² of wet side, block by block.
func (l *Liquid) bookCurrent(cells []sideCell, depth float64) {
	for i := 0; i < len(cells); {
		deep, area, b := &cells[i], 0., cells[i].base
		for ; i < len(cells) && cells[i].base == b; i++ {
			area += cells[i].wet()
			if cells[i].above < deep.above {
				deep = &cells[i]
			}
		}
		if area > 0 {
			l.m.Volumes.Gain(deep.cell, area*depth)
		}
	}
}

// raise fills cells up to so much, m, under the level, and returns what they took on, m³, in the terms of the ledger.
func (l *Liquid) raise(cells []sideCell, sunk float64) (took float64) {
	phi := l.m.Set.Phi
	for i := range cells {
		c := &cells[i]
		c.before = phi[c.cell]
		phi[c.cell] = min(c.before, c.above+float32(sunk))
	}
	return l.m.CountTally()
}

// lower takes the last raise back.
func (l *Liquid) lower(cells []sideCell) {
	for i := range cells {
		l.m.Set.Phi[cells[i].cell] = cells[i].before
	}
	l.m.CountTally()
}

// sunkFor is how far under the level, m, cells take on no more than a part of what they do at it.
func (l *Liquid) sunkFor(cells []sideCell, part float64) float64 {
	room := func(sunk float32) (sum float64) {
		for i := range cells {
			c := &cells[i]
			full, has := adaptive.WetFraction(c.above+sunk, c.edge), adaptive.WetFraction(c.before, c.edge)
			sum += float64(max(0, full-has) * l.m.Solids.Volume[c.cell])
		}
		return sum
	}
	whole, least, most := room(0), float32(0), float32(0)
	for i := range cells {
		most = max(most, cells[i].edge-cells[i].above)
	}
	for range 24 {
		sunk := float32((least + most) / 2)
		if room(sunk) > part*whole {
			least = sunk
		} else {
			most = sunk
		}
	}
	return float64(most)
}

// setInflowVelocity gives the faces behind the cells beside a side the velocity of what comes in.
func (l *Liquid) setInflowVelocity() {
	gr := &l.graph
	for side := range l.currents.side {
		s := &l.currents.side[side]
		if s.Velocity <= 0 {
			continue
		}
		u := inward(side, s.Velocity)
		cells := l.currents.of(s)
		for i := range cells {
			row := l.m.Solids.Row[cells[i].cell]
			if row < 0 || cells[i].above >= 0 {
				continue
			}
			if f := gr.Sides[row][side^1]; f >= 0 {
				gr.U[f] = u
			}
		}
	}
}

// inward is a velocity through a side into the domain, along the side's axis.
func inward(side int, v float64) float64 {
	if side&1 == 1 {
		return -v
	}
	return v
}

// pressThrough adds what the currents press in and draw out to the rows' sources, m³/s.
func (l *Liquid) pressThrough(rows []float64) {
	l.balanceSealed()
	for side := range l.currents.side {
		s := &l.currents.side[side]
		cells := l.currents.of(s)
		switch {
		case s.tight:
			l.pressIntoSealed(cells, s.Velocity, rows)
		case s.push > 0:
			l.pressIn(cells, s.push, rows)
		case s.Velocity < 0:
			l.drawOut(cells, -s.Velocity, rows)
		}
	}
}

// sealedFlow is what currents bring to and take from a component that no air touches, m³/s.
type sealedFlow struct{ in, out float64 }

// comes and goes are the parts of it that pass: as much goes as comes.
func (f *sealedFlow) comes() float64 { return min(1, f.out/f.in) }
func (f *sealedFlow) goes() float64  { return min(1, f.in/f.out) }

// balanceSealed finds what would come and go in each component that no air touches, such as a pipe that is full.
func (l *Liquid) balanceSealed() {
	c, label := &l.currents, l.solver.Label
	if !c.flows() {
		return
	}
	c.sealed = arrays.Resize(c.sealed, len(l.solver.Closed))
	clear(c.sealed)
	for side := range c.side {
		s := &c.side[side]
		cells := c.of(s)
		for i := range cells {
			row := l.m.Solids.Row[cells[i].cell]
			if row < 0 {
				continue
			}
			f := &c.sealed[label[row]]
			switch {
			case s.tight:
				f.in += float64(s.Velocity * cells[i].under(l.m.Set.Phi))
			case s.Velocity < 0:
				f.out -= float64(s.Velocity * cells[i].standing(l.m.Set.Phi))
			}
		}
	}
}

// pressIntoSealed lets into liquid that no air touches what goes out of it elsewhere, and books it.
func (l *Liquid) pressIntoSealed(cells []sideCell, speed float64, rows []float64) {
	t, came := &l.m.Volumes.Targets, 0.
	for i := range cells {
		row := l.m.Solids.Row[cells[i].cell]
		if row < 0 {
			continue
		}
		label := l.solver.Label[row]
		q := float64(speed * cells[i].under(l.m.Set.Phi))
		if l.solver.Closed[label] && q > 0 {
			q *= l.currents.sealed[label].comes()
		}
		rows[row] += q
		t.Add(label, float64(q*l.m.Dt))
		came += q
	}
	if l.ledger.EmittedL += came * l.m.Dt / litre; came == 0 {
		l.warn("SetCurrent", "a current comes into liquid that no air touches and that flows out nowhere, which takes nothing in")
	}
}

// pressIn spreads a source, m³/s, over the rows beside a side as they are wet beyond it.
func (l *Liquid) pressIn(cells []sideCell, push float64, rows []float64) {
	total := 0.
	for i := range cells {
		if row := l.m.Solids.Row[cells[i].cell]; row >= 0 {
			total += cells[i].under(l.m.Set.Phi)
		}
	}
	if total == 0 {
		return
	}
	for i := range cells {
		if row := l.m.Solids.Row[cells[i].cell]; row >= 0 {
			rows[row] += push * cells[i].under(l.m.Set.Phi) / total
		}
	}
}

// drawOut has liquid go through a side as high as it stands there, no faster than a substep follows, and where no air touches it no more than
// comes in. What stands in cells of air leaves from the rows around.
func (l *Liquid) drawOut(cells []sideCell, speed float64, rows []float64) {
	t, most := &l.m.Volumes.Targets, l.def.Solver.CFL/l.m.Dt
	all, inRows := 0., 0.
	for i := range cells {
		area := cells[i].standing(l.m.Set.Phi)
		all += area
		if l.m.Solids.Row[cells[i].cell] >= 0 {
			inRows += area
		}
	}
	if inRows == 0 {
		return
	}
	drawn := 0.
	for i := range cells {
		c := &cells[i]
		row, area := l.m.Solids.Row[c.cell], c.standing(l.m.Set.Phi)
		if row < 0 || area == 0 {
			continue
		}
		label, q := l.solver.Label[row], speed*area
		if l.solver.Closed[label] {
			q *= l.currents.sealed[label].goes()
		} else {
			q = min(q*all/inRows, float64(most*l.m.HeldIn(c.cell)))
		}
		rows[row] -= q
		t.Add(label, -float64(q*l.m.Dt))
		drawn += q
	}
	l.ledger.DrainedL += drawn * l.m.Dt / litre
}

// passSides gives the faces on the sides the velocity of the currents, where there is liquid.
func (l *Liquid) passSides() {
	for side := range l.currents.side {
		s := &l.currents.side[side]
		if s.Velocity == 0 {
			continue
		}
		u, axis := float32(inward(side, s.Velocity)), side/2
		for _, c := range l.currents.of(s) {
			at := l.m.Set.Phi[c.cell]
			if s.Velocity > 0 {
				at = c.above
			}
			if c.outer >= 0 && at < c.edge/2 {
				l.m.Faces[axis][c.outer] = u
			}
		}
	}
}

// sideSpeed is the velocity along an axis, m/s, of a place within reach, m, of a side that is Flow; it is not ok if there is none that near.
func (l *Liquid) sideSpeed(x [3]float64, axis uint8, reach float64) (u float64, ok bool) {
	lo, hi := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max)
	for side, kind := range l.def.Sides.list() {
		d := math.Abs(x[side/2] - lo[side/2])
		if side&1 == 1 {
			d = math.Abs(hi[side/2] - x[side/2])
		}
		if kind == Flow && d < reach {
			reach, ok, u = d, true, 0
			if int(axis) == side/2 {
				u = inward(side, l.currents.side[side].Velocity)
			}
		}
	}
	return u, ok
}
