package fluid

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/physics"
)

// meshOf is the triangles of boxes, those of the ones that are cut out the other way round.
func meshOf(solids ...r3.Box) (def physics.MeshDef) {
	for k, b := range solids {
		first := int32(len(def.Vertices))
		for c := range 8 {
			def.Vertices = append(def.Vertices, boxes.Corner(&b, c))
		}
		for _, q := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
			for _, t := range [2][3]int32{{q[0], q[1], q[2]}, {q[0], q[2], q[3]}} {
				if k > 0 {
					t[1], t[2] = t[2], t[1]
				}
				def.Triangles = append(def.Triangles, [3]int32{first + t[0], first + t[1], first + t[2]})
			}
		}
	}
	return def
}

// A body that is a mesh keeps liquid in, and out, though its triangles are inside out or one is missing, and its walls are thinner than a cell.
func TestMeshBodiesHoldWater(t *testing.T) {
	outer, inner := cuboid(-.3, -.3, -.3, .3, .3, .3), cuboid(-.28, -.28, -.28, .28, .28, .28)
	for name, change := range map[string]func(def *physics.MeshDef){
		"as it is": func(*physics.MeshDef) {},
		"clockwise": func(def *physics.MeshDef) {
			for i, t := range def.Triangles {
				def.Triangles[i] = [3]int32{t[0], t[2], t[1]}
			}
		},
		"a triangle is missing": func(def *physics.MeshDef) { def.Triangles = def.Triangles[1:] },
	} {
		def := meshOf(outer, inner)
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
		l := mustNew(t, Def{Domain: box(1, .8, 1), CellSize: .05})
		l.Couple(w.Coupling())
		if err := l.Fill(Difference(Below(.5), Box(r3.Box{Min: r3.Add(middle, outer.Min), Max: r3.Add(middle, outer.Max)}))); err != nil {
			t.Fatal(err)
		}
		goesOn(t, l, 15)
		in, err := l.VolumeIn(Box(r3.Box{Min: r3.Add(middle, inner.Min), Max: r3.Add(middle, inner.Max)}))
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
		l := mustNew(t, Def{Domain: box(.4, .8, .4), CellSize: .05})
		l.Couple(w.Coupling())
		if err := l.Fill(Box(cuboid(0, .45, 0, .4, .7, .4))); err != nil {
			t.Fatal(err)
		}
		goesOn(t, l, 30)
		below, err := l.VolumeIn(Box(cuboid(0, 0, 0, .4, .4, .4)))
		if filled := l.Ledger().FilledL; err != nil || below < .9*filled {
			t.Errorf("at %g m: %.3g of %.3g l are below the mesh: %v", y, below, filled, err)
		}
	}
}
