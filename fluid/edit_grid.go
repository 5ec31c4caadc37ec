package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// refineAt makes the blocks near the surface of a shape finest, for an edit to be sharp there, and those in the shape in which coarse
// cells measure wrongly what solids leave open: the edit would be booked so.
func (l *Liquid) refineAt(s SDF) {
	g, w := l.grid, &l.world
	reach := l.blockReach()
	w.within, w.covered = arrays.Resize(w.within, g.Bases()), arrays.Resize(w.covered, g.Bases())
	clear(w.covered)
	for b := range int32(g.Bases()) {
		d := l.distanceTo(b, s.Eval)
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
	l.gradeLevels()
	l.relayout()
	l.sizer.Restart(1)
}

// coverBlocks adds up, by samples, how much of each coarse block in the edit's shape solids cover, m³. It
// tells whether they cover any.
func (l *Liquid) coverBlocks() (any bool) {
	w, g := &l.world, l.grid
	reach := l.blockReach()
	l.eachSolidNearby(func(b int32, distance func(dst []float32, pts []r3.Vec)) {
		if !w.within[b] || g.Cur.Level[b] == grid.MaxLevel {
			return
		}
		if d := l.distanceTo(b, distance); d < reach {
			w.covered[b] += l.coveredIn(b, distance)
			any = any || w.covered[b] > 0
		}
	})
	return any
}

// coveredIn is how much of a block, as far as it is in the domain, a solid covers, m³.
func (l *Liquid) coveredIn(b int32, distance func(dst []float32, pts []r3.Vec)) (volume float64) {
	const bits, n = coverBits, 1 << coverBits
	w, h, corner := &l.world, l.grid.CellSize(coverBits), l.grid.Corner(b)
	lo, hi := array(l.def.Domain.Min), array(l.def.Domain.Max)
	var inside [3][n]float64 // of a cell's edge, m
	for a := range inside {
		for i := range inside[a] {
			x := corner[a] + float64(h*float64(i))
			inside[a][i] = max(0, min(x+h, hi[a])-max(x, lo[a]))
		}
	}
	w.pts, w.dist = arrays.Resize(w.pts, n*n*n), arrays.Resize(w.dist, n*n*n)
	for c := range w.pts {
		at := func(a int) float64 { return corner[a] + float64(h*(float64(c>>(bits*a)&(n-1))+.5)) }
		w.pts[c] = r3.Vec{X: at(0), Y: at(1), Z: at(2)}
	}
	distance(w.dist, w.pts)
	for c, d := range w.dist {
		x, y, z := c&(n-1), c>>bits&(n-1), c>>(2*bits)
		volume += float64(float64(wetFraction(d, float32(h))) * inside[0][x] * inside[1][y] * inside[2][z])
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
	g := l.grid
	if g.Cur.Level[b] == grid.MaxLevel || !(covered > 0) {
		return false
	}
	open, whole := 0., 1.
	first := g.Cur.First[b]
	for _, v := range l.solids.Volume[first:][:1<<(3*g.Cur.Level[b])] {
		open += float64(v)
	}
	lo, hi, corner, edge := array(l.def.Domain.Min), array(l.def.Domain.Max), g.Corner(b), float64(g.H*grid.Edge)
	for a := range 3 {
		whole *= max(0, min(corner[a]+edge, hi[a])-max(corner[a], lo[a]))
	}
	return math.Abs(max(0, whole-covered)-open) > coverSlack*edge*edge*edge
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

// eachSolidNearby calls visit for the obstacles and bodies that there are now, and the blocks that their bounds meet. Obstacles that don't
// move are one solid. Bodies smaller than a cell are left out: the grid does not hold them.
func (l *Liquid) eachSolidNearby(visit func(b int32, distance func(dst []float32, pts []r3.Vec))) {
	w, c := &l.world, &l.coupling
	near := func(box r3.Box, distance func(dst []float32, pts []r3.Vec)) {
		if overlaps(box, l.def.Domain) {
			l.eachBase(box, func(b int32) { visit(b, distance) })
		}
	}
	if len(w.static.shapes) > 0 {
		near(w.static.Bounds(), w.staticDistance)
	}
	for _, o := range w.obstacles {
		if o.moves && !o.setAside {
			near(o.placed.Bounds(), o.placed.Eval)
		}
	}
	for i := range c.count() {
		if c.badPlaceOf(i) != "" || !c.takes(i) {
			continue
		}
		if box := c.bodies.Bounds(i); reproducible.Norm(box.Size()) >= l.def.CellSize {
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
