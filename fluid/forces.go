package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// apply turns the carried velocity into what the liquid would have without pressure, and gives the air's pressure where the surface is bent.
//
// Viscosity comes last: it acts on what the pressure will leave of the velocity, as far as that is known, and must know all that this
// will have to balance.
func (f *forcing) apply() {
	l := f.sim
	l.record.begin(StageForces)
	l.parts.Damp()
	if l.def.hasViscosity() {
		l.forces.KeepAdvected()
	}
	if f.tracksMomentum {
		f.exchange.Start(&l.graph)
		f.exchange.Control, f.exchange.Stresses = [3]float64{}, [3]float64{}
	}
	f.prepareBodies()
	if f.tracksMomentum {
		f.exchange.BeforeGravity(&l.graph)
	}
	f.accelerate()
	if f.tracksMomentum {
		f.exchange.AfterGravity(&l.graph)
		f.exchange.BeforeEmitters(&l.graph)
	}
	l.flows.SetVelocity()
	if f.tracksMomentum {
		f.exchange.AfterEmitters(&l.graph)
	}
	if l.def.hasTension() && !f.isLeftOut() {
		l.forces.ApplySurfaceTension(l.def.SurfaceTension, l.def.ContactAngle, l.coupling.Solids)
	}
	l.forces.BalanceJunctions()
	f.applyViscosity()
	l.record.lap(l.graph.Faces())
}

// prepareBodies readies the bodies for the solve, and what the liquid does to them beside it.
func (f *forcing) prepareBodies() {
	l := f.sim
	l.coupling.PrepareSolve()
	l.solver.Gaps(&l.graph, l.def.Density, l.coupling.Rigid)
	l.coupling.ApplyUnsolved(l.sleep.dampsBodies())
}

// faceGrain is how many faces make a chunk of a loop that does little to each.
const faceGrain = 8192

// accelerate adds gravity, the force fields and the wind.
func (f *forcing) accelerate() {
	l := f.sim
	par.For(l.pool, l.graph.Faces(), faceGrain, f, (*forcing).applyGravity)
	l.world.fields.Accelerate(l.pool, &l.graph, l.step.dt)
	if !f.isLeftOut() {
		f.dragByWind()
	}
}

// isLeftOut tells whether tension, viscosity and wind are.
func (f *forcing) isLeftOut() bool { return f.sim.attempts.Of(remedies.Forces).All() }

// applyGravity adds gravity and the fields that are the same everywhere to some faces.
func (f *forcing) applyGravity(_, lo, hi int) {
	l := f.sim
	l.graph.Accelerate(lo, hi, reproducible.Array(reproducible.Scale(l.step.dt, l.world.fields.Gravity)))
}

// forcing applies the forces beside pressure.
type forcing struct {
	sim            *simulation
	noSlip         rigid.NoSlip
	inertia        pressure.Inertia
	liquids        []float64 // that each body is in
	exchange       bodies.Exchange
	tracksMomentum bool
}

// init has viscosity ask for the solids.
func (f *forcing) init() {
	sides := &f.sim.flows.Sides
	f.noSlip = rigid.NoSlip{Near: f.writeNearest, Within: sides.Distance, Side: sides.SpeedAt, Inertia: &f.inertia}
}

// applyViscosity lets viscosity act on the velocity and on bodies.
func (f *forcing) applyViscosity() {
	l, s := f.sim, &f.noSlip
	if !l.def.hasViscosity() || f.isLeftOut() {
		return
	}
	c := l.coupling
	f.liquids = f.liquids[:0]
	if others := l.group.members; len(others) > 1 {
		f.liquids = arrays.Resize(f.liquids, c.Known())
		clear(f.liquids)
		for _, m := range others {
			bodies.CountWet(f.liquids, m.sim.coupling)
		}
	}
	s.Density, s.Solids, s.Bodies = l.def.Density, c.Solids, f.inertia.Predict(&l.graph, c.Rigid, c.Joints, l.disc.StartPressure(), f.liquids)
	l.forces.ApplyViscosity(l.def.Viscosity, s)
	f.exchange.Stresses = c.Drag(s)
}

// writeNearest writes how far the nearest solid is from places, m, and which that is.
func (f *forcing) writeNearest(worker int, reach float64, at [][3]float64, distance []float64, solid []int32) {
	l := f.sim
	for i, x := range at {
		distance[i], solid[i] = l.flows.Sides.Distance(x), -1
	}
	l.world.obstacles.Nearest(worker, l.coupling.Solids, reach, at, distance, solid)
}

// fadeFoam lets foam fade on liquid that is asleep.
func (l *simulation) fadeFoam(dt float64) {
	if !l.surface.HasFoam() {
		return
	}
	l.record.begin(StagePublish)
	l.surface.FadeFoam(dt)
	l.record.lap(0)
	l.out.makeMesh()
}
