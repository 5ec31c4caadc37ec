package walls

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Axes are the directions to the places of a stencil.
var Axes = [6]r3.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// AppendStencil appends the places at a distance by, m, from x along each of the Axes.
func AppendStencil(dst []r3.Vec, x r3.Vec, by float64) []r3.Vec {
	return append(dst,
		r3.Vec{X: x.X - by, Y: x.Y, Z: x.Z}, r3.Vec{X: x.X + by, Y: x.Y, Z: x.Z},
		r3.Vec{X: x.X, Y: x.Y - by, Z: x.Z}, r3.Vec{X: x.X, Y: x.Y + by, Z: x.Z},
		r3.Vec{X: x.X, Y: x.Y, Z: x.Z - by}, r3.Vec{X: x.X, Y: x.Y, Z: x.Z + by})
}

// Slope returns the differences of a stencil's distances along x, y and z, m.
func Slope(d *[6]float32) r3.Vec {
	return r3.Vec{X: float64(d[1]) - float64(d[0]), Y: float64(d[3]) - float64(d[2]), Z: float64(d[5]) - float64(d[4])}
}

// normalProber estimates a solid's normals from its distance by central differences.
type normalProber struct {
	cell   float64   // finest, m
	normal []r3.Vec  // at the last points
	probes []r3.Vec  // stencils of the points
	near   []float32 // at probes
}

// insidePlace is a place in a solid, or too near to it, that is moved out of it.
type insidePlace struct {
	of     int // index of its segment, sample or line of sight
	x      r3.Vec
	d, gap float64 // the solid's distance at x, and the wanted one, m
}

func makeNormalProber(places int, cell float64) normalProber {
	return normalProber{cell: cell, normal: make([]r3.Vec, 0, places), probes: make([]r3.Vec, 0, 6*places), near: make([]float32, 6*places)}
}

// normals sets s.normal to the solid's unit normals at s.pts.
func (s *scratch) normals() {
	by := float64(Gap * s.cell)
	s.probes, s.normal = s.probes[:0], s.normal[:0]
	for _, x := range s.pts {
		s.probes = AppendStencil(s.probes, x, by)
	}
	s.near = arrays.Resize(s.near, len(s.probes))
	s.Solid(s.near, s.probes)
	for i := range s.pts {
		n := Slope((*[6]float32)(s.near[6*i:]))
		if size := reproducible.Norm(n); size > 1e-4*s.cell {
			n = reproducible.Scale(1/size, n)
		} else {
			n = r3.Vec{} // in the middle of a wall
		}
		s.normal = append(s.normal, n)
	}
	for i, n := range s.normal {
		if n == (r3.Vec{}) {
			s.normal[i] = s.thinnestAxis(s.pts[i])
		}
	}
}

// thinnestAxis returns the axis on which the distance one cell from x is greatest, for x in the middle of a wall. Cutting cells by solids chooses in the same
// way, but counts more of the wall as its middle.
func (s *scratch) thinnestAxis(x r3.Vec) (n r3.Vec) {
	s.probes = AppendStencil(s.probes[:0], x, s.cell)
	s.Solid(s.near[:6], s.probes)
	most := float32(0)
	for i, d := range s.near[:6] {
		if d > most+float32(1e-6*float32(s.cell)) {
			n, most = Axes[i], d
		}
	}
	return n
}

// moveOutside moves the places in s.inside to their gaps from the solid. A cell whose centre is in a thin wall thereby counts
// as on the wall's nearer side.
func (s *scratch) moveOutside() {
	if len(s.inside) == 0 {
		return
	}
	s.pts = s.pts[:0]
	for i := range s.inside {
		s.pts = append(s.pts, s.inside[i].x)
	}
	s.normals()
	for i, n := range s.normal {
		o := &s.inside[i]
		o.x = r3.Add(o.x, reproducible.Scale(o.gap-o.d, n))
	}
}
