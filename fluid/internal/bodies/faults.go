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

// matchGuards keeps the guards with the bodies they belong to.
func (san *Sanitizer) matchGuards() {
	c := san.c
	same := len(san.guards) == len(c.state)
	for i := 0; same && i < len(san.guards); i++ {
		same = san.guards[i].id == c.state[i].id
	}
	if same {
		return
	}
	old := make(map[uint64]bodyGuard, len(san.guards))
	for _, g := range san.guards {
		old[g.id] = g
	}
	san.guards = arrays.Resize(san.guards, len(c.state))
	for i := range san.guards {
		id := c.state[i].id
		g, known := old[id]
		if delete(old, id); !known {
			g = bodyGuard{id: id, fault: new(shapes.Fault)}
		}
		san.guards[i] = g
	}
}

// ReviewFaults leaves bodies out whose distances were none in the last step, and takes those back that are sane again. It reports whether
// there are such.
func (san *Sanitizer) ReviewFaults() (some bool) {
	c := san.c
	if len(san.guards) == 0 || c.Count() != len(san.guards) {
		return false
	}
	for i := range san.guards {
		g := &san.guards[i]
		if !g.fault.Seen() || c.Bodies.ID(i) != g.id {
			continue
		}
		switch sane := san.sane(i); {
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

// sane reports whether a body tells numbers again.
func (san *Sanitizer) sane(i int) bool {
	return san.guards[i].fault.Cleared(san.c.Bodies.Bounds(i), func(dst []float32, pts []r3.Vec) { san.c.Bodies.Distance(i, dst, pts) })
}

// WarnOfFaults names the bodies that told distances that are none, once, as they are set aside.
func (san *Sanitizer) WarnOfFaults() {
	for i := range min(len(san.guards), len(san.c.state)) {
		g, s := &san.guards[i], &san.c.state[i]
		if g.fault.Seen() && g.id == s.id && s.warned == "" {
			san.warnAside(i, g.fault.Text())
		}
	}
}
