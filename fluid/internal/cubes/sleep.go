package cubes

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// BlockSleep is the sleep of parts of the liquid. A block sleeps when nothing has moved in it and in those around it for a while. Its
// cells are no rows of the graph then, it keeps its surface and its pressure, and to the liquid beside it it is a wall. It wakes when
// that liquid moves, or presses on the wall otherwise than still liquid would, and when a body, an emitter, a sink, a field
// or a drop comes near.
type BlockSleep struct {
	m *Blocks

	Slow   []float32 // per base cell: for how long its liquid was slow, s, up to sleep.SlowTime
	Calm   []float32 // per base cell: for how long it was calm, s, up to sleep.CalmTime
	Asleep []bool    // per base cell; the discretiser's
	Count  int       // of those that are asleep
	Any    bool      // some may fall asleep, or are

	step float32 // of the last Measure, s
}

func (d *BlockSleep) init(n int, asleep []bool) {
	d.Slow, d.Calm, d.Asleep = make([]float32, n), make([]float32, n), asleep
}

// countUp brings Count and Any up to date.
func (d *BlockSleep) countUp() {
	d.Count, d.Any = 0, false
	for b, calm := range d.Calm {
		if d.Asleep[b] {
			d.Count++
		}
		d.Any = d.Any || calm >= sleep.CalmTime || d.Asleep[b]
	}
}

// KeepAwake keeps all blocks awake for a while, and wakes those that sleep.
func (d *BlockSleep) KeepAwake() { clear(d.Calm) }

// Damp takes from the liquid's slowest motion what ripples and boundary layers finer than a cell take from real water; without it a pool
// with a box afloat swings by millimetres for ever. What drifts where nothing has weight drifts on.
func (d *BlockSleep) Damp() { par.Each(d.m.Pool, d.m.Grid.Bases(), 8, d, (*BlockSleep).dampBlock) }

func (d *BlockSleep) dampBlock(_ int, b int32) {
	m := d.m
	if !d.slowAround(b) {
		return
	}
	faces := m.Graph.U[m.Graph.Parts[b].Face:m.Graph.Parts[b+1].Face]
	for f, u := range faces {
		faces[f] = u * sleep.Damped(u, sleep.DampingRate, m.Dt)
	}
}

// slowAround tells whether the liquid of a block and of those around it has been slow for a while.
func (d *BlockSleep) slowAround(b int32) bool {
	m := d.m
	for _, nb := range m.Grid.Nearby(b) {
		if nb != layout.None && d.Slow[nb] < sleep.SlowTime && m.Survey.Wet.Contains(uint32(nb)) {
			return false
		}
	}
	return true
}

// Stop brings the liquid to rest.
func (m *Blocks) Stop() {
	for a := range m.Faces {
		clear(m.Faces[a])
	}
	clear(m.Graph.U)
	m.Vel.Gather(m.Pool, &m.Faces)
	m.Survey.MaxSpeed = 0
}

// Measure finds out after a step of dt seconds where the liquid was slow, and where it was calm. If it is stirred it counts as neither
// anywhere.
func (d *BlockSleep) Measure(dt float64, stirred bool) {
	m := d.m
	if stirred {
		clear(d.Slow)
		clear(d.Calm)
	} else {
		d.step = float32(dt)
		par.Each(m.Pool, m.Grid.Bases(), 8, d, (*BlockSleep).measureCalm)
	}
	d.countUp()
}

// measureCalm measures for how long a block was slow and calm.
func (d *BlockSleep) measureCalm(_ int, b int32) {
	m := d.m
	if d.Asleep[b] {
		weight := reproducible.Scale(m.Density, m.Gravity)
		if m.Solids.Pressed(b, m.Press, reproducible.Array(weight), sleep.WakingHead*reproducible.Norm(weight)) {
			d.Calm[b] = 0
		}
		return
	}
	top, usual := d.speeds(b)
	d.Slow[b], d.Calm[b] = min(d.Slow[b]+d.step, sleep.SlowTime), min(d.Calm[b]+d.step, sleep.CalmTime)
	if !(usual <= sleep.SlowSpeed) {
		d.Slow[b] = 0
	}
	if !(top <= sleep.CalmSpeed) || d.touchesNoAir(b) {
		d.Calm[b] = 0
	}
}

// Update puts blocks to sleep that are calm, before a step, and wakes those that are not any more. What else keeps blocks awake than their
// own liquid KeepAwakeIn and the like have told.
func (d *BlockSleep) Update() {
	m := d.m
	d.keepAwakeAtDroplets()
	d.keepAwakeBelowAir()
	woken := int32(-1)
	for b := range d.Asleep {
		rests := m.Survey.Wet.Contains(uint32(b)) && d.calmAround(int32(b))
		switch {
		case rests && !d.Asleep[b]:
			d.sleepBlock(int32(b))
		case !rests && d.Asleep[b]:
			d.wakeBlock(int32(b), &woken)
		}
	}
}

// touchesNoAir tells whether no air touches some of a block's liquid: were what is around asleep, it would have nowhere to go.
func (d *BlockSleep) touchesNoAir(b int32) bool {
	m := d.m
	lo, hi := m.Graph.Parts[b].Row, m.Graph.Parts[b+1].Row
	for _, label := range m.Components.Label[lo:hi] {
		if m.Components.Closed[label] {
			return true
		}
	}
	return false
}

// speeds is the greatest speed across a block's faces and their root mean square, m/s.
func (d *BlockSleep) speeds(b int32) (top, usual float64) {
	m := d.m
	faces := m.Graph.U[m.Graph.Parts[b].Face:m.Graph.Parts[b+1].Face]
	for _, u := range faces {
		if u = math.Abs(u); u > top {
			top = u
		}
		usual += float64(u * u)
	}
	return top, math.Sqrt(usual / float64(max(1, len(faces))))
}

// calmAround tells whether a block and all that are wet around it are calm.
func (d *BlockSleep) calmAround(b int32) bool {
	m := d.m
	for _, nb := range m.Grid.Nearby(b) {
		if nb != layout.None && d.Calm[nb] < sleep.CalmTime && m.Survey.Wet.Contains(uint32(nb)) {
			return false
		}
	}
	return true
}

// keepAwakeBelowAir keeps the blocks awake between one that is and the air above: what liquid has no surface can't give way to bodies.
func (d *BlockSleep) keepAwakeBelowAir() {
	m := d.m
	wet, above := m.Survey.Wet, m.Solids.Down()^1
	for b := range int32(len(d.Calm)) {
		if d.Calm[b] >= sleep.CalmTime || !wet.Contains(uint32(b)) {
			continue
		}
		for up := m.Grid.Neighbour[b][above]; up != layout.None && wet.Contains(uint32(up)); up = m.Grid.Neighbour[up][above] {
			d.Calm[up] = 0
		}
	}
}

// KeepAwakeIn keeps the blocks awake that come near some of the boxes, m.
func (d *BlockSleep) KeepAwakeIn(list []r3.Box) {
	for _, box := range list {
		d.keepAwakeAt(box)
	}
}

// KeepAwakeByFields keeps the blocks awake that fields which differ from place to place reach into.
func (d *BlockSleep) KeepAwakeByFields(f *fields.Index) {
	if f.Wide() {
		d.KeepAwake()
		return
	}
	for b := range d.Calm {
		if f.Reaches(int32(b)) {
			d.Calm[b] = 0
		}
	}
}

// FieldsReachLiquid tells whether some field that differs from place to place reaches a block with liquid.
func (d *BlockSleep) FieldsReachLiquid(f *fields.Index) bool {
	m := d.m
	if f.Wide() || f.Listed() == 0 {
		return f.Wide()
	}
	for b := range int32(m.Grid.Bases()) {
		if f.Reaches(b) && m.Survey.Wet.Contains(uint32(b)) {
			return true
		}
	}
	return false
}

// keepAwakeAtDroplets keeps the blocks awake that droplets come near.
func (d *BlockSleep) keepAwakeAtDroplets() {
	m := d.m
	for i := range m.Spray.Len() {
		p := m.Spray.Position[3*i:][:3]
		x := r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		d.keepAwakeAt(r3.Box{Min: x, Max: x})
	}
}

func (d *BlockSleep) keepAwakeAt(box r3.Box) {
	m := d.m
	if box = boxes.Grown(box, 2*m.CellSize); boxes.Overlap(box, m.Domain) { // else it isn't finite, or far away
		m.Grid.EachBase(box, func(b int32) { d.Calm[b] = 0 })
	}
}

// sleepBlock puts a block to sleep. Its liquid is no part of what its components are to hold.
func (d *BlockSleep) sleepBlock(b int32) {
	m := d.m
	v, first, n := &m.Volumes, m.Grid.Cur.First[b], int32(1)<<(3*m.Grid.Cur.Level[b])
	for c := first; c < first+n; c++ {
		if at := v.label[c]; at >= 0 {
			v.Targets.Add(at, -m.Survey.HeldIn(c))
			v.label[c] = -1
		}
	}
	d.Asleep[b] = true
	d.Count++
}

// wakeBlock wakes a block. What wakes in a step is a component, *label if it has begun, that is to hold what it holds.
func (d *BlockSleep) wakeBlock(b int32, label *int32) {
	m := d.m
	v, first, n := &m.Volumes, m.Grid.Cur.First[b], int32(1)<<(3*m.Grid.Cur.Level[b])
	if *label < 0 {
		*label = v.Targets.Begin()
	}
	for c := first; c < first+n; c++ {
		if m.Fraction[c] > 0 {
			v.label[c] = *label
			v.Targets.Add(*label, m.Survey.HeldIn(c))
		}
	}
	d.Asleep[b] = false
	d.Count--
}

// wakeFresh wakes the blocks whose level changes.
func (d *BlockSleep) wakeFresh() {
	m := d.m
	label := int32(-1)
	for _, b := range m.Survey.Fresh {
		d.Slow[b], d.Calm[b] = 0, 0
		if d.Asleep[b] {
			d.wakeBlock(b, &label)
		}
	}
}

// Code goes along what sleeps, and what may soon.
func (d *BlockSleep) Code(c *codec.Codec) {
	m := d.m
	n := m.Grid.Bases()
	if c.Version() >= 5 {
		c.Float32s(d.Slow, n, 0, sleep.SlowTime)
		d.codeCalm(c, n)
		c.Bools(d.Asleep, n)
	} else if c.Reading() {
		clear(d.Slow)
		clear(d.Calm)
		clear(d.Asleep)
	}
	if c.Reading() {
		d.countUp()
	}
}

// codeCalm goes along for how long n blocks were calm. Before version 7 that was up to 30 steps, at an assumed 60 a second.
func (d *BlockSleep) codeCalm(c *codec.Codec, n int) {
	if c.Version() >= 7 {
		c.Float32s(d.Calm, n, 0, sleep.CalmTime)
		return
	}
	const most = 30
	steps := make([]uint8, n)
	c.Uint8s(steps, n, 0, most)
	if c.Reading() {
		for b, s := range steps {
			d.Calm[b] = sleep.CalmTime * float32(s) / most
		}
	}
}
