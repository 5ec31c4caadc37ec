package budget

import (
	"fmt"
	"math"
	"time"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Limits bound what a plan may choose.
type Limits struct {
	Tolerance, LoosestTolerance float64 // relative residual; 0 means 1e-4 and 1e-2
	MaxIterations               int     // 0 means 60
	Substeps                    int     // most; 0 means 4
	ViewGain                    float64 // of the plan, cells per pixel; 0 means 1
	LeastUnknowns               int     // 0 means 512, one finest block
}

// Budget bounds a step by wall time or by work; the zero value is no bound.
type Budget struct {
	Step time.Duration
	// Work is in thousands of unknowns, summed over the substeps. The plan then depends on
	// counts only, never on a clock.
	Work float64
}

// Demand is what the next step needs.
type Demand struct {
	Full     int // unknowns without a target; 0 means more than any budget allows
	Visible  int // likewise, without the refinement of unseen liquid
	Least    int // unknowns that remain with any target
	Substeps int // for the CFL number
	// Particles is the number of particles of white water, MostParticles the wanted one.
	Particles, MostParticles int
}

// Field is a field of a plan, with its name, value and limits.
type Field = struct {
	Name      string
	V, Lo, Hi float64
}

// CheckFields returns an error for the first field out of its limits.
func CheckFields(fields []Field) error {
	for _, f := range fields {
		if !(f.V >= f.Lo && f.V <= f.Hi) {
			return fmt.Errorf("%s: %v; must be %v to %v", f.Name, f.V, f.Lo, f.Hi)
		}
	}
	return nil
}

// Plan is the effort of the next step. Targets are for the sizer's next level map.
type Plan struct {
	TargetUnknowns int // 0 means no limit
	ViewGain       float64
	Tolerance      float64
	MaxIterations  int
	Substeps       int
	Changes        int    // blocks that may change their level without need; 0 means no limit
	Particles      int    // greatest number of particles of white water
	DetailInterval int    // detail such as foam runs in every DetailInterval-th step
	Reason         string // one of the constants below
}

// Reasons of a plan, by the last relief in force.
const (
	WhyFree      = "no budget"
	WhyFits      = "all detail fits"
	WhyWhite     = "less white water"
	WhyTolerance = "looser solver tolerance"
	WhyCadence   = "detail in fewer steps"
	WhyInvisible = "coarser where nobody looks"
	WhyGain      = "fewer cells per pixel"
	WhySubsteps  = "fewer substeps"
	WhyOver      = "the least the liquid needs exceeds the budget"
)

const (
	// sigmas is the number of spreads between the expected time and the budget: a normal distribution exceeds it in 1.4 % of
	// steps, and what a step can leave out at its end makes up for most of those.
	sigmas = 2.2
	// hold is the relative distance within which the target stays unchanged.
	hold = .02
	// growth is the target's greatest growth in a step. It is regrowth up to the part regained of its recent maximum:
	// that has fitted once, and most late steps are caused by the machine. The recent maximum decays by forgetting a step.
	growth     = 1.05
	regrowth   = 1.2
	regained   = .8
	forgetting = .99
	// leastLeft is the least part of the target after a late step.
	leastLeft = .5
	// tighten is the greatest tightening of the tolerance in a step, in decades.
	tighten = .05
	// lowerAfter and raiseAfter are how many steps of strain and of calm change the cadence. A failed raise doubles the
	// next wait, up to mostWait.
	lowerAfter, raiseAfter, mostWait = 5, 60, 1920
	// raiseBelow is the part of the budget that must suffice for the cadence to rise again.
	raiseBelow = .75
	// leastChanges is the number of blocks that may always change their level.
	leastChanges = 2
	// fullMargin makes room for the twentieth of its target that the sizer keeps in reserve.
	fullMargin = 1.06
	// leastWhite is the part of the white water that is always kept: most games' budgets have no room for all unknowns, which come after it.
	leastWhite = .25
	// perUnknown is the number of particles of white water that count as an unknown in a budget in work: each takes about a tenth of the time.
	perUnknown = 10
)

// LeastIterations is the number of iterations that each substep's solve may always take: with less a splash can be further from the
// solution than at the start.
const LeastIterations = 4

// relief is the state of the relief: what has been given up, in the order that Plan names.
type relief struct {
	target       float64 // unknowns; 0 before the first plan
	recentTarget float64 // the recent maximum of target
	decades      float64
	cadence      int
	cap          int // substeps
	strain       int // steps in a row with too little room
	calm         int // steps in a row with room to spare
	wait         int // steps of calm before the next raise
	raised       int // steps since the last raise
}

func (l Limits) withDefaults() Limits {
	set := func(f *float64, v float64) {
		if *f == 0 {
			*f = v
		}
	}
	setInt := func(f *int, v int) {
		if *f == 0 {
			*f = v
		}
	}
	set(&l.Tolerance, 1e-4)
	set(&l.LoosestTolerance, max(1e-2, l.Tolerance))
	set(&l.ViewGain, 1)
	setInt(&l.MaxIterations, 60)
	setInt(&l.Substeps, 4)
	setInt(&l.LeastUnknowns, 512)
	if !(l.Tolerance > 0 && l.Tolerance <= l.LoosestTolerance && l.LoosestTolerance < 1) ||
		l.MaxIterations < 1 || l.Substeps < 1 || l.LeastUnknowns < 1 {
		panic("budget: Limits contradict each other")
	}
	return l
}

func (r *relief) start(l *Limits) {
	*r = relief{decades: -reproducible.Log10(l.Tolerance), cadence: 1, cap: l.Substeps, wait: raiseAfter, raised: mostWait}
}

// Plan returns the plan for the next step.
//
// The order of relief is: white water, tolerance, cadence of detail, target, substeps. The last one given up is the first to come back, the
// tolerance last of all. A target that is too small coarsens unseen liquid first. Relief is immediate once two
// steps in a row were late, recovery slow: the target grows by 5 % a step at most.
func (m *Model) Plan(b Budget, d Demand) Plan {
	l, r := &m.limits, &m.relief
	d.Substeps = max(1, min(d.Substeps, l.Substeps))
	d.Least = max(d.Least, l.LeastUnknowns)
	if d.Full <= 0 {
		d.Full, d.Visible = math.MaxInt, math.MaxInt
	} else {
		d.Full, d.Visible = int(fullMargin*float64(d.Full)), int(fullMargin*float64(d.Visible))
	}
	m.wall, m.white = b.Step.Seconds(), d.Particles
	white := d.MostParticles
	switch {
	case b.Step > 0:
		white = m.planTime(d)
	case b.Work > 0:
		m.wall = 0
		r.decades = -reproducible.Log10(l.Tolerance)
		all := float64(1000 * b.Work)
		white = m.fitWhite(d, perUnknown*(all-float64(float64(d.Full)*max(m.over, 1)*float64(d.Substeps))))
		all -= float64(d.Particles) / perUnknown
		m.setRelief(d, 0, func(substeps int, _ float64) float64 { return all / float64(substeps) / max(m.over, 1) })
	default:
		m.wall = 0
		r.start(l)
		return Plan{ViewGain: l.ViewGain, Tolerance: l.Tolerance, MaxIterations: l.MaxIterations, Substeps: d.Substeps, Particles: white, DetailInterval: 1, Reason: WhyFree}
	}
	p := Plan{TargetUnknowns: int(r.target), ViewGain: l.ViewGain,
		Tolerance: l.Tolerance, MaxIterations: l.MaxIterations, Substeps: min(d.Substeps, r.cap), Particles: white, DetailInterval: r.cadence}
	if loosest := -reproducible.Log10(l.Tolerance); r.decades < loosest {
		p.Tolerance = reproducible.Exp10(-r.decades)
	}
	if b.Step > 0 {
		p.Changes = m.changes(d, &p)
	}
	if p.Reason = m.reason(d, p.Substeps); p.Reason == WhyFits && white < d.MostParticles {
		p.Reason = WhyWhite
	}
	return p
}

// fitWhite returns the number of particles of white water if there is room for so many beside the liquid in full detail.
func (m *Model) fitWhite(d Demand, room float64) int {
	most := float64(d.MostParticles)
	return int(max(leastWhite*most, min(room, most)))
}

// planTime fits a wall-time budget, and returns the number of particles of white water.
func (m *Model) planTime(d Demand) (white int) {
	left := m.wall/(1+float64(sigmas*m.Spread())+hold/2)/m.strain - m.fixed
	fit := func(substeps int, decades float64) float64 {
		surface, solver := m.costs(substeps)
		return unknownsIn(left/float64(substeps), surface, (setUp+decades)*solver) / m.over
	}
	white = d.MostParticles
	if each := m.particle(); each > 0 {
		full := int(min(float64(d.Full)*m.over, math.MaxInt32))
		liquid := float64((1 + hold) * float64(d.Substeps) * m.substep(d.Substeps, full, m.limits.Tolerance))
		white = m.fitWhite(d, (left-liquid)/each-whiteSetUp)
		left -= float64(each * whiteSize(d.Particles))
	}
	m.setTolerance(d, left)
	m.setRelief(d, leastLeft, fit)
	return white
}

// changes returns how many blocks may change their level, in half of the time that the plan leaves.
func (m *Model) changes(d Demand, p *Plan) int {
	if m.fresh == 0 {
		return 0
	}
	n := min(int(m.relief.target*m.over), max(d.Full, m.unknowns)) // the sizer refines beyond Full, below the surface
	planned := m.fixed + float64(float64(p.Substeps)*m.substep(p.Substeps, n, p.Tolerance)) + float64(m.particle()*whiteSize(m.white))
	left := m.wall/(1+float64(sigmas/2*m.Spread())) - planned
	return max(leastChanges, int(min(left/m.fresh, math.MaxInt32)))
}

// unknownsIn returns the number of unknowns that take a time, s, with the given costs of surface and solver.
func unknownsIn(time, surface, solver float64) float64 {
	if !(time > 0) {
		return 0
	}
	// With x⁴ unknowns, surface·x² + solver·x³ = time: by Newton's method, from above.
	surface, solver = max(surface, 1e-12), max(solver, 1e-12)
	x := min(math.Sqrt(time/surface), reproducible.Cbrt(time/solver))
	for range 6 {
		flat, steep := float64(surface*x), float64(float64(solver*x)*x)
		x -= (float64((flat+steep)*x) - time) / (float64(2*flat) + float64(3*steep))
	}
	return x * x * x * x
}

// setTolerance sets the tolerance with which everything fits, if there is one. It tightens slowly, and
// only when nothing else is given up.
func (m *Model) setTolerance(d Demand, left float64) {
	r := &m.relief
	surface, solver := m.costs(d.Substeps)
	most, least := -reproducible.Log10(m.limits.Tolerance), -reproducible.Log10(m.limits.LoosestTolerance)
	n := float64(d.Full) * m.over
	room, decade := left/float64(d.Substeps)-float64(surfaceSize(n)*surface), solverSize(n)*solver // s
	want := least
	if room >= (setUp+most)*decade {
		want = most
	} else if decade > 0 {
		want = max(room/decade-setUp, least)
	}
	switch {
	case want < r.decades:
		r.decades = want
	case r.cadence == 1 && r.cap == m.limits.Substeps:
		r.decades = min(want, r.decades+tighten)
	}
}

// setRelief gives up one thing more or takes one back, in the order that Plan names. fit returns the unknowns that the budget
// allows for a number of substeps and decades. left is the least part of the target to keep.
func (m *Model) setRelief(d Demand, left float64, fit func(substeps int, decades float64) float64) {
	l, r := &m.limits, &m.relief
	m.capSubsteps(d, fit)
	room := fit(min(d.Substeps, r.cap), r.decades)
	r.raised = min(r.raised+1, mostWait)
	switch {
	case room < float64(d.Least): // no time to wait
		r.calm, r.strain = 0, r.strain+1
		r.cadence = 2
	case room < float64(d.Full)*(1-hold):
		r.calm, r.strain = 0, r.strain+1
		if r.raised < raiseAfter && r.strain == lowerAfter { // the raise was premature
			r.wait = min(2*r.wait, mostWait)
		}
		if r.strain >= lowerAfter {
			r.cadence = 2
		}
	case raiseBelow*room >= float64(d.Full):
		r.calm, r.strain = r.calm+1, 0
		m.restore()
	default:
		r.calm, r.strain = 0, 0
	}
	m.setTarget(max(room, float64(l.LeastUnknowns), left*r.target), float64(d.Least))
}

// restore raises the cadence after enough calm steps.
func (m *Model) restore() {
	r := &m.relief
	switch {
	case r.calm < r.wait || r.cap < m.limits.Substeps:
		return
	case r.cadence > 1:
		r.cadence = 1
	default: // nothing to raise, for long
		r.wait = raiseAfter
		return
	}
	r.calm, r.raised = 0, 0
}

// setTarget moves the target: down at once, up slowly, and not at all by less than hold. Below the least unknowns of the liquid
// it may rise at once, since the grid is that fine anyway.
func (m *Model) setTarget(fit, least float64) {
	r := &m.relief
	t := r.target
	switch {
	case t == 0 || fit < t*(1-hold):
		t = fit
	case fit > t*(1+hold):
		t = min(fit, max(growth*max(t, least), min(regrowth*t, regained*r.recentTarget)))
	}
	r.target, r.recentTarget = t, max(t, forgetting*r.recentTarget)
}

// capSubsteps lowers the substeps only when all else is given up and the least unknowns of the
// liquid still do not fit; it needs a fifth more room to raise them by one.
func (m *Model) capSubsteps(d Demand, fit func(int, float64) float64) {
	l, r := &m.limits, &m.relief
	least := float64(d.Least)
	for n := min(d.Substeps, r.cap); n > 1 && r.cadence > 1 && fit(n, r.decades) < least; n-- {
		r.cap = n - 1
	}
	if r.cap < l.Substeps && fit(r.cap+1, r.decades) >= 1.2*least {
		r.cap++
	}
}

// reason returns the last relief in force.
func (m *Model) reason(d Demand, substeps int) string {
	l, r := &m.limits, &m.relief
	switch {
	case r.target < float64(d.Least) && substeps == 1:
		return WhyOver
	case substeps < d.Substeps:
		return WhySubsteps
	case r.target < float64(d.Visible)*(1-hold):
		return WhyGain
	case r.target < float64(d.Full)*(1-hold):
		return WhyInvisible
	case r.cadence > 1:
		return WhyCadence
	case r.decades < -reproducible.Log10(l.Tolerance):
		return WhyTolerance
	}
	return WhyFits
}
