package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
)

// Bodies is what the liquid needs of a rigid-body engine: physics.Coupling is one, and a game may bring its own. See package engine.
type Bodies = engine.Bodies

// Couple joins the liquid to the bodies of a rigid-body engine, or to none if b is nil. From then on Step advances both.
//
// A liquid whose Def has no Gravity takes that of the bodies from then on, if their engine is [engine.Gravitating] and it isn't zero.
//
// Several liquids may couple the same bodies, if those are [engine.Sharing], as a physics.Coupling is. They are then a group: a Step of any of them advances all
// and the bodies, which step once and feel what every liquid does to them. A Step of another, for time that it has been advanced by already, only
// returns its report: a game may step each of its liquids, in any order, or one alone. All take as many substeps as the one that asks for the most.
// One whose step is rolled back pushes nothing, while the others and the bodies go on. Budgets are each liquid's own; a gravity of its own each keeps
// until SetGravity of one, which changes it for all and the bodies. Save, copy and restore the liquids of a group and the bodies together, between
// frames: what one has been advanced by others and not yet asked for is not saved.
//
// A liquid leaves its group when it couples others, or none, and with Close. The bodies hold on to it until then: one that a game only
// drops is stepped on, and goes on acting on them. While a Step is under way on another goroutine none of its group may be used; a Step
// waits, but panics when a callback makes it. A report is valid until the next Step of any.
func (l *Liquid) Couple(b Bodies) {
	defer l.enter(&callguard.Couple).leave()
	if l.sim.can.Coupling == nil && b != nil {
		l.sim.record.warnLater("Couple", "the solver of this liquid couples no bodies; they do without it")
		return
	}
	join(l, b)
	l.sim.around.Coupling.Couple(b, l.sim.def.BodyMask)
	l.sim.gravity.couple(b)
	l.sim.sleep.wakeAll()
}

// Coupled is what Couple was given last; nil if nothing is coupled, and after Close. It may be asked while a Step is under way.
func (l *Liquid) Coupled() Bodies { return l.sim.around.Coupling.Bodies }

// BodyLoad is what the liquid did in the last step to the body that has an index of Bodies now; zero for a static body, which
// nothing moves, for one that was not there then, and for an index that is none.
func (l *Liquid) BodyLoad(body int) BodyLoad {
	defer l.enter(&callguard.Load).leave()
	return BodyLoad(l.sim.around.Coupling.Loads.At(body))
}

// BodyLoadByID is what the liquid did in the last step to the body with an ID, even if it is gone since; zero for one that was not there.
func (l *Liquid) BodyLoadByID(id uint64) BodyLoad {
	defer l.enter(&callguard.LoadOf).leave()
	return BodyLoad(l.sim.around.Coupling.Loads.Of(id))
}
