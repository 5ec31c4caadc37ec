package surfaceonly_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/surfaceonly"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// dropDef is a box of 4 cm for drops of water with edges of 2 mm.
func dropDef() fluid.Def {
	return fluid.Def{Domain: testrig.Box(.04, .04, .04), Method: fluid.BoundaryOnly, CellSize: .002, Physics: fluid.Physics{SurfaceTension: .072}, Resources: fluid.Resources{Workers: 1}}
}

// centre is that of what a surface encloses, m, as it is drawn.
func centre(s *fluid.Surface) (c r3.Vec) {
	volume := 0.
	at := func(i uint32) r3.Vec {
		return r3.Vec{X: float64(s.Positions[3*i]), Y: float64(s.Positions[3*i+1]), Z: float64(s.Positions[3*i+2])}
	}
	for i := 0; i < len(s.Indices); i += 3 {
		a, b, d := at(s.Indices[i]), at(s.Indices[i+1]), at(s.Indices[i+2])
		v := r3.Dot(a, r3.Cross(b, d)) / 6
		volume += v
		c = r3.Add(c, r3.Scale(v/4, r3.Add(a, r3.Add(b, d))))
	}
	return r3.Scale(1/volume, c)
}

// bounds is a box around a surface, m.
func bounds(s *fluid.Surface) r3.Box {
	var at []r3.Vec
	for i := 0; i < len(s.Positions); i += 3 {
		at = append(at, r3.Vec{X: float64(s.Positions[i]), Y: float64(s.Positions[i+1]), Z: float64(s.Positions[i+2])})
	}
	return boxes.Around(at)
}

// A drop that is thrown falls as a point does, and its litres stay.
func TestBoundaryOnlyFalls(t *testing.T) {
	l := testrig.New(t, dropDef())
	start, velocity := r3.Vec{X: .02, Y: .03, Z: .02}, r3.Vec{X: .1, Y: .1}
	testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(start, .005), velocity)))
	held := l.Ledger().HeldL
	if want := 4. / 3 * math.Pi * math.Pow(.005, 3) / testrig.Litre; math.Abs(held/want-1) > .01 {
		t.Errorf("a ball of %g l holds %g l", want, held)
	}
	from := centre(l.Surface())
	const steps = 3
	substeps, dt := 0, 0.
	for range steps {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		substeps, dt = substeps+r.Substeps, testrig.Frame/float64(r.Substeps)
		if off := math.Abs(r.Ledger.DriftL) / held; off > 1e-9 {
			t.Errorf("the ledger is off by %g of what it holds", off)
		}
	}
	time := steps * testrig.Frame
	want := r3.Add(from, r3.Add(r3.Scale(time, velocity), r3.Scale(-.5*9.81*time*(time+dt), r3.Vec{Y: 1})))
	if off := r3.Norm(r3.Sub(centre(l.Surface()), want)); off > 1e-6 {
		t.Errorf("%g m from where a point falls in %d substeps", off, substeps)
	}
}

// What a definition asks for and liquid without cells can't do is refused by name.
func TestBoundaryOnlyRefuses(t *testing.T) {
	for field, change := range map[string]func(d *fluid.Def){
		"Method":         func(d *fluid.Def) { d.Method = 2 },
		"Sides":          func(d *fluid.Def) { d.Sides.MaxY = fluid.Open },
		"Discretisation": func(d *fluid.Def) { d.Discretisation = fluid.Tetrahedra },
		"Tracker":        func(d *fluid.Def) { d.Tracker = fluid.Contouring },
		"Budget":         func(d *fluid.Def) { d.Budget.Work = 1 },
		"WhiteWater":     func(d *fluid.Def) { d.WhiteWater = 100 },
		"Sounds":         func(d *fluid.Def) { d.Sounds = true },
		"Sizing":         func(d *fluid.Def) { d.Numerics.Sizing.Distance = .1 },
		"SurfaceDetail":  func(d *fluid.Def) { d.Numerics.SurfaceDetail = 2 },
	} {
		d := dropDef()
		change(&d)
		if _, err := fluid.New(d); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// Calls for what liquid without cells can't do are refused by name, and a fill of too many triangles too; nothing changes.
func TestBoundaryOnlyRefusesCalls(t *testing.T) {
	l := testrig.New(t, dropDef())
	ball := fluid.Sphere(r3.Vec{X: .02, Y: .03, Z: .02}, .005)
	testrig.Must(t, l.Fill(ball))
	was := l.Hash()
	for name, call := range map[string]func() error{
		"AddSink":    func() error { _, err := l.AddSink(ball, 1); return err },
		"SetCurrent": func() error { return l.SetCurrent(fluid.MinX, fluid.Current{Velocity: 1}) },
		"SetWind":    func() error { return l.SetWind(fluid.Wind{Velocity: r3.Vec{X: 1}}) },
		"SetView":    func() error { return l.SetView(fluid.View{}) },
		"SetBudget":  func() error { return l.SetBudget(fluid.Budget{Work: 1}) },
		"CutAway":    func() error { _, err := l.CutAway(nil, r3.Vec{}, r3.Vec{X: 1}); return err },
		"label":      func() error { return l.Fill(fluid.Labelled(ball, 1)) },
		"Fill":       func() error { return l.Fill(fluid.Below(.02)) },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(name, "Set")) {
			t.Errorf("%s: %v", name, err)
		}
		if l.Hash() != was {
			t.Fatalf("%s has changed the liquid", name)
		}
	}
	if err := l.Fill(fluid.Below(.02)); err == nil || !strings.Contains(err.Error(), "CellSize") {
		t.Errorf("too many triangles: %v", err)
	}
}

// Two drops that meet become one, and their litres and momentum stay.
func TestBoundaryOnlyMerges(t *testing.T) {
	def := dropDef()
	def.Physics.Weightless = true
	l := testrig.New(t, def)
	for _, side := range [2]float64{-1, 1} {
		testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: .02 + side*.0046, Y: .02, Z: .02}, .004), r3.Vec{X: -.1 * side, Y: .02})))
	}
	merges, held := 0, l.Ledger().HeldL
	steps := testrig.InShort(3, 8)
	for range steps {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		merges += r.Surface.Merges
		if off := math.Abs(r.Ledger.HeldL/held - 1); off > 2e-3 {
			t.Errorf("step %d: %g l, %g l before", r.Step, r.Ledger.HeldL, held)
		}
	}
	if off := math.Abs(l.Ledger().HeldL/held - 1); off > 1e-9 {
		t.Errorf("in the end %g l, %g l before", l.Ledger().HeldL, held)
	}
	if off := r3.Norm(r3.Sub(centre(l.Surface()), r3.Vec{X: .02, Y: .02 + .02*float64(steps)*testrig.Frame, Z: .02})); off > 5e-5 {
		t.Errorf("its centre is %g m from where the momentum takes it", off)
	}
	if merges != 1 {
		t.Errorf("%d merges", merges)
	}
}

// A tap lets out one ball after another, of as many litres as come of its rate, but for what is due of the next one.
func TestBoundaryOnlyTap(t *testing.T) {
	l := testrig.New(t, dropDef())
	const rate = .0038 // litres/s: a ball of 3 mm radius in 0.03 s
	id, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .02, Y: .035, Z: .02}, .003), Velocity: r3.Vec{Y: -.2}, Rate: rate})
	testrig.Must(t, err)
	const steps = 4
	for range steps {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	g := l.Ledger()
	ball := 4. / 3 * math.Pi * math.Pow(.003, 3) / testrig.Litre
	if due := rate * float64(steps) * testrig.Frame; !(g.EmittedL > ball && g.EmittedL <= due && g.EmittedL > due-1.1*ball) {
		t.Errorf("%g l of %g l have come", g.EmittedL, due)
	}
	if math.Abs(g.DriftL) > 1e-9*g.HeldL {
		t.Errorf("the ledger is off: %+v", g)
	}
	testrig.Must(t, l.MoveEmitter(id, r3.Vec{X: 1}, quat.Number{}))
	if l.Step(testrig.Frame); len(l.Events().Blocked) != 1 {
		t.Error("a tap out of the domain is not blocked")
	}
}

// What is filled and drained is in the ledger, and liquid that was there keeps its velocity.
func TestBoundaryOnlyEdits(t *testing.T) {
	l := testrig.New(t, dropDef())
	at := r3.Vec{X: .02, Y: .02, Z: .02}
	testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(at, .006), r3.Vec{X: .3})))
	whole := l.Ledger().HeldL
	half := fluid.HalfSpace(at, r3.Vec{X: -1})
	testrig.Must(t, l.Drain(half))
	if g := l.Ledger(); math.Abs(g.DrainedL/whole-.5) > .06 || math.Abs(g.DriftL) > 1e-9*whole {
		t.Errorf("half of %g l drained: %+v", whole, g)
	}
	var s [2]fluid.Sample
	l.Sample(s[:], []r3.Vec{{X: .017, Y: .02, Z: .02}, {X: .023, Y: .02, Z: .02}})
	if !s[0].Inside || s[1].Inside || r3.Norm(r3.Sub(s[0].Velocity, r3.Vec{X: .3})) > 1e-6 {
		t.Errorf("%+v", s)
	}
	testrig.Must(t, l.Fill(fluid.Sphere(at, .006)))
	if g := l.Ledger(); math.Abs(g.HeldL/whole-1) > .02 || math.Abs(g.DriftL) > 1e-9*whole {
		t.Errorf("%g l filled up again: %+v", whole, g)
	}
	if v, err := l.VolumeIn(half); err != nil || math.Abs(v/whole-.5) > .02 {
		t.Errorf("%g l of %g l in one half, %v", v, whole, err)
	}
	var hit [1]fluid.RayHit
	testrig.Must(t, l.RayCast(hit[:], []fluid.Ray{{From: r3.Vec{X: .02, Y: .039, Z: .02}, Dir: r3.Vec{Y: -2}}}))
	if h := hit[0]; !h.Hit || h.Inside || math.Abs(h.Distance-.013) > 2e-4 || h.Normal.Y < .98 {
		t.Errorf("%+v", h)
	}
}

// An impulse gives the liquid what it says, whatever the surface.
func TestBoundaryOnlyImpulse(t *testing.T) {
	def := dropDef()
	def.Physics.Weightless = true
	l := testrig.New(t, def)
	at := r3.Vec{X: .02, Y: .02, Z: .02}
	testrig.Must(t, l.Fill(fluid.Sphere(at, .005)))
	mass := l.Ledger().HeldL
	from := centre(l.Surface())
	testrig.Must(t, l.Impulse(r3.Vec{X: .023, Y: .02, Z: .02}, .006, r3.Vec{Y: .1 * mass}))
	const steps = 2
	for range steps {
		if r := l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if got := r3.Scale(1/(steps*testrig.Frame), r3.Sub(centre(l.Surface()), from)); r3.Norm(r3.Sub(got, r3.Vec{Y: .1})) > 1e-4 {
		t.Errorf("it moves with %v m/s", got)
	}
}

// A body in the air that a drop hits gets the momentum that the drop loses.
func TestBoundaryOnlyPushesBodies(t *testing.T) {
	def := dropDef()
	def.Physics.Weightless = true
	l := testrig.New(t, def)
	w := physics.NewWorld(physics.WorldDef{})
	const speed = .15 // m/s
	plate, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .03, Y: .02, Z: .02}, NoGravity: true})
	testrig.Must(t, err)
	_, err = plate.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.006, .016, .016)), Density: 1000})
	testrig.Must(t, err)
	l.Couple(w.Coupling())
	testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: .02, Y: .02, Z: .02}, .005), r3.Vec{X: speed})))
	drop := l.Ledger().HeldL // kg
	momentum := func() r3.Vec {
		pieces := testrig.Solver(l).(*surfaceonly.Solver).Pieces()
		if len(pieces) != 1 {
			t.Fatalf("%d pieces", len(pieces))
		}
		return r3.Add(r3.Scale(plate.Mass(), plate.Velocity()), r3.Scale(drop, pieces[0].Velocity))
	}
	want, steps := r3.Vec{X: drop * speed}, 2
	entered := 0
	for range steps {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		entered += len(l.Events().Entered)
	}
	if got := momentum(); r3.Norm(r3.Sub(got, want)) > 1e-9*r3.Norm(want) {
		t.Errorf("drop and plate have %v kg m/s together, want %v", got, want)
	}
	if u := plate.Velocity(); r3.Norm(u) < .02*speed || entered != 1 {
		t.Errorf("the plate moves with %v m/s and was entered %d times", u, entered)
	}
}

// Drops stay in the domain and out of an obstacle: one that is dropped on a ledge comes to rest there.
func TestBoundaryOnlyLies(t *testing.T) {
	def := dropDef()
	def.Physics.Viscosity = 2e-4
	l := testrig.New(t, def)
	_, err := l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: .002, Y: -.01, Z: .002}, Max: r3.Vec{X: .038, Y: .01, Z: .038}}))
	testrig.Must(t, err)
	testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .02, Y: .0142, Z: .02}, .004)))
	held := l.Ledger().HeldL
	for range testrig.InShort(3, 8) {
		r := *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	box := bounds(l.Surface())
	if box.Min.Y < .01-2e-4 || box.Max.Y > .02 || math.Abs(l.Ledger().HeldL/held-1) > .01 {
		t.Errorf("%v, %g l of %g l", box, l.Ledger().HeldL, held)
	}
}

// A drop that hits the floor with 0.7 m/s, and becomes thinner than its edges, stays in the domain with its litres and comes to lie there. A substep that goes wrong meanwhile is taken back.
func TestBoundaryOnlyHitsTheFloor(t *testing.T) {
	l := testrig.New(t, dropDef())
	testrig.Must(t, l.Fill(fluid.Moving(fluid.Sphere(r3.Vec{X: .02, Y: .01, Z: .02}, .003), r3.Vec{Y: -.6})))
	held, undone := l.Ledger().HeldL, 0
	for range testrig.InShort(12, 40) {
		r := *l.Step(testrig.Frame / 4)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			undone++
		}
	}
	box, d := bounds(l.Surface()), l.Def().Domain
	if !boxes.Contains(boxes.Grown(d, 2e-4), box.Min) || !boxes.Contains(boxes.Grown(d, 2e-4), box.Max) || box.Max.Y > .01 {
		t.Errorf("it is in %v", box)
	}
	if now := l.Ledger().HeldL; math.Abs(now/held-1) > .02 {
		t.Errorf("%g l of %g l", now, held)
	}
	testrig.FallsShort(t, "substeps taken back", float64(undone), 0, 3)
}
