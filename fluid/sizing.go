package fluid

import (
	"cmp"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// Sizing has cells inside of the liquid be finer for what happens there, besides at the surface, around bodies and where the camera looks: their edges are to be at most
//
//	CellSize + min(Distance·d, CellSize·Vorticity·(1-ω)),
//
// where d is the distance to the surface and to what moves in the liquid, and ω is how fast the liquid turns, from 0 to 1. A weight of 0 leaves its term out, so that the zero
// value leaves the inside to the other criteria, which get coarser by a level every 8 cells. What a camera sees in a pixel stays in one cell, out of view Numerics.InvisibleLevel holds,
// and the budget takes from the eddies as it takes from the surface.
//
// It is worth its cost where eddies are to live on or be seen, such as in a tank that is stirred, around the bodies of swimmers, or in smoke of particles in a full domain. Water
// that only splashes does without.
//
// Source: the sizing field of Klingner et al. 2006, eq. 5; the liquid has no smoke of its own for its third term.
type Sizing struct {
	// Distance is by how much edges may grow with the distance, m per m: 0.05 to 0.12, say. With more the other criteria ask for finer cells anyway; 0.06 about doubles the
	// cells of a pool that is 60 finest cells deep.
	Distance float64
	// Vorticity is by how many CellSizes edges may be longer where the liquid does not turn, 7 for cells of all four sizes. The greater it is the fewer eddies but the
	// strongest have fine cells.
	Vorticity float64
	// Turn is the vorticity that counts as ω = 1, 1/s; greater ones do as well. 0 means 1 with a Vorticity, which is what turns once in 13 s. A tenth of what the eddies
	// that matter have in their cores is right: with more, cells are fine in the cores alone, and what surrounds them is smoothed away as in large cells.
	Turn float64
}

// Limits of Numerics.ViewGain, cells per pixel.
const leastGain, mostGain = 1e-3, 1e3

// Limits of Sizing: m/m, CellSizes, and 1/s.
const mostSlope, mostLonger, leastTurn, mostTurn = 1e3, 1e3, 1e-6, 1e6

// withDefaults fills in Turn.
func (s Sizing) withDefaults() Sizing {
	if s.Vorticity > 0 {
		s.Turn = cmp.Or(s.Turn, 1)
	}
	return s
}

// check reports what is out of its limits.
func (s Sizing) check(inRange func(name string, v, lo, hi float64, unit string)) {
	inRange("Numerics.Sizing.Distance", s.Distance, 0, mostSlope, "")
	inRange("Numerics.Sizing.Vorticity", s.Vorticity, 0, mostLonger, " cells")
	if s.Turn != 0 {
		inRange("Numerics.Sizing.Turn", s.Turn, leastTurn, mostTurn, " 1/s")
	}
}

// What stands above Numerics.InvisibleLevel in a state: which of Sizing and ViewGain are set.
const setSizing, setGain = 1, 2

// codeSizing goes along Numerics.InvisibleLevel and, where they are set, Sizing and ViewGain. A state without them is what it was before there were any.
func (n *Numerics) codeSizing(c *codec.Codec) {
	set := 0
	if n.Sizing != (Sizing{}) {
		set |= setSizing
	}
	if n.ViewGain != 1 {
		set |= setGain
	}
	level, has := c.Halves(n.InvisibleLevel, set, math.MaxInt32, setSizing|setGain)
	switch {
	case level != n.InvisibleLevel:
		c.Fail("Numerics.InvisibleLevel is not what it was when this was saved")
	case (has^set)&setSizing != 0:
		c.Fail("Numerics.Sizing is not what it was when this was saved")
	case has != set:
		c.Fail("Numerics.ViewGain is not what it was when this was saved")
	}
	if set&setSizing != 0 {
		c.SameFloats("Numerics.Sizing", n.Sizing.Distance, n.Sizing.Vorticity, n.Sizing.Turn)
	}
	if set&setGain != 0 {
		c.SameFloats("Numerics.ViewGain", n.ViewGain)
	}
}
