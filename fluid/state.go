package fluid

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// The state is what decides the steps to come, the calls being the same. It is listed once, here and in the methods Code
// and code of what it is made of: Hash, Snapshot, Save, Restore and CopyTo all go along this list. What a step leaves
// behind and the next does not look at is no part of it, nor is what can be made anew from the rest.

// state is scratch of what goes along the state.
type state struct {
	codec  codec.Codec
	levels []uint8 // of the layout that is checked or read
	use    []bool  // per base cell: the velocity there is not known to be 0
}

// code goes along the state. After a failure the liquid is as it was, unless it was reading.
func (l *Liquid) code(c *codec.Codec) {
	l.codeAlike(c)
	l.codeApart(c)
}

// codeApart goes along what is kept with the state and no part of Hash.
func (l *Liquid) codeApart(c *codec.Codec) {
	l.codePlanner(c)
	l.coupling.CodeCoupled(c)
	l.codeLater(c)
}

// codeAlike goes along what is the same in runs that give the same bits. It comes first, for Snapshot.Hash.
func (l *Liquid) codeAlike(c *codec.Codec) {
	l.def.code(c)
	stack := l.world.code(c)
	l.currents.code(c, l.def.Sides.list())
	if c.Failed() {
		return
	}
	if stack {
		l.updateStaticObstacles()
	}
	if c.Reading() {
		l.updateGravity()
		l.makeForces()
	}
	levels := l.codeLayout(c)
	l.codeCells(c, levels)
	l.m.Set.Code(c)
	l.m.Foam.Code(c, levels)
	l.m.Sizer.Code(c)
	if c.Reading() {
		l.rebuild()
	}
	l.codeVolumes(c, levels)
	l.codeSurvey(c)
	l.coupling.Code(c)
	if l.def.Budget.Work > 0 {
		l.planner.CodeCounts(c)
	}
}

// codeGravity goes along what SetGravity changes. Before version 7 gravity had to be the same.
func (d *Def) codeGravity(c *codec.Codec) {
	const most = 1e4
	g := &d.Gravity
	if c.Version() < 7 {
		c.SameFloats("Gravity", g.X, g.Y, g.Z)
		c.Same("Weightless", bit(d.Weightless))
		return
	}
	for _, v := range [3]*float64{&g.X, &g.Y, &g.Z} {
		c.Float64(v, -most, most)
	}
	c.Bool(&d.Weightless)
}

// codePlanner goes along what such runs may differ in: what the clock taught the planner and, without a budget in work,
// all that it knows.
func (l *Liquid) codePlanner(c *codec.Codec) {
	if l.def.Budget.Work == 0 {
		l.planner.CodeCounts(c)
	}
	l.planner.CodeTimes(c)
}

// code goes along what must be the same in both liquids, all but Budget, Workers and MaxMemory, and what calls change of it: gravity and the
// material.
func (d *Def) code(c *codec.Codec) {
	c.Part("Def")
	lo, hi := d.Domain.Min, d.Domain.Max
	c.SameFloats("Domain", lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z)
	c.SameFloats("CellSize", d.CellSize)
	c.Same("Levels", uint64(d.Levels))
	c.Same("Band", uint64(d.Band))
	if c.Version() >= 2 {
		c.Same("BodyBand", uint64(d.BodyBand))
	}
	c.Same("Unseen", uint64(d.Unseen))
	for _, s := range d.Sides.list() {
		c.Same("Sides", uint64(s))
	}
	d.codeGravity(c)
	c.Float64(&d.Density, leastDensity, mostDensity)
	c.Float64(&d.Viscosity, 0, mostViscosity)
	c.Float64(&d.SurfaceTension, 0, mostTension)
	c.Same("Discretisation", uint64(d.Discretisation))
	c.Same("Tracker", uint64(d.Tracker))
	s := &d.Solver
	c.SameFloats("Solver.Tolerance", s.Tolerance)
	c.Same("Solver.MaxIterations", uint64(s.MaxIterations))
	c.Same("Solver.MaxSubsteps", uint64(s.MaxSubsteps))
	c.SameFloats("Solver.CFL", s.CFL)
	c.Same("Solver.FirstOrder", bit(s.FirstOrder))
	c.Same("Solver.Undamped", bit(s.Undamped))
}

func bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}

// codeLayout goes along the blocks' levels and returns them.
func (l *Liquid) codeLayout(c *codec.Codec) []uint8 {
	c.Part("levels")
	g, st := l.m.Grid, &l.state
	if c.Writing() {
		c.Uint8s(g.Cur.Level, g.Bases(), 0, 0)
		return g.Cur.Level
	}
	st.levels = arrays.Resize(st.levels, g.Bases())
	c.Draft(st.levels, uint8(grid.MaxLevel+1-l.def.Levels), grid.MaxLevel)
	if c.Reading() {
		g.Lay(st.levels)
		return st.levels
	}
	for b := range st.levels {
		for _, nb := range g.Neighbour[b] {
			if nb != grid.None && st.levels[nb] > st.levels[b]+1 {
				c.Fail("blocks side by side have levels %d and %d; they may differ by one", st.levels[b], st.levels[nb])
			}
		}
	}
	return st.levels
}

// mostDistance, m, and mostVelocity, m/s, are far beyond what a step leaves, and so far below what a float32 holds that a step's arithmetic
// stays finite.
const mostDistance, mostVelocity = 1e12, 1e15

// codeCells goes along the fields on cells and faces.
func (l *Liquid) codeCells(c *codec.Codec, levels []uint8) {
	c.Part("distance")
	l.codeField(c, levels, l.m.Set.Phi, -mostDistance, mostDistance)
	c.Part("foam")
	l.codeField(c, levels, l.m.Foam.Cur, 0, 1)
	c.Part("velocity")
	for a := range l.m.Faces {
		l.codeField(c, levels, l.m.Faces[a], -mostVelocity, mostVelocity)
	}
	l.state.use = arrays.Resize(l.state.use, len(levels))
	if c.Writing() {
		for b := range l.state.use {
			l.state.use[b] = !l.m.Vel.Blank(int32(b))
		}
	}
	c.Bools(l.state.use, len(levels))
	c.Part("pressure")
	for b, level := range levels {
		var v []float64
		n := 1 << (3 * level)
		if !c.Checking() {
			v = l.m.Press[l.m.Grid.Cur.First[b]:][:n]
		}
		c.Float64s(v, n, -math.MaxFloat64, math.MaxFloat64)
	}
}

// codeField goes along a field on the cells of each block.
func (l *Liquid) codeField(c *codec.Codec, levels []uint8, field []float32, lo, hi float32) {
	for b, level := range levels {
		var v []float32
		n := 1 << (3 * level)
		if !c.Checking() {
			v = field[l.m.Grid.Cur.First[b]:][:n]
		}
		c.Float32s(v, n, lo, hi)
	}
}

// codeVolumes goes along the components and their targets.
func (l *Liquid) codeVolumes(c *codec.Codec, levels []uint8) {
	c.Part("components")
	v := &l.volumes
	n := c.Count(len(v.target), math.MaxInt32, 8)
	closed := c.Count(len(l.solver.Closed), math.MaxInt32, 1)
	if c.Reading() {
		v.target = arrays.Resize(v.target, n)
		l.solver.Closed = slices.Grow(l.solver.Closed[:0], closed)[:closed]
		v.gained = v.gained[:0]
	}
	c.Float64s(v.target, n, 0, math.MaxFloat64)
	c.Bools(l.solver.Closed, closed)
	c.Bool(&v.adopt)
	for b, level := range levels {
		var label []int32
		cells := 1 << (3 * level)
		if !c.Checking() {
			label = v.label[l.m.Grid.Cur.First[b]:][:cells]
		}
		c.Int32s(label, cells, -1, int32(n)-1)
	}
}

// codeSurvey goes along what the last step found out about the blocks, and its account.
func (l *Liquid) codeSurvey(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Part("survey")
	i, n := &l.m.Survey, l.m.Grid.Bases()
	c.Float32s(i.Speed, n, 0, math.MaxFloat32)
	c.Float32s(i.Fraction, n, 0, 2)
	for b := range uint32(n) {
		wet, band := i.Wet.Contains(b), i.Band.Contains(b)
		c.Bool(&wet)
		c.Bool(&band)
		if c.Reading() {
			adaptive.Put(i.Wet, int(b), wet)
			adaptive.Put(i.Band, int(b), band)
		}
	}
	c.Float64(&i.MaxSpeed, 0, most)
	c.Int(&i.Demand.Full, 0, math.MaxInt32)
	c.Int(&i.Demand.Least, 0, math.MaxInt32)
	if c.Version() >= 4 {
		c.Int(&i.Demand.Seen, 0, math.MaxInt32)
	} else if c.Reading() {
		i.Demand.Seen = i.Demand.Full
	}
	if c.Version() < 2 { // all bodies' blocks were finest, or none
		dropped := 0
		c.Int(&dropped, 0, 1)
	}
	c.Part("ledger")
	g := &l.volumes.ledger
	for _, v := range [4]*float64{&g.FilledL, &g.EmittedL, &g.DrainedL, &g.HeldL} {
		c.Float64(v, -most, most)
	}
	c.Part("time")
	c.Float64(&l.m.Dt, 0, longestStep)
	c.Float64(&l.step.whole, 0, longestStep)
	c.Float64(&l.out.time, 0, most)
	c.Int(&l.out.steps, 0, math.MaxInt)
	c.Part("sleep")
	l.sleep.code(c)
	l.codeBlockSleep(c)
}

// rebuild makes anew what is not written of the state. What it gets wrong of the rest is read after it.
func (l *Liquid) rebuild() {
	l.m.Vel.GatherIn(l.pool, &l.m.Faces, l.state.use)
	l.m.Set.Resume()
	l.rereadSolids()
	l.m.Foam.Resume()
	l.resurvey()
	l.beginBodyEvents()
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	l.out.stale = true
	l.step.ahead, l.step.passive = 0, false
}
