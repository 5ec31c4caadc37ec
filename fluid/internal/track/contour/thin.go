package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// particle is a ball in thin liquid: its centre is about on the medial axis, and it touches the surface on both sides.
type particle struct {
	at     r3.Vec // global units
	radius float64
	cell   float64 // of the samples where it was found, units
}

// thinCells is the thickness up to which liquid counts as thin, cells of samples.
//
// Source: γ of Chentanez et al. 2007 §3.4.1.
const thinCells = 1.2

// thickening is what it needs: scratch, since the particles follow from the settled surface and the step.
type thickening struct {
	c         *Contour
	particles []particle // of thin liquid, where the step has moved it
	sorted    []particle // by base cell
	first     []int32    // per base cell and one more: its first in sorted
	lift      []float32  // per sample: how much the particles lower it, units
	lifted    []bool     // per tile
	part      float32
}

// findThin finds the particles of the settled surface and moves them through the velocity.
//
// Source: Chentanez et al. 2007 §3.4.1; the balls by shrinking, Ma, Bae, Choi 2012, instead of rays.
func (c *Contour) findThin() {
	l, h := c.old, &c.thick
	c.from = l
	par.Each(c.pool, l.active, 1, c, (*Contour).findThinIn)
	h.particles = h.particles[:0]
	for i := range l.active {
		h.particles = append(h.particles, l.pieces[i].particles...)
	}
}

// findThinIn does that for a tile.
func (c *Contour) findThinIn(worker int, i int32) {
	l, w := c.from, &c.work[worker]
	t, p := &l.tiles[i], &l.pieces[i]
	p.particles = p.particles[:0]
	cell := float64(t.cell)
	most := float64(thinCells * cell / 2)
	for v := range t.vertices {
		k := 3 * (t.first + v)
		low := t.global(c.edge, 0, 0, 0)
		x := r3.Vec{X: low[0] + float64(l.position[k]), Y: low[1] + float64(l.position[k+1]), Z: low[2] + float64(l.position[k+2])}
		n := r3.Vec{X: float64(l.normal[k]), Y: float64(l.normal[k+1]), Z: float64(l.normal[k+2])}
		if at, radius, ok := l.shrink(x, n, most); ok {
			p.particles = append(p.particles, particle{at, radius, cell})
		}
	}
	c.carry(p.particles, w)
}

// shrink finds the ball that touches the surface at a vertex from inside and at another point; ok is false where it is larger than most.
func (l *layer) shrink(x, normal r3.Vec, most float64) (centre r3.Vec, radius float64, ok bool) {
	radius = most
	for range 4 {
		centre = r3.Sub(x, reproducible.Scale(radius, normal))
		best, liquid, _ := l.closestTo(centre.X, centre.Y, centre.Z)
		if best.in == nil {
			return centre, radius, false
		}
		// A hundredth of it is the mesh's own deviation from the sphere.
		if d := math.Sqrt(float64(best.square)); liquid && d >= .99*radius {
			return centre, radius, radius < most
		}
		to := r3.Sub(x, best.point(l.c.edge))
		along := reproducible.Dot(to, normal)
		if !(along > 0) {
			break
		}
		smaller := reproducible.Norm2(to) / (2 * along)
		if !(smaller < radius) {
			break
		}
		radius = smaller
	}
	best, liquid, _ := l.closestTo(centre.X, centre.Y, centre.Z)
	return centre, radius, liquid && best.in != nil && radius < most && math.Sqrt(float64(best.square)) >= .5*radius
}

// carry moves particles through the velocity of the step by the midpoint rule.
func (c *Contour) carry(list []particle, w *workspace) {
	n := len(list)
	w.at, w.mid, w.moved = arrays.Resize(w.at, n), arrays.Resize(w.mid, n), arrays.Resize(w.moved, n)
	for i := range list {
		w.at[i] = c.metres(list[i].at.X, list[i].at.Y, list[i].at.Z)
	}
	c.velocity(w.moved, w.at)
	for i, v := range w.moved {
		w.mid[i] = r3.Add(w.at[i], reproducible.Scale(c.dt/2, v))
	}
	c.velocity(w.moved, w.mid)
	for i, v := range w.moved {
		if v.X-v.X == 0 && v.Y-v.Y == 0 && v.Z-v.Z == 0 {
			list[i].at = r3.Add(list[i].at, reproducible.Scale(c.dt/c.unit, v))
		}
	}
}

// sort sorts particles by base cell.
func (h *thickening) sort(list []particle) {
	c, n := h.c, h.c.g.Bases()
	h.first, h.sorted = arrays.Resize(h.first, n+2), arrays.Resize(h.sorted, len(list))
	clear(h.first)
	for i := range list {
		b, _ := c.place(list[i].at.X, list[i].at.Y, list[i].at.Z)
		h.first[b+2]++
	}
	for b := range n {
		h.first[b+2] += h.first[b+1]
	}
	for i := range list {
		b, _ := c.place(list[i].at.X, list[i].at.Y, list[i].at.Z)
		h.sorted[h.first[b+1]] = list[i]
		h.first[b+1]++
	}
}

// in are the sorted particles of a base cell.
func (h *thickening) in(b int32) []particle { return h.sorted[h.first[b]:h.first[b+1]] }
