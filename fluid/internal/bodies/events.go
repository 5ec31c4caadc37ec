package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Events are the events of bodies in a step.
type Events struct {
	Entered, Left []Event
	Splashes      []Splash
	visited       int // Splashes already visited by EachNewSplash
}

// Event identifies a body by its index in that step and its ID.
type Event struct {
	Index int
	ID    uint64
}

// Splash is the impact of a body on the liquid, from first contact to the end of the step.
type Splash struct {
	Body     Event
	Impulse  float64 // N·s
	Position r3.Vec  // m
	Speed    float64 // of the body, m/s
	push     r3.Vec  // N·s
}

// BeginStep clears the events.
func (c *Coupling) BeginStep() {
	e := &c.Events
	e.Entered, e.Left, e.Splashes, e.visited = e.Entered[:0], e.Left[:0], e.Splashes[:0], 0
}

// EachNewSplash visits the splashes that it has not visited in this step: the place, the radius of the body's bounds plus two cells, m,
// and the relative speed at impact, m/s.
func EachNewSplash(c *Coupling, visit func(x r3.Vec, radius, speed float64)) {
	e := &c.Events
	for _, s := range e.Splashes[e.visited:] {
		box := c.Solids[s.Body.Index].Bounds
		visit(s.Position, float64(reproducible.Norm(r3.Sub(box.Max, box.Min))/2)+float64(2*c.CellSize), s.Speed)
	}
	e.visited = len(e.Splashes)
}

const (
	// splashSpeed, m/s, is the least relative speed of a splash.
	splashSpeed = .5
	// leastSplash is the least impulse of a splash, relative to that of a cell of liquid at splashSpeed. A film under a rolling can
	// gives less.
	leastSplash = .02
)

// addEvents records whether body i entered, left, or hit the liquid.
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

// push adds the liquid's impulse on a body in a later substep to its splashes of the step.
func (e *Events) push(body uint64, impulse r3.Vec) {
	for k := range e.Splashes {
		if s := &e.Splashes[k]; s.Body.ID == body {
			s.push = r3.Add(s.push, impulse)
			s.Impulse = reproducible.Norm(s.push)
		}
	}
}

// meetingSpeed returns the speed of body i relative to the liquid in some rows before contact, averaged over the rows, m/s.
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

// meanCentre returns the mean centre of some rows, m.
func meanCentre(gr *graph.Graph, rows []int32) (m r3.Vec) {
	for _, r := range rows {
		m = r3.Add(m, reproducible.Vector(gr.Centre[r]))
	}
	return reproducible.Scale(1/float64(max(1, len(rows))), m)
}
