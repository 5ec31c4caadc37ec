package fluid

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/physics"
)

// followedScene is one that blocks are to run with whatever tracker they follow.
type followedScene struct {
	name  string
	sides Sides
	begin func(t *testing.T, l *Liquid, w *physics.World)
	step  func(t *testing.T, l *Liquid, w *physics.World, n int)
	drift float64 // what of all liquid that there ever was may be missing or too much after the scene
}

var followedDomain = box(1.2, 1, .8)

func followedScenes() []followedScene {
	fill := func(t *testing.T, l *Liquid, s SDF) {
		t.Helper()
		if err := l.Fill(s); err != nil {
			t.Fatal(err)
		}
	}
	pool := func(t *testing.T, l *Liquid, _ *physics.World) { fill(t, l, Below(.43)) }
	return []followedScene{
		{name: "pool", begin: pool, drift: 1e-3},
		{name: "dam", begin: func(t *testing.T, l *Liquid, _ *physics.World) { fill(t, l, Box(box(.5, .6, 2))) }, drift: 1e-2},
		{name: "splash", begin: func(t *testing.T, l *Liquid, _ *physics.World) {
			fill(t, l, Below(.3))
			fill(t, l, Sphere(r3.Vec{X: .6, Y: .7, Z: .4}, .18))
		}, drift: 1e-2},
		{name: "tap and sink", begin: func(t *testing.T, l *Liquid, w *physics.World) {
			pool(t, l, w)
			if _, err := l.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: .3, Y: .8, Z: .4}, .12), Velocity: r3.Vec{Y: -1}, Rate: 30}); err != nil {
				t.Fatal(err)
			}
			if _, err := l.AddSink(Sphere(r3.Vec{X: 1, Y: .1, Z: .4}, .15), 20); err != nil {
				t.Fatal(err)
			}
		}, drift: 1e-2},
		{name: "open side", sides: Sides{MaxX: Open}, begin: pool, drift: 2e-2},
		{name: "current", sides: Sides{MinX: Flow, MaxX: Flow}, begin: func(t *testing.T, l *Liquid, w *physics.World) {
			pool(t, l, w)
			must(t, l.SetCurrent(MinX, Current{Velocity: .5, Level: .43}))
			must(t, l.SetCurrent(MaxX, Current{Velocity: -.5}))
		}, drift: 2e-2},
		{name: "paddle", begin: func(t *testing.T, l *Liquid, w *physics.World) {
			pool(t, l, w)
			id, err := l.AddObstacle(Box(r3.Box{Min: r3.Vec{X: -.2, Y: -.15, Z: -.07}, Max: r3.Vec{X: .2, Y: .15, Z: .07}}))
			if err == nil {
				err = l.MoveObstacle(id, Motion{Translation: r3.Vec{X: .6, Y: .4, Z: .4}, AngularVelocity: r3.Vec{X: 2, Y: 1}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}, drift: 1e-2},
		{name: "body", begin: func(t *testing.T, l *Liquid, w *physics.World) {
			pool(t, l, w)
			b, err := w.CreateBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .6, Y: .7, Z: .4}})
			if err == nil {
				_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(.3, .24, .26), Density: 400})
			}
			if err != nil {
				t.Fatal(err)
			}
			l.Couple(w)
		}, drift: 1e-2},
		{name: "thin cup", begin: func(t *testing.T, l *Liquid, w *physics.World) {
			fill(t, l, Box(r3.Box{Min: r3.Vec{X: .35, Y: .2, Z: .15}, Max: r3.Vec{X: .85, Y: .5, Z: .65}}))
			b, err := w.CreateBody(physics.BodyDef{Kind: physics.Kinematic, Position: r3.Vec{X: .6, Y: .4, Z: .4}})
			if err == nil {
				_, err = b.AddShape(physics.ShapeDef{Geometry: physics.OpenBox(.52, .41, .52, .01)})
			}
			if err != nil {
				t.Fatal(err)
			}
			l.Couple(w)
		}, step: func(t *testing.T, _ *Liquid, w *physics.World, n int) {
			swing := .05 * math.Sin(math.Pi*float64(n)*frame)
			for b := range w.Bodies() {
				must(t, b.SetTargetPose(r3.Vec{X: .6 + swing, Y: .4, Z: .4}, quat.Number{Real: 1}, frame))
			}
		}, drift: 3e-2}, // the cup's walls are known from the first step on only: the cells that they cut were full before
	}
}

// run runs a scene for so many steps with a liquid's tracker. In its middle the state is saved, and the liquid and one that it is restored to go on alike.
func (s *followedScene) run(t *testing.T, make func(t *testing.T, workers int) *Liquid, steps int) *Liquid {
	t.Helper()
	begin := func(workers int) (*Liquid, *physics.World) {
		l, w := make(t, workers), physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
		s.begin(t, l, w)
		return l, w
	}
	step := func(l *Liquid, w *physics.World, n int) Report {
		if s.step != nil {
			s.step(t, l, w, n)
		}
		r := l.Step(frame)
		sound(t, l, r)
		if r.RolledBack {
			t.Fatal(r.Reason)
		}
		if f, ok := l.sim.surface.(*adaptive.Followed); ok && !testing.Short() {
			if err := f.Check(); err != nil {
				t.Fatalf("step %d: %v", n, err)
			}
		}
		return r
	}
	l, w := begin(1)
	for n := range steps / 2 {
		step(l, w, n)
	}
	var file bytes.Buffer
	if err := l.Save(&file); err != nil {
		t.Fatal(err)
	}
	other, otherWorld := begin(3)
	w.CopyTo(otherWorld)
	if err := other.Restore(&file); err != nil {
		t.Fatal(err)
	}
	if l.Hash() != other.Hash() {
		t.Fatal("what was restored has another hash")
	}
	for n := steps / 2; n < steps; n++ {
		step(l, w, n)
		step(other, otherWorld, n)
		if l.Hash() != other.Hash() {
			t.Fatalf("what was restored goes on otherwise in step %d", n)
		}
	}
	return l
}

// Blocks run with semi-Lagrangian contouring as with their level set: what is put in is kept, solids of all kinds stand in it, and the saved state
// goes on alike for another number of workers.
func TestScenesWithContouring(t *testing.T) {
	for _, s := range followedScenes() {
		t.Run(s.name, func(t *testing.T) {
			l := s.run(t, func(t *testing.T, workers int) *Liquid {
				return mustNew(t, Def{Domain: followedDomain, CellSize: .1, Sides: s.sides, Workers: workers, Tracker: Contouring})
			}, 40)
			g := l.Ledger()
			t.Logf("%+v", g)
			if all := g.FilledL + g.EmittedL; math.Abs(g.DriftL) > s.drift*all {
				t.Errorf("%.3f of %.1f litres drifted", g.DriftL, all)
			}
		})
	}
}

// With an explicit mesh they do so, too, and after each step it is closed and does not meet itself.
func TestScenesWithExplicitMesh(t *testing.T) {
	for _, s := range followedScenes() {
		t.Run(s.name, func(t *testing.T) {
			l := s.run(t, func(t *testing.T, workers int) *Liquid {
				return mustNew(t, Def{Domain: followedDomain, CellSize: .1, Sides: s.sides, Workers: workers, Tracker: ExplicitMesh})
			}, 40)
			g := l.Ledger()
			t.Logf("%+v, %+v", g, l.sim.step.report.Surface)
			if all := g.FilledL + g.EmittedL; math.Abs(g.DriftL) > s.drift*all {
				t.Errorf("%.3f of %.1f litres drifted", g.DriftL, all)
			}
			if r := l.sim.step.report.Surface; l.sim.step.report.AsleepBlocks == 0 && (r.Vertices == 0 || r.Triangles < r.Vertices) {
				t.Errorf("the report tells of %d vertices and %d triangles", r.Vertices, r.Triangles)
			}
		})
	}
}

// Any tracker can be followed that tells distances and absorbs changes of them.
func TestScenesWithSamples(t *testing.T) {
	for _, s := range followedScenes() {
		if s.name == "open side" || s.name == "current" {
			continue // no more than what TestScenesWithContouring runs, at many times the cost
		}
		t.Run(s.name, func(t *testing.T) {
			l := s.run(t, func(t *testing.T, workers int) *Liquid {
				return newWith(t, Def{Domain: followedDomain, CellSize: .1, Sides: s.sides, Workers: workers}, func(l *simulation) method {
					of := blocksMethod(l)
					m := of.disc.(*adaptive.Blocks)
					of.surface = m.Track(newSampled(m))
					return of
				})
			}, 12)
			g := l.Ledger()
			t.Logf("%+v", g)
			if all := g.FilledL + g.EmittedL; math.Abs(g.DriftL) > s.drift*all {
				t.Errorf("%.3f of %.1f litres drifted", g.DriftL, all)
			}
		})
	}
}
