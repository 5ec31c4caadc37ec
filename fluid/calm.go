package fluid

import "gonum.org/v1/gonum/spatial/r3"

const (
	// calmSpeed, m/s, is what liquid and bodies in it must stay under to fall asleep: a
	// twentieth of a millimetre in a step, which no one sees.
	calmSpeed = 3e-3
	// calmSteps is for how many steps they must: half a second at 60 steps/s, more than a
	// wave stands still at its turning point.
	calmSteps = 30
)

// calm is the liquid's sleep: where nothing moves, a step costs next to nothing. Whatever acts on the
// liquid ends it: an edit, a tap, a sink, a field, a moving obstacle, an awake body in the wet.
type calm struct {
	steps  int // in a row that were calm
	asleep bool
}

// disturb wakes the liquid.
func (l *Liquid) disturb() { l.calm = calm{} }

// dozes tells whether the liquid may skip this step, and wakes it if something has come up.
func (l *Liquid) dozes() bool {
	if l.calm.asleep && (l.world.active() || l.stirred()) {
		l.disturb()
	}
	return l.calm.asleep
}

// settleDown counts calm steps and, after enough of them, puts the liquid to sleep at rest.
func (l *Liquid) settleDown() {
	c := &l.calm
	if l.step.report.RolledBack || l.blocksInfo.maxSpeed > calmSpeed || l.world.active() || l.stirred() || l.set.Markers.Droplets.Len() > 0 {
		c.steps = 0
		return
	}
	if c.steps++; c.steps < calmSteps {
		return
	}
	c.asleep = true
	for a := range l.faces {
		clear(l.faces[a])
	}
	clear(l.graph.U)
	l.vel.Gather(l.pool, &l.faces)
	l.blocksInfo.maxSpeed = 0
}

// doze advances the bodies, which all lie still, asleep, or are out of the water.
func (l *Liquid) doze(dt float64) {
	if c := &l.coupling; c.bodies != nil {
		c.bodies.Step(dt)
	}
	l.step.report.Substeps = 1
	l.step.report.AsleepBlocks = l.blocksInfo.wet.Count()
}

// active tells whether something acts on the liquid all the time.
func (w *surroundings) active() bool {
	for _, e := range w.emitters {
		if e != nil && e.running {
			return true
		}
	}
	for _, s := range w.sinks {
		if s != nil {
			return true
		}
	}
	for _, f := range w.fields {
		if f != nil {
			return true
		}
	}
	for _, o := range w.obstacles {
		if o != nil && o.moves && (o.motion.Velocity != r3.Vec{} || o.motion.Spin != r3.Vec{}) {
			return true
		}
	}
	return false
}

// stirred tells whether a dynamic body in the liquid is awake, or any body moves in or near it, or
// bodies came or went. Even at rest a body that is awake needs the liquid to carry it.
func (l *Liquid) stirred() bool {
	c := &l.coupling
	n := c.count()
	if n != len(c.state) {
		return true
	}
	for i := range n {
		if c.bodies.Kind(i) == StaticBody || c.bodies.ID(i) != c.state[i].id {
			if c.bodies.ID(i) != c.state[i].id {
				return true
			}
			continue
		}
		if !c.bodies.Awake(i) {
			continue
		}
		if c.bodies.Kind(i) == DynamicBody && c.state[i].wet {
			return true
		}
		v, w := c.bodies.Velocity(i)
		box := c.bodies.Bounds(i)
		size := r3.Norm(r3.Sub(box.Max, box.Min))
		if r3.Norm(v)+size*r3.Norm(w) > calmSpeed && l.nearWet(box) {
			return true
		}
	}
	return false
}

// nearWet tells whether a box, m, comes within a base cell of liquid.
func (l *Liquid) nearWet(box r3.Box) bool {
	if !finiteVec(box.Min) || !finiteVec(box.Max) {
		return false
	}
	lo, hi := l.baseRange(box)
	for z := lo[2] - 1; z <= hi[2]+1; z++ {
		for y := lo[1] - 1; y <= hi[1]+1; y++ {
			for x := lo[0] - 1; x <= hi[0]+1; x++ {
				if b := l.grid.BaseAt(x, y, z); b >= 0 && l.blocksInfo.wet.Contains(uint32(b)) {
					return true
				}
			}
		}
	}
	return false
}
