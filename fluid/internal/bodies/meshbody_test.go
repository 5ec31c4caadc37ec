package bodies_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A body that is a mesh keeps liquid in, and out, though its triangles are inside out or one is missing, and its walls are thinner than a cell.
func TestMeshBodiesHoldWater(t *testing.T) {
	outer, inner := testrig.Cuboid(-.3, -.3, -.3, .3, .3, .3), testrig.Cuboid(-.28, -.28, -.28, .28, .28, .28)
	for name, change := range map[string]func(def *physics.MeshDef){
		"as it is": func(*physics.MeshDef) {},
		"clockwise": func(def *physics.MeshDef) {
			for i, t := range def.Triangles {
				def.Triangles[i] = [3]int32{t[0], t[2], t[1]}
			}
		},
		"a triangle is missing": func(def *physics.MeshDef) { def.Triangles = def.Triangles[1:] },
	} {
		def := testrig.MeshOf(outer, inner)
		change(&def)
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		middle := r3.Vec{X: .5, Y: .4, Z: .5}
		b, err := w.AddBody(physics.BodyDef{Position: middle})
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Mesh(def)})
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1, .8, 1), CellSize: .05})
		l.Couple(w.Coupling())
		testrig.Must(t, l.Fill(fluid.Difference(fluid.Below(.5), fluid.Box(r3.Box{Min: r3.Add(middle, outer.Min), Max: r3.Add(middle, outer.Max)}))))
		testrig.GoesOn(t, l, 15)
		in, err := l.VolumeIn(fluid.Box(r3.Box{Min: r3.Add(middle, inner.Min), Max: r3.Add(middle, inner.Max)}))
		if err != nil {
			t.Fatal(err)
		}
		if filled := l.Ledger().FilledL; in > 1e-3*filled {
			t.Errorf("%s: %.3g of %.3g l are in the body", name, in, filled)
		}
	}
}

// An open mesh carries bodies, but has no inside: liquid falls through it, on the grid and off.
func TestOpenMeshLetsLiquidThrough(t *testing.T) {
	for _, y := range []float64{.4, .417} {
		w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		b, err := w.AddBody(physics.BodyDef{Position: r3.Vec{Y: y}})
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Mesh(physics.MeshDef{
				Vertices: []r3.Vec{{X: -1, Z: -1}, {X: 2, Z: -1}, {X: 2, Z: 2}, {X: -1, Z: 2}}, Triangles: [][3]int32{{0, 2, 1}, {0, 3, 2}}, Open: true,
			})})
		}
		if err != nil {
			t.Fatal(err)
		}
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(.4, .8, .4), CellSize: .05})
		l.Couple(w.Coupling())
		testrig.Must(t, l.Fill(fluid.Box(testrig.Cuboid(0, .45, 0, .4, .7, .4))))
		testrig.GoesOn(t, l, 30)
		below, err := l.VolumeIn(fluid.Box(testrig.Cuboid(0, 0, 0, .4, .4, .4)))
		if filled := l.Ledger().FilledL; err != nil || below < .9*filled {
			t.Errorf("at %g m: %.3g of %.3g l are below the mesh: %v", y, below, filled, err)
		}
	}
}
