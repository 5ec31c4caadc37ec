package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Medium is what there is at a point.
type Medium uint8

// The media.
const (
	MediumAir Medium = iota
	MediumLiquid
	MediumSolid // an obstacle or a coupled body
)

// sampleBatch is how many points at a time are looked up, and asked for the solids that they are in.
const sampleBatch = query.BatchSize

// Sample looks the liquid up at points, m, and writes the results into dst; if the slices
// differ in length, as many as the shorter one holds. It allocates nothing. Points outside of
// the domain are in the air. Inside and Height are of the surface as RayCast finds it; velocity and pressure are of the cells.
func (l *Liquid) Sample(dst []Sample, points []r3.Vec) {
	defer l.enter(&callguard.Sample).leave()
	q, n := &l.sim.query, min(len(points), len(dst))
	for lo := 0; lo < n; lo += sampleBatch {
		hi := min(lo+sampleBatch, n)
		l.sim.solver.Sample(q.samples[:], points[lo:hi], q.acceleration)
		solid := q.solid[:hi-lo]
		clear(solid)
		l.sim.around.Obstacles.MarkInside(solid, points[lo:hi], &q.batch)
		l.sim.around.Coupling.Now().MarkInside(solid, points[lo:hi], &q.batch)
		for i := range solid {
			dst[lo+i] = sampleOf(&q.samples[i], solid[i])
		}
	}
}

// sampleOf is what is known of a point, which may be in a solid.
func sampleOf(s *query.Sample, solid bool) Sample {
	to := Sample{Height: s.Height, Velocity: s.Velocity}
	if solid {
		to.Medium = MediumSolid
		return to
	}
	to.Pressure = s.Pressure
	if s.Inside {
		to.Inside, to.Medium = true, MediumLiquid
	}
	return to
}

// queries answers, and holds the scratch of, what is asked of the state between steps.
type queries struct {
	views        [MaxViews]query.View // scratch of SetViews,
	viewed       []query.View         // and those before
	parts        []query.Part
	faces        []query.CellFace
	acceleration func(x r3.Vec) r3.Vec // of gravity and the fields
	samples      [sampleBatch]query.Sample
	solid        [sampleBatch]bool // likewise, in one
	batch        query.Batch
	rays         []query.Ray
	hits         []query.Hit
	solids       []query.Solid // around the liquid
}
