package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// refineAt makes the blocks near the surface of a shape finest, for an edit to be sharp there, and those in the shape in which coarse
// cells measure wrongly what solids leave open: the edit would be booked so.
func (l *Liquid) refineAt(s SDF) {
	g, w := l.m.Grid, &l.world
	reach := l.m.BlockReach()
	w.within, w.covered = arrays.Resize(w.within, g.Bases()), arrays.Resize(w.covered, g.Bases())
	clear(w.covered)
	for b := range int32(g.Bases()) {
		d := l.m.DistanceTo(b, s.Eval)
		if w.within[b] = d <= -reach; d < reach && d > -reach {
			g.Set(b, grid.MaxLevel)
		}
	}
	if l.coverBlocks() {
		l.rereadSolids()
		for b, covered := range w.covered {
			if l.measuredWrongly(int32(b), covered) {
				g.Set(int32(b), grid.MaxLevel)
			}
		}
	}
	l.m.GradeLevels()
	l.relayout()
	l.m.Sizer.Restart(1)
}

// coverBlocks adds up, by samples, how much of each coarse block in the edit's shape solids cover, m³. It
// tells whether they cover any.
func (l *Liquid) coverBlocks() (any bool) {
	w, g := &l.world, l.m.Grid
	reach := l.m.BlockReach()
	l.eachSolidNearby(func(b int32, distance func(dst []float32, pts []r3.Vec)) {
		if !w.within[b] || g.Cur.Level[b] == grid.MaxLevel {
			return
		}
		if d := l.m.DistanceTo(b, distance); d < reach {
			w.covered[b] += l.coveredIn(b, distance)
			any = any || w.covered[b] > 0
		}
	})
	return any
}

// coveredIn is how much of a block, as far as it is in the domain, a solid covers, m³.
func (l *Liquid) coveredIn(b int32, distance func(dst []float32, pts []r3.Vec)) (volume float64) {
	const bits, n = coverBits, 1 << coverBits
	h, corner := l.m.Grid.CellSize(coverBits), l.m.Grid.Corner(b)
	lo, hi := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max)
	var inside [3][n]float64 // of a cell's edge, m
	for a := range inside {
		for i := range inside[a] {
			x := corner[a] + float64(h*float64(i))
			inside[a][i] = max(0, min(x+h, hi[a])-max(x, lo[a]))
		}
	}
	l.m.Pts, l.m.Dist = arrays.Resize(l.m.Pts, n*n*n), arrays.Resize(l.m.Dist, n*n*n)
	for c := range l.m.Pts {
		at := func(a int) float64 { return corner[a] + float64(h*(float64(c>>(bits*a)&(n-1))+.5)) }
		l.m.Pts[c] = r3.Vec{X: at(0), Y: at(1), Z: at(2)}
	}
	distance(l.m.Dist, l.m.Pts)
	for c, d := range l.m.Dist {
		x, y, z := c&(n-1), c>>bits&(n-1), c>>(2*bits)
		volume += float64(float64(adaptive.WetFraction(d, float32(h))) * inside[0][x] * inside[1][y] * inside[2][z])
	}
	return volume
}

// coverBits is the level of the samples of what solids cover, whose edges they miss by some 2 % of a block. coverSlack is what part of a
// block coarse cells may measure wrongly: to refine around every pebble for less would cost more than it is worth.
const (
	coverBits  = 2
	coverSlack = .05
)

// measuredWrongly tells whether the coarse cells of a block leave more or less of it open than what is not covered, m³. Where solids
// overlap more counts as covered than is.
func (l *Liquid) measuredWrongly(b int32, covered float64) bool {
	g := l.m.Grid
	if g.Cur.Level[b] == grid.MaxLevel || !(covered > 0) {
		return false
	}
	open, whole := 0., 1.
	first := g.Cur.First[b]
	for _, v := range l.m.Solids.Volume[first:][:1<<(3*g.Cur.Level[b])] {
		open += float64(v)
	}
	lo, hi, corner, edge := reproducible.Array(l.def.Domain.Min), reproducible.Array(l.def.Domain.Max), g.Corner(b), float64(g.H*grid.Edge)
	for a := range 3 {
		whole *= max(0, min(corner[a]+edge, hi[a])-max(corner[a], lo[a]))
	}
	return math.Abs(max(0, whole-covered)-open) > coverSlack*edge*edge*edge
}

// eachSolidNearby calls visit for the obstacles and bodies that there are now, and the blocks that their bounds meet. Obstacles that don't
// move are one solid. Bodies smaller than a cell are left out: the grid does not hold them.
func (l *Liquid) eachSolidNearby(visit func(b int32, distance func(dst []float32, pts []r3.Vec))) {
	w, c := &l.world, l.coupling
	near := func(box r3.Box, distance func(dst []float32, pts []r3.Vec)) {
		if boxes.Overlap(box, l.def.Domain) {
			l.m.EachBase(box, func(b int32) { visit(b, distance) })
		}
	}
	if len(w.static.Shapes()) > 0 {
		near(w.static.Bounds(), w.staticDistance)
	}
	for _, o := range w.obstacles {
		if o.moves && !o.setAside {
			near(o.placed.Bounds(), o.placed.Eval)
		}
	}
	c.EachTaken(func(i int, box r3.Box) {
		if reproducible.Norm(box.Size()) >= l.def.CellSize {
			near(box, func(dst []float32, pts []r3.Vec) { c.Bodies.Distance(i, dst, pts) })
		}
	})
}
