package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// spare, in cells of a block, is how much further than it moves liquid may come in a step: to the middle of the cell that it comes
// into and across a face of the one beside it; and half a cell for what φ is out by.
const spare = 2

// nearLiquid tells where liquid may come in this step: no further than what is on the move in and beside a block.
func (l *Liquid) nearLiquid() blocks.Near {
	l.placeFields()
	i, g, dt := &l.m.Survey, l.m.Grid, l.m.Dt
	fall, everywhere := float64(dt*dt*l.world.strongest), float32(math.Inf(1))
	for b := range i.Reach {
		if g.Cur.First[b] != g.Prev.First[b] {
			i.Reach[b] = everywhere
			continue
		}
		i.Reach[b] = float32(float64(spare*g.CellSize(g.Cur.Level[b])) + float64(dt*float64(i.SpeedAround(g, b))) + fall)
	}
	i.Openings = l.appendOpenings(i.Openings[:0])
	for _, opening := range i.Openings {
		l.m.EachBase(boxes.Grown(opening, stirReach*l.def.CellSize), func(b int32) { i.Reach[b] = everywhere })
	}
	c := &l.coupling
	for s := range c.solid { // liquid that a thin wall passes over comes as far as the wall
		if solid := &c.solid[s]; solid.Thin && c.wallMotions[s].Moves() {
			box := l.inDomain(solid.Bounds)
			travel := c.wallMotions[s].Farthest(box)
			l.m.EachBase(boxes.Grown(box, travel), func(b int32) { i.Reach[b] += float32(travel) })
		}
	}
	return blocks.Near{Phi: l.m.Set.Phi, Reach: i.Reach}
}
