package fluid

import (
	"fmt"
	"math"
	"time"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// group is the liquids that couple the same bodies, in the order in which they did, or one liquid alone. A tick advances all of them and the bodies:
// in each substep every liquid is solved and its wrenches are added, the bodies step once, and every liquid reads what became of them.
type group struct {
	calls   callguard.Mutex // shared if the bodies know of it
	members []*Liquid
	pushes  bodies.Pushes // of this substep
	shared  bodies.Shared // likewise
	coupled []*bodies.Coupling
}

// mostAhead, s, is for how long a liquid may be advanced by others of its group without asking for that time itself: longer than
// games catch up in one frame. Then the game steps the others alone, and the liquid is ahead by their last step only.
const mostAhead = .5

// sameTime is the part of a step by which two sums of time differ by rounding alone.
const sameTime = 1e-6

// join makes l a member of the group that couples the bodies b.
func join(l *Liquid, b Bodies) {
	place, can := b.(engine.Sharing)
	if can {
		if g, ours := place.Attached().(*group); ours {
			g.calls.CheckReentry(&callguard.Couple, callingNames...)
		}
	}
	quit(l)
	if !can {
		return
	}
	g, ours := place.Attached().(*group)
	switch {
	case ours:
	case place.Attached() == nil:
		g = &group{calls: callguard.Mutex{Shared: true}}
		place.Attach(g)
	default: // what is attached is no group: l has the bodies to itself
		l.sim.record.warnLater("Couple", fmt.Sprintf(
			"a %T is attached to the bodies, not what liquids know of each other there: each liquid that couples them steps them", place.Attached()))
		return
	}
	g.calls.Lock()
	defer g.calls.Unlock()
	g.members = append(g.members, l)
	l.sim.group = g
}

// quit makes l a group of its own.
func quit(l *Liquid) {
	g := l.sim.group
	l.sim.step.ahead, l.sim.step.passive = 0, false
	l.sim.group = &group{members: []*Liquid{l}}
	if g == nil || !g.calls.Shared {
		return
	}
	g.calls.Lock()
	defer g.calls.Unlock()
	for i, m := range g.members {
		if m == l {
			g.members = append(g.members[:i:i], g.members[i+1:]...)
			break
		}
	}
	if place, can := l.sim.around.Coupling.Bodies.(engine.Sharing); can && len(g.members) == 0 && place.Attached() == any(g) {
		place.Attach(nil)
	}
}

// enterGroup begins a call of l that changes all members of its group: one of others to them. The group's leave must be deferred. A Step waits
// for one of another member that is under way.
func enterGroup(l *Liquid, c, others *callguard.Call) *group {
	mustBeMade(l, c)
	if busy := l.guard.Current(); busy != nil && (c != &callguard.Step || busy != &callguard.OthersStep) {
		l.enter(c).End(nil) // panics, unless it has just ended
	}
	l.sim.group.enter(l, c, others)
	return l.sim.group
}

// enter begins a call of l, and one of others to each other member.
func (g *group) enter(l *Liquid, c, others *callguard.Call) {
	claimed, ready := 0, false
	g.calls.CheckReentry(c, callingNames...)
	g.calls.Lock()
	defer func() {
		if ready {
			return
		}
		for _, m := range g.members[:claimed] {
			m.guard.End(nil)
		}
		g.calls.Unlock()
	}()
	of := func(m *Liquid) *callguard.Call {
		if m == l {
			return c
		}
		return others
	}
	for _, m := range g.members {
		claim(m, of(m))
		claimed++
	}
	for _, m := range g.members {
		m.guard.CompleteUndo(of(m))
	}
	ready = true
}

// leave ends what enter began. If a callback panicked it takes back what the call has changed in any member, and panics.
func (g *group) leave() {
	v := recover()
	for _, m := range g.members {
		m.guard.End(v)
	}
	g.calls.Unlock()
	if v != nil {
		panic(par.Caught(v))
	}
}

// callingNames are the functions of which one is on the stack of callbacks on the goroutine whose call has begun for a group.
var callingNames = []string{par.Name((*group).tick), par.Name((*callguard.Guard).CompleteUndo), par.Name((*group).setGravity)}

// step is Step of l, with all members and the bodies, as far as others have not done so already.
func (g *group) step(l *Liquid, dt float64) *Report {
	if !(dt >= shortestStep) || math.IsInf(dt, 1) {
		return l.sim.refuse(fmt.Sprintf("fluid: Step: dt is %v s; must be finite and at least %g", dt, shortestStep))
	}
	cut := dt > longestStep
	if cut {
		dt = longestStep
	}
	l.sim.step.passive = false
	if l.sim.step.ahead >= (1-sameTime)*dt {
		l.sim.step.ahead = max(0, l.sim.step.ahead-dt)
		return &l.sim.step.report
	}
	if l.sim.step.ahead > sameTime*dt {
		dt -= l.sim.step.ahead
	}
	l.sim.step.ahead = 0
	for _, m := range g.members {
		if m == l {
			continue
		}
		m.sim.step.ahead += dt
		if m.sim.step.passive = m.sim.step.passive || m.sim.step.ahead > mostAhead; m.sim.step.passive {
			m.sim.step.ahead = dt // it may be stepped again in this very frame
		}
	}
	for _, m := range g.members {
		m.sim.start()
	}
	if cut {
		l.sim.record.warn("dt", "Step was asked for more than 0.1 s and did 0.1 s; call it more often")
	}
	g.tick(dt)
	return &l.sim.step.report
}

// tick advances all members and the bodies by dt seconds, in as many substeps as the member that wants the most. The game's loads act through all.
func (g *group) tick(dt float64) {
	n, coupled := 1, g.members[0].sim.around.Coupling
	coupled.HoldLoads()
	defer coupled.ReleaseLoads()
	g.each(func(l *simulation) { n = max(n, l.beginStep(dt)) })
	for range n {
		if !g.substep(dt/float64(n), n) {
			break
		}
	}
	g.each(func(l *simulation) { l.endStep(dt) })
}

// substep takes a substep of dt seconds, one of n, unless no member can: then the bodies stay where they are too.
func (g *group) substep(dt float64, n int) (goes bool) {
	g.pushes.Begin(g.members[0].sim.around.Coupling.Count())
	g.shared.Begin()
	g.coupled = g.coupled[:0]
	for _, m := range g.members {
		g.shared.Join(m.sim.around.Coupling)
		g.coupled = append(g.coupled, m.sim.around.Coupling)
	}
	for _, m := range g.members {
		m.sim.around.Pushes, m.sim.around.Coupled = &g.pushes, g.coupled
	}
	g.each(func(l *simulation) { goes = l.advance(dt, n) || goes })
	if !goes {
		return false
	}
	g.shared.Agree(g.solveAgain)
	g.each((*simulation).push)
	g.stepBodies(dt)
	g.each((*simulation).settle)
	return true
}

// solveAgain has member k solve once more in the substep, and tells whether that went well.
func (g *group) solveAgain(k int) bool {
	g.resumeClock(g.members[k])
	defer g.pauseClock(g.members[k])
	return g.members[k].sim.solveAgain()
}

// each has each member do something.
func (g *group) each(do func(l *simulation)) {
	for _, m := range g.members {
		g.resumeClock(m)
		do(&m.sim)
		g.pauseClock(m)
	}
}

// stepBodies books the bodies' step with the first member.
func (g *group) stepBodies(dt float64) {
	m := g.members[0]
	if m.sim.around.Coupling.Bodies == nil {
		return
	}
	g.resumeClock(m)
	m.sim.record.begin(StageBodies)
	m.sim.around.Coupling.Bodies.Step(dt)
	m.sim.record.lap(0)
	g.pauseClock(m)
}

// resumeClock and pauseClock stand around what one of several members does: the others' time is not its own.
func (g *group) resumeClock(m *Liquid) {
	if len(g.members) > 1 && !m.sim.step.paused.IsZero() {
		now := time.Now()
		m.sim.step.deadline.idle += now.Sub(m.sim.step.paused)
		m.sim.record.times.Mark = now
	}
}

func (g *group) pauseClock(m *Liquid) {
	if len(g.members) > 1 {
		m.sim.step.paused = time.Now()
	}
}
