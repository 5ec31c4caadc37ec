package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/calls"
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
const sampleBatch = 64

// Sample looks the liquid up at points, m, and writes the results into dst; if the slices
// differ in length, as many as the shorter one holds. It allocates nothing. Points outside of
// the domain are in the air.
func (l *Liquid) Sample(points []r3.Vec, dst []Sample) {
	defer l.enter(&calls.Sample).leave()
	q, n := &l.query, min(len(points), len(dst))
	for lo := 0; lo < n; lo += sampleBatch {
		hi := min(lo+sampleBatch, n)
		l.reader.Sample(q.samples[:], points[lo:hi], q.acceleration)
		for i := range dst[lo:hi] {
			dst[lo+i] = sampleOf(&q.samples[i])
		}
		l.query.markSolids(points[lo:hi], dst[lo:hi])
	}
}

// sampleOf is a sample as if there were no solids.
func sampleOf(s *query.Sample) Sample {
	medium := MediumAir
	if s.Inside {
		medium = MediumLiquid
	}
	return Sample{Inside: s.Inside, Medium: medium, Height: s.Height, Velocity: s.Velocity, Pressure: s.Pressure}
}

// markSolids corrects the samples of points, no more than a batch, that are in solids.
func (q *queries) markSolids(points []r3.Vec, dst []Sample) {
	l := q.sim
	w, bodies := &l.world, l.coupling.Bodies
	if len(w.static.Shapes()) > 0 && q.gather(&l.def.Domain, l.def.Domain, points) {
		w.distance(q.dist[:q.n], q.pts[:q.n])
		q.mark(dst)
	}
	for i := range l.coupling.Count() {
		if box := bodies.Bounds(i); l.coupling.Takes(i) && q.gather(&box, l.def.Domain, points) {
			bodies.Distance(i, q.dist[:q.n], q.pts[:q.n])
			q.mark(dst)
		}
	}
	for _, o := range w.obstacles {
		if !o.moves || o.setAside {
			continue
		}
		if box := o.placed.Bounds(); q.gather(&box, l.def.Domain, points) {
			o.placed.Eval(q.dist[:q.n], q.pts[:q.n])
			q.mark(dst)
		}
	}
}

// queries answers, and holds the scratch of, what is asked of the state between steps.
type queries struct {
	sim          *simulation
	views        [MaxViews]query.View // scratch of SetViews
	parts        []query.Part
	acceleration func(x r3.Vec) r3.Vec // accelerationAt
	samples      [sampleBatch]query.Sample

	// Of a batch of points, the n that may be in a solid: which ones they are, and how far from it, m.
	n    int
	pts  [sampleBatch]r3.Vec
	of   [sampleBatch]int
	dist [sampleBatch]float32

	rays   []query.Ray
	hits   []query.Hit
	solids []query.Solid // around the liquid
}

// gather takes the points in a solid's bounds and the domain, and tells whether there are any.
func (q *queries) gather(bounds *r3.Box, domain r3.Box, points []r3.Vec) bool {
	q.n = 0
	for i, x := range points {
		if boxes.Contains(*bounds, x) && boxes.Contains(domain, x) {
			q.pts[q.n], q.of[q.n] = x, i
			q.n++
		}
	}
	return q.n > 0
}

// mark has the samples of the gathered points that are in the solid say so.
func (q *queries) mark(dst []Sample) {
	for k, d := range q.dist[:q.n] {
		if d < 0 {
			s := &dst[q.of[k]]
			s.Inside, s.Medium, s.Pressure = false, MediumSolid, 0
		}
	}
}
