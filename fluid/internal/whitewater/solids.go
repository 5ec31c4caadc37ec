package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// traceSteps is enough for a ray to reach a wall some cells off, and to go along it for some gaps.
const traceSteps = 40

// listSolids lists the solids within a distance far, m, of a box, m.
func (w *Water) listSolids(s *scratch, box r3.Box, far float64) {
	s.near = s.near[:0]
	for _, solid := range w.solids {
		if boxes.Overlap(boxes.Grown(solid.Bounds, far), box) {
			s.near = append(s.near, solid)
		}
	}
}

// measure sets distance to the distances of places from the nearest of the listed solids, m.
func (s *scratch) measure(distance []float32, at []r3.Vec) { s.measureOf(s.near, distance, at) }

// measureOf sets distance to the distances of places from the nearest of some solids, m. More than a gap outside of a solid's box the box counts as the solid.
func (s *scratch) measureOf(solids []query.Solid, distance []float32, at []r3.Vec) {
	for i := range distance {
		distance[i] = math.MaxFloat32
	}
	for i := range solids {
		s.batch.Nearest(distance, at, solids[i].Bounds, s.gap, solids[i].Distance)
	}
}

// stop ends the paths of the first n particles at solids, and pushes particles out of solids that have moved over them.
func (w *Water) stop(s *scratch, n int) {
	longest := 0.
	for k := range n {
		longest = max(longest, reproducible.Norm(r3.Sub(s.to[k], s.from[k])))
	}
	w.listSolids(s, boxes.Around(s.from[:n]), longest+float64(2*w.Gap))
	s.measure(s.distance[:n], s.from[:n])
	t := &s.tracer
	t.Rays = t.Rays[:0]
	for k := range n {
		s.stopped[k] = false
		way, d := r3.Sub(s.to[k], s.from[k]), float64(s.distance[k])
		length := reproducible.Norm(way)
		switch {
		case d < 0:
			w.pushOut(s, k)
		case d < length+w.Gap && length > 0:
			t.Rays = append(t.Rays, walls.Ray{Of: k, From: s.from[k], Dir: reproducible.Scale(1/length, way), Length: length, Gap: w.Gap, D: d})
		}
	}
	if len(t.Rays) == 0 {
		return
	}
	t.Trace()
	ends := s.at[:len(t.Rays)] // what was looked up there is not needed any more
	for i := range t.Rays {
		ends[i] = t.Rays[i].End()
	}
	s.measure(s.distance[:len(ends)], ends)
	for i := range t.Rays {
		r := &t.Rays[i]
		end, met := ends[i], r.Stopped()
		if s.distance[i] < 0 { // a path that is shorter than the gap may end in the solid without meeting it
			end, met = r.From, true
		}
		if met {
			s.to[r.Of], s.moved[r.Of].v, s.stopped[r.Of] = end, r3.Vec{}, true
		}
	}
}

// pushOut moves particle k, which is in a solid, out of it along the solid's normal. The particle dies if that fails.
func (w *Water) pushOut(s *scratch, k int) {
	x, d := s.from[k], float64(s.distance[k])
	step := w.Gap
	s.probe = [4]r3.Vec{x, r3.Add(x, r3.Vec{X: step}), r3.Add(x, r3.Vec{Y: step}), r3.Add(x, r3.Vec{Z: step})}
	s.measure(s.probed[:], s.probe[:])
	slope := r3.Vec{X: float64(s.probed[1]) - d, Y: float64(s.probed[2]) - d, Z: float64(s.probed[3]) - d}
	steep := reproducible.Norm(slope)
	if steep == 0 {
		s.moved[k].life = 0
		return
	}
	s.probe[0] = r3.Add(x, reproducible.Scale((float64(2*w.Gap)-d)/steep, slope))
	s.measureOf(w.solids, s.probed[:1], s.probe[:1])
	if float64(s.probed[0]) < w.Gap {
		s.moved[k].life = 0
	}
	s.to[k], s.stopped[k] = s.probe[0], true
}
