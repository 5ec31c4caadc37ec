package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// What the domain is thickened to on both sides of thin liquid's middle, and how far that is spread, cells of the grid.
//
// Source: γ_mesh and h of Chentanez et al. 2007 §3.4.2.
const (
	domainHalf = .6
	domainFar  = 4.
)

// Thickened is Distance with the liquid that is thinner than a cell thickened, so that the cells that it passes through are in it: for
// what the pressure is solved in, not for the surface. At the middle of a thin sheet it is -0.6 cells.
//
// Source: Chentanez et al. 2007 §3.4.2; the offset is never negative.
func (c *Contour) Thickened(dst []float32, at []r3.Vec) {
	c.Distance(dst, at)
	h := &c.thick
	h.domain = c.thinParticles(h.domain[:0], c.now)
	if len(h.domain) == 0 {
		return
	}
	h.sort(h.domain)
	c.answers, c.asked = dst, at
	par.For(c.pool, len(at), 64, c, (*Contour).thickenPoints)
	c.answers, c.asked = nil, nil
}

func (c *Contour) thickenPoints(_, lo, hi int) {
	band := float32(float64(c.fullUnits()) * c.unit)
	for i := lo; i < hi; i++ {
		if d := c.answers[i]; abs32(d) < band {
			p := r3.Sub(c.asked[i], r3.Vec{X: c.g.Origin[0], Y: c.g.Origin[1], Z: c.g.Origin[2]})
			c.answers[i] = max(-band, d-float32(float64(c.thick.offset(reproducible.Scale(1/c.unit, p))*c.unit)))
		}
	}
}

// offset is the mean of what the particles around a place, global units, lack to the domain's least thickness, weighted by the kernel poly6.
func (h *thickening) offset(p r3.Vec) float64 {
	c := h.c
	b, at := c.place(p.X, p.Y, p.Z)
	weights, sum := 0.0, 0.0
	for r, o := range c.g.Nearby(b) {
		if o == grid.None || !h.reaches(at, r) {
			continue
		}
		list := h.in(o)
		for k := range list {
			q := &list[k]
			cell := float64(float64(c.detail) * q.cell)
			far := float64(domainFar * cell)
			s := 1 - float64(reproducible.Norm2(r3.Sub(p, q.at))/(far*far))
			if s > 0 {
				weight := float64(s * s * s)
				weights += weight
				sum += float64(weight * (float64(domainHalf*cell) - q.radius))
			}
		}
	}
	if weights == 0 {
		return 0
	}
	return math.Max(0, sum/weights)
}

// reaches tells whether what spreads in the largest cells may reach from a local place into the block beside it.
func (h *thickening) reaches(at [3]float32, r int) bool {
	c := h.c
	far := float32(domainFar * float64(c.detail) * (1 << grid.MaxLevel))
	for a, d := range [3]int{r % 3, r / 3 % 3, r / 9} {
		if d == 0 && at[a] > far || d == 2 && float32(c.edge)-at[a] > far {
			return false
		}
	}
	return true
}
