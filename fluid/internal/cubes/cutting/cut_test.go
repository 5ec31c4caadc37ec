package cutting

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"gonum.org/v1/gonum/spatial/r3"
)

// The parts of cells that a tilted box fills add up to the box, and their centroids to its centre; so do, along each axis, the parts of
// faces that it covers.
func TestCellsOfABox(t *testing.T) {
	const h = .05
	half, centre := r3.Vec{X: .23, Y: .17, Z: .29}, r3.Vec{X: .81, Y: .62, Z: .79}
	turn := r3.NewRotation(.4, r3.Unit(r3.Vec{X: 1, Y: .5, Z: .3}))
	box := func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			p := turn.Rotate(r3.Sub(x, centre))
			q := r3.Vec{X: math.Abs(p.X) - half.X, Y: math.Abs(p.Y) - half.Y, Z: math.Abs(p.Z) - half.Z}
			dst[i] = float32(r3.Norm(r3.Vec{X: max(q.X, 0), Y: max(q.Y, 0), Z: max(q.Z, 0)}) + min(max(q.X, q.Y, q.Z), 0))
		}
	}
	g := layout.New([3]float64{}, h, [3]int{4, 3, 4}, layout.MaxLevel)
	pool := par.New(1)
	d := New(g, pool, [3]float64{}, [3]float64{32 * h, 24 * h, 32 * h}, [6]bool{})
	reach := r3.Vec{X: .5, Y: .5, Z: .5}
	d.Solids([]rigid.Solid{{Distance: box, Bounds: r3.Box{Min: r3.Sub(centre, reach), Max: r3.Add(centre, reach)}, Centre: centre}}, Near{})
	volume, moment, area := 0., r3.Vec{}, [3]float64{}
	d.bodies.eachHit(func(j *job) {
		for _, c := range j.cells {
			volume += c.solid * h * h * h
			moment = r3.Add(moment, r3.Scale(c.solid*h*h*h, r3.Sub(c.x, centre)))
		}
		for _, f := range j.faces {
			area[f.axis] += f.solid * h * h * h
		}
	})
	want := 8 * half.X * half.Y * half.Z
	if math.Abs(volume-want) > 2e-3*want {
		t.Errorf("cells have %g m³ of %g", volume, want)
	}
	if off := r3.Norm(r3.Scale(1/want, moment)); off > 1e-2*h {
		t.Errorf("their centre is off by %g m", off)
	}
	for a, v := range area {
		if math.Abs(v-want) > 2e-3*want {
			t.Errorf("faces along axis %d have %g m³ of %g", a, v, want)
		}
	}
}
