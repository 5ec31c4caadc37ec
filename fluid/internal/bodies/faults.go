package bodies

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// bodyGuard guards the distance of a body.
type bodyGuard struct {
	id       uint64
	fault    *shapes.Fault
	setAside bool
}

// matchGuards moves the guards to the bodies' new indices.
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

// ReviewFaults sets bodies aside whose distances were invalid in the last step, and takes those back whose distances are valid again. It reports whether
// something changed.
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
		switch valid := san.valid(i); {
		case valid && g.setAside:
			g.setAside = false
			g.fault.Reset()
		case g.setAside:
			continue
		default:
			g.setAside = true
		}
		c.changed, some = true, true
	}
	return some
}

// valid reports whether a body now returns valid distances.
func (san *Sanitizer) valid(i int) bool {
	return san.guards[i].fault.Cleared(san.c.Bodies.Bounds(i), func(dst []float32, pts []r3.Vec) { san.c.Bodies.Distance(i, dst, pts) })
}

// WarnOfFaults warns once of each body set aside for invalid distances.
func (san *Sanitizer) WarnOfFaults() {
	for i := range min(len(san.guards), len(san.c.state)) {
		g, s := &san.guards[i], &san.c.state[i]
		if g.fault.Seen() && g.id == s.id && s.warned == "" {
			san.warnAside(i, g.fault.Text())
		}
	}
}
