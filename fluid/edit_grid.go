package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// refineAt makes the blocks near the surface of a shape finest, for an edit to be sharp there, and those in the shape that solids cut:
// in a cell much larger than a solid, what the solid leaves open is measured wrongly, and the edit would be booked so.
func (l *Liquid) refineAt(s SDF) {
	g, w := l.grid, &l.world
	reach := l.blockReach()
	w.within = resize(w.within, g.Bases())
	for b := range int32(g.Bases()) {
		d := l.distanceTo(b, s.Eval)
		if w.within[b] = d <= -reach; d < reach && d > -reach {
			g.Set(b, grid.MaxLevel)
		}
	}
	l.eachSolidNearby(func(b int32, distance func(dst []float32, pts []r3.Vec)) {
		if w.within[b] && g.Cur.Level[b] < grid.MaxLevel {
			if d := l.distanceTo(b, distance); d < reach && d > -reach {
				g.Set(b, grid.MaxLevel)
			}
		}
	})
	l.gradeLevels()
	l.relayout()
	l.sizer.Restart(1)
}

// blockReach is the distance from a block's middle within which a surface counts as in or at the block, m.
func (l *Liquid) blockReach() float32 {
	return float32(l.grid.H * grid.Edge * (math.Sqrt(3)/2 + .25))
}

// distanceTo is the distance of a block's middle, m.
func (l *Liquid) distanceTo(b int32, eval func(dst []float32, pts []r3.Vec)) float32 {
	var pts [1]r3.Vec
	var dist [1]float32
	half := float64(l.grid.H * grid.Edge / 2)
	pts[0] = r3.Add(toVec(l.grid.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
	eval(dist[:], pts[:])
	return dist[0]
}

// eachSolidNearby calls visit for obstacles and bodies where they are now, and the blocks that their bounds meet. Bodies smaller than a
// cell are left out: the grid does not hold them.
func (l *Liquid) eachSolidNearby(visit func(b int32, distance func(dst []float32, pts []r3.Vec))) {
	w, c := &l.world, &l.coupling
	near := func(box r3.Box, distance func(dst []float32, pts []r3.Vec)) {
		if overlaps(box, l.def.Domain) {
			l.eachBase(box, func(b int32) { visit(b, distance) })
		}
	}
	for _, o := range w.obstacles {
		if s := o.inPlace(); !o.aside {
			near(s.Bounds(), s.Eval)
		}
	}
	for i := range c.count() {
		if c.fault(i) != "" || !c.takes(i) {
			continue
		}
		if box := c.bodies.Bounds(i); exact.Norm(box.Size()) >= l.def.CellSize {
			near(box, func(dst []float32, pts []r3.Vec) { c.bodies.Distance(i, dst, pts) })
		}
	}
}

// gradeLevels refines blocks until neighbours differ by one level at most.
func (l *Liquid) gradeLevels() {
	g := l.grid
	for again := true; again; {
		again = false
		for b := range int32(g.Bases()) {
			for _, nb := range g.Neighbour[b] {
				if nb != grid.None && g.Cur.Level[nb] > g.Cur.Level[b]+1 {
					g.Set(b, g.Cur.Level[nb]-1)
					again = true
				}
			}
		}
	}
}
