package bodies_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// still is a world of an engine that knows no revisions.
type still struct{ fluid.Bodies }

// lock is a basin with a wall of bodies at x = .8, and water on its left.
type lock struct {
	l    *fluid.Liquid
	w    *physics.World
	gate physics.Body
	wall physics.Shape // the upper slab of two
}

// newLock makes one whose gate has two slabs, or only an upper one that leaves the lower half open.
func newLock(t *testing.T, kind physics.BodyKind, whole bool, bodies func(w *physics.World) fluid.Bodies) *lock {
	t.Helper()
	k := &lock{l: testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .4), CellSize: .1, Resources: fluid.Resources{Workers: 1}}), w: testrig.Earth()}
	var err error
	if k.gate, err = k.w.AddBody(physics.BodyDef{Kind: kind, Position: r3.Vec{X: .8}}); err != nil {
		t.Fatal(err)
	}
	add := func(y, height, z, depth float64) (s physics.Shape) {
		if s, err = k.gate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, height, depth)), Offset: r3.Vec{Y: y, Z: z}}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	add(.9, .3, .2, .8)    // over the water: bounds do not tell of the rest
	add(.4, 1.4, -.15, .1) // beyond the domain's sides, likewise
	add(.4, 1.4, .55, .1)
	if whole {
		k.wall = add(.4, 1.4, .2, .8)
	}
	level := .5
	if whole {
		err = k.l.Fill(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .75, Y: level, Z: 1}}))
	} else {
		err = k.l.Fill(fluid.Below(.3))
	}
	if err != nil {
		t.Fatal(err)
	}
	k.l.Couple(bodies(k.w))
	return k
}

func (k *lock) sleep(t *testing.T) {
	t.Helper()
	for range 600 {
		if r := *k.l.Step(testrig.Frame); r.Asleep() {
			return
		}
	}
	t.Fatal("the basin never sleeps")
}

// right is how much water is on the right of the gate, litres.
func (k *lock) right(t *testing.T) float64 {
	t.Helper()
	v, err := k.l.VolumeIn(fluid.Box(r3.Box{Min: r3.Vec{X: .9, Y: -1, Z: -1}, Max: r3.Vec{X: 2, Y: 2, Z: 1}}))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Water that sleeps behind a gate flows when the gate is taken away, however that is done.
func TestGateThatIsPutElsewhere(t *testing.T) {
	world := func(w *physics.World) fluid.Bodies { return w.Coupling() }
	up := func(t *testing.T, k *lock) {
		testrig.Must(t, k.gate.SetPose(r3.Vec{X: .8, Y: 5}, quat.Number{}))
	}
	for name, c := range map[string]struct {
		kind   physics.BodyKind
		bodies func(w *physics.World) fluid.Bodies
		open   func(t *testing.T, k *lock)
	}{
		"static":         {physics.Static, world, up},
		"kinematic":      {physics.Kinematic, world, up},
		"no revisions":   {physics.Static, func(w *physics.World) fluid.Bodies { return still{w.Coupling()} }, up},
		"kinematic, too": {physics.Kinematic, func(w *physics.World) fluid.Bodies { return still{w.Coupling()} }, up},
		"shape destroyed": {physics.Static, world, func(t *testing.T, k *lock) {
			testrig.Must(t, k.wall.Remove())
		}},
		"body destroyed": {physics.Static, world, func(t *testing.T, k *lock) {
			testrig.Must(t, k.gate.Remove())
		}},
		"Load": {physics.Static, world, func(t *testing.T, k *lock) {
			var saved bytes.Buffer
			other := newLock(t, physics.Static, true, world)
			testrig.Must(t, other.wall.Remove())
			testrig.Must(t, other.w.Save(&saved))
			testrig.Must(t, k.w.Restore(&saved))
		}},
		"CopyTo": {physics.Static, world, func(t *testing.T, k *lock) {
			other := newLock(t, physics.Static, true, world)
			testrig.Must(t, other.wall.Remove())
			other.w.CopyTo(k.w)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			k := newLock(t, c.kind, true, c.bodies)
			k.sleep(t)
			if v := k.right(t); v > 1 {
				t.Fatalf("%.1f l leak through the gate", v)
			}
			c.open(t, k)
			for range 60 {
				if r := *k.l.Step(testrig.Frame); r.Err != nil {
					t.Fatal(r.Err)
				}
			}
			if v, all := k.right(t), k.l.Ledger().HeldL; v < .3*all || math.Abs(k.l.Ledger().DriftL) > .05*all {
				t.Errorf("%.1f of %.1f l pass in a second; the ledger drifts by %.1f l", v, all, k.l.Ledger().DriftL)
			}
		})
	}
}

// A door in a wall of several shapes opens and shuts for water that is awake, too.
func TestShapesThatComeAndGo(t *testing.T) {
	world := func(w *physics.World) fluid.Bodies { return w.Coupling() }
	k := newLock(t, physics.Static, true, world)
	for range 10 {
		k.l.Step(testrig.Frame)
	}
	testrig.Must(t, k.wall.Remove())
	for range 60 {
		k.l.Step(testrig.Frame)
	}
	if v, all := k.right(t), k.l.Ledger().HeldL; v < .3*all {
		t.Errorf("%.1f of %.1f l pass the door in a second", v, all)
	}

	k = newLock(t, physics.Static, false, world)
	for range 10 {
		k.l.Step(testrig.Frame)
	}
	if _, err := k.gate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, 1.4, .8)), Offset: r3.Vec{Y: .4, Z: .2}}); err != nil {
		t.Fatal(err)
	}
	for range 20 { // what it displaces comes back to both sides
		k.l.Step(testrig.Frame)
	}
	before := k.right(t)
	testrig.Must(t, k.l.Fill(fluid.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: .7, Y: .7, Z: 1}})))
	for range 60 {
		k.l.Step(testrig.Frame)
	}
	if after := k.right(t); math.Abs(after-before) > 2 {
		t.Errorf("%.1f l walk through the wall that was added", after-before)
	}
}

// With an engine that knows no revisions coupling it again is enough, for water that is awake or asleep, and in a group.
func TestCoupleAgainSeesShapes(t *testing.T) {
	for name, asleep := range map[string]bool{"asleep": true, "awake": false} {
		t.Run(name, func(t *testing.T) {
			k := newLock(t, physics.Static, true, func(w *physics.World) fluid.Bodies {
				return struct {
					fluid.Bodies
					engine.Sharing
				}{w.Coupling(), w.Coupling()}
			})
			beside := testrig.Pond(t, k.l.Coupled(), 10, .3)
			if asleep {
				k.sleep(t)
			} else {
				testrig.GoesOn(t, k.l, 5)
			}
			testrig.Must(t, k.wall.Remove())
			k.l.Couple(k.l.Coupled())
			for range 60 {
				testrig.GoesOn(t, k.l, 1)
				testrig.GoesOn(t, beside, 1)
			}
			if v, all := k.right(t), k.l.Ledger().HeldL; v < .3*all || len(testrig.Members(beside)) != 2 {
				t.Errorf("%.1f of %.1f l pass in a second; the group is of %d", v, all, len(testrig.Members(beside)))
			}
		})
	}
}

// What changes far from the water, or not at all, wakes nothing.
func TestSleepGoesOn(t *testing.T) {
	k := newLock(t, physics.Static, true, func(w *physics.World) fluid.Bodies { return w.Coupling() })
	far := testrig.Place(t, k.w, physics.Static, r3.Vec{X: 50}, physics.Box(physics.Centred(1, 1, 1)), 500)
	flier := testrig.Place(t, k.w, physics.Dynamic, r3.Vec{X: 80}, physics.Box(physics.Centred(1, 1, 1)), 500)
	k.sleep(t)
	at := k.gate.Position()
	for name, call := range map[string]func() error{
		"far body": func() error { return far.SetPose(r3.Vec{X: 60}, quat.Number{}) },
		"far shape": func() error {
			_, err := far.AddShape(physics.ShapeDef{Geometry: physics.Sphere(r3.Vec{}, 2)})
			return err
		},
		"far and off": func() error { return flier.SetVelocity(r3.Vec{X: 30}) },
		"name":        func() error { return k.gate.SetName("gate") },
	} {
		testrig.Must(t, call())
		if r := *k.l.Step(testrig.Frame); !r.Asleep() {
			t.Errorf("%s wakes the water", name)
		}
	}
	if k.gate.Position() != at {
		t.Error("the gate has moved")
	}
}

// A copy, and what was restored, see what had changed unseen when it was taken; and go on asleep if nothing had.
func TestCopySeesWhatIsRevised(t *testing.T) {
	world := func(w *physics.World) fluid.Bodies { return w.Coupling() }
	for name, open := range map[string]bool{"opened": true, "shut": false} {
		t.Run(name, func(t *testing.T) {
			k, a, b := newLock(t, physics.Static, true, world), newLock(t, physics.Static, true, world), newLock(t, physics.Static, true, world)
			k.sleep(t)
			if open {
				testrig.Must(t, k.wall.Remove())
			}
			var saved, liquid bytes.Buffer
			k.w.CopyTo(a.w)
			testrig.Must(t, k.l.CopyTo(a.l))
			testrig.Must(t, k.w.Save(&saved))
			testrig.Must(t, k.l.Save(&liquid))
			testrig.Must(t, b.w.Restore(&saved))
			testrig.Must(t, b.l.Restore(&liquid))
			for n := range 20 {
				r := *k.l.Step(testrig.Frame)
				if a.l.Step(testrig.Frame); r.Asleep() == open {
					t.Fatalf("step %d: asleep: %v", n, r.Asleep())
				}
				b.l.Step(testrig.Frame)
				if want := k.l.Hash(); a.l.Hash() != want || b.l.Hash() != want {
					t.Fatalf("step %d: other bits", n)
				}
			}
		})
	}
}

// A body that a game puts a little further in every frame, without telling its velocity, costs no liquid.
func TestBodyThatCreeps(t *testing.T) {
	for _, kind := range []physics.BodyKind{physics.Kinematic, physics.Static} {
		l, w := testrig.Tub(t), testrig.Earth()
		b := testrig.Place(t, w, kind, r3.Vec{X: .4, Y: .4, Z: .4}, physics.Box(physics.Centred(.3, .3, .3)), 500)
		l.Couple(w.Coupling())
		for n := range 90 {
			testrig.Must(t, b.SetPose(r3.Vec{X: .4 + .008*float64(n), Y: .4, Z: .4}, quat.Number{}))
			r := *l.Step(testrig.Frame)
			testrig.Sound(t, l, r)
			if r.Asleep() || r.Err != nil {
				t.Fatalf("%v, step %d: asleep %v, %s", kind, n, r.Asleep(), r.Err)
			}
		}
		if g := l.Ledger(); math.Abs(g.DriftL) > .02*g.HeldL {
			t.Errorf("%v: of %.1f l %.1f are lost", kind, g.FilledL, -g.DriftL)
		}
	}
}
