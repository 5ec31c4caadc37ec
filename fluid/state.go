package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
)

// The state is what decides the steps to come, the calls being the same. It is listed once, here and in the methods Code
// and code of what it is made of: Hash, Snapshot, Save, Restore and CopyTo all go along this list. What a step leaves
// behind and the next does not look at is no part of it, nor is what can be made anew from the rest.

// code goes along the state. After a failure the liquid is as it was, unless it was reading.
func (l *simulation) code(c *codec.Codec) {
	l.codeAlike(c)
	l.codeApart(c)
}

// codeApart goes along what is kept with the state and no part of Hash.
func (l *simulation) codeApart(c *codec.Codec) {
	l.codeSchedule(c)
	l.around.Coupling.CodeCoupled(c)
	for _, code := range addedParts {
		code(l, c)
	}
}

// codeAlike goes along what is the same in runs that give the same bits. It comes first, for Snapshot.Hash.
func (l *simulation) codeAlike(c *codec.Codec) {
	l.def.code(c, &l.can)
	l.around.Flows.CodeOpenings(c)
	l.around.Fields.Code(c)
	restacks := l.around.Obstacles.Code(c)
	l.around.Flows.Sides.Code(c)
	if c.Failed() {
		return
	}
	if restacks {
		l.updateStaticObstacles()
	}
	if c.Reading() {
		l.around.Material = l.def.liquid()
		l.updateGravity()
		l.solver.Update(solver.NewMaterial)
		l.vacated.Forget(l.around.Obstacles)
	}
	l.solver.Code(c)
	if c.Reading() {
		l.refresh()
	}
	l.codeMeasured(c)
	if l.def.Budget.Work > 0 {
		l.schedule.planner.CodeCounts(c)
	}
}

// codeLiquid goes along what vacate puts back: the liquid alone.
func (l *simulation) codeLiquid(c *codec.Codec) {
	l.solver.Code(c)
	l.solver.CodeMeasured(c)
	c.Bits(&l.around.Ledger.HeldL)
}

// codeMeasured goes along what a step leaves and measuring the liquid anew between steps changes.
func (l *simulation) codeMeasured(c *codec.Codec) {
	l.solver.CodeMeasured(c)
	l.codeAccount(c)
	l.around.Coupling.Code(c)
}

// codeGravity goes along what SetGravity changes. Before version 7 gravity had to be the same.
func (d *Def) codeGravity(c *codec.Codec) {
	const most = 1e4
	g := &d.Physics.Gravity
	if c.Version() < 7 {
		c.SameFloats("Gravity", g.X, g.Y, g.Z)
		c.SameBool("Weightless", d.Physics.Weightless)
		return
	}
	for _, v := range [3]*float64{&g.X, &g.Y, &g.Z} {
		c.Float64(v, -most, most)
	}
	c.Bool(&d.Physics.Weightless)
}

// codeSchedule goes along what such runs may differ in: what the clock taught the planner and, without a budget in work, all that it knows.
func (l *simulation) codeSchedule(c *codec.Codec) {
	s := &l.schedule
	if l.def.Budget.Work == 0 {
		s.planner.CodeCounts(c)
	}
	s.planner.CodeTimes(c)
}

// code goes along what must be the same in both liquids, all but Budget, Workers, MaxMemory, WhiteWater and SurfaceWaves, and what calls change of it: gravity and the
// material.
func (d *Def) code(c *codec.Codec, can *solver.Abilities) {
	c.Part("Def")
	lo, hi := d.Domain.Min, d.Domain.Max
	c.SameFloats("Domain", lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z)
	c.SameFloats("CellSize", d.CellSize)
	c.Same("Numerics.Levels", uint64(d.Numerics.Levels))
	c.Same("Numerics.Band", uint64(d.Numerics.Band))
	if c.Version() >= 2 {
		c.Same("Numerics.BodyBand", uint64(d.Numerics.BodyBand))
	}
	d.Numerics.codeSizing(c)
	for _, s := range d.Sides.list() {
		c.Same("Sides", uint64(s))
	}
	d.codeGravity(c)
	d.codeMaterial(c, can)
	c.Same(d.codedMethod())
	if d.Discretisation == Tetrahedra {
		c.SameBool("Faithful", d.Faithful)
	}
	c.Same("Tracker", uint64(d.Tracker))
	if d.Tracker == Contouring || d.Tracker == ExplicitMesh {
		c.Same("SurfaceDetail", uint64(d.Numerics.SurfaceDetail))
		if c.Version() >= 10 {
			c.SameFloats("ContactAngle", d.Physics.ContactAngle)
		}
	}
	if d.Tracker == Contouring {
		c.SameBool("Thickening", d.Numerics.Thickening)
	}
	s := &d.Numerics
	c.SameFloats("Numerics.Tolerance", s.Tolerance)
	c.Same("Numerics.MaxIterations", uint64(s.MaxIterations))
	c.Same("Numerics.MaxSubsteps", uint64(s.MaxSubsteps))
	c.SameFloats("Numerics.CFL", s.CFL)
	c.SameBool("Numerics.FirstOrder", s.FirstOrder)
	c.SameBool("Numerics.Undamped", s.Undamped)
}

// codeMaterial goes along what SetMaterial changes. What the solver can't do must be 0.
func (d *Def) codeMaterial(c *codec.Codec, can *solver.Abilities) {
	for _, p := range [3]struct {
		name  string
		v     *float64
		least float64
		most  float64
		able  bool
	}{
		{"Def.Physics.Density", &d.Physics.Density, leastDensity, mostDensity, true},
		{"Def.Physics.Viscosity", &d.Physics.Viscosity, 0, mostViscosity, can.Viscosity},
		{"Def.Physics.SurfaceTension", &d.Physics.SurfaceTension, 0, mostTension, can.Tension},
	} {
		if c.Part(p.name); !p.able {
			p.most = 0
		}
		c.Float64(p.v, p.least, p.most)
	}
	c.Part("Def")
}

// codeAccount goes along the ledger, the time and the sleep.
func (l *simulation) codeAccount(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Part("ledger")
	g := &l.around.Ledger
	for _, v := range [4]*float64{&g.FilledL, &g.EmittedL, &g.DrainedL, &g.HeldL} {
		c.Float64(v, -most, most)
	}
	c.Part("time")
	c.Float64(&l.around.Now.Dt, 0, longestStep)
	if c.Reading() {
		l.solver.Update(solver.Clock)
	}
	c.Float64(&l.around.Now.Whole, 0, longestStep)
	c.Float64(&l.out.time, 0, most)
	c.Int(&l.out.steps, 0, math.MaxInt)
	c.Part("sleep")
	l.around.Sleep.Code(c)
	if l.can.Parts != nil {
		l.can.Parts.CodeSleep(c)
	}
}

// refresh forgets what is of another state. What it gets wrong of the rest is read after it.
func (l *simulation) refresh() {
	l.out.beginBodyEvents()
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	l.out.stale = true
	l.out.detail.forget()
	l.step.ahead, l.step.passive = 0, false
}
