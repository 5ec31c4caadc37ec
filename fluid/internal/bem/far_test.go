package bem

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// farErrors are bounds of the errors of integrals over two panels at farRatio, the single layer over its value and the field over its length. They are those of triangles of any form.
const (
	farSingleError = 3e-3
	farFieldError  = 1.2e-2
)

// Integrals over panels that are far by expansions are those of a quadrature, up to the stated error, which falls with at least the third power of the distance.
func TestFarPanels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() r3.Vec { return r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()} }
	var single, field [2]float64 // at farRatio, and twice as far
	for range 300 {
		a, b, c, d, e, f := random(), random(), random(), random(), random(), random()
		p, q := newPanel(a, b, c), newPanel(d, e, f)
		way := r3.Unit(random())
		for k, factor := range []float64{1, 2} {
			shift := r3.Sub(r3.Add(p.centre, r3.Scale(factor*farRatio*(p.radius+q.radius), way)), q.centre)
			x, w := finely(a, b, c, 1)
			y, v := finely(r3.Add(d, shift), r3.Add(e, shift), r3.Add(f, shift), 1)
			q := newPanel(r3.Add(d, shift), r3.Add(e, shift), r3.Add(f, shift))
			var wantSingle float64
			var wantField r3.Vec
			for i := range x {
				for j := range y {
					r := r3.Sub(y[j], x[i])
					l := r3.Norm(r)
					wantSingle += w[i] * v[j] / l
					wantField = r3.Add(wantField, r3.Scale(w[i]*v[j]/(l*l*l), r))
				}
			}
			got := farIntegrals(0, 1, &p, &q)
			single[k] = max(single[k], math.Abs(got.single/wantSingle-1))
			field[k] = max(field[k], r3.Norm(r3.Sub(got.field, wantField))/r3.Norm(wantField))
		}
	}
	t.Logf("single layer %.2g, field %.2g", single, field)
	about(t, "single layer", single[0], 0, farSingleError)
	about(t, "field", field[0], 0, farFieldError)
	if single[1] > single[0]/7 || field[1] > field[0]/7 {
		t.Errorf("twice as far: single layer %.2g, field %.2g", single, field)
	}
}
