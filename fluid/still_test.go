package fluid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Liquid at rest stays at rest at whatever obstacles stand in it, wherever they cut its cells.
func TestStillLiquidAtObstacles(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	within := func(lo, hi float64) float64 { return lo + (hi-lo)*random.Float64() }
	shapes := map[string]SDF{
		"step":   Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .63, Y: .74, Z: 3}}),
		"post":   Box(r3.Box{Min: r3.Vec{X: .53, Y: -1, Z: .44}, Max: r3.Vec{X: .97, Y: 3, Z: .91}}),
		"column": Cylinder(r3.Vec{X: .83, Y: -.5, Z: .77}, r3.Vec{X: .83, Y: 3, Z: .77}, .27),
		"bowl":   Shell(Sphere(r3.Vec{X: .8, Y: .3, Z: .8}, .5), .04),
	}
	for n := range 12 {
		centre := r3.Vec{X: within(.6, 1), Y: within(.3, 1), Z: within(.6, 1)}
		turn := quat.Exp(quat.Number{Imag: within(-1, 1), Jmag: within(-1, 1), Kmag: within(-1, 1)})
		block := Box(r3.Box{Min: r3.Vec{X: -.3, Y: -.2, Z: -.25}, Max: r3.Vec{X: .3, Y: .2, Z: .25}})
		shapes[fmt.Sprintf("ball at %.3f", centre)] = Sphere(centre, within(.15, .4))
		shapes[fmt.Sprintf("block %d at %.3f", n, centre)] = Transform(block, turn, centre)
	}
	for name, shape := range shapes {
		l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1, Workers: 1})
		if _, err := l.AddObstacle(shape); err != nil {
			t.Fatal(err)
		}
		if err := l.Fill(Below(1.03)); err != nil {
			t.Fatal(err)
		}
		top := 0.
		for range 30 {
			top = max(top, l.Step(frame).MaxSpeed)
		}
		if g := l.Ledger(); top > 1e-3 || math.Abs(g.DriftL) > 1e-3*g.FilledL {
			t.Errorf("%s: up to %.4f m/s, %.3f l of %.0f drifted", name, top, g.DriftL, g.FilledL)
		}
	}
}

func TestShapesKnowTheirThickness(t *testing.T) {
	inf := math.Inf(1)
	plate := Box(r3.Box{Max: r3.Vec{X: 1, Y: .2, Z: 1}})
	ball := Sphere(r3.Vec{}, .3)
	for name, c := range map[string]struct {
		shape SDF
		want  float64
	}{
		"box":          {plate, .2},
		"round box":    {RoundBox(r3.Box{Max: r3.Vec{X: 1, Y: .2, Z: 1}}, .1), .2},
		"sphere":       {ball, .6},
		"capsule":      {Capsule(r3.Vec{}, r3.Vec{X: 1}, .15), .3},
		"cylinder":     {Cylinder(r3.Vec{}, r3.Vec{X: .1}, .15), .1},
		"torus":        {Torus(r3.Vec{}, r3.Vec{Y: 1}, .5, .1), .2},
		"half-space":   {Below(1), inf},
		"shell":        {Shell(ball, .02), .02},
		"transformed":  {Transform(plate, quat.Number{Real: 1}, r3.Vec{X: 2}), .2},
		"union":        {Union(ball, plate), .2},
		"intersection": {Intersection(ball, plate), 0},
		"difference":   {Difference(ball, plate), 0},
		"foreign":      {foreign{box: box(1, 1, 1)}, 0},
		"foreign slab": {slab{foreign{box: box(1, 1, 1)}, .4}, .4},
		"foreign NaN":  {slab{foreign{box: box(1, 1, 1)}, nan}, 0},
	} {
		if got := thicknessOf(c.shape); got != c.want && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v m, want %v", name, got, c.want)
		}
	}
}

// slab is a shape made elsewhere that knows its thickness.
type slab struct {
	foreign
	thickness float64
}

func (s slab) Thickness() float64 { return s.thickness }
