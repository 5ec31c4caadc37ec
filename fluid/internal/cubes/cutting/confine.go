package cutting

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"gonum.org/v1/gonum/spatial/r3"
)

// Where a side of the domain runs through cells, what stands in them beyond it takes nothing that the side has not
// taken: a game's own wall at the side, or a step that reaches into it, must not count twice. Of such a cell, or a face,
// only the box that is in the domain is cut, however thin it is.

// confined is where the domain's closed sides run through a block.
type confined struct {
	d    *domain
	k    block
	part [3][layout.Edge]bool // per axis and layer of cells: whether a side runs through it
	any  bool
}

// enter readies the scratch for a block.
func (s *scratch) enter(d *domain, k *block) {
	c := &s.confined
	c.d, c.k, c.any = d, *k, false
	if d.wallDistance(k.middle()) > k.reach() {
		return
	}
	for a := range 3 {
		for i := range k.n {
			f := d.within(k, a, i, 1)
			c.part[a][i] = f > 0 && f < 1
			c.any = c.any || f < 1
		}
	}
}

// span is what of an edge along an axis, size cells from cell i on, is in the domain: from where on, in parts of the edge, and how
// much. Of an edge that is all outside it is all.
func (c *confined) span(a, i, size int) (from, part float64) {
	k := &c.k
	if part = c.d.within(k, a, i, size); part == 0 {
		return 0, 1
	}
	if !c.d.open[2*a] {
		from = max(0, c.d.lo[a]-k.lo[a]-float64(float64(i)*k.h)) / (float64(size) * k.h)
	}
	return from, part
}

// crossed tells whether a side of the domain runs through a cell.
func (s *scratch) crossed(at [3]int) bool {
	c := &s.confined
	return c.any && (c.part[0][at[0]] || c.part[1][at[1]] || c.part[2][at[2]])
}

// clip is the box of a cell that is in the domain, in parts of the cell's edge.
type clip struct{ from, size [3]float64 }

func (s *scratch) clip(at [3]int) (b clip) {
	for a := range 3 {
		b.from[a], b.size[a] = s.confined.span(a, at[a], 1)
	}
	return b
}

// place is a place in the box, where u is one in the cell, both in cells from the block's low corner.
func (b *clip) place(at [3]int, u r3.Vec) r3.Vec {
	v := [3]float64{u.X, u.Y, u.Z}
	for a := range v {
		lo := float64(at[a])
		v[a] = lo + b.from[a] + float64((v[a]-lo)*b.size[a])
	}
	return r3.Vec{X: v[0], Y: v[1], Z: v[2]}
}

// volume is the box's, in cells.
func (b *clip) volume() float64 { return b.size[0] * b.size[1] * b.size[2] }

// stretch is by how much distances at the box's corners must grow for them to change by an edge over an edge, as they do in a cell.
func (b *clip) stretch(d *[8]float64) float64 {
	x := (d[1] - d[0]) + (d[3] - d[2]) + (d[5] - d[4]) + (d[7] - d[6])
	y := (d[2] - d[0]) + (d[3] - d[1]) + (d[6] - d[4]) + (d[7] - d[5])
	z := (d[4] - d[0]) + (d[5] - d[1]) + (d[6] - d[2]) + (d[7] - d[3])
	slope := math.Sqrt(float64(x*x)+float64(y*y)+float64(z*z)) / 4
	return 1 / max(slope, min(b.size[0], b.size[1], b.size[2]))
}

// evaluateClip writes the distances, in cells, at the corners of a box and in its middle.
func (s *scratch) evaluateClip(f shapes.Distance, k *block, at [3]int, b *clip, d *[8]float64) (mid float64) {
	lo := r3.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
	s.pts = s.pts[:0]
	for i := range d {
		s.pts = append(s.pts, k.point(b.place(at, r3.Add(lo, r3.Vec{X: float64(i & 1), Y: float64(i >> 1 & 1), Z: float64(i >> 2)}))))
	}
	s.pts = append(s.pts, k.point(b.place(at, r3.Add(lo, r3.Vec{X: .5, Y: .5, Z: .5}))))
	s.evaluate(f)
	for i := range d {
		d[i] = float64(s.dist[i]) / k.h
	}
	return float64(s.dist[len(d)]) / k.h
}

// confine moves the points at which a cell that a side runs through is evaluated into its box.
func (s *scratch) confine(k *block, at [3]int, b *clip, pts []r3.Vec) {
	inv := 1 / k.h
	for i, p := range pts {
		u := r3.Vec{X: (p.X - k.lo[0]) * inv, Y: (p.Y - k.lo[1]) * inv, Z: (p.Z - k.lo[2]) * inv}
		pts[i] = k.point(b.place(at, u))
	}
}

// confineFace has a face keep to what of it is in the domain.
func (s *scratch) confineFace(p *cutFace, a int, at [3]int, size int) {
	c := &s.confined
	if !c.any {
		return
	}
	x, dx := c.span((a+1)%3, at[(a+1)%3], size)
	y, dy := c.span((a+2)%3, at[(a+2)%3], size)
	if dx == 1 && dy == 1 {
		return
	}
	q := &p.plane
	q.from, q.part = [2]float64{float64(x * p.size), float64(y * p.size)}, [2]float64{dx, dy}
	d := p.d
	for i := range p.d {
		u, v := x+float64(float64(i&1)*dx), y+float64(float64(i>>1)*dy)
		low, high := d[0]+float64(u*(d[1]-d[0])), d[2]+float64(u*(d[3]-d[2]))
		p.d[i] = low + float64(v*(high-low))
	}
}
