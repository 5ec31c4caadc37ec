package obstacles

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// nearestScratch is the memory of one worker in Nearest.
type nearestScratch struct {
	pts   []r3.Vec
	which []int // index of the place of each of pts
	dist  []float32
}

// Nearest lowers the distances of places, m, to those of nearer solids within reach, m, and sets solid to the index of the nearest one; -1 for a static solid.
// Porous solids, which cut no cells, don't count.
func (s *Set) Nearest(worker int, solids []rigid.Solid, reach float64, at [][3]float64, distance []float64, solid []int32) {
	k := &s.nearests[worker]
	box := r3.Box{Min: reproducible.Vector(at[0]), Max: reproducible.Vector(at[0])}
	for _, x := range at[1:] {
		box.Min, box.Max = boxes.Min(box.Min, reproducible.Vector(x)), boxes.Max(box.Max, reproducible.Vector(x))
	}
	for i := range solids {
		c, which := &solids[i], int32(i)
		if bounds := boxes.Grown(c.Bounds, reach); c.Porous < 1 && boxes.Overlap(bounds, box) {
			if c.Fixed {
				which = -1
			}
			k.gather(at, bounds)
			k.nearer(c.Distance, distance, solid, which)
		}
	}
	if s.hasStatic() {
		k.gather(at, box)
		k.nearer(s.nearest, distance, solid, -1)
	}
}

// gather lists the places in a box.
func (k *nearestScratch) gather(at [][3]float64, box r3.Box) {
	k.pts, k.which = k.pts[:0], k.which[:0]
	for i, x := range at {
		if v := reproducible.Vector(x); boxes.Contains(box, v) {
			k.pts, k.which = append(k.pts, v), append(k.which, i)
		}
	}
	k.dist = arrays.Resize(k.dist, len(k.pts))
}

// nearer lowers the distances of the gathered places to those of a solid.
func (k *nearestScratch) nearer(distance func([]float32, []r3.Vec), near []float64, solid []int32, which int32) {
	if len(k.pts) == 0 {
		return
	}
	distance(k.dist, k.pts)
	for j, i := range k.which {
		if d := float64(k.dist[j]); d < near[i] {
			near[i], solid[i] = d, which
		}
	}
}
