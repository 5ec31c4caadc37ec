package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// measureBlockSleep finds out after a step where the liquid was slow, and where it was calm.
func (l *Liquid) measureBlockSleep() {
	d := &l.m.Sleep
	if l.step.report.RolledBack || l.def.Solver.Undamped || l.m.Gravity == (r3.Vec{}) || l.world.wind != (Wind{}) {
		clear(d.Slow)
		clear(d.Calm)
	} else {
		par.Each(l.pool, l.m.Grid.Bases(), 8, l, (*Liquid).measureCalm)
	}
	d.CountUp()
}

// measureCalm measures for how long a block was slow and calm.
func (l *Liquid) measureCalm(_ int, b int32) {
	d := &l.m.Sleep
	if d.Asleep[b] {
		weight := reproducible.Scale(l.def.Density, l.m.Gravity)
		if l.m.Solids.Pressed(b, l.m.Press, reproducible.Array(weight), adaptive.WakingHead*reproducible.Norm(weight)) {
			d.Calm[b] = 0
		}
		return
	}
	top, usual := l.m.Speeds(b)
	dt := float32(l.step.whole)
	d.Slow[b], d.Calm[b] = min(d.Slow[b]+dt, adaptive.SlowTime), min(d.Calm[b]+dt, adaptive.CalmTime)
	if !(usual <= adaptive.SlowSpeed) {
		d.Slow[b] = 0
	}
	if !(top <= adaptive.CalmSpeed) || l.m.TouchesNoAir(b) {
		d.Calm[b] = 0
	}
}

// updateBlockSleep puts blocks to sleep that are calm, before a step, and wakes those that are not any more.
func (l *Liquid) updateBlockSleep(dt float64) {
	d, i := &l.m.Sleep, &l.m.Survey
	if !d.Any {
		return
	}
	l.keepAwakeNearSources(dt)
	l.m.KeepAwakeBelowAir()
	woken := int32(-1)
	for b := range d.Asleep {
		rests := i.Wet.Contains(uint32(b)) && l.m.CalmAround(int32(b))
		switch {
		case rests && !d.Asleep[b]:
			l.sleepBlock(int32(b))
		case !rests && d.Asleep[b]:
			l.wakeBlock(int32(b), &woken)
		}
	}
}

// keepAwakeNearSources keeps the blocks awake that something acts on from outside.
func (l *Liquid) keepAwakeNearSources(dt float64) {
	w := &l.world
	for _, e := range w.emitters {
		if e.running {
			l.m.KeepAwakeIn(e.mouth().Bounds())
		}
	}
	for _, s := range w.sinks {
		l.m.KeepAwakeIn(s.mouth().Bounds())
	}
	l.keepAwakeByFields()
	for _, o := range w.obstacles {
		if o.moves {
			l.m.KeepAwakeIn(boxes.Grown(o.placed.Bounds(), dt*reproducible.Norm(o.motion.Velocity)))
		}
	}
	l.keepAwakeAtSides()
	l.coupling.EachReached(dt, l.m.KeepAwakeIn)
	drops := &l.m.Set.Markers.Droplets
	for i := range drops.Len() {
		p := drops.Position[3*i:][:3]
		x := r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		l.m.KeepAwakeIn(r3.Box{Min: x, Max: x})
	}
	for i := range w.drops.all {
		if d := &w.drops.all[i]; d.v != (r3.Vec{}) {
			l.m.KeepAwakeIn(r3.Box{Min: d.x, Max: d.x})
		}
	}
}

// sleepBlock puts a block to sleep. Its liquid is no part of what its components are to hold.
func (l *Liquid) sleepBlock(b int32) {
	v, first, n := &l.volumes, l.m.Grid.Cur.First[b], int32(1)<<(3*l.m.Grid.Cur.Level[b])
	for c := first; c < first+n; c++ {
		if at := v.label[c]; at >= 0 {
			v.target[at] = max(0, v.target[at]-l.m.HeldIn(c))
			v.label[c] = -1
		}
	}
	l.m.Sleep.Asleep[b] = true
	l.m.Sleep.Count++
}

// wakeBlock wakes a block. What wakes in a step is a component, *label if it has begun, that is to hold what it holds.
func (l *Liquid) wakeBlock(b int32, label *int32) {
	v, first, n := &l.volumes, l.m.Grid.Cur.First[b], int32(1)<<(3*l.m.Grid.Cur.Level[b])
	if *label < 0 {
		*label = int32(len(v.target))
		v.target = append(v.target, 0)
	}
	for c := first; c < first+n; c++ {
		if l.m.Fraction[c] > 0 {
			v.label[c] = *label
			v.target[*label] += l.m.HeldIn(c)
		}
	}
	l.m.Sleep.Asleep[b] = false
	l.m.Sleep.Count--
}

// wakeFresh wakes the blocks whose level changes.
func (l *Liquid) wakeFresh() {
	label := int32(-1)
	for _, b := range l.m.Survey.Fresh {
		l.m.Sleep.Slow[b], l.m.Sleep.Calm[b] = 0, 0
		if l.m.Sleep.Asleep[b] {
			l.wakeBlock(b, &label)
		}
	}
}

// codeBlockSleep goes along what sleeps, and what may soon.
func (l *Liquid) codeBlockSleep(c *codec.Codec) {
	d, n := &l.m.Sleep, l.m.Grid.Bases()
	if c.Version() >= 5 {
		c.Float32s(d.Slow, n, 0, adaptive.SlowTime)
		codeCalm(d, c, n)
		c.Bools(d.Asleep, n)
	} else if c.Reading() {
		clear(d.Slow)
		clear(d.Calm)
		clear(d.Asleep)
	}
	if c.Reading() {
		d.CountUp()
	}
}

// codeCalm goes along for how long n blocks were calm. Before version 7 that was up to 30 steps, at an assumed 60 a second.
func codeCalm(d *adaptive.BlockSleep, c *codec.Codec, n int) {
	if c.Version() >= 7 {
		c.Float32s(d.Calm, n, 0, adaptive.CalmTime)
		return
	}
	const most = 30
	steps := make([]uint8, n)
	c.Uint8s(steps, n, 0, most)
	if c.Reading() {
		for b, s := range steps {
			d.Calm[b] = adaptive.CalmTime * float32(s) / most
		}
	}
}
