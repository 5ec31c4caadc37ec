package cubes

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// BlockSleep has blocks sleep whose liquid is calm. The cells of one that sleeps are no rows of the graph, it keeps its surface and its pressure, and to the
// liquid beside it it is a wall.
type BlockSleep struct {
	m       *Cells
	survey  *Survey
	volumes *Volumes
	layout.Sleep

	step float32 // of the last Measure, s
}

// Damp takes from the liquid's slowest motion what ripples and boundary layers finer than a cell take from real water; without it a pool
// with a box afloat swings by millimetres for ever. What drifts where nothing has weight drifts on.
func (d *BlockSleep) Damp() { par.Each(d.m.Pool, d.m.Grid.Bases(), 8, d, (*BlockSleep).dampBlock) }

func (d *BlockSleep) dampBlock(_ int, b int32) {
	m := d.m
	if !d.SlowAround(b) {
		return
	}
	faces := m.Graph.U[m.Graph.Parts[b].Face:m.Graph.Parts[b+1].Face]
	for f, u := range faces {
		faces[f] = u * sleep.Damped(u, sleep.DampingRate, m.Dt)
	}
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
		d.Stir()
	} else {
		d.step = float32(dt)
		par.Each(m.Pool, m.Grid.Bases(), 8, d, (*BlockSleep).measureCalm)
	}
	d.CountUp()
}

// measureCalm measures for how long a block was slow and calm.
func (d *BlockSleep) measureCalm(_ int, b int32) {
	m := d.m
	if d.Asleep[b] {
		weight := reproducible.Scale(m.Density, m.Gravity)
		if m.Mesh.Pressed(b, m.Press, reproducible.Array(weight), sleep.WakingHead*reproducible.Norm(weight)) {
			d.Calm[b] = 0
		}
		return
	}
	top, usual := d.speeds(b)
	calm := top <= sleep.CalmSpeed || usual <= sleep.CalmSpeed && top <= sleep.EddySpeed && m.Solids.Touched(b) && !m.Solids.TouchedByFixed(b)
	d.Advance(b, d.step, usual <= sleep.SlowSpeed, calm && !d.touchesNoAir(b))
}

// Update puts blocks to sleep that are calm, before a step, and wakes those that are not any more. What else keeps blocks awake than their
// own liquid KeepAwakeIn and the like have told.
func (d *BlockSleep) Update() {
	m := d.m
	d.keepAwakeAtDroplets()
	d.KeepAwakeBelowAir(m.Solids.Down() ^ 1)
	woken := int32(-1)
	for b := range int32(len(d.Asleep)) {
		rests := d.Rests(b)
		switch {
		case rests && !d.Asleep[b]:
			d.sleepBlock(b)
		case !rests && d.Asleep[b]:
			d.wakeBlock(b, &woken)
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
		if f.Reaches(b) && d.survey.IsWet(b) {
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
		d.KeepAwakeAt(r3.Box{Min: x, Max: x})
	}
}

// sleepBlock puts a block to sleep. Its liquid is no part of what its components are to hold.
func (d *BlockSleep) sleepBlock(b int32) {
	m := d.m
	v, first, n := d.volumes, m.Grid.Cur.First[b], int32(1)<<(3*m.Grid.Cur.Level[b])
	for c := first; c < first+n; c++ {
		if at := v.label[c]; at >= 0 {
			v.Targets.Add(at, -d.survey.HeldIn(c))
			v.label[c] = -1
		}
	}
	d.Asleep[b] = true
	d.Count++
}

// wakeBlock wakes a block. What wakes in a step is a component, *label if it has begun, that is to hold what it holds.
func (d *BlockSleep) wakeBlock(b int32, label *int32) {
	m := d.m
	v, first, n := d.volumes, m.Grid.Cur.First[b], int32(1)<<(3*m.Grid.Cur.Level[b])
	if *label < 0 {
		*label = v.Targets.Begin()
	}
	for c := first; c < first+n; c++ {
		if m.Fraction[c] > 0 {
			v.label[c] = *label
			v.Targets.Add(*label, d.survey.HeldIn(c))
		}
	}
	d.Asleep[b] = false
	d.Count--
}

// wakeFresh wakes the blocks whose level changes.
func (d *BlockSleep) wakeFresh() {
	label := int32(-1)
	for _, b := range d.survey.Fresh {
		d.Slow[b], d.Calm[b] = 0, 0
		if d.Asleep[b] {
			d.wakeBlock(b, &label)
		}
	}
}
