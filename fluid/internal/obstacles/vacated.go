package obstacles

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Vacated holds the shapes of obstacles that have left since the last step or change of the liquid, and the liquid's state before.
type Vacated struct {
	Before []byte // the encoded state
	left   []shapes.SDF
}

// leastRoom, in finest cells, is the least depth of the room that an obstacle leaves for air to fill it.
const leastRoom = .25

// Add adds the shape of an obstacle that has left, unless it is nil or thinner than a finest cell, m. first reports that the shape is the first one, so
// that Before must be set; some reports whether there are shapes.
func (v *Vacated) Add(left shapes.SDF, cell float64) (first, some bool) {
	if left != nil {
		if t := shapes.ThicknessOf(left); t == 0 || t >= cell { // 0: not known
			first = len(v.left) == 0
			v.left = append(v.left, left)
		}
	}
	return first, len(v.left) > 0
}

// EachRoom calls f for the part of each added shape that the set's obstacles leave free, where it is deep enough.
func (v *Vacated) EachRoom(s *Set, f func(room shapes.SDF)) {
	for _, gone := range v.left {
		if room := s.remains(gone); shapes.Deep(room, s.domain, leastRoom*s.cell) {
			f(room)
		}
	}
}

// Forget drops the shapes: from then on the liquid counts as cut by the obstacles of the set.
func (v *Vacated) Forget(s *Set) {
	v.left = nil
	for _, o := range s.All {
		o.uncut = false
	}
}

// CopyTo copies v into dst; shapes are shared.
func (v *Vacated) CopyTo(dst *Vacated) {
	dst.left = nil
	for _, s := range v.left {
		dst.left = append(dst.left, shapes.GuardCopy(s))
	}
	if len(v.left) > 0 {
		dst.Before = append(dst.Before[:0], v.Before...)
	}
}

// remains returns the part of a shape that the set's obstacles leave free.
func (s *Set) remains(shape shapes.SDF) shapes.SDF {
	taken := new(shapes.Group)
	for _, o := range s.All {
		if now := o.current(); !o.SetAside && boxes.Overlap(now.Bounds(), shape.Bounds()) {
			taken.Add(now, shapes.CullBoxOf(now))
		}
	}
	if len(taken.Shapes()) == 0 {
		return shape
	}
	return shapes.Difference(shape, taken)
}
