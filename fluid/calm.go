package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

const (
	// calmSpeed, m/s, is what liquid and bodies in it must stay under to fall asleep: a
	// twentieth of a millimetre in a step, which no one sees.
	calmSpeed = 3e-3
	// calmTime, s, is for how long they must: longer than a wave stands still at its turning point.
	calmTime = .5

	// soothing, 1/s, is the rate at which motion dies that is slow against soothedSpeed, m/s, in blocks whose liquid, and that around
	// them, has for slowTime, s, not moved faster than slowSpeed, m/s, as a root mean square over the faces. A wave is slow at its
	// turning points and in the deep, too, but not all of it at once. The mean, since a cell that comes or goes at the surface stirs a face or two.
	soothing     = 1.5
	soothedSpeed = 1e-2
	slowSpeed    = 1e-2
	slowTime     = .5
	// soothingBody is that of bodies, whose edges shed eddies besides, where no liquid has been faster than slowSpeedBody.
	soothingBody  = 3
	slowSpeedBody = .25
)

// calm is the liquid's sleep: where nothing moves, a step costs next to nothing. Whatever acts on the
// liquid ends it: an edit, a tap, a sink, a field, a moving obstacle, an awake body in the wet.
type calm struct {
	slow   float64 // for how long nothing was faster than slowSpeedBody, s
	time   float64 // for how long it was calm, s
	asleep bool
}

// code goes along the sleep. Before version 7 it counted steps, at an assumed 60 a second.
func (s *calm) code(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Float64(&s.slow, 0, most)
	if c.Version() >= 7 {
		c.Float64(&s.time, 0, most)
	} else {
		steps := 0
		c.Int(&steps, 0, math.MaxInt)
		if c.Reading() {
			s.time = float64(steps) / 60
		}
	}
	c.Bool(&s.asleep)
}

// soothe takes from the liquid's slowest motion what ripples and boundary layers finer than a cell take from real water; without it a pool
// with a box afloat swings by millimetres for ever. What drifts where nothing has weight drifts on.
func (l *Liquid) soothe() { l.pool.For(l.grid.Bases(), 8, l.sootheChunk) }

// soothesBodies counts for how long the liquid has been slow, and tells whether it is for bodies to be soothed too.
func (l *Liquid) soothesBodies() bool {
	c := &l.calm
	if c.slow += l.step.dt; l.blocksInfo.maxSpeed > slowSpeedBody {
		c.slow = 0
	}
	return c.slow >= slowTime && !l.def.Solver.Undamped && l.world.gravity != (r3.Vec{})
}

// soothed is what is left of a speed, m/s, that dies at a rate, 1/s, after a step.
func (l *Liquid) soothed(speed, rate float64) float64 {
	u := speed / soothedSpeed
	q := 1 + float64(u*u)
	return q / (q + float64(rate*l.step.dt))
}

func (l *Liquid) sootheBlock(b int32) {
	if !l.slowAround(b) {
		return
	}
	faces := l.graph.U[l.graph.Parts[b].Face:l.graph.Parts[b+1].Face]
	for f, u := range faces {
		faces[f] = u * l.soothed(u, soothing)
	}
}

// slowAround tells whether the liquid of a block and of those around it has been slow for a while.
func (l *Liquid) slowAround(b int32) bool {
	for _, nb := range l.grid.Nearby(b) {
		if nb != grid.None && l.drowsing.slow[nb] < slowTime && l.blocksInfo.wet.Contains(uint32(nb)) {
			return false
		}
	}
	return true
}

// sootheBody is the wrench that does the same to a body that floats.
func (l *Liquid) sootheBody(i int) [6]float64 {
	c := &l.coupling
	s, r := &c.state[i], &c.rigid[i]
	if !s.wet || r.InverseMass == 0 {
		return [6]float64{}
	}
	v, w := r3.Vec{X: s.before[0], Y: s.before[1], Z: s.before[2]}, r3.Vec{X: s.before[3], Y: s.before[4], Z: s.before[5]}
	size := reproducible.Norm(r3.Sub(s.bounds.Max, s.bounds.Min)) / 2
	v = reproducible.Scale(l.soothed(reproducible.Norm(v), soothingBody)-1, v)
	w = reproducible.Scale(l.soothed(size*reproducible.Norm(w), soothingBody)-1, w)
	m := 1 / l.step.dt
	return twist(reproducible.Scale(m/r.InverseMass, v), reproducible.Scale(m, inertiaTimes(&r.InverseInertia, w)))
}

// inertiaTimes is the angular momentum of a spin, from the inverse inertia; 0 about axes that can't turn.
func inertiaTimes(inverse *[3][3]float64, w r3.Vec) r3.Vec {
	row := func(i int) r3.Vec { return r3.Vec{X: inverse[i][0], Y: inverse[i][1], Z: inverse[i][2]} }
	a, b, c := row(0), row(1), row(2)
	bc, ca, ab := reproducible.Cross(b, c), reproducible.Cross(c, a), reproducible.Cross(a, b)
	det := reproducible.Dot(a, bc)
	if det == 0 {
		return r3.Vec{}
	}
	// The inverse is symmetric, so its columns are its rows.
	return reproducible.Scale(1/det, r3.Vec{X: reproducible.Dot(bc, w), Y: reproducible.Dot(ca, w), Z: reproducible.Dot(ab, w)})
}

// disturb wakes the liquid, wherever it is.
func (l *Liquid) disturb() {
	l.calm = calm{}
	clear(l.drowsing.calm)
}

// dozes tells whether the liquid may skip this step, and wakes it if something has come up.
func (l *Liquid) dozes() bool {
	if l.calm.asleep && (l.active() || l.stirred()) {
		l.calm = calm{}
	}
	return l.calm.asleep
}

// settleDown puts the liquid to sleep, at rest, when it was calm for long enough.
func (l *Liquid) settleDown() {
	c := &l.calm
	l.drowse()
	if l.step.report.RolledBack || l.blocksInfo.maxSpeed > calmSpeed || l.active() || l.stirred() || l.set.Markers.Droplets.Len() > 0 {
		c.time = 0
		return
	}
	if c.time += l.step.whole; c.time < calmTime {
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

// active tells whether something acts on the liquid all the time. Drains and fields that reach none don't.
func (l *Liquid) active() bool {
	w := &l.world
	for _, e := range w.emitters {
		if e.running {
			return true
		}
	}
	for _, s := range w.sinks {
		if l.drainsSome(s) {
			return true
		}
	}
	if l.fieldsReachLiquid() {
		return true
	}
	for _, o := range w.obstacles {
		if o.moves && (o.motion.Velocity != r3.Vec{} || o.motion.Spin != r3.Vec{}) {
			return true
		}
	}
	return w.drops.moving() || l.currents.flows() || w.wind != (Wind{}) && l.blocksInfo.wet.Count() > 0
}

// stirred tells whether a dynamic body in the liquid is awake, or any body moves in or near it, or was put elsewhere or made another
// there, or bodies came or went. Even at rest a body that is awake needs the liquid to carry it.
func (l *Liquid) stirred() bool {
	c := &l.coupling
	n := c.count()
	if n != len(c.state) {
		return true
	}
	for i := range n {
		if c.bodies.ID(i) != c.state[i].id || l.displaced(i) {
			return true
		}
		if c.rests(i) || !c.takes(i) {
			continue
		}
		if c.bodies.Kind(i) == DynamicBody && c.state[i].wet {
			return true
		}
		v, w := c.bodies.Velocity(i)
		box := c.bodies.Bounds(i)
		size := reproducible.Norm(r3.Sub(box.Max, box.Min))
		if reproducible.Norm(v)+float64(size*reproducible.Norm(w)) > calmSpeed && l.nearWet(box) {
			return true
		}
	}
	return false
}

// nearWet tells whether a box, m, comes within a base cell of liquid.
func (l *Liquid) nearWet(box r3.Box) bool {
	if !overlaps(grown(box, l.grid.H*grid.Edge), l.def.Domain) { // or it isn't finite
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
