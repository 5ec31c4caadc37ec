package shapes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A union skips a shape whose box is further from all points than the distances known so far. That is correct
// for shapes whose distance, outside of their bounds, is at least that to the bounds.

// CullBox is the box of a shape of a union, by which the union may skip the shape.
type CullBox struct {
	box   r3.Box
	known bool // outside of the box the shape's distance is at least the box's
	mesh  bool // evaluation is slow
}

// CullBoxOf returns the CullBox of a shape.
func CullBoxOf(s SDF) CullBox {
	if !exactOutside(s) {
		return CullBox{}
	}
	_, mesh := s.(*Mesh)
	return CullBox{s.Bounds(), true, mesh}
}

// exactOutside reports whether a shape's distance, outside of its bounds, is at least that to the bounds.
func exactOutside(s SDF) bool {
	switch s := s.(type) {
	case *boxSDF, *Ball, *capsuleSDF, *cylinderSDF, *torusSDF:
		return true
	case *Mesh:
		return s.Validate() == nil && s.grid == nil && s.solid.Open() == 0
	case *Transformed:
		return exactOutside(s.inner)
	case *Group:
		return !s.intersect && len(s.shapes) > 0 && !slices.ContainsFunc(s.shapes, func(part SDF) bool { return !exactOutside(part) })
	}
	return false
}

// fewParts is the greatest number of shapes of a union that are all evaluated, unless one is a mesh.
const fewParts = 8

// culls reports whether checking boxes first is less work than evaluating all shapes.
func (s *Group) culls() bool {
	return len(s.cullBoxes) > fewParts || slices.ContainsFunc(s.cullBoxes, func(p CullBox) bool { return p.mesh })
}

// evalNearest is Eval of a union of many shapes: it evaluates the shape with the nearest box first, then those that may be nearer to some point. Distances are
// rounded to float32, by up to 2⁻²⁰ of the points' coordinates.
func (s *Group) evalNearest(w *scratch, dst []float32, pts []r3.Vec) {
	around := boxes.Around(pts)
	first := s.gaps(w, around)
	s.shapes[first].Eval(dst, pts)
	reach := reachOf(dst, around)
	for i, shape := range s.shapes {
		if i != first && w.gap[i] <= reach {
			s.join(w, shape, dst, pts)
			reach = reachOf(dst, around)
		}
	}
}

// gaps sets w.gap to the distances of the shapes' boxes from another box, m, 0 for unknown ones, and returns the index of the nearest.
func (s *Group) gaps(w *scratch, around r3.Box) (nearest int) {
	w.gap = slices.Grow(w.gap[:0], len(s.cullBoxes))[:len(s.cullBoxes)]
	lo, hi := reproducible.Array(around.Min), reproducible.Array(around.Max)
	for i := range s.cullBoxes {
		p, sum := &s.cullBoxes[i], 0.
		if p.known {
			from, to := reproducible.Array(p.box.Min), reproducible.Array(p.box.Max)
			for k := range lo {
				x := max(from[k]-hi[k], lo[k]-to[k], 0)
				sum += float64(x * x)
			}
		}
		w.gap[i] = math.Sqrt(sum)
		if w.gap[i] < w.gap[nearest] {
			nearest = i
		}
	}
	return nearest
}

// reachOf returns the greatest distance, m, from the box of some points at which a shape can lower one of their distances.
func reachOf(dist []float32, around r3.Box) float64 {
	most := dist[0]
	for _, d := range dist[1:] {
		most = max(most, d)
	}
	far := float64(max(most, -most))
	for _, v := range [2][3]float64{reproducible.Array(around.Min), reproducible.Array(around.Max)} {
		far = max(far, math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	}
	return float64(most) + float64(0x1p-20*far)
}
