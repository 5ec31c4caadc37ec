package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
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

// fastestCurrent, m/s, is more than any that a grid could follow.
const fastestCurrent = 100

// SetCurrent changes the current through a side of the domain, from the next step on. The side must be Flow in Def.Sides. A Velocity beyond
// ±100 m/s, a Level that is not finite or, of what comes in, not within the domain, and a side that is not Flow are errors that name it, and nothing
// changes.
//
// What comes in is in Ledger.EmittedL, what goes out in DrainedL. Liquid that no air touches, as in a full pipe, takes in as much as goes out of it
// through other currents, the lesser of both; the report warns if that is nothing. Give both ends of a river the same velocity, one in and
// one out: the level at the far end then comes to that of the near end in about the time that the liquid takes from one to the other. On an
// Open side the river falls off.
func (l *Liquid) SetCurrent(side SideIndex, c Current) error {
	defer l.enter(&inSetCurrent).leave()
	if err := l.checkCurrent(side, c); err != nil {
		return fmt.Errorf("fluid: SetCurrent: %w", err)
	}
	to := &l.currents.side[side]
	if to.Current == c {
		return nil
	}
	if c.Velocity <= 0 {
		to.debt = 0
	}
	to.Current = c
	l.wakeAll()
	return nil
}

// Current is what flows through a side of the domain; of one that is not Flow, the zero value.
func (l *Liquid) Current(side SideIndex) Current {
	defer l.enter(&inCurrent).leave()
	if side > MaxZ {
		return Current{}
	}
	return l.currents.side[side].Current
}

func (l *Liquid) checkCurrent(side SideIndex, c Current) error {
	if side > MaxZ {
		return fmt.Errorf("side: %v; must be MinX to MaxZ", side)
	}
	if l.def.Sides.list()[side] != Flow {
		return fmt.Errorf("side: Def.Sides.%v is not Flow", side)
	}
	if !(math.Abs(c.Velocity) <= fastestCurrent) {
		return fmt.Errorf("Velocity: %v m/s at %v; must be within ±%d", c.Velocity, side, fastestCurrent)
	}
	if !finite(c.Level) {
		return fmt.Errorf("Level: %v m at %v; must be finite", c.Level, side)
	}
	lowest, highest := heights(l.def.Domain, l.up())
	if c.Velocity > 0 && !(c.Level > lowest && c.Level <= highest) {
		return fmt.Errorf("Level: %v m at %v; must be above %g and up to %g, in the domain", c.Level, side, lowest, highest)
	}
	return nil
}

// heights is how low and how high a box reaches along a unit vector, m.
func heights(b r3.Box, up r3.Vec) (lowest, highest float64) {
	lo, hi := reproducible.Array(b.Min), reproducible.Array(b.Max)
	for a, u := range reproducible.Array(up) {
		lowest += float64(u * lo[a])
		highest += float64(u * hi[a])
		if u < 0 {
			d := float64(u * (hi[a] - lo[a]))
			lowest, highest = lowest+d, highest-d
		}
	}
	return lowest, highest
}

// currents are what flows through the domain's sides. Beyond a side that is Flow the cells are solid, as beyond a wall. What comes in fills the cells
// beside the side up to the level and enters the pressure solve as a source in them, of as much as would pass the side; what goes out is a sink. The
// side's faces, which no row has, get the velocity for all that is interpolated from them.
type currents struct {
	side   [6]current
	cells  []sideCell   // of this substep, side by side
	sealed []sealedFlow // per component; means nothing of those that air touches
}

type current struct {
	Current
	debt     float64 // what should have come and didn't yet, m³
	push     float64 // what is to be pressed in beside what fills cells, m³/s
	tight    bool    // what it comes into had no air to give way in the last step
	from, to int     // its cells
	box      r3.Box  // their middles, m
}

// sideCell is a cell beside a side that is Flow.
type sideCell struct {
	base, cell int32
	outer      int32   // slot of its face on the side; -1 if that isn't one of its faces
	edge       float32 // m
	above      float32 // how far its middle is above the level, m
	before     float32 // φ before raise, m
	area       float64 // through which liquid passes the side, m²
}

// Wet is the area below the level, m².
func (c *sideCell) wet() float64 {
	return float64(c.area * float64(adaptive.WetFraction(c.above, c.edge)))
}

// under is the area that is wet on both sides, m².
func (c *sideCell) under(phi []float32) float64 {
	return float64(c.area * float64(min(adaptive.WetFraction(c.above, c.edge), adaptive.WetFraction(phi[c.cell], c.edge))))
}

// standing is the area that is wet within, m².
func (c *sideCell) standing(phi []float32) float64 {
	return float64(c.area * float64(adaptive.WetFraction(phi[c.cell], c.edge)))
}

// flows tells whether there is a current.
func (c *currents) flows() bool {
	for i := range c.side {
		if c.side[i].Velocity != 0 {
			return true
		}
	}
	return false
}

// of is a side's cells.
func (c *currents) of(s *current) []sideCell { return c.cells[s.from:s.to] }

// appendFlowingSides lists the sides through which a current flows, m.
func (l *Liquid) appendFlowingSides(dst []r3.Box) []r3.Box {
	for side := range l.currents.side {
		if l.currents.side[side].Velocity != 0 {
			dst = append(dst, l.justWithin(side))
		}
	}
	return dst
}

// justWithin is a plane of the domain as near to a side as makes no difference, m.
func (l *Liquid) justWithin(side int) r3.Box {
	lo, hi, in := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max), l.def.CellSize/1e3
	for a := range lo {
		lo[a], hi[a] = lo[a]+in, hi[a]-in
	}
	if a := side / 2; side&1 == 0 {
		hi[a] = lo[a]
	} else {
		lo[a] = hi[a]
	}
	return r3.Box{Min: reproducible.Vector(lo), Max: reproducible.Vector(hi)}
}

// code goes along the currents of the sides that are Flow; a liquid without such sides has none.
func (c *currents) code(d *codec.Codec, sides [6]Side) {
	d.Part("currents")
	for i, s := range sides {
		if s == Flow {
			to := &c.side[i]
			d.Float64(&to.Velocity, -fastestCurrent, fastestCurrent)
			d.Float64(&to.Level, -math.MaxFloat64, math.MaxFloat64)
			d.Float64(&to.debt, -math.MaxFloat64, math.MaxFloat64)
		}
	}
}

// readSide lists the cells beside a side whose middles are half a cell from it or more: of a cell of which the side leaves less there is the
// next.
func (l *Liquid) readSide(side int) {
	g, c, s := l.m.Grid, &l.currents, &l.currents.side[side]
	axis, high := side/2, side&1
	wall := reproducible.Array(l.def.Domain.Min)[axis]
	if high == 1 {
		wall = reproducible.Array(l.def.Domain.Max)[axis]
	}
	up, level := l.up(), s.Level
	if _, highest := heights(l.def.Domain, up); level >= highest-float64(sideSlack*l.def.CellSize) {
		level = highest + float64(l.def.CellSize*grid.Edge) // cells that the domain's lid cuts are wet as far as there is of them
	}
	l.m.EachBase(l.justWithin(side), func(b int32) {
		h, edge := g.CellSize(g.Cur.Level[b]), float64(g.H*grid.Edge)
		depth := g.Corner(b)[axis] + edge - wall // of what the base cell has within the domain
		if high == 1 {
			depth = edge - depth
		}
		atSide := true
		if depth < float64(h*(.5-sideSlack)) {
			if b = g.Neighbour[b][2*axis+1-high]; b < 0 {
				return
			}
			h, depth, atSide = g.CellSize(g.Cur.Level[b]), edge, false
		}
		layer := max(0, int(math.Floor(depth/h-.5+sideSlack))) // counted from the other end
		thick := min(h, depth-float64(float64(layer)*h))
		atSide = atSide && depth-float64(float64(layer+1)*h) < sideSlack*h
		n := 1 << g.Cur.Level[b]
		layer = min(layer, n-1)
		if high == 0 {
			layer = n - 1 - layer
		}
		for k := range n * n {
			var at [3]int
			at[axis], at[(axis+1)%3], at[(axis+2)%3] = layer, k%n, k/n
			l.addSideCell(s, b, axis, high, at, thick, h, up, level, atSide)
		}
	})
	s.to = len(c.cells)
}

const sideSlack = 1e-6 // of a cell: rounding

// addSideCell adds one cell to the list, of which so much, m, is within the domain across the side.
func (l *Liquid) addSideCell(s *current, b int32, axis, high int, at [3]int, thick, h float64, up r3.Vec, level float64, atSide bool) {
	g := l.m.Grid
	cell := int32(g.Cur.Cell(b, at[0], at[1], at[2]))
	volume := float64(l.m.Solids.Volume[cell])
	if volume <= 0 {
		return
	}
	corner := g.Corner(b)
	var x [3]float64
	for a := range x {
		x[a] = corner[a] + float64((float64(at[a])+.5)*h)
	}
	outer := int32(-1)
	if at[axis] += high; atSide {
		outer = int32(g.FaceCell(b, axis, at))
	}
	middle := reproducible.Vector(x)
	if len(l.currents.cells) == s.from {
		s.box = r3.Box{Min: middle, Max: middle}
	}
	s.box = r3.Box{Min: boxes.Min(s.box.Min, middle), Max: boxes.Max(s.box.Max, middle)}
	l.m.Volumes.Exempt(b)
	l.currents.cells = append(l.currents.cells, sideCell{
		base: b, cell: cell, outer: outer, edge: float32(h), above: float32(reproducible.Dot(up, middle) - level), area: min(volume/thick, float64(h*h)),
	})
}
