package fluid

import (
	"testing"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"gonum.org/v1/gonum/spatial/r3"
)

// Where there is no liquid none appears: beyond open sides the grid gets as coarse after an edit as it was.
func TestNothingComesOfNothing(t *testing.T) {
	for _, sides := range []Sides{{}, {MinX: Open}, {MinX: Open, MaxY: Open}, {MinX: Open, MaxX: Open, MinY: Open, MaxY: Open, MinZ: Open, MaxZ: Open}} {
		for _, edge := range []float64{.8, 1.35, 2.1} {
			for _, height := range []float64{-.02, .01, .3, .55} {
				l := mustNew(t, Def{Domain: box(edge, .8, .8), CellSize: .1, Workers: 1, Sides: sides})
				if err := l.Drain(Below(height)); err != nil {
					t.Fatal(err)
				}
				for range 4 {
					l.Step(frame)
					if held := l.Ledger().HeldL; held != 0 {
						t.Fatalf("%g m long, open %+v, drained below %g: holds %g l", edge, sides, height, held)
					}
				}
			}
		}
	}
}

// A shape that is filled where a body is counts for nothing, now and when the body is gone.
func TestNothingIsFilledInABody(t *testing.T) {
	l := mustNew(t, Def{Domain: box(.8, .8, .8), CellSize: .1, Workers: 1})
	l.Couple(newPuppet(ball{kind: engine.Static, x: r3.Vec{X: .1, Y: .1, Z: .1}, radius: .6, mass: 1}))
	if err := l.Fill(Sphere(r3.Vec{X: .1, Y: .1, Z: .1}, .35)); err != nil {
		t.Fatal(err)
	}
	goesOn(t, l, 2)
	l.Couple(nil)
	goesOn(t, l, 5)
	if g := l.Ledger(); g.FilledL != 0 || g.HeldL != 0 {
		t.Errorf("%+v", g)
	}
}

// Nor does a shape in an obstacle that reaches up to an open side, or on beyond it, once that is removed.
func TestNothingIsFilledInAnObstacle(t *testing.T) {
	for _, shape := range []SDF{Box(box(.8, .8, .8)), Below(.38), Sphere(r3.Vec{Y: .4, Z: .4}, .5)} {
		l := mustNew(t, Def{Domain: box(.8, .8, .8), CellSize: .1, Workers: 1, Sides: Sides{MinX: Open, MaxY: Open}})
		id, err := l.AddObstacle(Box(box(.8, .8, .8)))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Fill(shape); err != nil {
			t.Fatal(err)
		}
		if err := l.RemoveObstacle(id); err != nil {
			t.Fatal(err)
		}
		goesOn(t, l, 5)
		if g := l.Ledger(); g.FilledL != 0 || g.HeldL != 0 {
			t.Errorf("%T: %+v", shape, g)
		}
	}
}
