package adaptive

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// What counts as calm and as slow.
const (
	// CalmSpeed, m/s, is what liquid and bodies in it must stay under to fall asleep: a
	// twentieth of a millimetre in a step, which no one sees.
	CalmSpeed = 3e-3
	// CalmTime, s, is for how long they must: longer than a wave stands still at its turning point.
	CalmTime = .5

	// DampingRate, 1/s, is the rate at which motion dies that is slow against DampedSpeed, m/s, in blocks whose liquid, and that around
	// them, has for SlowTime, s, not moved faster than SlowSpeed, m/s, as a root mean square over the faces. A wave is slow at its
	// turning points and in the deep, too, but not all of it at once. The mean, since a cell that comes or goes at the surface stirs a face or two.
	DampingRate = 1.5
	DampedSpeed = 1e-2
	SlowSpeed   = 1e-2
	SlowTime    = .5
	// BodyDampingRate is that of bodies, whose edges shed eddies besides, where no liquid has been faster than SlowSpeedBody.
	BodyDampingRate = 3
	SlowSpeedBody   = .25
)

// SlowAround tells whether the liquid of a block and of those around it has been slow for a while.
func (m *Blocks) SlowAround(b int32) bool {
	for _, nb := range m.Grid.Nearby(b) {
		if nb != grid.None && m.Sleep.Slow[nb] < SlowTime && m.Survey.Wet.Contains(uint32(nb)) {
			return false
		}
	}
	return true
}

// BlockSleep is the sleep of parts of the liquid. A block sleeps when nothing has moved in it and in those around it for a while. Its
// cells are no rows of the graph then, it keeps its surface and its pressure, and to the liquid beside it it is a wall. It wakes when
// that liquid moves, or presses on the wall otherwise than still liquid would, and when a body, a tap, a drain, a field
// or a drop comes near.
type BlockSleep struct {
	Slow   []float32 // per base cell: for how long its liquid was slow, s, up to SlowTime
	Calm   []float32 // per base cell: for how long it was calm, s, up to CalmTime
	Asleep []bool    // per base cell; the discretiser's
	Count  int       // of those that are asleep
	Any    bool      // some may fall asleep, or are

}

func (d *BlockSleep) init(n int, asleep []bool) {
	d.Slow, d.Calm, d.Asleep = make([]float32, n), make([]float32, n), asleep
}

// CountUp brings Count and Any up to date.
func (d *BlockSleep) CountUp() {
	d.Count, d.Any = 0, false
	for b, calm := range d.Calm {
		if d.Asleep[b] {
			d.Count++
		}
		d.Any = d.Any || calm >= CalmTime || d.Asleep[b]
	}
}

// WakingHead is the least difference of the liquid's level, in cells where it ends, that wakes liquid behind it.
const WakingHead = .02

// TouchesNoAir tells whether no air touches some of a block's liquid: were what is around asleep, it would have nowhere to go.
func (m *Blocks) TouchesNoAir(b int32) bool {
	lo, hi := m.Graph.Parts[b].Row, m.Graph.Parts[b+1].Row
	for _, label := range m.Components.Label[lo:hi] {
		if m.Components.Closed[label] {
			return true
		}
	}
	return false
}

// Speeds is the greatest speed across a block's faces and their root mean square, m/s.
func (m *Blocks) Speeds(b int32) (top, usual float64) {
	faces := m.Graph.U[m.Graph.Parts[b].Face:m.Graph.Parts[b+1].Face]
	for _, u := range faces {
		if u = math.Abs(u); u > top {
			top = u
		}
		usual += float64(u * u)
	}
	return top, math.Sqrt(usual / float64(max(1, len(faces))))
}

// CalmAround tells whether a block and all that are wet around it are calm.
func (m *Blocks) CalmAround(b int32) bool {
	for _, nb := range m.Grid.Nearby(b) {
		if nb != grid.None && m.Sleep.Calm[nb] < CalmTime && m.Survey.Wet.Contains(uint32(nb)) {
			return false
		}
	}
	return true
}

// KeepAwakeBelowAir keeps the blocks awake between one that is and the air above: what liquid has no surface can't give way to bodies.
func (m *Blocks) KeepAwakeBelowAir() {
	d, wet, above := &m.Sleep, m.Survey.Wet, m.Solids.Down()^1
	for b := range int32(len(d.Calm)) {
		if d.Calm[b] >= CalmTime || !wet.Contains(uint32(b)) {
			continue
		}
		for up := m.Grid.Neighbour[b][above]; up != grid.None && wet.Contains(uint32(up)); up = m.Grid.Neighbour[up][above] {
			d.Calm[up] = 0
		}
	}
}

// KeepAwakeIn keeps the blocks awake that come near a box, m.
func (m *Blocks) KeepAwakeIn(box r3.Box) {
	if box = boxes.Grown(box, 2*m.CellSize); boxes.Overlap(box, m.Domain) { // else it isn't finite, or far away
		m.EachBase(box, func(b int32) { m.Sleep.Calm[b] = 0 })
	}
}
