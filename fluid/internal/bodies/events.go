package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Events is what happened to bodies in a step.
type Events struct {
	Entered, Left []Event
	Splashes      []Splash
}

// Event names a body by its index, as it was in that step, and its identity.
type Event struct {
	Index int
	ID    uint64
}

// Splash is a sudden push between a body and the liquid.
type Splash struct {
	Body     Event
	Impulse  float64 // N·s
	Position r3.Vec  // m
	Speed    float64 // of the body, m/s
}

// BeginStep readies the events of a step.
func (c *Coupling) BeginStep() {
	e := &c.Events
	e.Entered, e.Left, e.Splashes = e.Entered[:0], e.Left[:0], e.Splashes[:0]
}

// splashSpeed, m/s, is how fast a body must meet the liquid to splash.
const splashSpeed = 0.5

// addEvents records what happened to a body: it entered, left, or hit the liquid.
func (c *Coupling) addEvents(i int, wet bool, f r3.Vec, rows []int32) {
	s, e := &c.state[i], &c.Events
	ev := Event{Index: i, ID: s.id}
	if wet != s.wet {
		if wet {
			e.Entered = append(e.Entered, ev)
			speed := reproducible.Norm(reproducible.Vector([3]float64(s.before[:3])))
			if speed > splashSpeed {
				e.Splashes = append(e.Splashes, Splash{Body: ev, Impulse: reproducible.Norm(f) * c.now.Dt, Position: c.meanCentre(rows), Speed: speed})
			}
		} else {
			e.Left = append(e.Left, ev)
		}
		s.wet = wet
	}
}

// meanCentre is the middle of some rows, m.
func (c *Coupling) meanCentre(rows []int32) (m r3.Vec) {
	for _, r := range rows {
		m = r3.Add(m, reproducible.Vector(c.Graph.Centre[r]))
	}
	return reproducible.Scale(1/float64(max(1, len(rows))), m)
}
