package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// domain is the box that the liquid is in, m, which of its sides, -x, +x, -y, …, liquid may leave through, and the box of the layout.
type domain struct {
	lo, hi      vec
	open        [6]bool
	first, last vec     // corners of the layout, m
	baseEdge    float64 // of a base cell, m
	finest      float64 // edge of the finest cells, m
}

// makeDomain is that of a grid.
func makeDomain(g *layout.Grid, lo, hi vec, open [6]bool) domain {
	whole := g.Whole()
	return domain{lo, hi, open, reproducible.Array(whole.Min), reproducible.Array(whole.Max), float64(g.H * layout.Edge), g.H}
}

// side is how far inside of one of the domain's sides, -x, +x, -y, …, a place is, m. Of an open side, which shuts nothing, it is that of the layout.
func (d *domain) side(side int, x *vec) float64 {
	a := side / 2
	if side&1 == 0 {
		at := d.first[a]
		if !d.open[side] {
			at = max(at, d.lo[a])
		}
		return x[a] - at
	}
	at := d.last[a]
	if !d.open[side] {
		at = min(at, d.hi[a])
	}
	return at - x[a]
}

// shuts tells whether a side of the domain stands within the layout, and is closed.
func (d *domain) shuts(side int) bool {
	a := side / 2
	if d.open[side] {
		return false
	}
	if side&1 == 0 {
		return d.lo[a] > d.first[a]
	}
	return d.hi[a] < d.last[a]
}

// sideReach, in edges of a base cell, is how far beyond a base cell the polygons of its edges, and the Voronoi cells of its vertices, reach at most.
const sideReach = .75

// sidesNear are the sides, as bits, that come near to a base cell's edges and vertices: of the domain, and of the layout.
func (d *domain) sidesNear(g *layout.Grid, b int32) (near uint8) {
	lo := g.Corner(b)
	reach := float64(sideReach * d.baseEdge)
	for side := range 6 {
		x := lo
		if side&1 == 1 {
			x[side/2] += d.baseEdge
		}
		if d.side(side, &x) < reach {
			near |= 1 << side
		}
	}
	return near
}

// touch, in edges of the finest cells, is how close to a solid what lies along it counts as lying in it: more than the rounding of single-precision
// distances, less than any slit that the lattice could resolve.
const touch = 1e-4

// clip leaves of a polygon what is inside of some sides. What lies in a side is outside of it. It uses other as scratch, and values.
func (d *domain) clip(p, other *polygon, values *[]float64, sides uint8) {
	for side := range 6 {
		if sides>>side&1 == 0 || !d.shuts(side) || len(p.x) == 0 {
			continue
		}
		v := (*values)[:0]
		least, most := 0., float64(touch*d.finest)
		for i := range p.x {
			in := d.side(side, &p.x[i])
			least, most = min(least, in), max(most, in)
			v = append(v, in)
		}
		*values = v
		switch {
		case most == float64(touch*d.finest):
			p.clear()
		case least < 0:
			p.clip(other, v)
			*p, *other = *other, *p
		}
	}
}
