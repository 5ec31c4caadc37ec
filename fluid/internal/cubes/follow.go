package cubes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Blocks share φ with their own level set, so that neither copies it. With any other tracker they keep a copy of their own, which is
// taken from its distance, in batches, whenever a graph is made of it.

// Follow has the blocks take the liquid from a tracker that is not their level set. It is for a liquid that has not been started yet.
func (m *Blocks) Follow(surface query.Distances) { m.foreign = surface }

// takeDistance makes φ what a tracker tells, within the bands of the blocks.
func (m *Blocks) takeDistance() {
	if m.foreign == nil {
		return
	}
	for b := range int32(m.Grid.Bases()) {
		level := m.Grid.Cur.Level[b]
		limit := float32(m.Set.Band * m.Grid.CellSize(level))
		phi := m.Set.Phi[m.Grid.Cur.First[b]:][:1<<(3*level)]
		m.foreign.Distance(phi, m.Centres.Of(m.Grid, b))
		for i, d := range phi {
			phi[i] = max(-limit, min(limit, d))
		}
		m.Set.Measure(b)
	}
}

// NoSurface tracks nothing: the liquid fills the domain but for solids.
type NoSurface struct{ *Surface }

// Advance has nothing to move.
func (NoSurface) Advance() {}

// Complete has nothing to continue.
func (NoSurface) Complete() {}

// Distance tells that liquid is everywhere, without end.
func (NoSurface) Distance(dst []float32, at []r3.Vec) {
	for i := range at {
		dst[i] = float32(math.Inf(-1))
	}
}

// Measured are volumes that a tracker answers for by itself: they are measured, and nothing makes up for what they gain or lose.
type Measured struct{ *Volumes }

// Note has nothing to remember.
func (Measured) Note() {}

// MeasureComponents measures what the account holds.
func (v Measured) MeasureComponents(_ int, a *components.Account) (lost bool) {
	m := v.m
	par.Each(m.Pool, m.Grid.Bases(), measureGrain, &m.Survey, (*Survey).MeasureBlock)
	a.HeldL = (v.Held() + a.Loose) / components.Litre
	return false
}

// Correct chooses no sources.
func (v Measured) Correct(*components.Account) (sources []float64) {
	v.sources = arrays.Resize(v.sources, v.m.Graph.Rows)
	clear(v.sources)
	return v.sources
}
