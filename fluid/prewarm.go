package fluid

import (
	"time"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"gonum.org/v1/gonum/spatial/r3"
)

// rehearsal is how long Prewarm takes steps at a time. It does so again while the plan that follows from what they cost
// grows by more than settled, up to rehearsals times.
const (
	rehearsal  = 15 * time.Millisecond
	rehearsals = 6
	settled    = 1.05
	// slack is how much more than the budget they may take: the memory that a liquid has must not end where its plan does.
	slack = 1.25
)

// frozen are bodies that nothing moves.
type frozen struct{ Bodies }

func (frozen) Wake(int)                      {}
func (frozen) AddWrench(int, r3.Vec, r3.Vec) {}
func (frozen) Step(float64)                  {}

// Prewarm takes a twentieth of a second, or as long as a dozen steps, to do what the first steps would else have to: it takes steps of 1/60 s and
// takes them back. Then there is memory for what the budget allows, and the budget knows what a step costs on this machine. Call it once the scene is
// laid out: the liquid filled, its bodies coupled, and its view set. The state stays what it is; the bodies are asked, and not moved.
func (l *Liquid) Prewarm() {
	defer l.enter(&callguard.Prewarm).leave()
	c, budget, bodies, replay, shared := &l.sim.codec, l.sim.def.Budget, l.sim.around.Coupling.Bodies, l.sim.schedule.replay, l.sim.group
	c.Write()
	defer l.sim.record.forgetWarnings()()
	l.sim.codeAlike(c)
	l.sim.codeLater(c)
	l.sim.codeWhiteWater(c)
	var steered controls.Set
	l.sim.around.Controls.CopyTo(&steered)
	done, before := false, l.sim.vacated
	defer func() {
		l.sim.def.Budget, l.sim.around.Coupling.Bodies, l.sim.schedule.replay, l.sim.group = budget, bodies, replay, shared
		if l.guard.Lost = &callguard.Prewarm; !done { // a body or a shape panicked
			l.guard.Revert()
		}
		steered.CopyTo(&l.sim.around.Controls)
		c.Read(c.Bytes(), version)
		l.sim.codeAlike(c)
		l.sim.codeLater(c)
		l.sim.codeWhiteWater(c)
		l.sim.vacated = before
		l.guard.Lost = nil
	}()
	if bodies != nil {
		l.sim.around.Coupling.Bodies = frozen{bodies}
	}
	l.sim.schedule.replay, l.sim.group = Plan{}, &group{members: []*Liquid{l}}
	l.sim.def.Budget = Budget{time.Duration(slack * float64(budget.Step)), slack * budget.Work}
	for n, before, now := 0, 0., 1.; n < rehearsals && now > settled*before; n++ {
		before, now = now, float64(rehearse(l))
		l.sim.schedule.planner.Calibrate()
	}
	done = true
}

// rehearse takes steps of a liquid that is awake, on all the cells that the budget allows. The planner learns nothing from
// the first, which touches memory for the first time. It returns how many unknowns the plan was for.
func rehearse(l *Liquid) (target int) {
	l.sim.restartSizing(2)
	before := *l.sim.schedule.planner
	l.sim.sleep.wakeAll()
	target = l.sim.group.step(l, 1./60).Plan.TargetUnknowns
	*l.sim.schedule.planner = before
	for n, start := 0, time.Now(); n < 1 || time.Since(start) < rehearsal; n++ {
		l.sim.sleep.wakeAll()
		l.sim.group.step(l, 1./60)
	}
	return target
}
