package flows_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// What a game calls in every frame, though nothing is to change or the tap is to be elsewhere, takes none of what the tap gives.
func TestTapIsWorkedInEveryFrame(t *testing.T) {
	circle := func(n int) r3.Vec { return r3.Vec{X: .2 * math.Sin(.1*float64(n)), Z: .2 * math.Cos(.1*float64(n))} }
	for name, work := range map[string]func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) error{
		"nothing": func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) error { return nil },
		"start": func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) error {
			return l.StartEmitter(*id)
		},
		"stop and start": func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) error {
			if err := l.StopEmitter(*id); err != nil {
				return err
			}
			return l.StartEmitter(*id)
		},
		"remove and add": func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) (err error) {
			if err = l.RemoveEmitter(*id); err == nil {
				*id, err = l.AddEmitter(e)
			}
			return err
		},
		"set": func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) error {
			return l.SetEmitter(*id, e)
		},
		"move": func(l *fluid.Liquid, id *fluid.EmitterID, e fluid.EmitterDef, n int) error {
			return l.MoveEmitter(*id, circle(n), quat.Number{})
		},
	} {
		for _, rate := range []float64{1, 20} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l, id := fountain(t, fluid.Cubes, .1, .25, rate)
				of := testrig.Around(l).Flows.Emitters.All[0]
				e := fluid.EmitterDef{Shape: of.Shape, Velocity: of.Velocity, Rate: of.Rate}
				const steps = 90
				first := math.Inf(1)
				for n := range steps {
					testrig.Must(t, work(l, &id, e, n))
					if r := testrig.GoesOn(t, l, 1); r.Ledger.EmittedL > 0 {
						first = min(first, float64(n)*testrig.Frame)
					}
				}
				g := l.Ledger()
				if want := rate * steps * testrig.Frame; math.Abs(g.EmittedL-want) > max(.02*want, flows.DropDelay*rate) || math.Abs(g.DriftL) > .005*g.HeldL {
					t.Errorf("%g litres/s: %.3f l of %.3f, the ledger is off by %.3f l", rate, g.EmittedL, want, g.DriftL)
				}
				if first > .25 {
					t.Errorf("%g litres/s: the first water came after %g s", rate, first)
				}
			})
		}
	}
}

// A tap that is stopped gives nothing, however often it is stopped, and then what it still owes.
func TestStoppedTapKeepsItsDebt(t *testing.T) {
	l, id := fountain(t, fluid.Cubes, .1, .25, 8)
	for n := range 120 { // it runs in every other step
		if n%2 == 0 {
			testrig.Must(t, l.StopEmitter(id))
			testrig.Must(t, l.StopEmitter(id))
		} else {
			testrig.Must(t, l.StartEmitter(id))
		}
		testrig.GoesOn(t, l, 1)
	}
	if got, want := l.Ledger().EmittedL, 8*60*testrig.Frame; math.Abs(got-want) > .2*8 {
		t.Errorf("%g l of %g", got, want)
	}
	testrig.Must(t, l.StopEmitter(id))
	was := l.Ledger().EmittedL
	testrig.GoesOn(t, l, 20)
	if got := l.Ledger().EmittedL; got != was {
		t.Errorf("%g l more from a tap that is shut", got-was)
	}
}

// A drain that moves about in a pool, or is set anew in each frame, takes as much as one that stays.
func TestMovedSinkDrainsAlike(t *testing.T) {
	for name, work := range map[string]func(l *fluid.Liquid, id fluid.SinkID, n int) error{
		"still": func(l *fluid.Liquid, id fluid.SinkID, n int) error { return nil },
		"moved": func(l *fluid.Liquid, id fluid.SinkID, n int) error {
			return l.MoveSink(id, r3.Vec{X: .3 * math.Sin(.1*float64(n)), Z: .2 * math.Cos(.1*float64(n))}, quat.Number{})
		},
		"set": func(l *fluid.Liquid, id fluid.SinkID, n int) error {
			return l.SetSink(id, fluid.Sphere(r3.Vec{X: .8 + .3*math.Sin(.1*float64(n)), Y: .1, Z: .4}, .1), 10)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := testrig.Tub(t)
			id, err := l.AddSink(fluid.Sphere(r3.Vec{X: .8, Y: .1, Z: .4}, .1), 10)
			testrig.Must(t, err)
			for n := range 120 {
				testrig.Must(t, work(l, id, n))
				testrig.GoesOn(t, l, 1)
			}
			if g := l.Ledger(); math.Abs(g.DrainedL-20) > .2 || math.Abs(g.DriftL) > .005*g.HeldL {
				t.Errorf("drained %.3f l of 20, off by %.3f l", g.DrainedL, g.DriftL)
			}
		})
	}
}

// Ids stay few however often things come and go, and one of what was removed never names anything else.
func TestIDsOfWhatIsGone(t *testing.T) {
	l := testrig.Tub(t)
	ball := fluid.Sphere(r3.Vec{X: .4, Y: .6, Z: .4}, .1)
	var field = fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: .4}, Radius: .1, Strength: 1}
	for name, kind := range map[string]struct {
		add    func() (int64, error)
		remove func(id int64) error
		use    func(id int64) error
		table  *ids.Table
	}{
		"emitter": {
			func() (int64, error) {
				id, err := l.AddEmitter(fluid.EmitterDef{Shape: ball, Rate: 1})
				return int64(id), err
			},
			func(id int64) error { return l.RemoveEmitter(fluid.EmitterID(id)) },
			func(id int64) error { return l.MoveEmitter(fluid.EmitterID(id), r3.Vec{X: .1}, quat.Number{}) }, testrig.EmitterIDs(l),
		},
		"sink": {
			func() (int64, error) { id, err := l.AddSink(ball, 1); return int64(id), err },
			func(id int64) error { return l.RemoveSink(fluid.SinkID(id)) },
			func(id int64) error { return l.SetSink(fluid.SinkID(id), ball, 2) }, testrig.SinkIDs(l),
		},
		"field": {
			func() (int64, error) { id, err := l.AddField(field); return int64(id), err },
			func(id int64) error { return l.RemoveField(fluid.FieldID(id)) },
			func(id int64) error { return l.SetField(fluid.FieldID(id), field) }, testrig.FieldIDs(l),
		},
		"obstacle": {
			func() (int64, error) { id, err := l.AddObstacle(ball); return int64(id), err },
			func(id int64) error { return l.RemoveObstacle(fluid.ObstacleID(id)) },
			func(id int64) error {
				return l.MoveObstacle(fluid.ObstacleID(id), fluid.Motion{Translation: r3.Vec{Y: .01}, Rotation: quat.Number{Real: 1}})
			}, testrig.ObstacleIDs(l),
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ids [3]int64
			for i := range ids {
				var err error
				ids[i], err = kind.add()
				testrig.Must(t, err)
				if ids[i] != int64(i) {
					t.Fatalf("number %d is %d", i, ids[i])
				}
			}
			testrig.Must(t, kind.remove(ids[1]))
			err := kind.use(ids[1])
			if err == nil || !strings.Contains(err.Error(), "was removed") {
				t.Errorf("what was removed: %v", err)
			}
			next, err := kind.add()
			testrig.Must(t, err)
			if next == ids[1] || kind.use(ids[1]) == nil || kind.remove(ids[1]) == nil {
				t.Errorf("%d names what was added as %d", ids[1], next)
			}
			for _, id := range []int64{ids[0], ids[2], next} {
				testrig.Must(t, kind.use(id))
			}
			pairs := 100_000
			if name == "obstacle" { // each is a hole for the liquid to close
				pairs = 20
			}
			for range pairs {
				id, err := kind.add()
				testrig.Must(t, err)
				testrig.Must(t, kind.remove(id))
			}
			if slots, left := len(kind.table.At), len(kind.table.IDs); slots != 4 || left != 3 {
				t.Errorf("%d slots for %d things", slots, left)
			}
			for _, id := range []int64{ids[0], ids[2], next} {
				testrig.Must(t, kind.remove(id))
			}
		})
	}
	if n := len(testrig.Around(l).Flows.Emitters.All) + len(testrig.Around(l).Flows.Sinks.All) + len(testrig.Around(l).Fields.All) + len(testrig.Around(l).Obstacles.All); n != 0 {
		t.Errorf("%d things are left", n)
	}
	testrig.GoesOn(t, l, 2)
}

// What is set and moved while the liquid runs is part of the state: a copy, and a liquid that reads a file, go on alike.
func TestMovedThingsAreSaved(t *testing.T) {
	scene := func() *fluid.Liquid {
		l := testrig.Tub(t)
		for range 2 {
			id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .6, Z: .4}, .05), Velocity: r3.Vec{Y: -1}, Rate: 1})
			testrig.Must(t, err)
			if id == 0 {
				testrig.Must(t, l.RemoveEmitter(id))
			}
		}
		_, err := l.AddSink(fluid.Sphere(r3.Vec{X: 1.2, Y: .2, Z: .4}, .1), 5)
		testrig.Must(t, err)
		_, err = l.AddField(fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: .4, Y: .3, Z: .4}, Radius: .3, Strength: 1})
		testrig.Must(t, err)
		return l
	}
	a := scene()
	testrig.GoesOn(t, a, 10)
	tap := fluid.EmitterID(testrig.EmitterIDs(a).IDs[0])
	testrig.Must(t, a.SetEmitter(tap, fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .4, Y: .6, Z: .4}, .05), Velocity: r3.Vec{X: .5, Y: -1}, Rate: 2}))
	testrig.Must(t, a.MoveEmitter(tap, r3.Vec{X: .94, Y: -.12}, quat.Number{Real: 3, Kmag: 1}))
	testrig.Must(t, a.SetSink(0, testrig.Around(a).Flows.Sinks.All[0].Shape, 3))
	testrig.Must(t, a.MoveSink(0, r3.Vec{Z: .1}, quat.Number{Real: 9, Jmag: -1}))
	testrig.Must(t, a.SetField(0, fluid.Field{Kind: fluid.RadialField, Centre: r3.Vec{X: 1, Y: .3, Z: .4}, Radius: .4, Strength: 2}))
	testrig.GoesOn(t, a, 10)
	if len(testrig.Around(a).Flows.Drops.All) == 0 {
		t.Fatal("no drops")
	}
	b, c := scene(), testrig.New(t, a.Def())
	testrig.GoesOn(t, b, 3)
	testrig.Restore(t, b, testrig.Saved(t, a))
	testrig.Must(t, a.CopyTo(c))
	var s fluid.Snapshot
	a.Snapshot(&s)
	if h := a.Hash(); b.Hash() != h || c.Hash() != h || s.Hash() != h {
		t.Fatal("hashes differ")
	}
	testrig.Must(t, c.MoveEmitter(tap, r3.Vec{X: .94, Y: -.12}, quat.Number{Real: 3, Kmag: 1}))
	for n := range 20 {
		for _, l := range []*fluid.Liquid{a, b, c} {
			testrig.GoesOn(t, l, 1)
		}
		if h := a.Hash(); b.Hash() != h || c.Hash() != h {
			t.Fatalf("step %d: hashes differ", n)
		}
	}
}

// A step that is rolled back takes back what taps and their drops did in it.
func TestRollBackOfDrops(t *testing.T) {
	l, _ := fountain(t, fluid.Cubes, .1, .25, 2)
	testrig.GoesOn(t, l, 20)
	was, drops, debt := l.Ledger(), len(testrig.Around(l).Flows.Drops.All), testrig.Around(l).Flows.Emitters.All[0].Debt
	testrig.Around(l).Material.Density = testrig.NaN
	if r := *l.Step(testrig.Frame); r.Err == nil {
		t.Fatal("not rolled back")
	}
	testrig.Around(l).Material.Density = 1000
	if len(testrig.Around(l).Flows.Drops.All) != drops || testrig.Around(l).Flows.Emitters.All[0].Debt != debt || l.Ledger() != was {
		t.Errorf("%d drops, had %d; ledger %v, was %v", len(testrig.Around(l).Flows.Drops.All), drops, l.Ledger(), was)
	}
	testrig.GoesOn(t, l, 20)
	if got, want := l.Ledger().EmittedL, 2*40*testrig.Frame; math.Abs(got-want) > .02*want {
		t.Errorf("%g l of %g", got, want)
	}
}

// An emitter that is turned lets come what one would that was added so: from its turned mouth, along its turned velocity. Without a rotation it is as
// it was added again.
func TestMovedEmitterTurns(t *testing.T) {
	at := r3.Vec{X: .6, Y: .6, Z: .6}
	for name, turn := range map[string]quat.Number{
		"not": {}, "by one": {Real: 1}, "a quarter about z": {Real: 1, Kmag: 1}, "a half about y": {Jmag: 2}, "about x + y": {Real: .9, Imag: .3, Jmag: .3},
	} {
		unit := quat.Number{Real: 1}
		if turn != (quat.Number{}) {
			unit = quat.Scale(1/quat.Abs(turn), turn)
		}
		turned := func(v r3.Vec) r3.Vec { return r3.Rotation(unit).Rotate(v) }
		mouth, velocity := fluid.Sphere(r3.Vec{X: .2}, .12), r3.Vec{X: 2, Y: .5}
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
			var levels [2]fluid.Ledger
			var speeds, centres [2]r3.Vec
			for k := range levels {
				l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.2, 1.2, 1.2), CellSize: .05, Numerics: fluid.Numerics{Levels: 1}, Resources: fluid.Resources{Workers: 1}, Physics: fluid.Physics{Weightless: true}})
				var err error
				if k == 0 {
					var id fluid.EmitterID
					id, err = l.AddEmitter(fluid.EmitterDef{Shape: mouth, Velocity: velocity, Rate: 30})
					testrig.Must(t, l.MoveEmitter(id, r3.Vec{X: .3}, quat.Number{Real: 1, Imag: 5}))
					testrig.Must(t, l.MoveEmitter(id, at, turn))
				} else {
					_, err = l.AddEmitter(fluid.EmitterDef{Shape: fluid.Transform(mouth, unit, at), Velocity: turned(velocity), Rate: 30})
				}
				testrig.Must(t, err)
				for range int(.1/dt + .5) {
					l.Step(dt)
				}
				var s [1]fluid.Sample
				l.Sample(s[:], []r3.Vec{r3.Add(at, turned(r3.Vec{X: .2}))})
				levels[k], speeds[k], centres[k] = l.Ledger(), s[0].Velocity, liquidCentre(t, l)
			}
			if d := r3.Norm(r3.Sub(speeds[0], turned(velocity))); d > .1*r3.Norm(velocity) {
				t.Errorf("turned %s, dt %.4f: %.3g m/s in the mouth, want %.3g", name, dt, speeds[0], turned(velocity))
			}
			if d := r3.Norm(r3.Sub(centres[0], centres[1])); d > 1e-4 || math.Abs(levels[0].EmittedL-levels[1].EmittedL) > 1e-3 {
				t.Errorf("turned %s, dt %.4f: %.4f l about %.4f; added so %.4f l about %.4f", name, dt, levels[0].EmittedL, centres[0], levels[1].EmittedL, centres[1])
			}
		}
	}
	l, id := fountain(t, fluid.Cubes, .1, .25, 2)
	at0 := testrig.Around(l).Flows.Emitters.All[0].Opening().Bounds()
	testrig.Must(t, l.MoveEmitter(id, r3.Vec{X: .1}, quat.Number{Kmag: 1}))
	testrig.Must(t, l.MoveEmitter(id, r3.Vec{}, quat.Number{}))
	if at := testrig.Around(l).Flows.Emitters.All[0].Opening().Bounds(); at != at0 {
		t.Errorf("moved back it is at %v, was at %v", at, at0)
	}
	testrig.Refused(t, l.MoveEmitter(id, r3.Vec{}, quat.Number{Real: testrig.NaN}), "MoveEmitter", "rotation")
	testrig.Refused(t, l.MoveEmitter(id, r3.Vec{X: testrig.Inf}, quat.Number{Real: 1}), "MoveEmitter", "translation")
	if at := testrig.Around(l).Flows.Emitters.All[0].Opening().Bounds(); at != at0 {
		t.Errorf("refused it is at %v, was at %v", at, at0)
	}
}

// liquidCentre is the middle of the liquid, m, as the surface's vertices show it by their triangles.
func liquidCentre(t *testing.T, l *fluid.Liquid) (centre r3.Vec) {
	t.Helper()
	s, volume := l.Surface(), 0.
	at := func(i uint32) r3.Vec {
		return r3.Vec{X: float64(s.Positions[3*i]), Y: float64(s.Positions[3*i+1]), Z: float64(s.Positions[3*i+2])}
	}
	for i := 0; i < len(s.Indices); i += 3 {
		a, b, c := at(s.Indices[i]), at(s.Indices[i+1]), at(s.Indices[i+2])
		v := r3.Dot(a, r3.Cross(b, c)) / 6
		volume += v
		centre = r3.Add(centre, r3.Scale(v/4, r3.Add(a, r3.Add(b, c))))
	}
	if volume <= 0 {
		t.Fatal("there is no liquid")
	}
	return r3.Scale(1/volume, centre)
}
