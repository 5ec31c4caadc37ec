package shapes_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

func TestSDFClosedForms(t *testing.T) {
	diag := 1 / math.Sqrt2
	z := quat.Number{Real: math.Cos(math.Pi / 4), Kmag: math.Sin(math.Pi / 4)} // quarter turn: x → y
	for _, c := range []struct {
		name string
		s    fluid.SDF
		p    r3.Vec
		want float64
	}{
		{"box centre", fluid.Box(testrig.UnitBox()), testrig.Vec(0, 0, 0), -1},
		{"box inside", fluid.Box(testrig.UnitBox()), testrig.Vec(0.75, 0.2, 0), -0.25},
		{"box face", fluid.Box(testrig.UnitBox()), testrig.Vec(3, 0.5, 0), 2},
		{"box corner", fluid.Box(testrig.UnitBox()), testrig.Vec(2, 2, 2), math.Sqrt(3)},
		{"round box face", fluid.RoundBox(testrig.UnitBox(), 0.5), testrig.Vec(0, -2, 0), 1},
		{"round box corner", fluid.RoundBox(testrig.UnitBox(), 0.5), testrig.Vec(1.5, 1.5, 1.5), math.Sqrt(3) - 0.5},
		{"sphere", fluid.Sphere(testrig.Vec(1, 2, 3), 2), testrig.Vec(1, 2, 8), 3},
		{"sphere centre", fluid.Sphere(testrig.Vec(1, 2, 3), 2), testrig.Vec(1, 2, 3), -2},
		{"capsule side", fluid.Capsule(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), testrig.Vec(3, 2, 0), 2},
		{"capsule end", fluid.Capsule(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), testrig.Vec(0, 7, 0), 2},
		{"capsule of a point", fluid.Capsule(testrig.Vec(1, 0, 0), testrig.Vec(1, 0, 0), 1), testrig.Vec(4, 0, 0), 2},
		{"cylinder side", fluid.Cylinder(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), testrig.Vec(3, 2, 0), 2},
		{"cylinder end", fluid.Cylinder(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), testrig.Vec(0.5, 7, 0), 3},
		{"cylinder rim", fluid.Cylinder(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), testrig.Vec(4, 8, 0), 5},
		{"cylinder inside", fluid.Cylinder(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), testrig.Vec(0, 3.75, 0), -0.25},
		{"half space", fluid.HalfSpace(testrig.Vec(1, 0, 0), testrig.Vec(diag, diag, 0)), testrig.Vec(2, 1, 0), math.Sqrt2},
		{"below, under", fluid.Below(1.2), testrig.Vec(9, 0.2, -4), -1},
		{"below, over", fluid.Below(1.2), testrig.Vec(9, 2.2, -4), 1},
		{"torus tube", fluid.Torus(testrig.Vec(0, 1, 0), testrig.Vec(0, 1, 0), 3, 1), testrig.Vec(0, 1, 3), -1},
		{"torus hole", fluid.Torus(testrig.Vec(0, 1, 0), testrig.Vec(0, 1, 0), 3, 1), testrig.Vec(0, 1, 0), 2},
		{"torus above", fluid.Torus(testrig.Vec(0, 1, 0), testrig.Vec(0, 1, 0), 3, 1), testrig.Vec(3, 4, 0), 2},
		{"union", fluid.Union(fluid.Sphere(testrig.Vec(0, 0, 0), 1), fluid.Sphere(testrig.Vec(5, 0, 0), 1)), testrig.Vec(3, 0, 0), 1},
		{"intersection", fluid.Intersection(fluid.Box(testrig.UnitBox()), fluid.Below(0)), testrig.Vec(0, 0.5, 0), 0.5},
		{"difference, cut", fluid.Difference(fluid.Box(testrig.UnitBox()), fluid.Below(0)), testrig.Vec(0, -0.5, 0), 0.5},
		{"difference, left", fluid.Difference(fluid.Box(testrig.UnitBox()), fluid.Below(0)), testrig.Vec(0, 0.5, 0), -0.5},
		{"transform", fluid.Transform(fluid.Box(r3.Box{Min: testrig.Vec(0, 0, 0), Max: testrig.Vec(2, 1, 1)}), z, testrig.Vec(10, 0, 0)), testrig.Vec(9.5, 4, 0.5), 2},
		{"shell wall", fluid.Shell(fluid.Sphere(testrig.Vec(0, 0, 0), 2), 0.5), testrig.Vec(1.75, 0, 0), -0.25},
		{"shell hollow", fluid.Shell(fluid.Sphere(testrig.Vec(0, 0, 0), 2), 0.5), testrig.Vec(0.5, 0, 0), 1},
		{"shell outside", fluid.Shell(fluid.Sphere(testrig.Vec(0, 0, 0), 2), 0.5), testrig.Vec(3, 0, 0), 1},
		{"offset out", fluid.Offset(fluid.Box(testrig.UnitBox()), 0.5), testrig.Vec(2, 0, 0), 0.5},
		{"offset in", fluid.Offset(fluid.Box(testrig.UnitBox()), -0.5), testrig.Vec(0.75, 0, 0), 0.25},
	} {
		if err := fluid.CheckSDF(c.s); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := testrig.EvalAt(c.s, c.p); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v at %v, want %v", c.name, got, c.p, c.want)
		}
	}
}

// drawShape draws a valid shape up to some depth of nesting.
func drawShape(t *rapid.T, depth int) fluid.SDF {
	coord := rapid.Float64Range(-3, 3)
	point := func(name string) r3.Vec {
		return testrig.Vec(coord.Draw(t, name+" x"), coord.Draw(t, name+" y"), coord.Draw(t, name+" z"))
	}
	size := func(name string) float64 { return rapid.Float64Range(0.05, 2).Draw(t, name) }
	unit := func(name string) r3.Vec {
		if v := point(name); reproducible.Norm(v) > 0 {
			return reproducible.Unit(v)
		}
		return testrig.Vec(0, 1, 0)
	}
	kinds := 7
	if depth > 0 {
		kinds = 13
	}
	switch k := rapid.IntRange(0, kinds-1).Draw(t, "kind"); k {
	case 0, 1:
		a := point("min")
		sides := testrig.Vec(size("x"), size("y"), size("z"))
		b := r3.Box{Min: a, Max: r3.Add(a, sides)}
		if k == 0 {
			return fluid.Box(b)
		}
		return fluid.RoundBox(b, 0.4*min(sides.X, sides.Y, sides.Z))
	case 2:
		return fluid.Sphere(point("centre"), size("radius"))
	case 3:
		return fluid.Capsule(point("a"), point("b"), size("radius"))
	case 4:
		a := point("a")
		return fluid.Cylinder(a, r3.Add(a, r3.Scale(size("length"), unit("axis"))), size("radius"))
	case 5:
		return fluid.HalfSpace(point("point"), unit("normal"))
	case 6:
		minor := size("minor")
		return fluid.Torus(point("centre"), unit("axis"), minor+size("more"), minor)
	case 7:
		return fluid.Union(drawShape(t, depth-1), drawShape(t, depth-1))
	case 8:
		return fluid.Intersection(drawShape(t, depth-1), drawShape(t, depth-1))
	case 9:
		return fluid.Difference(drawShape(t, depth-1), drawShape(t, depth-1))
	case 10:
		u := unit("turn")
		q := quat.Scale(1/math.Sqrt2, quat.Number{Real: 1, Imag: u.X, Jmag: u.Y, Kmag: u.Z})
		return fluid.Transform(drawShape(t, depth-1), q, point("move"))
	case 11:
		return fluid.Shell(drawShape(t, depth-1), size("thickness"))
	default:
		return fluid.Offset(drawShape(t, depth-1), rapid.Float64Range(-0.5, 0.5).Draw(t, "offset"))
	}
}

func TestSDFIsLipschitzAndInsideItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t, 2)
		if err := fluid.CheckSDF(s); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var pts [150]r3.Vec // more than two chunks
		var dst [150]float32
		for i := range pts {
			pts[i] = testrig.Vec(12*rng.Float64()-6, 12*rng.Float64()-6, 12*rng.Float64()-6)
			if i%2 == 1 {
				pts[i] = r3.Add(pts[i-1], r3.Scale(0.1, pts[i]))
			}
		}
		s.Eval(dst[:], pts[:])
		b := s.Bounds()
		for i, p := range pts {
			if one := testrig.EvalAt(s, p); one != float64(dst[i]) {
				t.Fatalf("%v alone, %v in a batch", one, dst[i])
			}
			const slack = 1e-5
			in := p.X >= b.Min.X-slack && p.Y >= b.Min.Y-slack && p.Z >= b.Min.Z-slack &&
				p.X <= b.Max.X+slack && p.Y <= b.Max.Y+slack && p.Z <= b.Max.Z+slack
			if dst[i] < -slack && !in {
				t.Fatalf("inside by %v at %v, outside the bounds %v", -dst[i], p, b)
			}
			if i%2 == 1 {
				step := r3.Norm(r3.Sub(p, pts[i-1]))
				if d := math.Abs(float64(dst[i]) - float64(dst[i-1])); d > step+1e-5 {
					t.Fatalf("values differ by %v over %v m", d, step)
				}
			}
		}
	})
}

func TestSDFSignsOfComposites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawShape(t, 0), drawShape(t, 0)
		c := rapid.Float64Range(-4, 4)
		p := testrig.Vec(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z"))
		va, vb := testrig.EvalAt(a, p), testrig.EvalAt(b, p)
		if va == 0 || vb == 0 {
			return
		}
		for _, x := range []struct {
			name string
			s    fluid.SDF
			want bool
		}{
			{"union", fluid.Union(a, b), va < 0 || vb < 0},
			{"intersection", fluid.Intersection(a, b), va < 0 && vb < 0},
			{"difference", fluid.Difference(a, b), va < 0 && vb > 0},
		} {
			if got := testrig.EvalAt(x.s, p) < 0; got != x.want {
				t.Fatalf("%s: inside %v, want %v", x.name, got, x.want)
			}
		}
	})
}

func TestSDFBounds(t *testing.T) {
	inf := math.Inf(1)
	half := quat.Number{Imag: 1} // half turn about x
	for _, c := range []struct {
		name string
		s    fluid.SDF
		want r3.Box
	}{
		{"below", fluid.Below(2), r3.Box{Min: testrig.Vec(-inf, -inf, -inf), Max: testrig.Vec(inf, 2, inf)}},
		{"below turned over", fluid.Transform(fluid.Below(2), half, testrig.Vec(0, 1, 0)), r3.Box{Min: testrig.Vec(-inf, -1, -inf), Max: testrig.Vec(inf, inf, inf)}},
		{"cut to the half", fluid.Intersection(fluid.Box(testrig.UnitBox()), fluid.Below(0)), r3.Box{Min: testrig.Vec(-1, -1, -1), Max: testrig.Vec(1, 0, 1)}},
		{"nothing in common", fluid.Intersection(fluid.Sphere(testrig.Vec(0, 0, 0), 1), fluid.Sphere(testrig.Vec(6, 0, 0), 1)), r3.Box{Min: testrig.Vec(3, -1, -1), Max: testrig.Vec(3, 1, 1)}},
		{"cylinder", fluid.Cylinder(testrig.Vec(0, 0, 0), testrig.Vec(0, 4, 0), 1), r3.Box{Min: testrig.Vec(-1, 0, -1), Max: testrig.Vec(1, 4, 1)}},
		{"torus", fluid.Torus(testrig.Vec(0, 0, 0), testrig.Vec(0, 0, 1), 3, 1), r3.Box{Min: testrig.Vec(-4, -4, -1), Max: testrig.Vec(4, 4, 1)}},
		{"offset", fluid.Offset(fluid.Box(testrig.UnitBox()), 0.5), r3.Box{Min: testrig.Vec(-1.5, -1.5, -1.5), Max: testrig.Vec(1.5, 1.5, 1.5)}},
	} {
		got := c.s.Bounds()
		for _, d := range []float64{
			got.Min.X - c.want.Min.X, got.Min.Y - c.want.Min.Y, got.Min.Z - c.want.Min.Z,
			got.Max.X - c.want.Max.X, got.Max.Y - c.want.Max.Y, got.Max.Z - c.want.Max.Z,
		} {
			if math.Abs(d) > 1e-9 { // NaN where both are infinite
				t.Errorf("%s: bounds %v, want %v", c.name, got, c.want)
			}
		}
	}
}

type userSDF struct {
	value float32
	box   r3.Box
}

func (s *userSDF) Eval(dst []float32, pts []r3.Vec) {
	for i := range pts {
		dst[i] = s.value
	}
}

func (s *userSDF) Bounds() r3.Box { return s.box }

func TestCheckSDFNamesWhatIsWrong(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	o, one := quat.Number{}, quat.Number{Real: 1}
	ball := fluid.Sphere(r3.Vec{}, 1)
	for _, c := range []struct {
		s    fluid.SDF
		want string
	}{
		{nil, "SDF is nil"},
		{(*fluid.Mesh)(nil), "nil *fluid.Mesh"},
		{(*userSDF)(nil), "nil *shapes_test.userSDF"},
		{&fluid.Mesh{}, "not made by NewMesh"},
		{fluid.Box(r3.Box{Min: testrig.Vec(0, 0, 0), Max: testrig.Vec(1, -1, 1)}), "Box: size along Y is -1 m; it must be > 0"},
		{fluid.Box(r3.Box{}), "Box: size along X is 0 m"},
		{fluid.Box(r3.Box{Min: testrig.Vec(nan, 0, 0), Max: testrig.Vec(1, 1, 1)}), "Box: Min.X is NaN m"},
		{fluid.Box(r3.Box{Min: testrig.Vec(0, 0, 0), Max: testrig.Vec(1, 1, inf)}), "Box: Max.Z is +Inf m"},
		{fluid.RoundBox(testrig.UnitBox(), 1.5), "RoundBox: radius is 1.5 m; it must be ≤ 1 m"},
		{fluid.RoundBox(testrig.UnitBox(), 0), "RoundBox: radius is 0 m"},
		{fluid.Sphere(r3.Vec{}, 0), "Sphere: radius is 0 m; it must be > 0"},
		{fluid.Sphere(testrig.Vec(0, 2e9, 0), 1), "Sphere: centre.Y is 2e+09 m; it must be within ±1e+09 m"},
		{fluid.Capsule(r3.Vec{}, testrig.Vec(0, nan, 0), 1), "Capsule: b.Y is NaN"},
		{fluid.Cylinder(testrig.Vec(1, 1, 1), testrig.Vec(1, 1, 1), 1), "Cylinder: distance from a to b is 0 m"},
		{fluid.Cylinder(r3.Vec{}, testrig.Vec(0, 1, 0), -2), "Cylinder: radius is -2 m"},
		{fluid.HalfSpace(r3.Vec{}, r3.Vec{}), "HalfSpace: normal {0 0 0} has length 0; it must be 1"},
		{fluid.HalfSpace(r3.Vec{}, testrig.Vec(0, 2, 0)), "HalfSpace: normal {0 2 0} has length 2"},
		{fluid.HalfSpace(r3.Vec{}, testrig.Vec(nan, 0, 1)), "HalfSpace: normal"},
		{fluid.Below(nan), "Below: y is NaN m"},
		{fluid.Torus(r3.Vec{}, testrig.Vec(0, 1, 0), 1, 2), "Torus: minor is 2 m; it must be < major, 1 m"},
		{fluid.Torus(r3.Vec{}, r3.Vec{}, 2, 1), "Torus: axis"},
		{fluid.Union(), "Union: no shapes; it must have at least 1"},
		{fluid.Intersection(), "Intersection: no shapes"},
		{fluid.Union(ball, nil), "Union: shape 1: SDF is nil"},
		{fluid.Union(ball, fluid.Transform(fluid.Sphere(r3.Vec{}, -1), one, r3.Vec{})), "Union: shape 1: Transform: Sphere: radius is -1 m"},
		{fluid.Difference(ball, (*fluid.Mesh)(nil)), "Difference: b: SDF is nil"},
		{fluid.Difference(fluid.Below(nan), ball), "Difference: a: Below"},
		{fluid.Transform(ball, o, r3.Vec{}), "Transform: rotation"},
		{fluid.Transform(ball, quat.Number{Real: nan}, r3.Vec{}), "Transform: rotation"},
		{fluid.Transform(ball, one, testrig.Vec(inf, 0, 0)), "Transform: translation.X is +Inf m"},
		{fluid.Transform(nil, one, r3.Vec{}), "Transform: SDF is nil"},
		{fluid.Shell(ball, 0), "Shell: thickness is 0 m"},
		{fluid.Shell(fluid.Union(), 1), "Shell: Union: no shapes"},
		{fluid.Offset(ball, nan), "Offset: d is NaN m"},
		{fluid.Offset(nil, 1), "Offset: SDF is nil"},
		{&userSDF{float32(nan), testrig.UnitBox()}, "*shapes_test.userSDF: Eval gives NaN"},
		{fluid.Union(&userSDF{float32(inf), testrig.UnitBox()}), "Union: shape 0: *shapes_test.userSDF: Eval gives +Inf"},
		{&userSDF{1, r3.Box{Min: testrig.Vec(1, 0, 0)}}, "bounds on axis x are [1, 0] m"},
	} {
		err := fluid.CheckSDF(c.s)
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want it to say %q", err, c.want)
		}
		if _, user := c.s.(*userSDF); c.s != nil && !user {
			c.s.Bounds() // must not panic
			testrig.EvalAt(c.s, testrig.Vec(0.1, 0.2, 0.3))
		}
	}
	inside := &userSDF{-1, boxes.Everywhere()}
	if err := fluid.CheckSDF(inside); err != nil {
		t.Errorf("a user's unbounded SDF: %v", err)
	}
}

func TestSDFEvalDoesNotAllocate(t *testing.T) {
	if testrig.PoolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	vs, tris := testrig.Icosphere(2)
	mesh, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	turn := quat.Number{Real: math.Sqrt2 / 2, Jmag: math.Sqrt2 / 2}
	s := fluid.Union(
		fluid.Difference(fluid.Transform(fluid.Box(testrig.UnitBox()), turn, testrig.Vec(1, 0, 0)), fluid.Cylinder(r3.Vec{}, testrig.Vec(0, 1, 0), 0.5)),
		fluid.Intersection(fluid.Shell(fluid.Torus(r3.Vec{}, testrig.Vec(0, 1, 0), 2, 1), 0.1), fluid.Offset(mesh, 0.1)),
		fluid.RoundBox(testrig.UnitBox(), 0.1), fluid.Capsule(r3.Vec{}, testrig.Vec(1, 1, 1), 1))
	pts, dst := make([]r3.Vec, 200), make([]float32, 200)
	for i := range pts {
		pts[i] = testrig.Vec(0.01*float64(i), 0.3, 0.1)
	}
	if n := testing.AllocsPerRun(100, func() { s.Eval(dst, pts) }); n > 0 {
		t.Errorf("%v allocations in Eval, want 0", n)
	}
}

func BenchmarkSDFEval(b *testing.B) {
	vs, tris := testrig.ReadOBJ(b, "spot.obj")
	mesh, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{})
	if err != nil {
		b.Fatal(err)
	}
	baked, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{Resolution: 64})
	if err != nil {
		b.Fatal(err)
	}
	teapotVs, teapotTris := testrig.ReadOBJ(b, "teapot.obj")
	teapot, err := fluid.NewMesh(teapotVs, teapotTris, fluid.MeshOptions{})
	if err != nil {
		b.Fatal(err)
	}
	one := quat.Number{Real: 1}
	for _, c := range []struct {
		name string
		s    fluid.SDF
	}{
		{"box", fluid.Box(testrig.UnitBox())}, {"sphere", fluid.Sphere(r3.Vec{}, 1)}, {"transform", fluid.Transform(fluid.Box(testrig.UnitBox()), one, r3.Vec{})},
		{"union2", fluid.Union(fluid.Box(testrig.UnitBox()), fluid.Sphere(r3.Vec{}, 1))}, {"mesh", mesh}, {"open", teapot}, {"baked", baked},
	} {
		for _, order := range []string{"rows", "random"} {
			b.Run(c.name+"/"+order, func(b *testing.B) {
				const n = 32
				box := c.s.Bounds()
				size := r3.Scale(1.2/n, box.Size())
				low := r3.Sub(box.Min, r3.Scale(0.1*n/1.2, size))
				pts, dst := make([]r3.Vec, 0, n*n*n), make([]float32, n*n*n)
				for i := range n * n * n {
					at := testrig.Vec(float64(i%n), float64(i/n%n), float64(i/n/n))
					pts = append(pts, r3.Add(low, testrig.Vec(at.X*size.X, at.Y*size.Y, at.Z*size.Z)))
				}
				if order == "random" {
					rand.New(rand.NewPCG(1, 1)).Shuffle(len(pts), func(i, j int) { pts[i], pts[j] = pts[j], pts[i] })
				}
				for b.Loop() {
					c.s.Eval(dst, pts)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(pts)), "ns/point")
			})
		}
	}
}

func BenchmarkNewMesh(b *testing.B) {
	vs, tris := testrig.ReadOBJ(b, "spot.obj")
	for b.Loop() {
		if _, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tris)), "ns/triangle")
}
