package cutting_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// Components found by what the parts tell of themselves are those found face by face.
func TestBondsFindTheSameComponents(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	several := 0
	for _, level := range []func([3]int) uint8{uniform(3), uniform(2), uniform(1), uniform(0), halves} {
		q := newTrial(t, level)
		for range 20 {
			at := r3.Vec{X: chance.Float64(), Y: chance.Float64(), Z: chance.Float64()}
			ball := rigid.Solid{
				Distance: distance(func(x r3.Vec) float64 { return r3.Norm(r3.Sub(x, at)) - .3 }), Centre: at,
				Bounds: r3.Box{Min: r3.Sub(at, r3.Vec{X: .3, Y: .3, Z: .3}), Max: r3.Add(at, r3.Vec{X: .3, Y: .3, Z: .3})},
			}
			wet := chance.Float64()
			q.fill(func(r3.Vec) float64 { return chance.Float64() - wet }, ball)
			var by, plain graph.Components
			by.Find(&q.gr)
			g := q.gr
			g.Connectivity = make([]graph.Connectivity, len(g.Connectivity))
			plain.Find(&g)
			if !slices.Equal(by.Label, plain.Label) || !slices.Equal(by.Closed, plain.Closed) {
				t.Fatalf("components differ: %d and %d", len(by.Closed), len(plain.Closed))
			}
			several += len(plain.Closed)
		}
	}
	if several < 1000 {
		t.Errorf("only %d components in all", several)
	}
}
