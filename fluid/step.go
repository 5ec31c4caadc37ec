package fluid

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/budget"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// longestStep, s, is as much time as one call of Step makes up for: beyond it a game that fell behind would fall further behind.
const longestStep = 0.1

// shortestStep, s, is the least time that a step can divide by.
const shortestStep = 1e-9

// stepState is what the stages of a step hand to each other.
type stepState struct {
	ledger   Ledger           // before the substep
	dt       float64          // of the substep, s
	drift    float64          // from the middle of the last substep to that of this one, s
	whole    float64          // of the step, s
	substeps int              // of the step
	moved    bool             // the substep under way has moved the surface,
	spread   bool             // and written the velocity
	asleep   bool             // all of the liquid is left alone in this step
	ahead    float64          // by how much others of the group have advanced it further than it was asked to, s
	solve    pressure.Options // of the substep's last solve
	passive  bool             // others of the group alone are stepped
	paused   time.Time        // when its share of the step was interrupted for another of the group; zero: not yet
	idle     time.Duration    // of the step: others' time
	deadline deadline
	rows     []float64 // scratch per row: sources, m³/s
	wishes   sizing.Wishes
	account  components.Account
	report   Report
	err      error
}

// errNotFinite rolls a step back.
var errNotFinite = errors.New("the velocity is not finite")

// Step advances liquid and coupled bodies by dt seconds and reports how it went; with other liquids that couple the same bodies see Couple.
//
// A dt that is not finite, or less than a nanosecond, is refused: the report says so and nothing changes. A dt above 0.1 s is cut to 0.1 s with a
// warning. A step that goes wrong numerically is rolled back, reported, and the next one starts from the last good state at rest. If one goes wrong
// again soon, it does without what it goes wrong with, which a warning names. The report's slices are valid until the next step.
func (l *Liquid) Step(dt float64) Report {
	defer enterGroup(l, &callguard.Step, &callguard.OthersStep).leave()
	return l.sim.group.step(l, dt)
}

// substep is a substep up to the solve. When all liquids have solved, endSolve hands the bodies what the liquid does to them; when those have moved, endSubstep
// reads where they are and publishes the state.
func (l *simulation) substep(dt float64) error {
	l.step.drift = (l.step.dt + dt) / 2
	l.step.dt, l.step.ledger = dt, l.ledger
	l.disc.BeginSubstep(dt, l.step.drift)
	l.flows.BeginSubstep(flows.Substep{Dt: dt, Drift: l.step.drift, Up: l.up(), Seed: l.out.seed(l.step.report.Substeps)})
	l.beginSubstep()
	l.resize()
	l.readBodies()
	l.advanceSurface()
	l.discretise()
	l.advectVelocity()
	l.forcing.apply()
	l.correctVolume()
	l.followControls()
	return l.project()
}

// stability is what decides how short a substep must be.
func (l *simulation) stability() budget.Stability {
	return budget.Stability{
		Edge: l.def.CellSize, Speed: l.disc.MaxSpeed(), Acceleration: l.world.fields.Strongest(), CFL: l.def.Solver.CFL,
		Capillary: l.forces.CapillaryStep(l.def.SurfaceTension), Afloat: l.coupling.Count() > 0, Walls: l.fastWalls.Substeps, Most: l.def.Solver.MaxSubsteps,
	}
}

// substeps is how often dt must be split, up to what the plan and the definition allow.
func (l *simulation) substeps(dt float64) int {
	wanted := l.stability()
	if why, n := wanted.Lack(dt); why != "" {
		l.record.warnOfSubsteps(why, n, dt)
	}
	n := min(wanted.Substeps(dt), l.def.Solver.MaxSubsteps, max(1, l.step.report.Plan.Substeps))
	if walls := l.fastWalls.Substeps; float64(n) < walls {
		knob := "Solver.MaxSubsteps"
		if n < l.def.Solver.MaxSubsteps {
			knob = "Budget"
		}
		l.record.warnOfFastWalls(knob)
	}
	return n
}

// advectVelocity carries the velocity to the new graph's faces.
func (l *simulation) advectVelocity() {
	l.record.begin(StageAdvect)
	l.disc.AdvectVelocity(!l.def.Solver.FirstOrder)
	l.record.lap(l.graph.Faces())
}

// project solves for the pressure and moves faces and bodies by it.
func (l *simulation) project() error {
	l.record.begin(StageSolve)
	plan, opt := &l.step.report.Plan, &l.step.solve
	l.impulse = l.disc.StartPressure()
	l.hearing.BeforeSolve()
	l.schedule.setDeadline()
	*opt = pressure.Options{Tolerance: plan.Tolerance, MaxIterations: plan.MaxIterations, Tension: l.def.hasTension(), Deadline: l.schedule.late}
	if err := l.prescribe(opt); err != nil {
		return err
	}
	if len(l.group.members) > 1 {
		l.coupling.Keep(l.graph.U)
	}
	err := l.solve()
	if err != nil {
		l.releaseFaces()
	}
	return err
}

// solve is what of project is done again while other liquids push the same bodies.
func (l *simulation) solve() error {
	gr, st, c := &l.graph, &l.step, l.coupling
	l.record.begin(StageSolve)
	rep, err := l.solver.Solve(gr, l.def.Density, st.dt, c.Rigid, c.Joints, st.rows, l.impulse, st.solve)
	st.solve.Again = true
	st.report.Iterations += rep.Iterations
	if finite(rep.Residual) {
		st.report.Residual = max(st.report.Residual, rep.Residual)
	}
	st.report.Nonzeros = rep.Nonzeros
	l.record.lap(gr.Rows)
	if !pressure.Usable(err) {
		return pressure.Locate(err, gr, c.Known(), c.Identity)
	}
	return l.checkVelocity(math.Inf(1))
}

// solveAgain is solve after the substep: one that goes wrong is rolled back.
func (l *simulation) solveAgain() bool {
	err := l.solve()
	if l.step.err = err; err != nil {
		l.releaseFaces()
		l.attempts.RollBack(false, err)
	}
	return err == nil
}

// endSolve is the rest of a substep up to what the liquid does to the bodies.
func (l *simulation) endSolve() {
	if !l.solved() {
		return
	}
	l.record.begin(StageUpdate)
	l.releaseFaces()
	l.forcing.addBalance()
	_ = l.checkVelocity(2 * l.def.Solver.CFL * l.def.CellSize * float64(l.def.Solver.MaxSubsteps) / l.step.dt) // solve has, for the error
	l.controls.SetLevels(&l.graph, l.impulse)
	l.hearing.AfterSolve(l.coupling.Rigid, l.coupling.Moved, l.def.Density, l.world.fields.Strongest(), l.step.dt)
	l.disc.KeepPressure()
	l.record.lap(l.graph.Faces())
	l.extrapolateVelocity()
	l.applyWrenches()
}

// checkVelocity finds the greatest speed, bounds it to a limit, m/s, and tells if some velocity is not finite.
func (l *simulation) checkVelocity(limit float64) error {
	if f := l.disc.BoundVelocity(l.solver.Fastest, pressure.FaceChunk, limit); f >= 0 {
		return fmt.Errorf("%w at %.4g m, along %.3g", errNotFinite, l.graph.FaceCentre(f), l.graph.Normal(f))
	}
	return l.coupling.CheckVelocities(errNotFinite)
}

// extrapolateVelocity extends the velocity beyond the liquid. Faces that a solid shuts move with the solid.
func (l *simulation) extrapolateVelocity() {
	l.record.begin(StageExtrapolate)
	l.step.spread = true
	l.disc.ExtrapolateVelocity(l.world.wallVelocity)
	l.flows.Sides.SetVelocity()
	if l.def.hasViscosity() {
		l.forces.ExtendShear(l.def.Viscosity, l.def.SurfaceTension)
	}
	l.record.lap(l.graph.Faces())
}

// publishState makes the new state the old one of the next step.
func (l *simulation) publishState() {
	l.record.begin(StagePublish)
	bodies.EachNewSplash(l.coupling, l.surface.SplashFoam)
	l.disc.Publish()
	done := l.surface.Report()
	(*query.SurfaceReport)(&l.step.report.Surface).Add(&done)
	if done.Coarser > 1 {
		l.warn("MaxMemory", "there is no room for all vertices of the surface; its edges are longer than SurfaceDetail asks for")
	}
	l.controls.EndSubstep()
	l.step.moved, l.step.spread = false, false
	l.record.lap(l.graph.Rows)
}
