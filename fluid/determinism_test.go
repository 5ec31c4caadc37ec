package fluid

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// lively is a scene with all that acts on a liquid: a dam that breaks, two bodies of physics in a tank
// of five planes, a column, a tap, a drain, a field, and, through stirLively, a camera that moves.
func lively(t testing.TB, workers int) (*Liquid, *physics.World) {
	t.Helper()
	return livelyWith(t, Def{Budget: Budget{Work: 3}, Workers: workers})
}

// livelyWith is lively with more of the definition.
func livelyWith(t testing.TB, d Def) (*Liquid, *physics.World) {
	t.Helper()
	d.Domain, d.CellSize, d.Viscosity = box(1.6, .8, .8), .05, 1e-4
	l := mustNew(t, d)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.Fill(Box(box(.6, .6, .8))))
	must(l.Fill(Box(box(1.6, .1, .8))))
	_, err := l.AddObstacle(Cylinder(r3.Vec{X: 1.2, Z: .3}, r3.Vec{X: 1.2, Y: .8, Z: .3}, .1))
	must(err)
	_, err = l.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: 1.3, Y: .6, Z: .55}, .08), Velocity: r3.Vec{Y: -1}, Rate: 15})
	must(err)
	_, err = l.AddSink(Sphere(r3.Vec{X: .1, Y: .1, Z: .4}, .1), 5)
	must(err)
	_, err = l.AddField(Field{Kind: VortexField, Centre: r3.Vec{X: .8, Z: .4}, Axis: r3.Vec{Y: 1}, Radius: .5, Strength: 2})
	must(err)
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	for i, density := range []float64{300, 700} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .7 + .3*float64(i), Y: .45, Z: .4}, AngularVelocity: r3.Vec{X: 1, Z: 2}})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, .15, .2)), Density: density})
		must(err)
	}
	for _, side := range []struct{ normal, at r3.Vec }{
		{r3.Vec{Y: 1}, r3.Vec{}}, {r3.Vec{X: 1}, r3.Vec{}}, {r3.Vec{Z: 1}, r3.Vec{}}, {r3.Vec{X: -1}, r3.Vec{X: 1.6}}, {r3.Vec{Z: -1}, r3.Vec{Z: .8}},
	} {
		b, err := w.AddBody(physics.BodyDef{Kind: physics.Static, Position: side.at})
		must(err)
		_, err = b.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, side.normal)})
		must(err)
	}
	l.Couple(w.Coupling())
	return l, w
}

// stirLively moves the camera and works the scene's knobs before step n.
func stirLively(t testing.TB, l *Liquid, n int) {
	t.Helper()
	c, s := float32(math.Cos(.02*float64(n))), float32(math.Sin(.02*float64(n)))
	view := View{
		View:       [16]float32{0: c, 2: s, 5: 1, 8: -s, 10: c, 12: -.8, 13: -.5, 14: -1.5, 15: 1},
		Projection: [16]float32{0: 1.3, 5: 1.8, 10: -1, 11: -1, 14: -.1},
		Height:     720,
	}
	if err := l.SetView(view); err != nil {
		t.Fatal(err)
	}
	switch n {
	case 40:
		if err := l.StopEmitter(0); err != nil {
			t.Fatal(err)
		}
	case 50:
		if err := l.Fill(Sphere(r3.Vec{X: .3, Y: .6, Z: .4}, .12)); err != nil {
			t.Fatal(err)
		}
	case 55:
		if err := l.Drain(Box(r3.Box{Max: r3.Vec{X: .3, Y: .2, Z: .3}})); err != nil {
			t.Fatal(err)
		}
	}
}

// digest is a fingerprint of all that a game reads after a step.
func digest(l *Liquid, r Report, bodies Bodies) uint64 {
	h := fnv.New64a()
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	s := l.Surface()
	put(l.Hash(), s.Positions, s.Normals, s.Velocities, s.Foam, s.Indices, s.Droplets, s.DropletVelocities, int64(s.Free))
	put(r.Ledger, r.MaxSpeed, r.Residual, r.Time)
	for i := range r.Unknowns {
		put(int64(r.Unknowns[i]), int64(r.Cells[i]))
	}
	put(int64(r.Step), int64(r.Substeps), int64(r.Iterations), int64(r.Nonzeros), int64(r.AsleepBlocks), r.RolledBack)
	for _, stage := range r.Stages {
		put(int64(stage.Count))
	}
	for i := range bodies.Len() {
		x, turn := bodies.Pose(i)
		v, w := bodies.Velocity(i)
		put(x, turn, v, w, l.BodyLoad(i))
	}
	e := l.Events()
	fmt.Fprintln(h, r.Plan, r.Warnings, e.Blocked, e.Entered, e.Left, e.Splashes)
	return h.Sum64()
}

// Budgeted by work, the same calls give the same bits: in every run, and for every number of workers.
func TestSameBitsForAnyWorkers(t *testing.T) {
	steps := inShort(50, 100)
	run := func(workers int) (digests []uint64) {
		l, w := lively(t, workers)
		levels := 0
		for n := range steps {
			stirLively(t, l, n)
			r := l.Step(frame)
			if r.RolledBack {
				t.Fatalf("%d workers, step %d: %s", workers, r.Step, r.Reason)
			}
			if r.Unknowns[0] > 0 && r.Unknowns[1] > 0 {
				levels++
			}
			digests = append(digests, digest(l, r, w.Coupling()))
		}
		if levels < steps/2 {
			t.Errorf("cells of different size held liquid in %d of %d steps: the scene is too small", levels, steps)
		}
		return digests
	}
	want := run(1)
	for _, workers := range []int{1, 4, 2}[:inShort(2, 3)] {
		got := run(workers)
		for n := range want {
			if got[n] != want[n] {
				t.Errorf("%d workers: step %d gave other bits than the first run, with 1 worker", workers, n+1)
				break
			}
		}
	}
}

// A pose and a turn that differ in the last bit alone must not pass as the same.
func TestDigestSeesEveryBit(t *testing.T) {
	l := tub(t)
	p := newPuppet(cork(.8, .6, .4))
	l.Couple(p)
	r := l.Step(frame)
	was := digest(l, r, p)
	for name, change := range map[string]func() func(){
		"pose": func() func() {
			old := p.balls[0].x.Y
			p.balls[0].x.Y = math.Nextafter(old, 1)
			return func() { p.balls[0].x.Y = old }
		},
		"turn": func() func() {
			old := p.balls[0].turn
			p.balls[0].turn = quat.Number{Real: math.Nextafter(old.Real, 2)}
			return func() { p.balls[0].turn = old }
		},
		"surface": func() func() {
			v := &l.Surface().Positions[0]
			old := *v
			*v = math.Nextafter32(old, 9)
			return func() { *v = old }
		},
		"liquid": func() func() {
			v := &blocksOf(l).Set.Phi[blocksOf(l).Grid.Cur.First[0]]
			old := *v
			*v = math.Nextafter32(old, 9)
			return func() { *v = old }
		},
	} {
		undo := change()
		if digest(l, r, p) == was {
			t.Errorf("a change of the %s goes unseen", name)
		}
		undo()
	}
	if digest(l, r, p) != was {
		t.Error("the same state gives another digest")
	}
}
