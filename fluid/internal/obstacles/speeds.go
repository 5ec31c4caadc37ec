package obstacles

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// wallSpeedsScratch is what one worker asks solids with.
type wallSpeedsScratch struct {
	near  []float64 // how near the nearest solid so far is, m
	pts   []r3.Vec
	which []int // the place that each of pts is
	dist  []float32
}

// Near is a worker's array of how near solids are to so many places, m, for the caller to set and WallSpeeds to go on from.
func (s *Set) Near(worker, places int) []float64 {
	k := &s.speeds[worker]
	k.near = arrays.Resize(k.near, places)
	return k.near
}

// WallSpeeds replaces velocities along an axis each, m/s, by that of the solid nearest to each place, m, where one is nearer than Near says.
//
// solids, moved: of a step, and their twists; obstacles that stand still count, too.
func (s *Set) WallSpeeds(worker int, solids []rigid.Solid, moved [][6]float64, axis []uint8, at [][3]float64, dst []float64) {
	k := &s.speeds[worker]
	box := r3.Box{Min: reproducible.Vector(at[0]), Max: reproducible.Vector(at[0])}
	for _, x := range at[1:] {
		box.Min, box.Max = boxes.Min(box.Min, reproducible.Vector(x)), boxes.Max(box.Max, reproducible.Vector(x))
	}
	moves := false
	for i := range solids {
		c := &solids[i]
		if bounds := boxes.Grown(c.Bounds, s.cell); boxes.Overlap(bounds, box) {
			k.gather(at, bounds)
			k.nearer(c.Distance, axis, dst, c.Centre, &moved[i])
			moves = moves || moved[i] != [6]float64{}
		}
	}
	if moves && s.hasStatic() {
		k.gather(at, box)
		k.nearer(s.nearest, axis, dst, r3.Vec{}, &[6]float64{})
	}
}

// gather lists the places in a box.
func (k *wallSpeedsScratch) gather(at [][3]float64, box r3.Box) {
	k.pts, k.which = k.pts[:0], k.which[:0]
	for i, x := range at {
		if v := reproducible.Vector(x); boxes.Contains(box, v) {
			k.pts, k.which = append(k.pts, v), append(k.which, i)
		}
	}
	k.dist = arrays.Resize(k.dist, len(k.pts))
}

// nearer gives the gathered places that a solid with the twist v about a centre is nearest to
// its velocity.
func (k *wallSpeedsScratch) nearer(solid func([]float32, []r3.Vec), axis []uint8, dst []float64, centre r3.Vec, v *[6]float64) {
	if len(k.pts) == 0 {
		return
	}
	solid(k.dist, k.pts)
	for j, i := range k.which {
		if d := float64(k.dist[j]); d < k.near[i] {
			u := rigid.VelocityAt(v, r3.Sub(k.pts[j], centre))
			dst[i], k.near[i] = reproducible.Array(u)[axis[i]], d
		}
	}
}
