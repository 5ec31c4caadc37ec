package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// drowsing is the sleep of parts of the liquid. A block sleeps when nothing has moved in it and in those around it for a while. Its
// cells are no rows of the graph then, it keeps its surface and its pressure, and to the liquid beside it it is a wall. It wakes when
// that liquid moves, or presses on the wall otherwise than still liquid would, and when a body, a tap, a drain, a field
// or a drop comes near.
type drowsing struct {
	slow   []float32 // per base cell: for how long its liquid was slow, s, up to slowTime
	calm   []float32 // per base cell: for how long it was calm, s, up to calmTime
	asleep []bool    // per base cell; the discretiser's
	count  int       // of those that are asleep
	any    bool      // some may fall asleep, or are

	measureChunk par.Body
}

// wakingHead is the least difference of the liquid's level, in cells where it ends, that wakes liquid behind it.
const wakingHead = .02

func (d *drowsing) init(l *Liquid) {
	n := l.grid.Bases()
	d.slow, d.calm, d.asleep = make([]float32, n), make([]float32, n), l.solids.Asleep
	d.measureChunk = eachBlock(l.measureCalm)
}

// drowse finds out after a step where the liquid was slow, and where it was calm.
func (l *Liquid) drowse() {
	d := &l.drowsing
	if l.step.report.RolledBack || l.def.Solver.Undamped || l.world.gravity == (r3.Vec{}) || l.world.wind != (Wind{}) {
		clear(d.slow)
		clear(d.calm)
	} else {
		l.pool.For(l.grid.Bases(), 8, d.measureChunk)
	}
	d.countUp()
}

// countUp brings count and any up to date.
func (d *drowsing) countUp() {
	d.count, d.any = 0, false
	for b, calm := range d.calm {
		if d.asleep[b] {
			d.count++
		}
		d.any = d.any || calm >= calmTime || d.asleep[b]
	}
}

// measureCalm measures for how long a block was slow and calm.
func (l *Liquid) measureCalm(b int32) {
	d := &l.drowsing
	if d.asleep[b] {
		weight := reproducible.Scale(l.def.Density, l.world.gravity)
		if l.solids.Pressed(b, l.press, array(weight), wakingHead*reproducible.Norm(weight)) {
			d.calm[b] = 0
		}
		return
	}
	top, usual := l.speeds(b)
	dt := float32(l.step.whole)
	d.slow[b], d.calm[b] = min(d.slow[b]+dt, slowTime), min(d.calm[b]+dt, calmTime)
	if !(usual <= slowSpeed) {
		d.slow[b] = 0
	}
	if !(top <= calmSpeed) || l.shutIn(b) {
		d.calm[b] = 0
	}
}

// speeds is the greatest speed across a block's faces and their root mean square, m/s.
func (l *Liquid) speeds(b int32) (top, usual float64) {
	faces := l.graph.U[l.graph.Parts[b].Face:l.graph.Parts[b+1].Face]
	for _, u := range faces {
		if u = math.Abs(u); u > top {
			top = u
		}
		usual += float64(u * u)
	}
	return top, math.Sqrt(usual / float64(max(1, len(faces))))
}

// shutIn tells whether no air touches some of a block's liquid: were what is around asleep, it would have nowhere to go.
func (l *Liquid) shutIn(b int32) bool {
	lo, hi := l.graph.Parts[b].Row, l.graph.Parts[b+1].Row
	for _, label := range l.solver.Label[lo:hi] {
		if l.solver.Closed[label] {
			return true
		}
	}
	return false
}

// rouse puts blocks to sleep that are calm, before a step, and wakes those that are not any more.
func (l *Liquid) rouse(dt float64) {
	d, i := &l.drowsing, &l.blocksInfo
	if !d.any {
		return
	}
	l.disturbAround(dt)
	l.disturbAbove()
	woken := int32(-1)
	for b := range d.asleep {
		rests := i.wet.Contains(uint32(b)) && l.calmAround(int32(b))
		switch {
		case rests && !d.asleep[b]:
			l.lull(int32(b))
		case !rests && d.asleep[b]:
			l.wake(int32(b), &woken)
		}
	}
}

// calmAround tells whether a block and all that are wet around it are calm.
func (l *Liquid) calmAround(b int32) bool {
	for _, nb := range l.grid.Nearby(b) {
		if nb != grid.None && l.drowsing.calm[nb] < calmTime && l.blocksInfo.wet.Contains(uint32(nb)) {
			return false
		}
	}
	return true
}

// disturbAround keeps the blocks awake that something acts on from outside.
func (l *Liquid) disturbAround(dt float64) {
	w := &l.world
	for _, e := range w.emitters {
		if e.running {
			l.disturbIn(e.mouth().Bounds())
		}
	}
	for _, s := range w.sinks {
		l.disturbIn(s.mouth().Bounds())
	}
	l.disturbByFields()
	for _, o := range w.obstacles {
		if o.moves {
			l.disturbIn(grown(o.placed.Bounds(), dt*reproducible.Norm(o.motion.Velocity)))
		}
	}
	l.disturbAtSides()
	l.disturbAtBodies(dt)
	drops := &l.set.Markers.Droplets
	for i := range drops.Len() {
		p := drops.Position[3*i:][:3]
		x := r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		l.disturbIn(r3.Box{Min: x, Max: x})
	}
	for i := range w.drops.all {
		if d := &w.drops.all[i]; d.v != (r3.Vec{}) {
			l.disturbIn(r3.Box{Min: d.x, Max: d.x})
		}
	}
}

// disturbAtBodies keeps the blocks awake that bodies are in, or come to in dt seconds, but for static ones that were there before; and those
// where a body was that is gone.
func (l *Liquid) disturbAtBodies(dt float64) {
	c := &l.coupling
	n := c.count()
	for i := range max(n, len(c.state)) {
		same := i < n && i < len(c.state) && c.bodies.ID(i) == c.state[i].id && c.bodies.Kind(i) == StaticBody && c.bodies.Bounds(i) == c.state[i].bounds
		if same && !l.displaced(i) {
			continue
		}
		if i < len(c.state) {
			l.disturbIn(c.state[i].bounds)
		}
		if i < n {
			v, _ := c.bodies.Velocity(i)
			if !finiteVec(v) {
				v = r3.Vec{}
			}
			l.disturbIn(grown(c.bodies.Bounds(i), dt*reproducible.Norm(v)))
		}
	}
}

// disturbIn keeps the blocks awake that come near a box, m.
func (l *Liquid) disturbIn(box r3.Box) {
	if box = grown(box, 2*l.def.CellSize); overlaps(box, l.def.Domain) { // else it isn't finite, or far away
		l.eachBase(box, func(b int32) { l.drowsing.calm[b] = 0 })
	}
}

// disturbAbove keeps the blocks awake between one that is and the air above: what liquid has no surface can't give way to bodies.
func (l *Liquid) disturbAbove() {
	d, wet, above := &l.drowsing, l.blocksInfo.wet, l.solids.Down()^1
	for b := range int32(len(d.calm)) {
		if d.calm[b] >= calmTime || !wet.Contains(uint32(b)) {
			continue
		}
		for up := l.grid.Neighbour[b][above]; up != grid.None && wet.Contains(uint32(up)); up = l.grid.Neighbour[up][above] {
			d.calm[up] = 0
		}
	}
}

// lull puts a block to sleep. Its liquid is no part of what its components are to hold.
func (l *Liquid) lull(b int32) {
	v, first, n := &l.volumes, l.grid.Cur.First[b], int32(1)<<(3*l.grid.Cur.Level[b])
	for c := first; c < first+n; c++ {
		if at := v.label[c]; at >= 0 {
			v.target[at] = max(0, v.target[at]-l.heldIn(c))
			v.label[c] = -1
		}
	}
	l.drowsing.asleep[b] = true
	l.drowsing.count++
}

// wake wakes a block. What wakes in a step is a component, *label if it has begun, that is to hold what it holds.
func (l *Liquid) wake(b int32, label *int32) {
	v, first, n := &l.volumes, l.grid.Cur.First[b], int32(1)<<(3*l.grid.Cur.Level[b])
	if *label < 0 {
		*label = int32(len(v.target))
		v.target = append(v.target, 0)
	}
	for c := first; c < first+n; c++ {
		if v.fraction[c] > 0 {
			v.label[c] = *label
			v.target[*label] += l.heldIn(c)
		}
	}
	l.drowsing.asleep[b] = false
	l.drowsing.count--
}

// wakeFresh wakes the blocks whose level changes.
func (l *Liquid) wakeFresh() {
	label := int32(-1)
	for _, b := range l.blocksInfo.fresh {
		l.drowsing.slow[b], l.drowsing.calm[b] = 0, 0
		if l.drowsing.asleep[b] {
			l.wake(b, &label)
		}
	}
}

// codeDrowsing goes along what sleeps, and what may soon.
func (l *Liquid) codeDrowsing(c *codec.Codec) {
	d, n := &l.drowsing, l.grid.Bases()
	if c.Version() >= 5 {
		c.Float32s(d.slow, n, 0, slowTime)
		d.codeCalm(c, n)
		c.Bools(d.asleep, n)
	} else if c.Reading() {
		clear(d.slow)
		clear(d.calm)
		clear(d.asleep)
	}
	if c.Reading() {
		d.countUp()
	}
}

// codeCalm goes along for how long n blocks were calm. Before version 7 that was up to 30 steps, at an assumed 60 a second.
func (d *drowsing) codeCalm(c *codec.Codec, n int) {
	if c.Version() >= 7 {
		c.Float32s(d.calm, n, 0, calmTime)
		return
	}
	const most = 30
	steps := make([]uint8, n)
	c.Uint8s(steps, n, 0, most)
	if c.Reading() {
		for b, s := range steps {
			d.calm[b] = calmTime * float32(s) / most
		}
	}
}
