package obstacles

import (
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

// Vacated is where obstacles were that calls since the last step, or the last change of the liquid, have taken away, and the liquid before.
type Vacated struct {
	Before []byte // as the state has it
	left   []shapes.SDF
}

// leastRoom, in finest cells, is how deep the room that an obstacle leaves must be for air to be there.
const leastRoom = .25

// Leave adds the shape of an obstacle that has gone, unless that is nil or thinner than a finest cell, m. It tells whether the shape is the first, so
// that Before must be set, and whether there are some.
func (v *Vacated) Leave(left shapes.SDF, cell float64) (first, some bool) {
	if left != nil {
		if t := shapes.ThicknessOf(left); t == 0 || t >= cell { // 0: it isn't known
			first = len(v.left) == 0
			v.left = append(v.left, left)
		}
	}
	return first, len(v.left) > 0
}

// EachRoom calls f for what the obstacles of a set leave of each shape that was added, where that is room.
func (v *Vacated) EachRoom(s *Set, f func(room shapes.SDF)) {
	for _, gone := range v.left {
		if room := s.remains(gone); shapes.Deep(room, s.domain, leastRoom*s.cell) {
			f(room)
		}
	}
}

// Forget takes the liquid as it is for what the obstacles of a set displace, and air where others were.
func (v *Vacated) Forget(s *Set) {
	v.left = nil
	for _, o := range s.All {
		o.come = false
	}
}

// CopyTo makes dst the same, shapes shared.
func (v *Vacated) CopyTo(dst *Vacated) {
	dst.left = nil
	for _, s := range v.left {
		dst.left = append(dst.left, shapes.GuardCopy(s))
	}
	if len(v.left) > 0 {
		dst.Before = append(dst.Before[:0], v.Before...)
	}
}

// remains is what of a shape the set's obstacles, where they are now, leave.
func (s *Set) remains(shape shapes.SDF) shapes.SDF {
	taken := new(shapes.Group)
	for _, o := range s.All {
		if now := o.inPlace(); !o.SetAside && boxes.Overlap(now.Bounds(), shape.Bounds()) {
			taken.Add(now, shapes.CullBoxOf(now))
		}
	}
	if len(taken.Shapes()) == 0 {
		return shape
	}
	return shapes.Difference(shape, taken)
}
