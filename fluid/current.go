package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
)

// SideIndex names a side of the domain.
type SideIndex uint8

// The sides, in the order of the fields of Sides.
const (
	MinX SideIndex = iota
	MaxX
	MinY
	MaxY
	MinZ
	MaxZ
)

func (s SideIndex) String() string {
	if s > MaxZ {
		return fmt.Sprintf("SideIndex(%d)", uint8(s))
	}
	return [...]string{"MinX", "MaxX", "MinY", "MaxY", "MinZ", "MaxZ"}[s]
}

// Current is what flows through a side of the domain that is Flow. The zero value is a wall.
type Current struct {
	// Velocity is that through the side, m/s: into the domain, or if negative out of it.
	Velocity float64
	// Level is how high the liquid stands beyond the side, m: what comes in does so below it, and above it is a wall. It is measured against
	// gravity from the origin: for the usual gravity it is a y. What goes out does so as high as it stands within, and Level means nothing.
	Level float64
}

// SetCurrent changes the current through a side of the domain, from the next step on. The side must be Flow in Def.Sides. A Velocity beyond ±100 m/s,
// a Level that is not finite or, of what comes in, not within the domain, and a side that is not Flow are errors that name it, and nothing changes.
//
// What comes in is in Ledger.EmittedL, what goes out in DrainedL. Liquid that no air touches, as in a full pipe, takes in as much as goes out of it
// through other currents, the lesser of both; the report warns if that is nothing. Give both ends of a river the same velocity, one in and
// one out: the level at the far end then comes to that of the near end in about the time that the liquid takes from one to the other. On an
// Open side the river falls off.
func (l *Liquid) SetCurrent(side SideIndex, c Current) error {
	defer l.enter(&callguard.SetCurrent).leave()
	sides, to := &l.sim.around.Flows.Sides, flows.Current(c)
	if err := sides.Check(int(side), side, to, l.sim.around.Up()); err != nil {
		return fmt.Errorf("fluid: SetCurrent: %w", err)
	}
	if sides.SetCurrent(int(side), to) {
		l.sim.sleep.wakeAll()
	}
	return nil
}

// Current is what flows through a side of the domain; of one that is not Flow, the zero value.
func (l *Liquid) Current(side SideIndex) Current {
	defer l.enter(&callguard.Current).leave()
	if side > MaxZ {
		return Current{}
	}
	return Current(l.sim.around.Flows.Sides.Current(int(side)))
}
