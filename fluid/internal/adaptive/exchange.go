package adaptive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Exchange is what a substep puts into the grid and takes out of it, per base cell.
type Exchange struct {
	Put    []float64 // what came through open sides, m³, so less than 0
	Spilt  []float64 // what left through open sides, m³
	Opened []bool    // an opening or a Flow side is there, which fills cells: what the block gains is not the surface's error
}

func (x *Exchange) init(bases int) {
	x.Put, x.Spilt, x.Opened = make([]float64, bases), make([]float64, bases), make([]bool, bases)
}

// Gain is a volume of liquid, m³, that came at a place, m, or if negative went.
type Gain struct {
	Place  r3.Vec
	Volume float64
}

// Sources is what a step adds to the pressure solve.
type Sources struct {
	Rows   []float64 // per row, m³/s
	Target []float64 // per component: what it is to hold after the step, m³
}

// draw adds a negative source, m³/s, to a row, and takes it from what the row's component is to hold.
func (m *Blocks) draw(s *Sources, row int32, rate float64) {
	s.Rows[row] += rate
	t := &s.Target[m.Components.Label[row]]
	*t = max(0, *t+float64(rate*m.Dt))
}

// tally is what was in some blocks before liquid came.
type tally struct {
	m      *Blocks
	box    r3.Box  // m
	before float64 // m³
}

// begin begins a measure of what comes into the blocks that a box, m, reaches.
func (t *tally) begin(m *Blocks, box r3.Box) {
	t.m, t.box, t.before = m, box, 0
	m.EachBase(box, func(b int32) {
		t.before += m.LiquidOf(b)
		m.Exchange.Opened[b] = true
	})
}

// count is what has come since begin, m³.
func (t *tally) count() (came float64) {
	m, now := t.m, 0.
	m.EachBase(t.box, m.Set.Measure)
	m.EachBase(t.box, func(b int32) { now += m.LiquidOf(b) })
	return now - t.before
}

// RemoveOutflow takes away the liquid that has left through open sides. It appends to gains where how much of it left, within the domain, and
// returns them and, per part of the grid, what has left in this substep, m³.
func (m *Blocks) RemoveOutflow(gains []Gain) (left []float64, all []Gain) {
	if m.Open == [6]bool{} {
		return nil, gains
	}
	lo, hi := reproducible.Array(m.Domain.Min), reproducible.Array(m.Domain.Max)
	for b := range int32(m.Grid.Bases()) {
		c := m.Grid.Corner(b)
		e := float64(m.Grid.H * grid.Edge)
		outside := false
		for a := range 3 {
			outside = outside || m.Open[2*a] && c[a] < lo[a]-float64(1e-9*e) || m.Open[2*a+1] && c[a]+e > hi[a]+float64(1e-9*e)
		}
		if outside {
			gains = m.removeOutflowOf(b, lo, hi, gains)
		}
	}
	return m.Exchange.Spilt, gains
}

// removeOutflowOf takes away the liquid of a block that is beyond the open sides of the domain, from lo to hi.
func (m *Blocks) removeOutflowOf(b int32, lo, hi [3]float64, gains []Gain) []Gain {
	h := m.Grid.CellSize(m.Grid.Cur.Level[b])
	first, band := m.Grid.Cur.First[b], float64(m.Set.Band*h)
	from, before, roughly := len(gains), m.LiquidOf(b), 0.
	for i, p := range m.Centres(b) {
		beyond, back := m.beyond(p, lo, hi, h)
		beyond = min(beyond, band) // all that is further out is as far
		c := first + int32(i)
		phi := &m.Set.Phi[c]
		if beyond <= 0 || *phi >= float32(beyond) {
			continue
		}
		lost := float64((WetFraction(*phi, float32(h)) - WetFraction(float32(beyond), float32(h))) * m.Solids.Volume[c])
		*phi = float32(beyond)
		if lost > 0 {
			roughly += lost
			gains = append(gains, Gain{back, -lost})
		}
	}
	m.Set.Measure(b)
	lost := max(0, before-m.LiquidOf(b))
	for i := range gains[from:] {
		gains[from+i].Volume *= lost / roughly
	}
	m.Exchange.Put[b] -= lost
	m.Exchange.Spilt[b] += lost
	return gains
}

// beyond is how far a place is beyond the open sides of the domain, from lo to hi, m, and the place in a cell of edge h within the domain that
// it is nearest to.
func (m *Blocks) beyond(p r3.Vec, lo, hi [3]float64, h float64) (by float64, back r3.Vec) {
	x := reproducible.Array(p)
	by = math.Inf(-1)
	within := x
	for a := range 3 {
		if d := lo[a] - x[a]; m.Open[2*a] && d > by {
			by = d
			within[a] = lo[a] + float64(h/2)
		}
		if d := x[a] - hi[a]; m.Open[2*a+1] && d > by {
			by = d
			within[a] = hi[a] - float64(h/2)
		}
	}
	return by, reproducible.Vector(within)
}

// InLiquid tells which places, m, are in liquid, to the cell.
func (m *Blocks) InLiquid(dst []bool, pts []r3.Vec) {
	for i, x := range pts {
		dst[i] = m.Set.Phi[m.CellAt(reproducible.Array(x))] < 0
	}
}

// MostlyLiquid tells whether a place, m, is in a block of which liquid is more than half.
func (m *Blocks) MostlyLiquid(x r3.Vec) bool { return m.Survey.Fraction[m.BaseOf(x)] > .5 }

// BlockEdge is the edge of a block, m.
func (m *Blocks) BlockEdge() float64 { return m.Grid.H * grid.Edge }

// WetAround tells whether there is liquid within a block's edge of a box, m.
func (m *Blocks) WetAround(box r3.Box) bool {
	box = boxes.Grown(box, m.BlockEdge())
	return boxes.Overlap(box, m.Whole()) && m.WetIn(box)
}

// EachOpenCell calls visit for the middle of each cell that has a label, 0 or more, and the volume that solids leave open in it, m³.
func (m *Blocks) EachOpenCell(label []int32, visit func(x r3.Vec, open float64)) {
	for b := range int32(m.Grid.Bases()) {
		first, n := m.Grid.Cur.First[b], int32(1)<<(3*m.Grid.Cur.Level[b])
		var pts []r3.Vec
		for c := first; c < first+n; c++ {
			if label[c] >= 0 && m.Solids.Volume[c] > 0 {
				if pts == nil {
					pts = m.Centres(b)
				}
				visit(pts[c-first], float64(m.Solids.Volume[c]))
			}
		}
	}
}
