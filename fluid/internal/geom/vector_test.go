package geom_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Vectors that are stored as arrays have the same bits as those of reproducible.
func TestVectorsOfArrays(t *testing.T) {
	a, b := [3]float64{.1, -2.3, 1e3}, [3]float64{3.7, .01, -.9}
	p, q := reproducible.Vector(a), reproducible.Vector(b)
	for _, c := range []struct {
		name string
		got  [3]float64
		want r3.Vec
	}{
		{"Sub", geom.Sub(&a, &b), r3.Sub(p, q)},
		{"Cross", geom.Cross(&a, &b), reproducible.Cross(p, q)},
		{"Scale", func() [3]float64 { x := a; geom.Scale(&x, .3); return x }(), reproducible.Scale(.3, p)},
		{"AddScaled", func() [3]float64 { x := a; geom.AddScaled(&x, .3, &b); return x }(), r3.Add(p, reproducible.Scale(.3, q))},
		{"Dot, Norm, Distance", [3]float64{geom.Dot(&a, &b), geom.Norm(&a), geom.Distance(&a, &b)}, r3.Vec{X: reproducible.Dot(p, q), Y: reproducible.Norm(p), Z: reproducible.Norm(r3.Sub(p, q))}},
	} {
		if reproducible.Vector(c.got) != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if d := geom.Distance2(&a, &b); math.Sqrt(d) != geom.Distance(&a, &b) {
		t.Errorf("the square of the distance is %g", d)
	}
}
