package cutting_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"gonum.org/v1/gonum/spatial/r3"
)

// porousStick is a porous stick of samples between two ends.
func porousStick(from, to r3.Vec, volume float64) rigid.Solid {
	const n = 50
	body := rigid.Solid{
		Distance: distance(func(r3.Vec) float64 { return h }), Porous: 1, Sampled: true, Centre: r3.Scale(.5, r3.Add(from, to)),
		Bounds: r3.Box{
			Min: r3.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y), Z: min(from.Z, to.Z)},
			Max: r3.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y), Z: max(from.Z, to.Z)},
		},
	}
	for k := range n {
		x := r3.Add(from, r3.Scale((float64(k)+.5)/n, r3.Sub(to, from)))
		body.Samples = append(body.Samples, rigid.Sample{X: x, Volume: volume / n})
	}
	return body
}

// A pressure with an even gradient pushes a porous stick by the gradient times its volume, at its middle, wherever it lies in cells of
// one size or two; with no gradient not at all. Of the liquid it takes its volume.
func TestPorousBodiesFeelTheirVolume(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	place := func() r3.Vec {
		return r3.Vec{X: .2 + 1.2*random.Float64(), Y: .2 + .8*random.Float64(), Z: .2 + 1.2*random.Float64()}
	}
	for name, level := range map[string]func([3]int) uint8{"fine": uniform(3), "coarse": uniform(2), "mixed": halves} {
		for range 40 {
			const volume = 1e-4
			q := newTrial(t, level)
			q.fill(everywhere)
			free := 0.
			q.each(func(c int32, _ r3.Vec, _ float64) { free += float64(q.d.Volume[c]) })
			body := porousStick(place(), place(), volume)
			q.fill(everywhere, body)
			left := 0.
			q.each(func(c int32, _ r3.Vec, _ float64) { left += float64(q.d.Volume[c]) })
			if math.Abs(free-left-volume) > 1e-3*volume {
				t.Errorf("%s: a stick of %g m³ takes %g m³ of the liquid's", name, volume, free-left)
			}
			w := &q.gr.Bodies[0]
			for a := range 3 {
				var even, sloping [6]float64
				for e, r := range w.Row {
					for d, k := range w.K[e] {
						even[d] += k
						sloping[d] -= k * (q.gr.Centre[r][a] - [3]float64{body.Centre.X, body.Centre.Y, body.Centre.Z}[a])
					}
				}
				sloping[a] -= volume
				for d := range even {
					if math.Abs(even[d]) > 1e-9 || math.Abs(sloping[d]) > 1e-9 {
						t.Fatalf("%s, from %.3f: an even pressure exerts %.3g; a gradient along %d %.3g too much", name, body.Bounds.Min, even, a, sloping)
					}
				}
			}
		}
	}
}
