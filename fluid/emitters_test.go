package fluid

import (
	"math"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What a game calls in every frame, though nothing is to change or the tap is to be elsewhere, takes none of what the tap gives.
func TestTapIsWorkedInEveryFrame(t *testing.T) {
	circle := func(n int) r3.Vec { return r3.Vec{X: .2 * math.Sin(.1*float64(n)), Z: .2 * math.Cos(.1*float64(n))} }
	for name, work := range map[string]func(l *Liquid, id *EmitterID, e EmitterDef, n int) error{
		"nothing": func(l *Liquid, id *EmitterID, e EmitterDef, n int) error { return nil },
		"start":   func(l *Liquid, id *EmitterID, e EmitterDef, n int) error { return l.StartEmitter(*id) },
		"stop and start": func(l *Liquid, id *EmitterID, e EmitterDef, n int) error {
			if err := l.StopEmitter(*id); err != nil {
				return err
			}
			return l.StartEmitter(*id)
		},
		"remove and add": func(l *Liquid, id *EmitterID, e EmitterDef, n int) (err error) {
			if err = l.RemoveEmitter(*id); err == nil {
				*id, err = l.AddEmitter(e)
			}
			return err
		},
		"set":  func(l *Liquid, id *EmitterID, e EmitterDef, n int) error { return l.SetEmitter(*id, e) },
		"move": func(l *Liquid, id *EmitterID, e EmitterDef, n int) error { return l.MoveEmitter(*id, circle(n)) },
	} {
		for _, rate := range []float64{1, 20} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l, id := fountain(t, .1, .25, rate)
				of := l.sim.around.Flows.Emitters.All[0]
				e := EmitterDef{Shape: of.Shape, Velocity: of.Velocity, Rate: of.Rate}
				const steps = 90
				first := math.Inf(1)
				for n := range steps {
					must(t, work(l, &id, e, n))
					if r := goesOn(t, l, 1); r.Ledger.EmittedL > 0 {
						first = min(first, float64(n)*frame)
					}
				}
				g := l.Ledger()
				if want := rate * steps * frame; math.Abs(g.EmittedL-want) > max(.02*want, flows.DropDelay*rate) || math.Abs(g.DriftL) > .005*g.HeldL {
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
	l, id := fountain(t, .1, .25, 8)
	for n := range 120 { // it runs in every other step
		if n%2 == 0 {
			must(t, l.StopEmitter(id))
			must(t, l.StopEmitter(id))
		} else {
			must(t, l.StartEmitter(id))
		}
		goesOn(t, l, 1)
	}
	if got, want := l.Ledger().EmittedL, 8*60*frame; math.Abs(got-want) > .2*8 {
		t.Errorf("%g l of %g", got, want)
	}
	must(t, l.StopEmitter(id))
	was := l.Ledger().EmittedL
	goesOn(t, l, 20)
	if got := l.Ledger().EmittedL; got != was {
		t.Errorf("%g l more from a tap that is shut", got-was)
	}
}

// A drain that moves about in a pool, or is set anew in each frame, takes as much as one that stays.
func TestMovedSinkDrainsAlike(t *testing.T) {
	for name, work := range map[string]func(l *Liquid, id SinkID, n int) error{
		"still": func(l *Liquid, id SinkID, n int) error { return nil },
		"moved": func(l *Liquid, id SinkID, n int) error {
			return l.MoveSink(id, r3.Vec{X: .3 * math.Sin(.1*float64(n)), Z: .2 * math.Cos(.1*float64(n))})
		},
		"set": func(l *Liquid, id SinkID, n int) error {
			return l.SetSink(id, Sphere(r3.Vec{X: .8 + .3*math.Sin(.1*float64(n)), Y: .1, Z: .4}, .1), 10)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := tub(t)
			id, err := l.AddSink(Sphere(r3.Vec{X: .8, Y: .1, Z: .4}, .1), 10)
			must(t, err)
			for n := range 120 {
				must(t, work(l, id, n))
				goesOn(t, l, 1)
			}
			if g := l.Ledger(); math.Abs(g.DrainedL-20) > .2 || math.Abs(g.DriftL) > .005*g.HeldL {
				t.Errorf("drained %.3f l of 20, off by %.3f l", g.DrainedL, g.DriftL)
			}
		})
	}
}

// Ids stay few however often things come and go, and one of what was removed never names anything else.
func TestIDsOfWhatIsGone(t *testing.T) {
	l := tub(t)
	ball := Sphere(r3.Vec{X: .4, Y: .6, Z: .4}, .1)
	var field = Field{Kind: RadialField, Centre: r3.Vec{X: .4}, Radius: .1, Strength: 1}
	for name, kind := range map[string]struct {
		add    func() (int64, error)
		remove func(id int64) error
		use    func(id int64) error
		table  *ids.Table
	}{
		"emitter": {
			func() (int64, error) {
				id, err := l.AddEmitter(EmitterDef{Shape: ball, Rate: 1})
				return int64(id), err
			},
			func(id int64) error { return l.RemoveEmitter(EmitterID(id)) },
			func(id int64) error { return l.MoveEmitter(EmitterID(id), r3.Vec{X: .1}) }, &l.sim.ids.emitters,
		},
		"sink": {
			func() (int64, error) { id, err := l.AddSink(ball, 1); return int64(id), err },
			func(id int64) error { return l.RemoveSink(SinkID(id)) },
			func(id int64) error { return l.SetSink(SinkID(id), ball, 2) }, &l.sim.ids.sinks,
		},
		"field": {
			func() (int64, error) { id, err := l.AddField(field); return int64(id), err },
			func(id int64) error { return l.RemoveField(FieldID(id)) },
			func(id int64) error { return l.SetField(FieldID(id), field) }, &l.sim.ids.fields,
		},
		"obstacle": {
			func() (int64, error) { id, err := l.AddObstacle(ball); return int64(id), err },
			func(id int64) error { return l.RemoveObstacle(ObstacleID(id)) },
			func(id int64) error {
				return l.MoveObstacle(ObstacleID(id), Motion{Translation: r3.Vec{Y: .01}, Rotation: quat.Number{Real: 1}})
			}, &l.sim.ids.obstacles,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ids [3]int64
			for i := range ids {
				var err error
				ids[i], err = kind.add()
				must(t, err)
				if ids[i] != int64(i) {
					t.Fatalf("number %d is %d", i, ids[i])
				}
			}
			must(t, kind.remove(ids[1]))
			err := kind.use(ids[1])
			if err == nil || !strings.Contains(err.Error(), "was removed") {
				t.Errorf("what was removed: %v", err)
			}
			next, err := kind.add()
			must(t, err)
			if next == ids[1] || kind.use(ids[1]) == nil || kind.remove(ids[1]) == nil {
				t.Errorf("%d names what was added as %d", ids[1], next)
			}
			for _, id := range []int64{ids[0], ids[2], next} {
				must(t, kind.use(id))
			}
			pairs := 100_000
			if name == "obstacle" { // each is a hole for the liquid to close
				pairs = 20
			}
			for range pairs {
				id, err := kind.add()
				must(t, err)
				must(t, kind.remove(id))
			}
			if slots, left := len(kind.table.At), len(kind.table.IDs); slots != 4 || left != 3 {
				t.Errorf("%d slots for %d things", slots, left)
			}
			for _, id := range []int64{ids[0], ids[2], next} {
				must(t, kind.remove(id))
			}
		})
	}
	if n := len(l.sim.around.Flows.Emitters.All) + len(l.sim.around.Flows.Sinks.All) + len(l.sim.around.Fields.All) + len(l.sim.around.Obstacles.All); n != 0 {
		t.Errorf("%d things are left", n)
	}
	goesOn(t, l, 2)
}

// What is set and moved while the liquid runs is part of the state: a copy, and a liquid that reads a file, go on alike.
func TestMovedThingsAreSaved(t *testing.T) {
	scene := func() *Liquid {
		l := tub(t)
		for range 2 {
			id, err := l.AddEmitter(EmitterDef{Shape: Sphere(r3.Vec{X: .4, Y: .6, Z: .4}, .05), Velocity: r3.Vec{Y: -1}, Rate: 1})
			must(t, err)
			if id == 0 {
				must(t, l.RemoveEmitter(id))
			}
		}
		_, err := l.AddSink(Sphere(r3.Vec{X: 1.2, Y: .2, Z: .4}, .1), 5)
		must(t, err)
		_, err = l.AddField(Field{Kind: RadialField, Centre: r3.Vec{X: .4, Y: .3, Z: .4}, Radius: .3, Strength: 1})
		must(t, err)
		return l
	}
	a := scene()
	goesOn(t, a, 10)
	tap := EmitterID(a.sim.ids.emitters.IDs[0])
	must(t, a.SetEmitter(tap, EmitterDef{Shape: Sphere(r3.Vec{X: .4, Y: .6, Z: .4}, .05), Velocity: r3.Vec{X: .5, Y: -1}, Rate: 2}))
	must(t, a.MoveEmitter(tap, r3.Vec{X: .94, Y: -.12}, quat.Number{Real: 3, Kmag: 1}))
	must(t, a.SetSink(0, a.sim.around.Flows.Sinks.All[0].Shape, 3))
	must(t, a.MoveSink(0, r3.Vec{Z: .1}, quat.Number{Real: 9, Jmag: -1}))
	must(t, a.SetField(0, Field{Kind: RadialField, Centre: r3.Vec{X: 1, Y: .3, Z: .4}, Radius: .4, Strength: 2}))
	goesOn(t, a, 10)
	if len(a.sim.around.Flows.Drops.All) == 0 {
		t.Fatal("no drops")
	}
	b, c := scene(), mustNew(t, a.Def())
	goesOn(t, b, 3)
	restore(t, b, saved(t, a))
	must(t, a.CopyTo(c))
	var s Snapshot
	a.Snapshot(&s)
	if h := a.Hash(); b.Hash() != h || c.Hash() != h || s.Hash() != h {
		t.Fatal("hashes differ")
	}
	must(t, c.MoveEmitter(tap, r3.Vec{X: .94, Y: -.12}, quat.Number{Real: 3, Kmag: 1}))
	for n := range 20 {
		for _, l := range []*Liquid{a, b, c} {
			goesOn(t, l, 1)
		}
		if h := a.Hash(); b.Hash() != h || c.Hash() != h {
			t.Fatalf("step %d: hashes differ", n)
		}
	}
}

// A step that is rolled back takes back what taps and their drops did in it.
func TestRollBackOfDrops(t *testing.T) {
	l, _ := fountain(t, .1, .25, 2)
	goesOn(t, l, 20)
	was, drops, debt := l.Ledger(), len(l.sim.around.Flows.Drops.All), l.sim.around.Flows.Emitters.All[0].Debt
	l.sim.around.Material.Density = nan
	if r := l.Step(frame); !r.RolledBack {
		t.Fatal("not rolled back")
	}
	l.sim.around.Material.Density = 1000
	if len(l.sim.around.Flows.Drops.All) != drops || l.sim.around.Flows.Emitters.All[0].Debt != debt || l.Ledger() != was {
		t.Errorf("%d drops, had %d; ledger %v, was %v", len(l.sim.around.Flows.Drops.All), drops, l.Ledger(), was)
	}
	goesOn(t, l, 20)
	if got, want := l.Ledger().EmittedL, 2*40*frame; math.Abs(got-want) > .02*want {
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
		mouth, velocity := Sphere(r3.Vec{X: .2}, .12), r3.Vec{X: 2, Y: .5}
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
			var levels [2]Ledger
			var speeds, centres [2]r3.Vec
			for k := range levels {
				l := mustNew(t, Def{Domain: box(1.2, 1.2, 1.2), CellSize: .05, Levels: 1, Workers: 1, Weightless: true})
				var err error
				if k == 0 {
					var id EmitterID
					id, err = l.AddEmitter(EmitterDef{Shape: mouth, Velocity: velocity, Rate: 30})
					must(t, l.MoveEmitter(id, r3.Vec{X: .3}, quat.Number{Real: 1, Imag: 5}))
					must(t, l.MoveEmitter(id, at, turn))
				} else {
					_, err = l.AddEmitter(EmitterDef{Shape: Transform(mouth, unit, at), Velocity: turned(velocity), Rate: 30})
				}
				must(t, err)
				for range int(.1/dt + .5) {
					l.Step(dt)
				}
				var s [1]Sample
				l.Sample([]r3.Vec{r3.Add(at, turned(r3.Vec{X: .2}))}, s[:])
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
	l, id := fountain(t, .1, .25, 2)
	at0 := l.sim.around.Flows.Emitters.All[0].Opening().Bounds()
	must(t, l.MoveEmitter(id, r3.Vec{X: .1}, quat.Number{Kmag: 1}))
	must(t, l.MoveEmitter(id, r3.Vec{}))
	if at := l.sim.around.Flows.Emitters.All[0].Opening().Bounds(); at != at0 {
		t.Errorf("moved back it is at %v, was at %v", at, at0)
	}
	refused(t, l.MoveEmitter(id, r3.Vec{}, quat.Number{Real: nan}), "MoveEmitter", "rotation")
	refused(t, l.MoveEmitter(id, r3.Vec{}, quat.Number{Real: 1}, quat.Number{Real: 1}), "MoveEmitter", "rotation", "at most 1")
	refused(t, l.MoveEmitter(id, r3.Vec{X: inf}, quat.Number{Real: 1}), "MoveEmitter", "translation")
	if at := l.sim.around.Flows.Emitters.All[0].Opening().Bounds(); at != at0 {
		t.Errorf("refused it is at %v, was at %v", at, at0)
	}
}

// liquidCentre is the middle of the liquid, m, as the surface's vertices show it by their triangles.
func liquidCentre(t *testing.T, l *Liquid) (centre r3.Vec) {
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
