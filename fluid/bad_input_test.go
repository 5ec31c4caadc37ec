package fluid

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// refused fails the test unless err is an error that names all the words.
func refused(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one that names %q", words)
		return
	}
	for _, w := range append(words, "fluid: ") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not name %q", err, w)
		}
	}
}

func TestDefBadFields(t *testing.T) {
	good := Def{Domain: box(1, 1, 1), CellSize: .1}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	type change func(d *Def, v float64)
	for name, c := range map[string]struct {
		set    change
		values []float64
	}{
		"Domain":                 {func(d *Def, v float64) { d.Domain.Max.Y = v }, []float64{nan, inf, -inf, 0, -1, 1e300}},
		"CellSize":               {func(d *Def, v float64) { d.CellSize = v }, []float64{nan, inf, -inf, 0, -.1, .6, 1e-300}},
		"Levels":                 {func(d *Def, v float64) { d.Levels = int(v) }, []float64{-1, 5, 1 << 40}},
		"Band":                   {func(d *Def, v float64) { d.Band = int(v) }, []float64{-1, 1 << 30}},
		"BodyBand":               {func(d *Def, v float64) { d.BodyBand = int(v) }, []float64{-1, 1 << 30}},
		"InvisibleLevel":         {func(d *Def, v float64) { d.InvisibleLevel = int(v) }, []float64{-1, 4}},
		"Gravity":                {func(d *Def, v float64) { d.Gravity.X = v }, []float64{nan, inf, 1e5}},
		"Density":                {func(d *Def, v float64) { d.Density = v }, []float64{nan, inf, -1, 1e-9, 1e9}},
		"Viscosity":              {func(d *Def, v float64) { d.Viscosity = v }, []float64{nan, inf, -1, 1e9}},
		"SurfaceTension":         {func(d *Def, v float64) { d.SurfaceTension = v }, []float64{nan, inf, -1, 1e9}},
		"Budget.Step":            {func(d *Def, v float64) { d.Budget.Step = -1 }, []float64{0}},
		"Budget.Work":            {func(d *Def, v float64) { d.Budget.Work = v }, []float64{nan, inf, -1}},
		"Budget":                 {func(d *Def, v float64) { d.Budget = Budget{1e6, 1} }, []float64{0}},
		"Workers":                {func(d *Def, v float64) { d.Workers = int(v) }, []float64{-1, 1e6}},
		"MaxMemory":              {func(d *Def, v float64) { d.MaxMemory = int64(v) }, []float64{-1}},
		"Domain: 1000 cells in":  {func(d *Def, v float64) { d.MaxMemory = 1 }, []float64{0}},
		"Sides":                  {func(d *Def, v float64) { d.Sides.MaxZ = 7 }, []float64{0}},
		"Discretisation":         {func(d *Def, v float64) { d.Discretisation = Discretisation(v) }, []float64{1, 9}},
		"SurfaceDetail":          {func(d *Def, v float64) { d.SurfaceDetail = int(v) }, []float64{-1, 2, 4}},
		"SurfaceDetail: contour": {func(d *Def, v float64) { d.Tracker, d.SurfaceDetail = Contouring, int(v) }, []float64{-1, 3, 8}},
		"Thickening":             {func(d *Def, v float64) { d.Tracker, d.Thickening = Tracker(v), true }, []float64{0, 2, 3}},
		"ContactAngle":           {func(d *Def, v float64) { d.Tracker, d.ContactAngle = Tracker(v), 1 }, []float64{0, 3}},
		"ContactAngle: mesh":     {func(d *Def, v float64) { d.Tracker, d.ContactAngle = ExplicitMesh, v }, []float64{nan, inf, -1, math.Pi, 4}},
		"Tracker":                {func(d *Def, v float64) { d.Tracker = Tracker(v) }, []float64{4, 9}},
		"Solver.Tolerance":       {func(d *Def, v float64) { d.Solver.Tolerance = v }, []float64{nan, inf, -1, 1}},
		"Solver.MaxIterations":   {func(d *Def, v float64) { d.Solver.MaxIterations = int(v) }, []float64{-1, 1e9}},
		"Solver.MaxSubsteps":     {func(d *Def, v float64) { d.Solver.MaxSubsteps = int(v) }, []float64{-1, 1000}},
		"Solver.CFL":             {func(d *Def, v float64) { d.Solver.CFL = v }, []float64{nan, inf, -1, .01, 100}},
		"Domain: 1e+09 to 1e+0":  {func(d *Def, v float64) { d.Domain.Min.X, d.Domain.Max.X = 1e9, 1e9+1 }, []float64{0}},
	} {
		for _, v := range c.values {
			d := good
			c.set(&d, v)
			t.Run(fmt.Sprintf("%s=%g", name, v), func(t *testing.T) {
				refused(t, d.Validate(), "Def."+strings.SplitN(name, ":", 2)[0])
				if _, err := New(d); err == nil {
					t.Error("New took it")
				}
			})
		}
	}
}

// A domain of 1e9 cells is refused before anything is allocated, and the error says what it would need.
func TestDefHugeDomain(t *testing.T) {
	d := Def{Domain: box(100, 100, 100), CellSize: .1}
	_, err := New(d)
	refused(t, err, "Def.Domain", "1000000000 finest cells", "GiB", "MaxMemory", "CellSize")
	d.MaxMemory = math.MaxInt64
	d.CellSize = 1e-4 // 1e18 cells: memory or not, they have no numbers
	_, err = New(d)
	refused(t, err, "Def.Domain", "finest cells")
}

func TestStepBadTime(t *testing.T) {
	l := tub(t)
	goesOn(t, l, 2)
	for _, dt := range []float64{0, -1, nan, inf, -inf, 1e-30, math.SmallestNonzeroFloat64} {
		was := l.Hash()
		r := l.Step(dt)
		sound(t, l, r)
		if !r.RolledBack || !strings.Contains(r.Reason, "dt is") || l.Hash() != was {
			t.Errorf("Step(%v) gave %q; state changed: %v", dt, r.Reason, l.Hash() != was)
		}
		if r.Step != 2 {
			t.Errorf("Step(%v) counts as step %d", dt, r.Step)
		}
	}
	for _, dt := range []float64{10, math.MaxFloat64, 1e-3, .1} {
		r := l.Step(dt)
		sound(t, l, r)
		if r.RolledBack {
			t.Errorf("Step(%g) was rolled back: %s", dt, r.Reason)
		}
		if warned := len(r.Warnings) > 0 && r.Warnings[0].Knob == "dt"; warned != (dt == 10) { // once, until it has been gone for a while
			t.Errorf("Step(%g) warns %v", dt, r.Warnings)
		}
	}
	if r := goesOn(t, l, 5); math.Abs(r.Ledger.DriftL) > .005*512 {
		t.Errorf("drift %g litres", r.Ledger.DriftL)
	}
}

// A step of next to no time, as a game's loop takes one now and then, moves next to nothing.
func TestStepTinyTime(t *testing.T) {
	for _, dt := range []float64{1e-4, 1e-6, 1e-9} {
		l := tub(t)
		goesOn(t, l, 3)
		before := l.Step(.1).MaxSpeed
		r := l.Step(dt)
		sound(t, l, r)
		drift := goesOn(t, l, 3).Ledger.DriftL
		if limit := before + 1e-2; r.MaxSpeed > limit || math.Abs(drift) > .005*512 {
			t.Errorf("still water moves at %.3g m/s after a step of %g s, limit %.3g, and has drifted by %.3g of 512 litres three steps on", r.MaxSpeed, dt, limit, drift)
		}
	}
}

// badShapes are shapes that must be refused wherever a shape is taken.
func badShapes() map[string]SDF {
	up := r3.Vec{Y: 1}
	var none *Mesh
	return map[string]SDF{
		"nil":         nil,
		"nil mesh":    none,
		"zero mesh":   &Mesh{},
		"Box":         Box(box(1, 0, 1)),
		"Box.Min":     Box(r3.Box{Min: r3.Vec{X: nan}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}),
		"RoundBox":    RoundBox(box(1, 1, 1), .6),
		"Sphere":      Sphere(r3.Vec{}, -1),
		"Sphere 0":    Sphere(r3.Vec{}, 0),
		"Sphere NaN":  Sphere(r3.Vec{Z: nan}, 1),
		"Sphere inf":  Sphere(r3.Vec{}, inf),
		"Capsule":     Capsule(r3.Vec{}, up, nan),
		"Cylinder":    Cylinder(up, up, 1),
		"HalfSpace":   HalfSpace(r3.Vec{}, r3.Vec{}),
		"Below":       Below(nan),
		"Torus":       Torus(r3.Vec{}, up, .1, .2),
		"Union":       Union(),
		"Union nil":   Union(Sphere(r3.Vec{}, 1), nil),
		"Difference":  Difference(nil, Sphere(r3.Vec{}, 1)),
		"Transform":   Transform(Sphere(r3.Vec{}, 1), quat.Number{}, r3.Vec{}),
		"Transform t": Transform(Sphere(r3.Vec{}, 1), quat.Number{Real: 1}, r3.Vec{X: inf}),
		"Shell":       Shell(Sphere(r3.Vec{}, 1), 0),
		"Offset":      Offset(Sphere(r3.Vec{}, 1), nan),
		"foreign":     foreign{value: float32(nan), box: box(1, 1, 1)},
		"foreign box": foreign{box: r3.Box{Min: r3.Vec{X: 1}}},
		"foreign NaN": foreign{box: r3.Box{Min: r3.Vec{X: nan}}},
	}
}

// foreign is an SDF made elsewhere, of the same value everywhere.
type foreign struct {
	value float32
	box   r3.Box
}

func (f foreign) Eval(dst []float32, pts []r3.Vec) {
	for i := range pts {
		dst[i] = f.value
	}
}
func (f foreign) Bounds() r3.Box { return f.box }

func TestBadShapesAreRefused(t *testing.T) {
	l := tub(t)
	goesOn(t, l, 1)
	was, held := l.Hash(), l.Ledger()
	for name, s := range badShapes() {
		t.Run(name, func(t *testing.T) {
			refused(t, l.Fill(s), "Fill")
			refused(t, l.Drain(s), "Drain")
			_, err := l.AddObstacle(s)
			refused(t, err, "AddObstacle")
			_, err = l.AddEmitter(EmitterDef{Shape: s, Rate: 1})
			refused(t, err, "AddEmitter", "Shape")
			_, err = l.AddSink(s, 1)
			refused(t, err, "AddSink")
			_, err = l.VolumeIn(s)
			refused(t, err, "VolumeIn")
			_, err = Bake(s, .1)
			refused(t, err, "Bake")
		})
	}
	if l.Hash() != was || l.Ledger() != held {
		t.Error("a refused shape changed the liquid")
	}
	goesOn(t, l, 2)
}

func TestBadEmittersSinksFields(t *testing.T) {
	l := tub(t)
	ball := Sphere(r3.Vec{X: .8, Y: .6, Z: .4}, .15)
	for _, rate := range []float64{0, -1, nan, inf, 1e9} {
		_, err := l.AddEmitter(EmitterDef{Shape: ball, Rate: rate})
		refused(t, err, "AddEmitter", "Rate")
		_, err = l.AddSink(ball, rate)
		refused(t, err, "AddSink", "litres/s")
	}
	for _, v := range []float64{nan, inf, 1e6} {
		_, err := l.AddEmitter(EmitterDef{Shape: ball, Rate: 1, Velocity: r3.Vec{Y: v}})
		refused(t, err, "AddEmitter", "Velocity")
	}
	_, err := l.AddEmitter(EmitterDef{Shape: Below(1), Rate: 1})
	refused(t, err, "AddEmitter", "bounded")
	y := r3.Vec{Y: 1}
	for name, f := range map[string]Field{
		"Kind": {Kind: 9, Axis: y}, "Centre": {Axis: y, Centre: r3.Vec{X: nan}},
		"Radius": {Axis: y, Radius: -1}, "Strength": {Axis: y, Strength: nan}, "Axis": {Strength: 1},
	} {
		_, err := l.AddField(f)
		refused(t, err, "AddField", name)
	}
	for _, v := range []float64{nan, inf, -1} {
		_, err := l.AddField(Field{Axis: y, Radius: v})
		refused(t, err, "AddField", "Radius")
	}
	for _, v := range []float64{nan, inf, 1e300} {
		_, err := l.AddField(Field{Axis: y, Strength: v})
		refused(t, err, "AddField", "Strength")
	}
	for _, v := range []float64{nan, inf} {
		_, err = l.AddField(Field{Axis: r3.Vec{X: v, Y: v}, Kind: VortexField, Strength: 1})
		refused(t, err, "AddField", "Axis")
	}
	for _, id := range []int{-1, 0, 99} {
		refused(t, l.StartEmitter(EmitterID(id)), "StartEmitter", "no emitter")
		refused(t, l.StopEmitter(EmitterID(id)), "StopEmitter", "no emitter")
		refused(t, l.RemoveEmitter(EmitterID(id)), "RemoveEmitter", "no emitter")
		refused(t, l.RemoveSink(SinkID(id)), "RemoveSink", "no sink")
		refused(t, l.RemoveField(FieldID(id)), "RemoveField", "no field")
		refused(t, l.RemoveObstacle(ObstacleID(id)), "RemoveObstacle", "no obstacle")
		refused(t, l.MoveObstacle(ObstacleID(id), Motion{}), "MoveObstacle", "no obstacle")
	}
	goesOn(t, l, 2)
}

func TestBadMotion(t *testing.T) {
	l := tub(t)
	id, err := l.AddObstacle(Sphere(r3.Vec{X: .8, Y: .4, Z: .4}, .2))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{nan, inf, -inf, 1e300} {
		refused(t, l.MoveObstacle(id, Motion{Translation: r3.Vec{X: v}}), "MoveObstacle", "Translation")
		refused(t, l.MoveObstacle(id, Motion{Velocity: r3.Vec{Y: v}}), "MoveObstacle", "Velocity")
		refused(t, l.MoveObstacle(id, Motion{AngularVelocity: r3.Vec{Z: v}}), "MoveObstacle", "AngularVelocity")
		if v != 1e300 {
			refused(t, l.MoveObstacle(id, Motion{Rotation: quat.Number{Real: v}}), "MoveObstacle", "Rotation")
		}
	}
	goesOn(t, l, 2)
	// The fastest motions that are taken: through the water, and out of it for good.
	for _, m := range []Motion{{Velocity: r3.Vec{X: 1000}}, {AngularVelocity: r3.Vec{Y: 1000}}, {Velocity: r3.Vec{Y: -20}, AngularVelocity: r3.Vec{Z: 30}}} {
		if err := l.MoveObstacle(id, m); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			sound(t, l, l.Step(frame))
		}
	}
	if err := l.RemoveObstacle(id); err != nil {
		t.Fatal(err)
	}
	refused(t, l.RemoveObstacle(id), "RemoveObstacle", "no obstacle")
	goesOn(t, l, 5)
}

func TestBadView(t *testing.T) {
	l := tub(t)
	unit := [16]float32{0: 1, 5: 1, 10: 1, 15: 1}
	good := View{View: unit, Projection: [16]float32{0: 1, 5: 1, 10: -1, 11: -1, 14: -.2}, Height: 720}
	if err := l.SetView(good); err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		for _, v := range []float32{float32(nan), float32(inf)} {
			bad := good
			bad.View[i] = v
			refused(t, l.SetView(bad), "SetView", "finite")
			bad = good
			bad.Projection[i] = v
			refused(t, l.SetView(bad), "SetView", "finite")
		}
	}
	for _, bad := range []View{{View: unit, Height: 720}, {Projection: good.Projection, Height: 720}, {View: unit, Projection: good.Projection}, {View: unit, Projection: good.Projection, Height: -5}} {
		refused(t, l.SetView(bad), "SetView")
	}
	goesOn(t, l, 2)
	big := good
	for i := range big.View {
		big.View[i] *= 1e30
	}
	_ = l.SetView(big) // taken or not: the liquid goes on
	goesOn(t, l, 2)
	if err := l.SetBudget(Budget{Work: nan}); err == nil {
		t.Error("SetBudget took NaN")
	}
	if err := l.SetBudget(Budget{Work: 1}); err != nil {
		t.Error(err)
	}
	if err := l.SetView(View{}); err != nil {
		t.Error(err)
	}
	goesOn(t, l, 2)
}

func TestBadSample(t *testing.T) {
	l := tub(t)
	goesOn(t, l, 2)
	pts := []r3.Vec{{X: nan}, {X: inf, Y: 1}, {Y: -inf}, {X: 1e300}, {X: .8, Y: .1, Z: .4}, {X: .8, Y: .8, Z: .8}, {}}
	dst := make([]Sample, len(pts))
	l.Sample(pts, dst)
	for i, s := range dst {
		if math.IsNaN(s.Height) || !finite(s.Pressure) || !finiteVec(s.Velocity) {
			t.Errorf("at %v: %+v", pts[i], s)
		}
	}
	if dst[0].Inside || !dst[4].Inside {
		t.Errorf("NaN is inside: %v, the bottom is: %v", dst[0].Inside, dst[4].Inside)
	}
	l.Sample(nil, nil)
	// Of slices of different length, the shorter one says how many.
	last := Sample{Pressure: 7}
	long, short := []Sample{{}, {}, last}, []Sample{{}, {}, last}
	l.Sample(pts[4:6], long)
	l.Sample(pts[4:], short[:2])
	if long[2] != last || short[2] != last || long[0] != dst[4] || short[1] != dst[5] {
		t.Errorf("slices of different length give %+v and %+v", long, short)
	}
}

func TestBadMesh(t *testing.T) {
	v := []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}
	tris := [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	if _, err := NewMesh(v, tris, MeshOptions{}); err != nil {
		t.Fatal(err)
	}
	with := func(i int, tri [3]int32) [][3]int32 {
		out := append([][3]int32(nil), tris...)
		out[i] = tri
		return out
	}
	for name, c := range map[string]struct {
		v    []r3.Vec
		tris [][3]int32
		o    MeshOptions
	}{
		"index 4":     {v, with(3, [3]int32{2, 0, 4}), MeshOptions{}},
		"index -1":    {v, with(0, [3]int32{-1, 0, 1}), MeshOptions{}},
		"nothing":     {nil, nil, MeshOptions{}},
		"no vertices": {nil, tris, MeshOptions{}},
		"flat":        {v, with(2, [3]int32{0, 0, 0}), MeshOptions{}},
		"NaN":         {[]r3.Vec{{X: nan}, {X: 1}, {Y: 1}, {Z: 1}}, tris, MeshOptions{}},
		"inf":         {[]r3.Vec{{X: inf}, {X: 1}, {Y: 1}, {Z: 1}}, tris, MeshOptions{}},
		"MaxOpen":     {v, tris, MeshOptions{MaxOpen: nan}},
		"Resolution":  {v, tris, MeshOptions{Resolution: -1}},
		"point":       {make([]r3.Vec, 4), tris, MeshOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewMesh(c.v, c.tris, c.o)
			refused(t, err, "NewMesh")
		})
	}
}
