package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Events is what happened to bodies in a step.
type Events struct {
	Entered, Left []Event
	Splashes      []Splash
	visited       int // of Splashes, by EachNewSplash
}

// Event names a body by its index, as it was in that step, and its identity.
type Event struct {
	Index int
	ID    uint64
}

// Splash is a sudden push between a body and the liquid, from where they meet to the end of the step.
type Splash struct {
	Body     Event
	Impulse  float64 // N·s
	Position r3.Vec  // m
	Speed    float64 // of the body, m/s
	push     r3.Vec  // N·s
}

// BeginStep readies the events of a step.
func (c *Coupling) BeginStep() {
	e := &c.Events
	e.Entered, e.Left, e.Splashes, e.visited = e.Entered[:0], e.Left[:0], e.Splashes[:0], 0
}

// EachNewSplash visits the splashes of the step that it has not visited yet: where they are, as far as the bodies and two cells around them reach, m,
// and the speed at which they met the liquid, m/s.
func EachNewSplash(c *Coupling, visit func(x r3.Vec, radius, speed float64)) {
	e := &c.Events
	for _, s := range e.Splashes[e.visited:] {
		box := c.Solids[s.Body.Index].Bounds
		visit(s.Position, float64(reproducible.Norm(r3.Sub(box.Max, box.Min))/2)+float64(2*c.CellSize), s.Speed)
	}
	e.visited = len(e.Splashes)
}

const (
	// splashSpeed, m/s, is how fast a body and the liquid must meet to splash.
	splashSpeed = .5
	// leastSplash is the least impulse of a splash, in parts of what a cell of liquid has at splashSpeed: a film under a can that rolls
	// by gives less.
	leastSplash = .02
)

// addEvents records what happened to a body: it entered, left, or hit the liquid.
func (c *Coupling) addEvents(i int, wet bool, f r3.Vec, rows []int32) {
	s, e := &c.state[i], &c.Events
	e.push(s.id, reproducible.Scale(c.now.Dt, f))
	ev := Event{Index: i, ID: s.id}
	if wet != s.wet {
		if wet {
			e.Entered = append(e.Entered, ev)
			push, speed, edge := reproducible.Scale(c.now.Dt, f), c.meetingSpeed(i, rows), c.edges[i]
			impulse := reproducible.Norm(push)
			if speed > splashSpeed && impulse > leastSplash*c.now.Density*edge*edge*edge*splashSpeed {
				e.Splashes = append(e.Splashes, Splash{Body: ev, Impulse: impulse, Position: meanCentre(c.Graph, rows), Speed: speed, push: push})
			}
		} else {
			e.Left = append(e.Left, ev)
		}
		s.wet = wet
	}
}

// push adds what the liquid gives a body in a later substep to its splashes of the step.
func (e *Events) push(body uint64, impulse r3.Vec) {
	for k := range e.Splashes {
		if s := &e.Splashes[k]; s.Body.ID == body {
			s.push = r3.Add(s.push, impulse)
			s.Impulse = reproducible.Norm(s.push)
		}
	}
}

// meetingSpeed is the speed of body i against the liquid of some rows before they met, in the mean over these, m/s.
func (c *Coupling) meetingSpeed(i int, rows []int32) float64 {
	body := reproducible.Vector([3]float64(c.state[i].before[:3]))
	if len(rows) == 0 {
		return reproducible.Norm(body)
	}
	p := &c.unsolved.probe
	p.places, p.velocity = arrays.Resize(p.places, len(rows)), arrays.Resize(p.velocity, len(rows))
	for k, r := range rows {
		p.places[k] = reproducible.Vector(c.Graph.Centre[r])
	}
	c.Liquid.Velocity(p.velocity, p.places)
	mean := r3.Vec{}
	for _, u := range p.velocity {
		mean = r3.Add(mean, u)
	}
	return reproducible.Norm(r3.Sub(body, reproducible.Scale(1/float64(len(rows)), mean)))
}

// meanCentre is the middle of some rows, m.
func meanCentre(gr *graph.Graph, rows []int32) (m r3.Vec) {
	for _, r := range rows {
		m = r3.Add(m, reproducible.Vector(gr.Centre[r]))
	}
	return reproducible.Scale(1/float64(max(1, len(rows))), m)
}
