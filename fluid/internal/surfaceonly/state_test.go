package surfaceonly_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// A state that is saved, copied or taken back goes on with the same bits, and so does one with other workers.
func TestBoundaryOnlyRepeats(t *testing.T) {
	def := dropDef()
	def.Resources.Workers = 2
	l, other := testrig.New(t, dropDef()), testrig.New(t, def)
	for i, x := range [2]float64{.014, .0235} {
		testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: x, Y: .025, Z: .02}, .004), r3.Vec{X: .1 - .2*float64(i), Y: .2})))
	}
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .02, Y: .035, Z: .01}, .003), Rate: .004})
	testrig.Must(t, err)
	_, err = other.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .02, Y: .035, Z: .01}, .003), Rate: .004})
	testrig.Must(t, err)
	l.Step(testrig.Frame)
	var file bytes.Buffer
	testrig.Must(t, l.Save(&file))
	saved := file.Bytes()
	testrig.Must(t, l.CopyTo(other))
	was := l.Hash()
	if other.Hash() != was {
		t.Fatal("a copy has another hash")
	}
	const steps = 2
	var hashes [steps]uint64
	for i := range hashes {
		if r := l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
		other.Step(testrig.Frame)
		if hashes[i] = l.Hash(); other.Hash() != hashes[i] {
			t.Fatalf("step %d with 2 workers gives other bits", i)
		}
	}
	testrig.Must(t, l.Restore(bytes.NewReader(saved)))
	if l.Hash() != was {
		t.Fatal("what is restored has another hash")
	}
	for i := range hashes {
		if l.Step(testrig.Frame); l.Hash() != hashes[i] {
			t.Fatalf("step %d after Restore gives other bits", i)
		}
	}
	for at := 40; at < len(saved); at += len(saved)/40 + 1 {
		spoilt := bytes.Clone(saved)
		spoilt[at] ^= 0x55
		before := l.Hash()
		if err := other.Restore(bytes.NewReader(spoilt)); err == nil {
			t.Errorf("byte %d of %d may be any", at, len(saved))
		}
		if l.Hash() != before {
			t.Fatal("a refused file has changed the liquid")
		}
	}
}

// A panic in a callback leaves the liquid as it was.
func TestBoundaryOnlyTakesPanicsBack(t *testing.T) {
	l := testrig.New(t, dropDef())
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .02, Y: .02, Z: .02}, .004)))
	was := l.Hash()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_ = l.SetVelocity(fluid.Below(1), func(r3.Vec) r3.Vec { panic("no velocity") })
	}()
	if l.Hash() != was {
		t.Error("SetVelocity has changed the liquid")
	}
	if err := l.SetVelocity(fluid.Below(1), func(r3.Vec) r3.Vec { return r3.Vec{X: math.NaN()} }); err == nil || l.Hash() != was {
		t.Errorf("a velocity that is not a number: %v", err)
	}
	if r := l.Step(testrig.Frame); r.Err != nil {
		t.Error(r.Err)
	}
}

// Steps allocate nothing once the arrays are long enough, but for a mesh that is larger than ever before.
func TestBoundaryOnlyStepsAllocateNothing(t *testing.T) {
	testrig.SkipIfChecking(t)
	def := dropDef()
	def.Physics = fluid.Physics{Weightless: true}
	l := testrig.New(t, def)
	testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: .015, Y: .02, Z: .02}, .005), r3.Vec{X: .05})))
	for range 4 {
		l.Step(testrig.Frame)
	}
	if n := testrig.Allocations(t, 3, func() { l.Step(testrig.Frame) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A state without cells is none of liquid with them, and the other way round: Restore says so.
func TestBoundaryOnlyStatesAreTheirOwn(t *testing.T) {
	def := dropDef()
	l := testrig.New(t, def)
	def.Method = fluid.FiniteVolumes
	cells := testrig.New(t, def)
	for _, pair := range [2][2]*fluid.Liquid{{l, cells}, {cells, l}} {
		var file bytes.Buffer
		testrig.Must(t, pair[0].Save(&file))
		if err := pair[1].Restore(&file); err == nil || !strings.Contains(err.Error(), "Discretisation") && !strings.Contains(err.Error(), "Method") {
			t.Errorf("%v into %v: %v", pair[0].Def().Method, pair[1].Def().Method, err)
		}
	}
}

// A drop and water in cells may push the same body.
func TestBoundaryOnlySharesBodies(t *testing.T) {
	def := dropDef()
	def.Physics.Viscosity = 2e-4 // else it spreads until it is thinner than its edges
	l := testrig.New(t, def)
	pool := testrig.New(t, fluid.Def{Domain: r3.Box{Min: r3.Vec{Y: -.04}, Max: r3.Vec{X: .04, Z: .04}}, CellSize: .005, Resources: fluid.Resources{Workers: 1}})
	w := physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	plate, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .02, Z: .02}})
	testrig.Must(t, err)
	_, err = plate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.03, .012, .03)), Density: 500})
	testrig.Must(t, err)
	testrig.Must(t, pool.Fill(fluid.Below(-.001)))
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .02, Y: .0102, Z: .02}, .004)))
	l.Couple(w.Coupling())
	pool.Couple(w.Coupling())
	for range testrig.InShort(2, 3) {
		for _, of := range [2]*fluid.Liquid{l, pool} {
			r := *of.Step(testrig.Frame)
			testrig.Sound(t, of, r)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
	}
	if u := plate.Velocity(); !(r3.Norm(u) < .5) {
		t.Errorf("the plate moves with %v m/s", u)
	}
	if drop, water := l.BodyLoad(0).Force, pool.BodyLoad(0).Force; drop.Y >= 0 || water.Y <= 0 {
		t.Errorf("the drop pushes it with %v N, the water with %v N", drop, water)
	}
}

// Prewarm, obstacles that come and go between steps, and queries of all kinds change no drop.
func TestBoundaryOnlyStaysAsItIs(t *testing.T) {
	l := testrig.New(t, dropDef())
	ball := fluid.Sphere(r3.Vec{X: .02, Y: .02, Z: .02}, .004)
	testrig.Must(t, l.Fill(ball))
	was := l.Hash()
	l.Prewarm()
	if l.Hash() != was {
		t.Error("Prewarm has changed it")
	}
	held := l.Ledger().HeldL
	id, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .03, Y: .03, Z: .03}, .004))
	testrig.Must(t, err)
	testrig.Must(t, l.RemoveObstacle(id))
	var s fluid.Snapshot
	l.Snapshot(&s)
	if s.Hash() != l.Hash() {
		t.Error("a snapshot has another hash")
	}
	if d, err := l.DensityIn(ball); err != nil || math.Abs(d/1000-1) > .03 {
		t.Errorf("its density is %g kg/m³, %v", d, err)
	}
	if n := len(l.Levels(nil)); n != 0 {
		t.Errorf("%d levels", n)
	}
	if now := l.Ledger().HeldL; now != held {
		t.Errorf("it holds %g l, %g l before", now, held)
	}
	if r := l.Step(testrig.Frame); r.Err != nil || r.UnknownCount() == 0 || r.Surface.Triangles != r.UnknownCount() {
		t.Errorf("%+v", r)
	}
}
