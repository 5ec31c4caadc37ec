package rigid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// Nearest finds how fast the solids move that are nearest to places.
type Nearest struct {
	Near []float64 // per place: how near the nearest solid so far is, m

	pts   []r3.Vec
	which []int // the place that each of pts is
	dist  []float32
}

// Gather lists the places in a box.
func (s *Nearest) Gather(at [][3]float64, box r3.Box) {
	s.pts, s.which = s.pts[:0], s.which[:0]
	for i, x := range at {
		if v := reproducible.Vector(x); boxes.Contains(box, v) {
			s.pts, s.which = append(s.pts, v), append(s.which, i)
		}
	}
	s.dist = arrays.Resize(s.dist, len(s.pts))
}

// TakeNearer gives the gathered places that a solid with the twist v about a centre is nearest to
// its velocity along axis.
func (s *Nearest) TakeNearer(solid func([]float32, []r3.Vec), axis []uint8, dst []float64, centre r3.Vec, v *[6]float64) {
	if len(s.pts) == 0 {
		return
	}
	solid(s.dist, s.pts)
	for k, i := range s.which {
		if d := float64(s.dist[k]); d < s.Near[i] {
			arm := r3.Sub(s.pts[k], centre)
			u := r3.Add(r3.Vec{X: v[0], Y: v[1], Z: v[2]}, reproducible.Cross(r3.Vec{X: v[3], Y: v[4], Z: v[5]}, arm))
			dst[i], s.Near[i] = reproducible.Array(u)[axis[i]], d
		}
	}
}
