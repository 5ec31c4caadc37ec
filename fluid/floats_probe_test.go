package fluid

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func TestProbeSiblings(t *testing.T) {
	run := func(name string, l *Liquid, b physics.Body, secs, dt float64) {
		s := ""
		steps := int(secs / dt)
		for n := range steps {
			r := l.Step(dt)
			if (n+1)%(steps/6) == 0 || r.RolledBack {
				p := b.Position()
				s += fmt.Sprintf(" (%.3f %.3f %.3f|%.2f)", p.X, p.Y, p.Z, r.MaxSpeed)
			}
		}
		t.Logf("%s: %s", name, s)
		l.Close()
	}
	for _, dt := range []float64{1. / 60} {
		for _, density := range []float64{50, 300} {
			{ // corner
				l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1})
				w := walledWorld(t, 1.6, 0)
				l.Couple(w)
				b := addBox(t, w, r3.Vec{X: .2, Y: .2, Z: .2}, .4, .4, .4, density)
				must(t, l.Fill(Below(1)))
				run("corner low", l, b, 3, dt)
			}
			{
				l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1})
				w := walledWorld(t, 1.6, 0)
				l.Couple(w)
				b := addBox(t, w, r3.Vec{X: 1.4, Y: .2, Z: 1.4}, .4, .4, .4, density)
				must(t, l.Fill(Below(1)))
				run("corner high", l, b, 3, dt)
			}
			for _, edge := range []float64{.4, .3} { // stack on a heavy box
				for order := range 2 {
					l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1})
					w := walledWorld(t, 1.6, 0)
					l.Couple(w)
					var b physics.Body
					if order == 0 {
						b = addBox(t, w, r3.Vec{X: .8, Y: .33 + edge/2, Z: .8}, edge, edge, edge, density)
						addBox(t, w, r3.Vec{X: .8, Y: .165, Z: .8}, .6, .33, .6, 3000)
					} else {
						addBox(t, w, r3.Vec{X: .8, Y: .165, Z: .8}, .6, .33, .6, 3000)
						b = addBox(t, w, r3.Vec{X: .8, Y: .33 + edge/2, Z: .8}, edge, edge, edge, density)
					}
					must(t, l.Fill(Below(1.1)))
					run(fmt.Sprintf("stack edge %g order %d density %g", edge, order, density), l, b, 3, dt)
				}
			}
			{ // on a static coupled body
				l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1})
				w := walledWorld(t, 1.6, 0)
				l.Couple(w)
				st, err := w.CreateBody(physics.BodyDef{Kind: physics.Static, Position: r3.Vec{X: .8, Y: .115, Z: .8}})
				must(t, err)
				_, err = st.AddShape(physics.ShapeDef{Geometry: physics.Box(1, .23, 1)})
				must(t, err)
				b := addBox(t, w, r3.Vec{X: .8, Y: .23 + .2, Z: .8}, .4, .4, .4, density)
				must(t, l.Fill(Below(1)))
				run("static body", l, b, 3, dt)
			}
			for _, deg := range []float64{10, 30} { // slope
				a := deg * math.Pi / 180
				n := r3.Vec{X: -math.Sin(a), Y: math.Cos(a)}
				q := quat.Number{Real: math.Cos(a / 2), Kmag: math.Sin(a / 2)}
				l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1})
				w := walledWorld(t, 1.6, 0)
				l.Couple(w)
				st, err := w.CreateBody(physics.BodyDef{Kind: physics.Static, Position: r3.Add(r3.Vec{X: .8, Y: .3, Z: .8}, r3.Scale(-1, n)), Rotation: q})
				must(t, err)
				_, err = st.AddShape(physics.ShapeDef{Geometry: physics.Box(6, 2, 6), Friction: .9})
				must(t, err)
				b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Add(r3.Vec{X: .8, Y: .3, Z: .8}, r3.Scale(.2, n)), Rotation: q})
				must(t, err)
				_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(.4, .4, .4), Density: density, Friction: .9})
				must(t, err)
				for range 20 {
					l.Step(dt)
				}
				must(t, l.Fill(Below(1.2)))
				run(fmt.Sprintf("slope %g density %g", deg, density), l, b, 3, dt)
			}
		}
		for _, density := range []float64{1050, 3000} { // heavy boxes stay
			for _, off := range []float64{0, .03} {
				l := mustNew(t, Def{Domain: box(1.6, 1.2, 1.6), CellSize: .1})
				w := walledWorld(t, 1.6, 0)
				l.Couple(w)
				b := addBox(t, w, r3.Vec{X: .8 + off, Y: .2, Z: .8}, .4, .4, .4, density)
				must(t, l.Fill(Below(.8)))
				run(fmt.Sprintf("heavy %g off %g", density, off), l, b, 3, dt)
			}
		}
		for _, hatch := range []float64{.4, .8} {
			l := mustNew(t, Def{Domain: box(1.6, 1.6, 1.6), CellSize: .1})
			_, err := l.AddObstacle(Difference(Box(r3.Box{Min: r3.Vec{X: -1, Y: .3, Z: -1}, Max: r3.Vec{X: 3, Y: .4, Z: 3}}), Box(r3.Box{Min: r3.Vec{X: .7, Y: 0, Z: .7}, Max: r3.Vec{X: .9, Y: .5, Z: .9}})))
			must(t, err)
			w := walledWorld(t, 1.6, .4)
			l.Couple(w)
			b := addBox(t, w, r3.Vec{X: .8, Y: .5, Z: .8}, hatch, .2, hatch, 300)
			for range 20 {
				l.Step(dt)
			}
			must(t, l.Fill(Box(r3.Box{Min: r3.Vec{X: -1, Y: .4, Z: -1}, Max: r3.Vec{X: 3, Y: 1, Z: 3}})))
			run(fmt.Sprintf("hatch %g", hatch), l, b, 3, dt)
		}
	}
}
