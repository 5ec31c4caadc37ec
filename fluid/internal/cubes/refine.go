package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// refinement is scratch of RefineAround.
type refinement struct {
	within  []bool    // per base cell: it is in the shape,
	covered []float64 // and solids cover that much of it, m³
}

// RefineAround makes the blocks near the surface of a shape finest, for an edit to be sharp there, and those in the shape in which coarse
// cells measure wrongly what solids leave open: the edit would be booked so.
//
// solids: those that there are now, apart from such as are smaller than a cell. measure measures what they leave open.
func (e *Edits) RefineAround(s shapes.SDF, solids []query.Solid, measure func()) {
	m := e.m
	g, f := m.Grid, &e.refining
	reach := e.blockReach()
	f.within, f.covered = arrays.Resize(f.within, g.Bases()), arrays.Resize(f.covered, g.Bases())
	clear(f.covered)
	for b := range int32(g.Bases()) {
		d := e.distanceTo(b, s.Eval)
		if f.within[b] = d <= -reach; d < reach && d > -reach {
			g.Set(b, layout.MaxLevel)
		}
	}
	if e.coverBlocks(solids) {
		g.Grade() // a lattice of tetrahedra measures a balanced layout alone
		measure()
		for b, covered := range f.covered {
			if e.measuredWrongly(int32(b), covered) {
				g.Set(int32(b), layout.MaxLevel)
			}
		}
	}
	g.Grade()
}

// SetViews changes the cameras that the cells' sizes are planned for. With an error the last good ones stay; see sizing.Sizer.
func (m *Blocks) SetViews(views ...query.View) error { return m.Sizer.SetViews(views...) }

// Views are the cameras', until the next SetViews.
func (m *Blocks) Views() []query.View { return m.Sizer.Views() }

// coverBlocks adds up, by samples, how much of each coarse block in the edit's shape solids cover, m³. It
// tells whether they cover any.
func (e *Edits) coverBlocks(solids []query.Solid) (any bool) {
	m := e.m
	g, f := m.Grid, &e.refining
	reach := e.blockReach()
	for _, s := range solids {
		if !boxes.Overlap(s.Bounds, m.Domain) {
			continue
		}
		m.Grid.EachBase(s.Bounds, func(b int32) {
			if !f.within[b] || g.Cur.Level[b] == layout.MaxLevel {
				return
			}
			if d := e.distanceTo(b, s.Distance); d < reach {
				f.covered[b] += e.coveredIn(b, s.Distance)
				any = any || f.covered[b] > 0
			}
		})
	}
	return any
}

// coveredIn is how much of a block, as far as it is in the domain, a solid covers, m³.
func (e *Edits) coveredIn(b int32, distance shapes.Distance) (volume float64) {
	m := e.m
	const bits, n = coverBits, 1 << coverBits
	h, corner := m.Grid.CellSize(coverBits), m.Grid.Corner(b)
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	var inside [3][n]float64 // of a cell's edge, m
	for a := range inside {
		for i := range inside[a] {
			x := corner[a] + float64(h*float64(i))
			inside[a][i] = max(0, min(x+h, hi[a])-max(x, lo[a]))
		}
	}
	m.Centres.Pts, m.Centres.Dist = arrays.Resize(m.Centres.Pts, n*n*n), arrays.Resize(m.Centres.Dist, n*n*n)
	for c := range m.Centres.Pts {
		at := func(a int) float64 { return corner[a] + float64(h*(float64(c>>(bits*a)&(n-1))+.5)) }
		m.Centres.Pts[c] = r3.Vec{X: at(0), Y: at(1), Z: at(2)}
	}
	distance(m.Centres.Dist, m.Centres.Pts)
	for c, d := range m.Centres.Dist {
		x, y, z := c&(n-1), c>>bits&(n-1), c>>(2*bits)
		volume += float64(float64(WetFraction(d, float32(h))) * inside[0][x] * inside[1][y] * inside[2][z])
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
func (e *Edits) measuredWrongly(b int32, covered float64) bool {
	m := e.m
	g := m.Grid
	if g.Cur.Level[b] == layout.MaxLevel || !(covered > 0) {
		return false
	}
	open, whole := 0., 1.
	first := g.Cur.First[b]
	for _, v := range m.Solids.Volume[first:][:1<<(3*g.Cur.Level[b])] {
		open += float64(v)
	}
	lo, hi, corner, edge := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max), g.Corner(b), float64(g.H*layout.Edge)
	for a := range 3 {
		whole *= max(0, min(corner[a]+edge, hi[a])-max(corner[a], lo[a]))
	}
	return math.Abs(max(0, whole-covered)-open) > coverSlack*edge*edge*edge
}
