package fluid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

func TestDefBadFields(t *testing.T) {
	good := fluid.Def{Domain: testrig.Box(1, 1, 1), CellSize: .1}
	testrig.Must(t, good.Validate())
	type change func(d *fluid.Def, v float64)
	for name, c := range map[string]struct {
		set    change
		values []float64
	}{
		"Domain":                          {func(d *fluid.Def, v float64) { d.Domain.Max.Y = v }, []float64{testrig.NaN, testrig.Inf, -testrig.Inf, 0, -1, 1e300}},
		"CellSize":                        {func(d *fluid.Def, v float64) { d.CellSize = v }, []float64{testrig.NaN, testrig.Inf, -testrig.Inf, 0, -.1, .6, 1e-300}},
		"Numerics.Levels":                 {func(d *fluid.Def, v float64) { d.Numerics.Levels = int(v) }, []float64{-1, 5, 1 << 40}},
		"Numerics.Band":                   {func(d *fluid.Def, v float64) { d.Numerics.Band = int(v) }, []float64{-1, 1 << 30}},
		"Numerics.BodyBand":               {func(d *fluid.Def, v float64) { d.Numerics.BodyBand = int(v) }, []float64{-1, 1 << 30}},
		"Numerics.InvisibleLevel":         {func(d *fluid.Def, v float64) { d.Numerics.InvisibleLevel = int(v) }, []float64{-1, 4}},
		"Numerics.ViewGain":               {func(d *fluid.Def, v float64) { d.Numerics.ViewGain = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e-9, 1e9}},
		"Numerics.Sizing.Distance":        {func(d *fluid.Def, v float64) { d.Numerics.Sizing.Distance = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e4}},
		"Numerics.Sizing.Vorticity":       {func(d *fluid.Def, v float64) { d.Numerics.Sizing.Vorticity = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e4}},
		"Numerics.Sizing.Turn":            {func(d *fluid.Def, v float64) { d.Numerics.Sizing.Turn = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e7, 1e-9}},
		"Physics.Gravity":                 {func(d *fluid.Def, v float64) { d.Physics.Gravity.X = v }, []float64{testrig.NaN, testrig.Inf, 1e5}},
		"Physics.Density":                 {func(d *fluid.Def, v float64) { d.Physics.Density = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e-9, 1e9}},
		"Physics.Viscosity":               {func(d *fluid.Def, v float64) { d.Physics.Viscosity = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e9}},
		"Physics.SurfaceTension":          {func(d *fluid.Def, v float64) { d.Physics.SurfaceTension = v }, []float64{testrig.NaN, testrig.Inf, -1, 1e9}},
		"Budget.Step":                     {func(d *fluid.Def, v float64) { d.Budget.Step = -1 }, []float64{0}},
		"Budget.Work":                     {func(d *fluid.Def, v float64) { d.Budget.Work = v }, []float64{testrig.NaN, testrig.Inf, -1}},
		"Budget":                          {func(d *fluid.Def, v float64) { d.Budget = fluid.Budget{Step: 1e6, Work: 1} }, []float64{0}},
		"Resources.Workers":               {func(d *fluid.Def, v float64) { d.Resources.Workers = int(v) }, []float64{-1, 1e6}},
		"Resources.MaxMemory":             {func(d *fluid.Def, v float64) { d.Resources.MaxMemory = int64(v) }, []float64{-1}},
		"Domain: 1000 cells in":           {func(d *fluid.Def, v float64) { d.Resources.MaxMemory = 1 }, []float64{0}},
		"Sides":                           {func(d *fluid.Def, v float64) { d.Sides.MaxZ = 7 }, []float64{0}},
		"Numerics.SurfaceDetail":          {func(d *fluid.Def, v float64) { d.Numerics.SurfaceDetail = int(v) }, []float64{-1, 2, 4}},
		"Numerics.SurfaceDetail: contour": {func(d *fluid.Def, v float64) { d.Tracker, d.Numerics.SurfaceDetail = fluid.Contouring, int(v) }, []float64{-1, 3, 8}},
		"Numerics.ExactMotion":            {func(d *fluid.Def, v float64) { d.Tracker, d.Numerics.ExactMotion = fluid.Tracker(v), true }, []float64{0, 1, 3}},
		"Numerics.Thickening":             {func(d *fluid.Def, v float64) { d.Tracker, d.Numerics.Thickening = fluid.Tracker(v), true }, []float64{0, 2, 3}},
		"Physics.ContactAngle":            {func(d *fluid.Def, v float64) { d.Tracker, d.Physics.ContactAngle = fluid.Tracker(v), 1 }, []float64{0, 3}},
		"Physics.ContactAngle: mesh":      {func(d *fluid.Def, v float64) { d.Tracker, d.Physics.ContactAngle = fluid.ExplicitMesh, v }, []float64{testrig.NaN, testrig.Inf, -1, math.Pi, 4}},
		"Discretisation":                  {func(d *fluid.Def, v float64) { d.Discretisation = fluid.Discretisation(v) }, []float64{2, 9}},
		"Tracker":                         {func(d *fluid.Def, v float64) { d.Tracker = fluid.Tracker(v) }, []float64{4, 9}},
		"Numerics.Tolerance":              {func(d *fluid.Def, v float64) { d.Numerics.Tolerance = v }, []float64{testrig.NaN, testrig.Inf, -1, 1}},
		"Numerics.MaxIterations":          {func(d *fluid.Def, v float64) { d.Numerics.MaxIterations = int(v) }, []float64{-1, 1e9}},
		"Numerics.MaxSubsteps":            {func(d *fluid.Def, v float64) { d.Numerics.MaxSubsteps = int(v) }, []float64{-1, 1000}},
		"Numerics.CFL":                    {func(d *fluid.Def, v float64) { d.Numerics.CFL = v }, []float64{testrig.NaN, testrig.Inf, -1, .01, 100}},
		"Domain: 1e+09 to 1e+0":           {func(d *fluid.Def, v float64) { d.Domain.Min.X, d.Domain.Max.X = 1e9, 1e9+1 }, []float64{0}},
	} {
		for _, v := range c.values {
			d := good
			c.set(&d, v)
			t.Run(fmt.Sprintf("%s=%g", name, v), func(t *testing.T) {
				testrig.Refused(t, d.Validate(), "Def."+strings.SplitN(name, ":", 2)[0])
				if _, err := fluid.New(d); err == nil {
					t.Error("New took it")
				}
			})
		}
	}
}

// A domain of 1e9 cells is refused before anything is allocated, and the error says what it would need.
func TestDefHugeDomain(t *testing.T) {
	d := fluid.Def{Domain: testrig.Box(100, 100, 100), CellSize: .1}
	_, err := fluid.New(d)
	testrig.Refused(t, err, "Def.Domain", "1000000000 finest cells", "GiB", "Resources.MaxMemory", "CellSize")
	d.Resources.MaxMemory = math.MaxInt64
	d.CellSize = 1e-4 // 1e18 cells: memory or not, they have no numbers
	_, err = fluid.New(d)
	testrig.Refused(t, err, "Def.Domain", "finest cells")
}

func TestStepBadTime(t *testing.T) {
	l := testrig.Tub(t)
	testrig.GoesOn(t, l, 2)
	for _, dt := range []float64{0, -1, testrig.NaN, testrig.Inf, -testrig.Inf, 1e-30, math.SmallestNonzeroFloat64} {
		was := l.Hash()
		r := *l.Step(dt)
		testrig.Sound(t, l, r)
		if r.Err == nil || !strings.Contains(r.Err.Error(), "dt is") || l.Hash() != was {
			t.Errorf("Step(%v) gave %q; state changed: %v", dt, r.Err, l.Hash() != was)
		}
		if r.Step != 2 {
			t.Errorf("Step(%v) counts as step %d", dt, r.Step)
		}
	}
	for _, dt := range []float64{10, math.MaxFloat64, 1e-3, .1} {
		r := *l.Step(dt)
		testrig.Sound(t, l, r)
		if r.Err != nil {
			t.Errorf("Step(%g) was rolled back: %s", dt, r.Err)
		}
		if warned := len(r.Warnings) > 0 && r.Warnings[0].Knob == "dt"; warned != (dt == 10) { // once, until it has been gone for a while
			t.Errorf("Step(%g) warns %v", dt, r.Warnings)
		}
	}
	if r := testrig.GoesOn(t, l, 5); math.Abs(r.Ledger.DriftL) > .005*512 {
		t.Errorf("drift %g litres", r.Ledger.DriftL)
	}
}

// A step of next to no time, as a game's loop takes one now and then, moves next to nothing.
func TestStepTinyTime(t *testing.T) {
	for _, dt := range []float64{1e-4, 1e-6, 1e-9} {
		l := testrig.Tub(t)
		testrig.GoesOn(t, l, 3)
		before := l.Step(.1).MaxSpeed
		r := *l.Step(dt)
		testrig.Sound(t, l, r)
		drift := testrig.GoesOn(t, l, 3).Ledger.DriftL
		if limit := before + 1e-2; r.MaxSpeed > limit || math.Abs(drift) > .005*512 {
			t.Errorf("still water moves at %.3g m/s after a step of %g s, limit %.3g, and has drifted by %.3g of 512 litres three steps on", r.MaxSpeed, dt, limit, drift)
		}
	}
}

// badShapes are shapes that must be refused wherever a shape is taken.
func badShapes() map[string]fluid.SDF {
	up := r3.Vec{Y: 1}
	var none *fluid.Mesh
	return map[string]fluid.SDF{
		"nil":         nil,
		"nil mesh":    none,
		"zero mesh":   &fluid.Mesh{},
		"Box":         fluid.Box(testrig.Box(1, 0, 1)),
		"Box.Min":     fluid.Box(r3.Box{Min: r3.Vec{X: testrig.NaN}, Max: r3.Vec{X: 1, Y: 1, Z: 1}}),
		"RoundBox":    fluid.RoundBox(testrig.Box(1, 1, 1), .6),
		"Sphere":      fluid.Sphere(r3.Vec{}, -1),
		"Sphere 0":    fluid.Sphere(r3.Vec{}, 0),
		"Sphere NaN":  fluid.Sphere(r3.Vec{Z: testrig.NaN}, 1),
		"Sphere inf":  fluid.Sphere(r3.Vec{}, testrig.Inf),
		"Capsule":     fluid.Capsule(r3.Vec{}, up, testrig.NaN),
		"Cylinder":    fluid.Cylinder(up, up, 1),
		"HalfSpace":   fluid.HalfSpace(r3.Vec{}, r3.Vec{}),
		"Below":       fluid.Below(testrig.NaN),
		"Torus":       fluid.Torus(r3.Vec{}, up, .1, .2),
		"Union":       fluid.Union(),
		"Union nil":   fluid.Union(fluid.Sphere(r3.Vec{}, 1), nil),
		"Difference":  fluid.Difference(nil, fluid.Sphere(r3.Vec{}, 1)),
		"Transform":   fluid.Transform(fluid.Sphere(r3.Vec{}, 1), quat.Number{}, r3.Vec{}),
		"Transform t": fluid.Transform(fluid.Sphere(r3.Vec{}, 1), quat.Number{Real: 1}, r3.Vec{X: testrig.Inf}),
		"Shell":       fluid.Shell(fluid.Sphere(r3.Vec{}, 1), 0),
		"Offset":      fluid.Offset(fluid.Sphere(r3.Vec{}, 1), testrig.NaN),
		"foreign":     foreign{value: float32(testrig.NaN), box: testrig.Box(1, 1, 1)},
		"foreign box": foreign{box: r3.Box{Min: r3.Vec{X: 1}}},
		"foreign NaN": foreign{box: r3.Box{Min: r3.Vec{X: testrig.NaN}}},
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
	l := testrig.Tub(t)
	testrig.GoesOn(t, l, 1)
	was, held := l.Hash(), l.Ledger()
	for name, s := range badShapes() {
		t.Run(name, func(t *testing.T) {
			testrig.Refused(t, l.Fill(s), "Fill")
			testrig.Refused(t, l.Drain(s), "Drain")
			_, err := l.AddObstacle(s)
			testrig.Refused(t, err, "AddObstacle")
			_, err = l.AddEmitter(fluid.EmitterDef{Shape: s, Rate: 1})
			testrig.Refused(t, err, "AddEmitter", "Shape")
			_, err = l.AddSink(s, 1)
			testrig.Refused(t, err, "AddSink")
			_, err = l.VolumeIn(s)
			testrig.Refused(t, err, "VolumeIn")
			_, err = fluid.Bake(s, .1)
			testrig.Refused(t, err, "Bake")
		})
	}
	if l.Hash() != was || l.Ledger() != held {
		t.Error("a refused shape changed the liquid")
	}
	testrig.GoesOn(t, l, 2)
}

func TestBadEmittersSinksFields(t *testing.T) {
	l := testrig.Tub(t)
	ball := fluid.Sphere(r3.Vec{X: .8, Y: .6, Z: .4}, .15)
	for _, rate := range []float64{0, -1, testrig.NaN, testrig.Inf, 1e9} {
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: ball, Rate: rate})
		testrig.Refused(t, err, "AddEmitter", "Rate")
		_, err = l.AddSink(ball, rate)
		testrig.Refused(t, err, "AddSink", "litres/s")
	}
	for _, v := range []float64{testrig.NaN, testrig.Inf, 1e6} {
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: ball, Rate: 1, Velocity: r3.Vec{Y: v}})
		testrig.Refused(t, err, "AddEmitter", "Velocity")
	}
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Below(1), Rate: 1})
	testrig.Refused(t, err, "AddEmitter", "bounded")
	y := r3.Vec{Y: 1}
	for name, f := range map[string]fluid.Field{
		"Kind": {Kind: 9, Axis: y}, "Centre": {Axis: y, Centre: r3.Vec{X: testrig.NaN}},
		"Radius": {Axis: y, Radius: -1}, "Strength": {Axis: y, Strength: testrig.NaN}, "Axis": {Strength: 1},
	} {
		_, err := l.AddField(f)
		testrig.Refused(t, err, "AddField", name)
	}
	for _, v := range []float64{testrig.NaN, testrig.Inf, -1} {
		_, err := l.AddField(fluid.Field{Axis: y, Radius: v})
		testrig.Refused(t, err, "AddField", "Radius")
	}
	for _, v := range []float64{testrig.NaN, testrig.Inf, 1e300} {
		_, err := l.AddField(fluid.Field{Axis: y, Strength: v})
		testrig.Refused(t, err, "AddField", "Strength")
	}
	for _, v := range []float64{testrig.NaN, testrig.Inf} {
		_, err = l.AddField(fluid.Field{Axis: r3.Vec{X: v, Y: v}, Kind: fluid.VortexField, Strength: 1})
		testrig.Refused(t, err, "AddField", "Axis")
	}
	for _, id := range []int{-1, 0, 99} {
		testrig.Refused(t, l.StartEmitter(fluid.EmitterID(id)), "StartEmitter", "no emitter")
		testrig.Refused(t, l.StopEmitter(fluid.EmitterID(id)), "StopEmitter", "no emitter")
		testrig.Refused(t, l.RemoveEmitter(fluid.EmitterID(id)), "RemoveEmitter", "no emitter")
		testrig.Refused(t, l.RemoveSink(fluid.SinkID(id)), "RemoveSink", "no sink")
		testrig.Refused(t, l.RemoveField(fluid.FieldID(id)), "RemoveField", "no field")
		testrig.Refused(t, l.RemoveObstacle(fluid.ObstacleID(id)), "RemoveObstacle", "no obstacle")
		testrig.Refused(t, l.MoveObstacle(fluid.ObstacleID(id), fluid.Motion{}), "MoveObstacle", "no obstacle")
	}
	testrig.GoesOn(t, l, 2)
}

func TestBadMotion(t *testing.T) {
	l := testrig.Tub(t)
	id, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .8, Y: .4, Z: .4}, .2))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{testrig.NaN, testrig.Inf, -testrig.Inf, 1e300} {
		testrig.Refused(t, l.MoveObstacle(id, fluid.Motion{Translation: r3.Vec{X: v}}), "MoveObstacle", "Translation")
		testrig.Refused(t, l.MoveObstacle(id, fluid.Motion{Velocity: r3.Vec{Y: v}}), "MoveObstacle", "Velocity")
		testrig.Refused(t, l.MoveObstacle(id, fluid.Motion{AngularVelocity: r3.Vec{Z: v}}), "MoveObstacle", "AngularVelocity")
		if v != 1e300 {
			testrig.Refused(t, l.MoveObstacle(id, fluid.Motion{Rotation: quat.Number{Real: v}}), "MoveObstacle", "Rotation")
		}
	}
	testrig.GoesOn(t, l, 2)
	// The fastest motions that are taken: through the water, and out of it for good.
	for _, m := range []fluid.Motion{{Velocity: r3.Vec{X: 1000}}, {AngularVelocity: r3.Vec{Y: 1000}}, {Velocity: r3.Vec{Y: -20}, AngularVelocity: r3.Vec{Z: 30}}} {
		testrig.Must(t, l.MoveObstacle(id, m))
		for range 5 {
			testrig.Sound(t, l, *l.Step(testrig.Frame))
		}
	}
	testrig.Must(t, l.RemoveObstacle(id))
	testrig.Refused(t, l.RemoveObstacle(id), "RemoveObstacle", "no obstacle")
	testrig.GoesOn(t, l, 5)
}

func TestBadView(t *testing.T) {
	l := testrig.Tub(t)
	unit := [16]float32{0: 1, 5: 1, 10: 1, 15: 1}
	good := fluid.View{View: unit, Projection: [16]float32{0: 1, 5: 1, 10: -1, 11: -1, 14: -.2}, Height: 720}
	testrig.Must(t, l.SetView(good))
	for i := range 16 {
		for _, v := range []float32{float32(testrig.NaN), float32(testrig.Inf)} {
			bad := good
			bad.View[i] = v
			testrig.Refused(t, l.SetView(bad), "SetView", "finite")
			bad = good
			bad.Projection[i] = v
			testrig.Refused(t, l.SetView(bad), "SetView", "finite")
		}
	}
	for _, bad := range []fluid.View{{View: unit, Height: 720}, {Projection: good.Projection, Height: 720}, {View: unit, Projection: good.Projection}, {View: unit, Projection: good.Projection, Height: -5}} {
		testrig.Refused(t, l.SetView(bad), "SetView")
	}
	testrig.GoesOn(t, l, 2)
	big := good
	for i := range big.View {
		big.View[i] *= 1e30
	}
	_ = l.SetView(big) // taken or not: the liquid goes on
	testrig.GoesOn(t, l, 2)
	if err := l.SetBudget(fluid.Budget{Work: testrig.NaN}); err == nil {
		t.Error("SetBudget took NaN")
	}
	if err := l.SetBudget(fluid.Budget{Work: 1}); err != nil {
		t.Error(err)
	}
	if err := l.SetView(fluid.View{}); err != nil {
		t.Error(err)
	}
	testrig.GoesOn(t, l, 2)
}

func TestBadSample(t *testing.T) {
	l := testrig.Tub(t)
	testrig.GoesOn(t, l, 2)
	pts := []r3.Vec{{X: testrig.NaN}, {X: testrig.Inf, Y: 1}, {Y: -testrig.Inf}, {X: 1e300}, {X: .8, Y: .1, Z: .4}, {X: .8, Y: .8, Z: .8}, {}}
	dst := make([]fluid.Sample, len(pts))
	l.Sample(dst, pts)
	for i, s := range dst {
		if math.IsNaN(s.Height) || !geom.Finite(s.Pressure) || !geom.FiniteVec(s.Velocity) {
			t.Errorf("at %v: %+v", pts[i], s)
		}
	}
	if dst[0].Inside || !dst[4].Inside {
		t.Errorf("NaN is inside: %v, the bottom is: %v", dst[0].Inside, dst[4].Inside)
	}
	l.Sample(nil, nil)
	// Of slices of different length, the shorter one says how many.
	last := fluid.Sample{Pressure: 7}
	long, short := []fluid.Sample{{}, {}, last}, []fluid.Sample{{}, {}, last}
	l.Sample(long, pts[4:6])
	l.Sample(short[:2], pts[4:])
	if long[2] != last || short[2] != last || long[0] != dst[4] || short[1] != dst[5] {
		t.Errorf("slices of different length give %+v and %+v", long, short)
	}
}

func TestBadMesh(t *testing.T) {
	v := []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}
	tris := [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	if _, err := fluid.NewMesh(v, tris, fluid.MeshOptions{}); err != nil {
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
		o    fluid.MeshOptions
	}{
		"index 4":     {v, with(3, [3]int32{2, 0, 4}), fluid.MeshOptions{}},
		"index -1":    {v, with(0, [3]int32{-1, 0, 1}), fluid.MeshOptions{}},
		"nothing":     {nil, nil, fluid.MeshOptions{}},
		"no vertices": {nil, tris, fluid.MeshOptions{}},
		"flat":        {v, with(2, [3]int32{0, 0, 0}), fluid.MeshOptions{}},
		"NaN":         {[]r3.Vec{{X: testrig.NaN}, {X: 1}, {Y: 1}, {Z: 1}}, tris, fluid.MeshOptions{}},
		"inf":         {[]r3.Vec{{X: testrig.Inf}, {X: 1}, {Y: 1}, {Z: 1}}, tris, fluid.MeshOptions{}},
		"MaxOpen":     {v, tris, fluid.MeshOptions{MaxOpen: testrig.NaN}},
		"Resolution":  {v, tris, fluid.MeshOptions{Resolution: -1}},
		"point":       {make([]r3.Vec, 4), tris, fluid.MeshOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fluid.NewMesh(c.v, c.tris, c.o)
			testrig.Refused(t, err, "NewMesh")
		})
	}
}
