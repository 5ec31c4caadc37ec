package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// forcing is what the forces beside pressure need.
type forcing struct {
	noSlip   rigid.NoSlip
	inertia  pressure.Inertia
	liquids  []float64 // that each body is in
	exchange bodies.Exchange
	traction func(speed float64) float64 // wind's
}

// init has viscosity ask for the solids.
func (f *forcing) init(a *solver.Surroundings) {
	near := &nearest{&a.Flows.Sides, a.Obstacles, a.Coupling}
	f.noSlip = rigid.NoSlip{Near: near.write, Within: near.sides.Distance, Side: near.sides.SpeedAt, Inertia: &f.inertia}
	f.traction = a.Wind.Traction
}

// nearest finds solids.
type nearest struct {
	sides     *flows.Sides
	obstacles *obstacles.Set
	coupling  *bodies.Coupling
}

// write writes how far the nearest solid is from places, m, and which that is.
func (n *nearest) write(worker int, reach float64, at [][3]float64, distance []float64, solid []int32) {
	for i, x := range at {
		distance[i], solid[i] = n.sides.Distance(x), -1
	}
	n.obstacles.Nearest(worker, n.coupling.Solids, reach, at, distance, solid)
}

// ApplyForces turns the carried velocity into what the liquid would have without pressure, and gives the air's pressure where the surface is bent.
//
// Viscosity comes last: it acts on what the pressure will leave of the velocity, as far as that is known, and must know all that this
// will have to balance.
func (s *Solver) ApplyForces() {
	a, m := s.Around, &s.Around.Material
	s.Times.Begin(solver.StageForces)
	if s.Parts != nil {
		s.Parts.Damp()
	}
	if m.HasViscosity() {
		s.Viscosity.KeepAdvected()
	}
	x, tracks := &s.forcing.exchange, a.TracksMomentum
	if tracks {
		x.Start(&s.Graph)
		x.Control, x.Stresses = [3]float64{}, [3]float64{}
	}
	s.prepareBodies()
	if tracks {
		x.BeforeGravity(&s.Graph)
	}
	s.accelerate()
	if tracks {
		x.AfterGravity(&s.Graph)
		x.BeforeStart(&s.Graph)
	}
	a.Flows.SetVelocity()
	if tracks {
		x.AfterStart(&s.Graph)
	}
	if m.HasTension() && !a.WithoutForces() {
		s.Tension.ApplySurfaceTension(m.Tension, m.ContactAngle, a.Coupling.Solids)
	}
	if s.Balance != nil {
		s.Balance()
	}
	s.applyViscosity()
	s.Times.Lap(s.Graph.Faces())
}

// prepareBodies readies the bodies for the solve, and what the liquid does to them beside it.
func (s *Solver) prepareBodies() {
	c := s.Around.Coupling
	c.PrepareSolve()
	s.Pressure.Gaps(&s.Graph, s.Around.Material.Density, c.Rigid)
	c.ApplyUnsolved(s.dampsBodies())
}

// dampsBodies counts for how long the liquid has been slow, and tells whether it is for bodies to be damped too.
func (s *Solver) dampsBodies() bool {
	calm := &s.Around.Sleep
	if calm.Slow += s.Around.Now.Dt; s.Cells.MaxSpeed() > sleep.SlowSpeedBody {
		calm.Slow = 0
	}
	return calm.Slow >= sleep.SlowTime && !s.Settings.Undamped && s.Around.Fields.Gravity != (r3.Vec{})
}

// faceGrain is how many faces make a chunk of a loop that does little to each.
const faceGrain = 8192

// accelerate adds gravity, the force fields and the wind.
func (s *Solver) accelerate() {
	a := s.Around
	par.For(s.Pool, s.Graph.Faces(), faceGrain, s, (*Solver).applyGravity)
	a.Fields.Accelerate(s.Pool, &s.Graph, a.Now.Dt)
	if s.Wind != nil && !a.WithoutForces() && a.Wind != (wind.Wind{}) {
		s.Wind.DragSurface(a.Wind.Velocity, s.forcing.traction)
	}
}

// applyGravity adds gravity and the fields that are the same everywhere to some faces.
func (s *Solver) applyGravity(_, lo, hi int) {
	s.Graph.Accelerate(lo, hi, reproducible.Array(reproducible.Scale(s.Around.Now.Dt, s.Around.Fields.Gravity)))
}

// applyViscosity lets viscosity act on the velocity and on bodies.
func (s *Solver) applyViscosity() {
	a, f, n := s.Around, &s.forcing, &s.forcing.noSlip
	if !a.Material.HasViscosity() || a.WithoutForces() {
		return
	}
	c := a.Coupling
	f.liquids = f.liquids[:0]
	if len(a.Coupled) > 1 {
		f.liquids = arrays.Resize(f.liquids, c.Known())
		clear(f.liquids)
		for _, other := range a.Coupled {
			bodies.CountWet(f.liquids, other)
		}
	}
	n.Density, n.Solids, n.Bodies = a.Material.Density, c.Solids, f.inertia.Predict(&s.Graph, c.Rigid, c.Joints, s.Cells.StartPressure(), f.liquids)
	s.Viscosity.ApplyViscosity(a.Material.Viscosity, n)
	f.exchange.Stresses = c.Drag(n)
}

// addBalance adds the substep's momentum to the report, when the pressure has acted.
func (s *Solver) addBalance() {
	if !s.Around.TracksMomentum {
		return
	}
	m, b := &s.report.Momentum, s.Around.Coupling.Balance(&s.forcing.exchange, s.Impulse)
	m.Liquid, m.Gravity, m.Air = r3.Add(m.Liquid, b.Liquid), r3.Add(m.Gravity, b.Gravity), r3.Add(m.Air, b.Air)
	m.Control = r3.Add(m.Control, reproducible.Vector(s.forcing.exchange.Control))
	m.Walls, m.Bodies = r3.Add(m.Walls, b.Walls), r3.Add(m.Bodies, b.Bodies)
}
