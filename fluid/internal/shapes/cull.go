package shapes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A union need not ask a part whose box is further from all of some points than a part that is asked already. That holds
// for shapes that, outside of their bounds, never tell a distance shorter than that to the bounds.

// CullBox is the box of a part of a union, by which the union may pass it over.
type CullBox struct {
	box   r3.Box
	known bool // the part is no nearer to what is outside of the box than the box
	mesh  bool // it takes long to ask
}

// CullBoxOf is the one of a shape.
func CullBoxOf(s SDF) CullBox {
	if !exactOutside(s) {
		return CullBox{}
	}
	_, mesh := s.(*Mesh)
	return CullBox{s.Bounds(), true, mesh}
}

// exactOutside tells whether a shape tells no distance shorter than that to its bounds, outside of them.
func exactOutside(s SDF) bool {
	switch s := s.(type) {
	case *boxSDF, *Ball, *capsuleSDF, *cylinderSDF, *torusSDF:
		return true
	case *Mesh:
		return s.Validate() == nil && s.grid == nil && s.solid.Open() == 0
	case *Transformed:
		return exactOutside(s.inner)
	case *Group:
		return !s.meet && len(s.shapes) > 0 && !slices.ContainsFunc(s.shapes, func(part SDF) bool { return !exactOutside(part) })
	}
	return false
}

// fewParts is of how many shapes a union asks each, without looking at boxes, unless one is a mesh.
const fewParts = 8

// picks tells whether looking at boxes first is less work than asking all shapes.
func (s *Group) picks() bool {
	return len(s.far) > fewParts || slices.ContainsFunc(s.far, func(p CullBox) bool { return p.mesh })
}

// evalNearest is Eval of a union of many: the shape whose box is nearest first, then those that may be nearer to some point. Distances are
// told in float32, of coordinates where the points are: more than 2⁻²⁰ of those is no rounding.
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

// gaps writes how far the boxes of the shapes are from another, m, into w.gap, 0 for those that are not known, and returns the nearest.
func (s *Group) gaps(w *scratch, around r3.Box) (nearest int) {
	w.gap = slices.Grow(w.gap[:0], len(s.far))[:len(s.far)]
	lo, hi := reproducible.Array(around.Min), reproducible.Array(around.Max)
	for i := range s.far {
		p, sum := &s.far[i], 0.
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

// reachOf is how far from points in a box what is nearer to one of them than it is known to be can be, m.
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
