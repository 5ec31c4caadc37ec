package fluid_test

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// fuzzMemory keeps what the fuzzer makes small, bytes.
const fuzzMemory = 4 << 20

// FuzzDef: Validate never panics, New takes just what it accepts, and what New made can be filled and stepped.
func FuzzDef(f *testing.F) {
	f.Add(0., 0., 0., 1., 1., 1., .1, 0, uint8(0), 0., 0., 0., false, 0., 0., 0., int64(0), 0., 0, int64(0), uint8(0), 0., 0, 0, 0., false)
	f.Add(-3., 2., 7., -2., 2.4, 7.3, .05, 2, uint8(0b101101), 1., -9., 2., true, 800., 1e-3, .07, int64(1e6), 0., 2, int64(fuzzMemory), uint8(0), 1e-6, 9, 3, 2., true)
	f.Add(1e300, testrig.NaN, testrig.Inf, -1e300, 0., -testrig.Inf, 1e-7, -1, uint8(255), testrig.Inf, testrig.NaN, 1e9, true, -1., testrig.NaN, testrig.Inf, int64(-1), testrig.NaN, 1<<40, int64(-5), uint8(9), testrig.NaN, -4, 1<<50, testrig.Inf, false)
	for kind := range uint8(12) { // with each tracker
		tracker := [3]uint8{0, 16, 144}[kind/4] + kind%4
		f.Add(0., 0., 0., .9, .5, .6, .1, int(kind%5), uint8(0), 1., -9., 2., false, 800., 0., .07*float64(kind%2), int64(0), 0., 1, int64(fuzzMemory), tracker, 1e-6, 9, 3, 2., kind%2 > 0)
		f.Add(-3., 2., 7., -2.9, 2.1, 7.1, .1, 0, uint8(0b101101), 0., 0., 0., true, 0., 1e-3, 0., int64(0), .1, 2, int64(fuzzMemory), tracker, 0., 0, 0, 0., false)
	}
	f.Fuzz(func(t *testing.T, x0, y0, z0, x1, y1, z1, cell float64, levels int, open uint8, gx, gy, gz float64, weightless bool,
		density, viscosity, tension float64, budget int64, work float64, workers int, memory int64, tracker uint8,
		tolerance float64, iterations, substeps int, cfl float64, first bool) {
		side := func(i int) fluid.Side { return fluid.Side(open >> i & 1) }
		d := fluid.Def{
			Domain:   r3.Box{Min: r3.Vec{X: x0, Y: y0, Z: z0}, Max: r3.Vec{X: x1, Y: y1, Z: z1}},
			CellSize: cell, Tracker: fluid.Tracker(tracker & 15), Discretisation: fluid.Discretisation(tracker >> 4 & 7), Faithful: tracker>>7 > 0,
			Sides:     fluid.Sides{MinX: side(0), MaxX: side(1), MinY: side(2), MaxY: side(3), MinZ: side(4), MaxZ: fluid.Side(open>>5&1) + fluid.Side(open>>7)*2},
			Budget:    fluid.Budget{Step: time.Duration(budget), Work: work},
			Physics:   fluid.Physics{Gravity: r3.Vec{X: gx, Y: gy, Z: gz}, Weightless: weightless, Density: density, Viscosity: viscosity, SurfaceTension: tension},
			Numerics:  fluid.Numerics{Levels: levels, Tolerance: tolerance, MaxIterations: iterations, MaxSubsteps: substeps, CFL: cfl, FirstOrder: first},
			Resources: fluid.Resources{Workers: workers, MaxMemory: memory},
		}
		_ = d.Validate()
		if d.Resources.MaxMemory == 0 || d.Resources.MaxMemory > fuzzMemory {
			d.Resources.MaxMemory = fuzzMemory
		}
		bad := d.Validate()
		l, err := fluid.New(d)
		if (bad == nil) != (err == nil) || (err == nil) != (l != nil) {
			t.Fatalf("Validate says %v, New %v", bad, err)
		}
		if err != nil {
			return
		}
		defer l.Close()
		size := r3.Sub(d.Domain.Max, d.Domain.Min)
		mid := r3.Add(d.Domain.Min, r3.Scale(.5, size))
		if err := l.Fill(fluid.Sphere(mid, .3*min(size.X, size.Y, size.Z))); err != nil {
			return // too far or too large for a shape
		}
		for range 2 {
			testrig.Must(t, testrig.Unsound(l, *l.Step(testrig.Frame)))
		}
	})
}

// FuzzCalls: whatever is called in whatever order, nothing panics, nothing that a game reads is not
// finite, and the ledger is off by no more than what was ever there, and a twentieth of what could be.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 3, 100, 100, 100, 80, 16, 16, 2, 50, 50, 50, 60, 16, 16, 16})
	f.Add([]byte{9, 0, 6, 4, 128, 160, 128, 90, 3, 60, 16, 7, 4, 10, 5, 90, 128, 128, 90, 1, 16, 12, 40, 200, 130, 16, 16, 13, 16})
	f.Add([]byte{16, 0, 0, 90, 20, 1, 150, 90, 16, 16, 20, 4, 30, 0, 16, 18, 200, 50, 60, 16, 16, 20, 1, 20, 20, 16, 16})
	f.Add([]byte{0, 0, 0, 75, 27, 60, 60, 60, 90, 0, 50, 150, 0, 60, 2, 50, 150, 0, 1, 50, 50, 50, 50, 50, 50, 50, 150, 50, 1, 1, 16, 16, 16, 16, 28, 2, 70, 50, 50, 90, 200, 50, 250})
	for op := range byte(fuzzOps) {
		f.Add([]byte{16 + op%16, 0, 5, 100, 20, 1, 100 + 5*op, 90, 16, op, 3, 120, 90, 110, 130, 60, 90, 80, 200, 16, 20, 4, 20, 60, 16, 16, op, 1, 2, 3, 4, 5, 6, 7, 16})
		f.Add([]byte{32*(1+op%2) + op%32, 0, 5, 100, 20, 1, 100 + 5*op, 90, 16, op, 3, 120, 90, 110, 130, 60, 90, 80, 200, 16, 20, 4, 20, 60, 16, 16, op, 1, 2, 3, 4, 5, 6, 7, 16})
		f.Add([]byte{op, 0, 5, 100, 16, op, 3, 120, 90, 110, 130, 60, 90, 80, 200, 16, op, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 16})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{data: data}
		l := fuzzLiquid(t, d)
		defer l.Close()
		p := testrig.NewPuppet()
		// Cells at thin walls reach up to the wall, and at curved ones overlap.
		capacity := l.Def().Extent().Cells(l.Def().CellSize) * math.Pow(l.Def().CellSize, 3) / testrig.Litre
		covered := 0. // litres, by the largest body so far
		for calls := 0; calls < 60 && len(d.data) > 0; calls++ {
			d.call(l, p)
			g := l.Ledger()
			// Where a body is taken away liquid stands until the levels have sunk.
			for _, b := range p.Balls {
				if volume := 4 * math.Pi / 3 * math.Pow(b.Radius, 3) / testrig.Litre; volume > covered {
					covered = volume
				}
			}
			put := g.FilledL + g.EmittedL + covered
			if !(math.Abs(g.DriftL) <= put+.05*capacity) || !(g.HeldL <= 1.2*capacity) {
				t.Fatalf("call %d: ledger %+v in a grid of %g litres", calls, g, capacity)
			}
		}
		for range 3 {
			testrig.Must(t, testrig.Unsound(l, *l.Step(testrig.Frame)))
		}
	})
}

// FuzzRays: whatever a ray is, its answer is finite, in the domain, on the ray and not further than asked; or it is refused.
func FuzzRays(f *testing.F) {
	f.Add(.4, 1., .4, 0., -1., 0., 0.)
	f.Add(-1e300, .3, .4, 1e-300, 1e-310, 0., testrig.Inf)
	f.Add(.4, .3, .4, 1e308, -1e308, 1e308, 1e-3)
	f.Add(testrig.NaN, .3, .4, 0., 0., 0., -1.)
	f.Add(0., 0., 0., 1., 0., 0., .8)
	l, err := fluid.New(fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		f.Fatal(err)
	}
	testrig.Must(f, l.Fill(fluid.Union(fluid.Below(.4), fluid.Sphere(r3.Vec{X: .5, Y: .62, Z: .4}, .15))))
	l.Step(testrig.Frame)
	f.Fuzz(func(t *testing.T, x, y, z, u, v, w, most float64) {
		r := fluid.Ray{From: r3.Vec{X: x, Y: y, Z: z}, Dir: r3.Vec{X: u, Y: v, Z: w}, Max: most}
		var hit [1]fluid.RayHit
		good := geom.FiniteVec(r.From) && geom.FiniteVec(r.Dir) && r.Dir != r3.Vec{} && most >= 0
		if err := l.RayCast(hit[:], []fluid.Ray{r}); (err == nil) != good {
			t.Fatalf("%+v: %v", r, err)
		}
		h := hit[0]
		if !h.Hit {
			if h.Side || h.Point != (r3.Vec{}) || h.Normal != (r3.Vec{}) || h.Distance != 0 {
				t.Fatalf("%+v: %+v", r, h)
			}
			return
		}
		along := r3.Add(r.From, r3.Scale(h.Distance, query.Unit(r.Dir)))
		off, size := r3.Sub(along, h.Point), 1e-9*(1+math.Abs(x)+math.Abs(y)+math.Abs(z))
		if !good || !geom.Finite(h.Distance) || h.Distance < 0 || most > 0 && h.Distance > most || !boxes.Contains(l.Def().Domain, h.Point) ||
			max(math.Abs(off.X), math.Abs(off.Y), math.Abs(off.Z)) > size || !(math.Abs(r3.Norm(h.Normal)-1) < 1e-9) {
			t.Fatalf("%+v: %+v, %v off the ray", r, h, off)
		}
	})
}

// fuzzLiquid is a tank of 0.8 m with cells of 0.1 m, of a kind that the data choose.
func fuzzLiquid(t *testing.T, d *decoder) *fluid.Liquid {
	def := fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}}
	kind := d.byte()
	if kind&1 > 0 {
		def.Sides.MaxY, def.Sides.MinX = fluid.Open, fluid.Open
	}
	if kind&2 > 0 {
		def.Physics.Viscosity, def.Physics.SurfaceTension = 1e-3, .07
	}
	if kind&4 > 0 {
		def.Budget.Work = .2
	}
	if kind&8 > 0 {
		def.Domain.Max.X = 1.35 // not a whole number of cells, nor of blocks
	}
	if kind&16 > 0 {
		def.Sides.MaxX, def.Sides.MinZ = fluid.Flow, fluid.Flow
	}
	switch kind >> 5 {
	case 1:
		def.Discretisation = fluid.Tetrahedra
	case 2:
		def.Discretisation, def.Faithful = fluid.Tetrahedra, true
		def.Sides, def.Physics.Viscosity = fluid.Sides{}, 0
	}
	l, err := fluid.New(def)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// decoder reads calls from bytes; at their end it reads zeros.
type decoder struct{ data []byte }

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// number is mostly -0.5 to 1.9 in steps of a hundredth, and now and then what nobody should pass.
func (d *decoder) number() float64 {
	switch b := d.byte(); {
	case b < 240:
		return float64(b)/100 - .5
	default:
		return [16]float64{testrig.NaN, testrig.Inf, -testrig.Inf, 0, 1e300, -1e300, 1e-300, 1e9, -1e9, 1e5, 50, -50, 1e3, -1e3, 1e-9, 1e-4}[b-240]
	}
}

func (d *decoder) vec() r3.Vec { return r3.Vec{X: d.number(), Y: d.number(), Z: d.number()} }

func (d *decoder) shape() fluid.SDF {
	switch d.byte() % 9 {
	case 0:
		return fluid.Below(d.number())
	case 1:
		a, b := d.vec(), d.vec()
		return fluid.Box(r3.Box{Min: boxes.Min(a, b), Max: boxes.Max(a, b)})
	case 2:
		return fluid.Cylinder(d.vec(), d.vec(), d.number())
	case 3:
		return fluid.Shell(fluid.Sphere(d.vec(), d.number()), d.number())
	case 4:
		return fluid.Transform(fluid.Torus(r3.Vec{}, r3.Vec{Y: 1}, .3, .1), quat.Number{Real: 1}, d.vec())
	case 5:
		return fluid.Box(testrig.Box(.8, .8, .8))
	case 6:
		return foreign{value: float32(d.number()), box: testrig.Box(.8, .8, .8)}
	case 7:
		return fluid.HalfSpace(d.vec(), r3.Unit(d.vec()))
	}
	return fluid.Sphere(d.vec(), d.number())
}

const fuzzOps = 30

// call makes one call. Errors are fine: they say that nothing was done.
func (d *decoder) call(l *fluid.Liquid, p *testrig.Puppet) {
	id := func() int { return int(d.byte()%6) - 1 }
	switch d.byte() % fuzzOps {
	case 0:
		_ = l.Fill(d.shape())
	case 1:
		_ = l.Drain(d.shape())
	case 2:
		_, _ = l.AddObstacle(d.shape())
	case 3:
		_ = l.MoveObstacle(fluid.ObstacleID(id()), fluid.Motion{Translation: d.vec(), Rotation: quat.Number{Real: d.number(), Jmag: d.number()}, Velocity: d.vec(), AngularVelocity: d.vec()})
	case 4:
		_ = l.RemoveObstacle(fluid.ObstacleID(id()))
	case 5:
		_, _ = l.AddEmitter(fluid.EmitterDef{Shape: d.shape(), Velocity: d.vec(), Rate: 100 * d.number()})
	case 6:
		_ = l.StopEmitter(fluid.EmitterID(id()))
		_ = l.StartEmitter(fluid.EmitterID(id()))
		_ = l.RemoveEmitter(fluid.EmitterID(id()))
	case 7:
		_, _ = l.AddSink(d.shape(), 100*d.number())
	case 8:
		_ = l.RemoveSink(fluid.SinkID(id()))
	case 9:
		_, _ = l.AddField(fluid.Field{Kind: fluid.FieldKind(d.byte() % 4), Centre: d.vec(), Axis: d.vec(), Radius: d.number(), Strength: 20 * d.number()})
	case 10:
		_ = l.RemoveField(fluid.FieldID(id()))
	case 11:
		if len(p.Balls) < 4 {
			p.Add(testrig.Ball{Kind: int(d.byte() % 3), X: d.vec(), V: d.vec(), W: d.vec(), Radius: d.number(), Mass: 50 * d.number(), Gravity: r3.Vec{Y: -9.81}})
		} else {
			p.Balls = p.Balls[1:]
		}
	case 12:
		l.Couple(p)
	case 13:
		l.Couple(nil)
	case 14:
		var v fluid.View
		for i := range v.View {
			v.View[i], v.Projection[i] = float32(d.number()), float32(d.number())
		}
		v.Height = int(d.byte()) - 5
		_ = l.SetView(v)
	case 15:
		_ = l.SetBudget(fluid.Budget{Work: d.number()})
	case 16:
		l.Step(testrig.Frame)
	case 17:
		l.Step(d.number())
	case 18:
		_ = l.SetMaterial(fluid.Material{Density: 1e3 * d.number(), Viscosity: 1e-2 * d.number(), SurfaceTension: d.number()})
	case 19:
		var hits [2]fluid.RayHit
		_ = l.RayCast(hits[:], []fluid.Ray{{From: d.vec(), Dir: d.vec(), Max: d.number()}, {From: d.vec(), Dir: d.vec()}})
	case 20:
		_ = l.SetCurrent(fluid.SideIndex(d.byte()%7), fluid.Current{Velocity: d.number(), Level: d.number()})
	case 21:
		_ = l.SetEmitter(fluid.EmitterID(id()), fluid.EmitterDef{Shape: d.shape(), Velocity: d.vec(), Rate: 10 * d.number(), Stopped: d.byte()%2 == 0})
		_ = l.MoveEmitter(fluid.EmitterID(id()), d.vec(), quat.Number{})
	case 22:
		_ = l.SetSink(fluid.SinkID(id()), d.shape(), 10*d.number())
		_ = l.MoveSink(fluid.SinkID(id()), d.vec(), quat.Number{})
	case 23:
		a := d.vec()
		f := fluid.Field{Kind: fluid.FuncField, Centre: d.vec(), Radius: d.number(), Strength: 20 * d.number(), Func: func(dst, pts []r3.Vec) {
			for i := range dst {
				dst[i] = a
			}
		}}
		_ = l.SetField(fluid.FieldID(id()), f)
		_, _ = l.AddField(f)
	case 24:
		_ = l.Impulse(d.vec(), d.number(), d.vec())
	case 25:
		_ = l.Explode(d.vec(), d.number(), d.number())
	case 26:
		_ = l.SetWind(fluid.Wind{Velocity: d.vec(), Drag: d.number()})
	case 27:
		_, _ = l.AddControl(d.controlDef())
	case 28:
		_ = l.SetControl(fluid.ControlID(id()), d.controlDef())
	case 29:
		_ = l.RemoveControl(fluid.ControlID(id()))
	}
}

// controlDef is a control of a ball that moves as the data say, and may come apart while it does.
func (d *decoder) controlDef() fluid.ControlDef {
	at, triangles := testrig.BallMesh(1, .25)
	sway, rate, spoilt := d.vec(), 10*d.number(), int(d.byte())
	clip := &testrig.Actor{Triangles: triangles, N: len(at), Length: d.number(), Move: func(t float64, dst []r3.Vec) {
		for i, x := range at {
			dst[i] = r3.Add(x, r3.Add(r3.Vec{X: .4, Y: .4, Z: .4}, r3.Scale(math.Sin(rate*t), sway)))
		}
	}}
	if spoilt > 128 {
		v := d.vec()
		clip.Spoil = func(m *control.Mesh) {
			m.Positions[spoilt%len(at)] = v
			m.Velocities[spoilt%len(at)] = r3.Scale(10, v)
		}
	}
	def := fluid.ControlDef{
		Clip: clip, Strength: d.number(), Smoothing: int(d.byte()) % 4, Refill: control.Refill{Rate: 100 * d.number()}, Arrival: control.Arrival(d.byte() % 4),
		Start: d.number(), Speed: d.number(), Loop: d.byte()%2 == 0, Paused: d.byte()%5 == 0, Fade: d.number(),
		Pose: control.Pose{Velocity: d.vec(), AngularVelocity: d.vec(), Rotation: quat.Number{Real: d.number(), Imag: d.number()}},
	}
	if d.byte()%2 == 0 {
		def.Refill.From = d.shape()
	}
	if d.byte()%2 == 0 {
		def.Weights = make([]float32, len(at))
		for i := range def.Weights {
			def.Weights[i] = float32(i%4) / 3
		}
	}
	return def
}
