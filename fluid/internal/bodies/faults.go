package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// bodyGuard is the guard of a body's distance.
type bodyGuard struct {
	id       uint64
	fault    *shapes.Fault
	setAside bool
}

// guardBodies keeps the guards with the bodies they belong to.
func (c *Coupling) guardBodies() {
	same := len(c.guards) == len(c.state)
	for i := 0; same && i < len(c.guards); i++ {
		same = c.guards[i].id == c.state[i].id
	}
	if same {
		return
	}
	old := make(map[uint64]bodyGuard, len(c.guards))
	for _, g := range c.guards {
		old[g.id] = g
	}
	c.guards = arrays.Resize(c.guards, len(c.state))
	for i := range c.guards {
		id := c.state[i].id
		g, known := old[id]
		if delete(old, id); !known {
			g = bodyGuard{id: id, fault: new(shapes.Fault)}
		}
		c.guards[i] = g
	}
}

// ReviewFaults leaves bodies out whose distances were none in the last step, and takes those back that are sane again. It tells whether
// stillThere are such.
func (c *Coupling) ReviewFaults() (some bool) {
	if len(c.guards) == 0 || c.Count() != len(c.guards) {
		return false
	}
	for i := range c.guards {
		g := &c.guards[i]
		if !g.fault.Seen() || c.Bodies.ID(i) != g.id {
			continue
		}
		switch sane := c.bodySane(i); {
		case sane && g.setAside:
			g.setAside = false
			g.fault.Forget()
		case g.setAside:
			continue
		default:
			g.setAside = true
		}
		c.changed, some = true, true
	}
	return some
}

// bodySane tells whether a body tells numbers again.
func (c *Coupling) bodySane(i int) bool {
	return c.guards[i].fault.Gone(c.Bodies.Bounds(i), func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) })
}

// WarnOfFaults names the bodies that told distances that are none, once, as they are set aside.
func (c *Coupling) WarnOfFaults() {
	for i := range min(len(c.guards), len(c.state)) {
		g, s := &c.guards[i], &c.state[i]
		if g.fault.Seen() && g.id == s.id && s.warned == "" {
			c.warnAside(i, g.fault.Text())
		}
	}
}
