package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// traceSteps is enough to come to a wall from some cells off, and to go along it for some gaps.
const traceSteps = 40

// measureSolids writes how far the nearest solid is from places, m.
func (w *Water) measureSolids(s *scratch, distance []float32, at []r3.Vec) {
	for i := range distance {
		distance[i] = math.MaxFloat32
	}
	for _, solids := range w.Solids {
		solids.Lower(distance, at, &s.solids)
	}
}

// measureFrom sets how far solids are from the middles of spheres, which become s.from.
func (w *Water) measureFrom(s *scratch, spheres []float32) {
	n := len(spheres) / 4
	for k := range n {
		x := spheres[4*k:][:3]
		s.from[k] = r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}
	}
	w.measureSolids(s, s.distance[:n], s.from[:n])
}

// stop ends the paths of the first n particles at solids, and takes out of a solid what it has moved over.
func (w *Water) stop(s *scratch, n int) {
	w.measureSolids(s, s.distance[:n], s.from[:n])
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
	for i := range t.Rays {
		if r := &t.Rays[i]; r.Short() {
			s.to[r.Of], s.moved[r.Of].v, s.stopped[r.Of] = r.End(), r3.Vec{}, true
		}
	}
}

// pushOut moves particle k, which is in a solid, out of it along the solid's normal. It dies if that fails.
func (w *Water) pushOut(s *scratch, k int) {
	x, d := s.from[k], float64(s.distance[k])
	step := w.Gap
	s.probe = [4]r3.Vec{x, r3.Add(x, r3.Vec{X: step}), r3.Add(x, r3.Vec{Y: step}), r3.Add(x, r3.Vec{Z: step})}
	w.measureSolids(s, s.probed[:], s.probe[:])
	slope := r3.Vec{X: float64(s.probed[1]) - d, Y: float64(s.probed[2]) - d, Z: float64(s.probed[3]) - d}
	steep := reproducible.Norm(slope)
	if steep == 0 {
		s.moved[k].life = 0
		return
	}
	s.probe[0] = r3.Add(x, reproducible.Scale((float64(2*w.Gap)-d)/steep, slope))
	w.measureSolids(s, s.probed[:1], s.probe[:1])
	if float64(s.probed[0]) < w.Gap {
		s.moved[k].life = 0
	}
	s.to[k], s.stopped[k] = s.probe[0], true
}
