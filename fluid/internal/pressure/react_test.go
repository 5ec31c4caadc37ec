package pressure_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// momentum is the liquid's along y, N·s.
func momentum(g *graph.Graph) (sum float64) {
	for f, u := range g.U {
		sum += density * g.Area[f] * g.Open[f] * g.Dist[f] * u
	}
	return sum
}

// kinetic is a body's energy, J, and the liquid's.
func kinetic(g *graph.Graph, b *rigid.Body) (body, liquid float64) {
	for f, u := range g.U {
		liquid += density * g.Area[f] * g.Open[f] * g.Dist[f] * u * u / 2
	}
	return b.V[1] * b.V[1] / (2 * b.InverseMass), liquid
}

// immersed puts a light body into the middle rows of a column whose liquid moves anyhow: porous, so that it covers a part of each face.
func immersed(random *rand.Rand) (*graph.Graph, rigid.Body) {
	g := column(12, true)
	for f := range g.U {
		g.U[f] = random.NormFloat64()
	}
	w := graph.BodyCoupling{}
	cover := .9 * random.Float64()
	for r := int32(4); r < 8; r++ {
		w.Row, w.K, w.Gap = append(w.Row, r), append(w.K, [6]float64{}), append(w.Gap, [3]float64{})
	}
	for f := 5; f < 8; f++ { // between rows 4 and 7
		g.Open[f] -= cover
		w.K[f-5][1] += cover * h * h
		w.K[f-4][1] -= cover * h * h
	}
	g.Bodies = []graph.BodyCoupling{w}
	b := rigid.Body{InverseMass: math.Exp(6 * random.NormFloat64()), Centre: [3]float64{0, .6, 0}}
	b.V[1] = random.NormFloat64()
	return g, b
}

// However light a body is, and whatever of the liquid's moves with it, a solve gives it no more energy than the two had and what resists it
// brings; and what it says that the body got the body did.
func TestSolveGivesNoEnergy(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	for range 200 {
		g, b := immersed(random)
		resists, flow := math.Exp(2*random.NormFloat64()), random.NormFloat64()
		b.AddedInertia[1][1], b.AddedMomentum[1] = resists, resists*flow
		body, liquid := kinetic(g, &b)
		with := body + liquid + resists*flow*flow/2
		v := b.V[1]
		bodies := []rigid.Body{b}
		if _, _, err := solve(t, g, bodies, nil, strict); err != nil {
			t.Fatal(err)
		}
		if body, _ = kinetic(g, &bodies[0]); body > with*(1+1e-9) {
			t.Errorf("of mass %g, resisted by %g kg: it has %g J, of %g", 1/b.InverseMass, resists, body, with)
		}
		if got := (bodies[0].V[1] - v) / b.InverseMass; math.Abs(got-bodies[0].Impulse[1]) > 1e-9*(math.Abs(got)+1) {
			t.Errorf("it got %g N·s and says %g", got, bodies[0].Impulse[1])
		}
	}
}

// What resists a body beside the pressure the liquid gets, and by as much as the body loses.
func TestLiquidGetsWhatResists(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	for range 50 {
		g, b := immersed(random)
		clear(g.Bodies[0].K)
		b.AddedInertia[1][1], b.AddedMomentum[1] = .5*random.Float64(), random.NormFloat64()
		free := *g
		free.U = slices.Clone(g.U)
		free.Bodies = nil
		bodies := []rigid.Body{b}
		for _, err := range []error{second(solve(t, g, bodies, nil, strict)), second(solve(t, &free, nil, nil, strict))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got, lost := bodies[0].Impulse[1], momentum(&free)-momentum(g); math.Abs(got-lost) > 1e-12*(1+math.Abs(got)) {
			t.Errorf("the body got %g N·s, the liquid lost %g", got, lost)
		}
	}
}

func second(_ []float64, _ pressure.Report, err error) error { return err }
