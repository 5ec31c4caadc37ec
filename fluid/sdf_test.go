package fluid

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

func evalAt(s SDF, p r3.Vec) float64 {
	var dst [1]float32
	s.Eval(dst[:], []r3.Vec{p})
	return float64(dst[0])
}

func vec(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }

func unitBox() r3.Box { return r3.Box{Min: vec(-1, -1, -1), Max: vec(1, 1, 1)} }

func TestSDFClosedForms(t *testing.T) {
	diag := 1 / math.Sqrt2
	z := quat.Number{Real: math.Cos(math.Pi / 4), Kmag: math.Sin(math.Pi / 4)} // quarter turn: x → y
	for _, c := range []struct {
		name string
		s    SDF
		p    r3.Vec
		want float64
	}{
		{"box centre", Box(unitBox()), vec(0, 0, 0), -1},
		{"box inside", Box(unitBox()), vec(0.75, 0.2, 0), -0.25},
		{"box face", Box(unitBox()), vec(3, 0.5, 0), 2},
		{"box corner", Box(unitBox()), vec(2, 2, 2), math.Sqrt(3)},
		{"round box face", RoundBox(unitBox(), 0.5), vec(0, -2, 0), 1},
		{"round box corner", RoundBox(unitBox(), 0.5), vec(1.5, 1.5, 1.5), math.Sqrt(3) - 0.5},
		{"sphere", Sphere(vec(1, 2, 3), 2), vec(1, 2, 8), 3},
		{"sphere centre", Sphere(vec(1, 2, 3), 2), vec(1, 2, 3), -2},
		{"capsule side", Capsule(vec(0, 0, 0), vec(0, 4, 0), 1), vec(3, 2, 0), 2},
		{"capsule end", Capsule(vec(0, 0, 0), vec(0, 4, 0), 1), vec(0, 7, 0), 2},
		{"capsule of a point", Capsule(vec(1, 0, 0), vec(1, 0, 0), 1), vec(4, 0, 0), 2},
		{"cylinder side", Cylinder(vec(0, 0, 0), vec(0, 4, 0), 1), vec(3, 2, 0), 2},
		{"cylinder end", Cylinder(vec(0, 0, 0), vec(0, 4, 0), 1), vec(0.5, 7, 0), 3},
		{"cylinder rim", Cylinder(vec(0, 0, 0), vec(0, 4, 0), 1), vec(4, 8, 0), 5},
		{"cylinder inside", Cylinder(vec(0, 0, 0), vec(0, 4, 0), 1), vec(0, 3.75, 0), -0.25},
		{"half space", HalfSpace(vec(1, 0, 0), vec(diag, diag, 0)), vec(2, 1, 0), math.Sqrt2},
		{"below, under", Below(1.2), vec(9, 0.2, -4), -1},
		{"below, over", Below(1.2), vec(9, 2.2, -4), 1},
		{"torus tube", Torus(vec(0, 1, 0), vec(0, 1, 0), 3, 1), vec(0, 1, 3), -1},
		{"torus hole", Torus(vec(0, 1, 0), vec(0, 1, 0), 3, 1), vec(0, 1, 0), 2},
		{"torus above", Torus(vec(0, 1, 0), vec(0, 1, 0), 3, 1), vec(3, 4, 0), 2},
		{"union", Union(Sphere(vec(0, 0, 0), 1), Sphere(vec(5, 0, 0), 1)), vec(3, 0, 0), 1},
		{"intersection", Intersection(Box(unitBox()), Below(0)), vec(0, 0.5, 0), 0.5},
		{"difference, cut", Difference(Box(unitBox()), Below(0)), vec(0, -0.5, 0), 0.5},
		{"difference, left", Difference(Box(unitBox()), Below(0)), vec(0, 0.5, 0), -0.5},
		{"transform", Transform(Box(r3.Box{Min: vec(0, 0, 0), Max: vec(2, 1, 1)}), z, vec(10, 0, 0)), vec(9.5, 4, 0.5), 2},
		{"shell wall", Shell(Sphere(vec(0, 0, 0), 2), 0.5), vec(1.75, 0, 0), -0.25},
		{"shell hollow", Shell(Sphere(vec(0, 0, 0), 2), 0.5), vec(0.5, 0, 0), 1},
		{"shell outside", Shell(Sphere(vec(0, 0, 0), 2), 0.5), vec(3, 0, 0), 1},
		{"offset out", Offset(Box(unitBox()), 0.5), vec(2, 0, 0), 0.5},
		{"offset in", Offset(Box(unitBox()), -0.5), vec(0.75, 0, 0), 0.25},
	} {
		if err := CheckSDF(c.s); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := evalAt(c.s, c.p); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v at %v, want %v", c.name, got, c.p, c.want)
		}
	}
}

// drawShape draws a valid shape up to some depth of nesting.
func drawShape(t *rapid.T, depth int) SDF {
	coord := rapid.Float64Range(-3, 3)
	point := func(name string) r3.Vec {
		return vec(coord.Draw(t, name+" x"), coord.Draw(t, name+" y"), coord.Draw(t, name+" z"))
	}
	size := func(name string) float64 { return rapid.Float64Range(0.05, 2).Draw(t, name) }
	unit := func(name string) r3.Vec {
		if v := point(name); reproducible.Norm(v) > 0 {
			return reproducible.Unit(v)
		}
		return vec(0, 1, 0)
	}
	kinds := 7
	if depth > 0 {
		kinds = 13
	}
	switch k := rapid.IntRange(0, kinds-1).Draw(t, "kind"); k {
	case 0, 1:
		a := point("min")
		sides := vec(size("x"), size("y"), size("z"))
		b := r3.Box{Min: a, Max: r3.Add(a, sides)}
		if k == 0 {
			return Box(b)
		}
		return RoundBox(b, 0.4*min(sides.X, sides.Y, sides.Z))
	case 2:
		return Sphere(point("centre"), size("radius"))
	case 3:
		return Capsule(point("a"), point("b"), size("radius"))
	case 4:
		a := point("a")
		return Cylinder(a, r3.Add(a, r3.Scale(size("length"), unit("axis"))), size("radius"))
	case 5:
		return HalfSpace(point("point"), unit("normal"))
	case 6:
		minor := size("minor")
		return Torus(point("centre"), unit("axis"), minor+size("more"), minor)
	case 7:
		return Union(drawShape(t, depth-1), drawShape(t, depth-1))
	case 8:
		return Intersection(drawShape(t, depth-1), drawShape(t, depth-1))
	case 9:
		return Difference(drawShape(t, depth-1), drawShape(t, depth-1))
	case 10:
		u := unit("turn")
		q := quat.Scale(1/math.Sqrt2, quat.Number{Real: 1, Imag: u.X, Jmag: u.Y, Kmag: u.Z})
		return Transform(drawShape(t, depth-1), q, point("move"))
	case 11:
		return Shell(drawShape(t, depth-1), size("thickness"))
	default:
		return Offset(drawShape(t, depth-1), rapid.Float64Range(-0.5, 0.5).Draw(t, "offset"))
	}
}

func TestSDFIsLipschitzAndInsideItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t, 2)
		if err := CheckSDF(s); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var pts [150]r3.Vec // more than two chunks
		var dst [150]float32
		for i := range pts {
			pts[i] = vec(12*rng.Float64()-6, 12*rng.Float64()-6, 12*rng.Float64()-6)
			if i%2 == 1 {
				pts[i] = r3.Add(pts[i-1], r3.Scale(0.1, pts[i]))
			}
		}
		s.Eval(dst[:], pts[:])
		b := s.Bounds()
		for i, p := range pts {
			if one := evalAt(s, p); one != float64(dst[i]) {
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
		p := vec(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z"))
		va, vb := evalAt(a, p), evalAt(b, p)
		if va == 0 || vb == 0 {
			return
		}
		for _, x := range []struct {
			name string
			s    SDF
			want bool
		}{
			{"union", Union(a, b), va < 0 || vb < 0},
			{"intersection", Intersection(a, b), va < 0 && vb < 0},
			{"difference", Difference(a, b), va < 0 && vb > 0},
		} {
			if got := evalAt(x.s, p) < 0; got != x.want {
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
		s    SDF
		want r3.Box
	}{
		{"below", Below(2), r3.Box{Min: vec(-inf, -inf, -inf), Max: vec(inf, 2, inf)}},
		{"below turned over", Transform(Below(2), half, vec(0, 1, 0)), r3.Box{Min: vec(-inf, -1, -inf), Max: vec(inf, inf, inf)}},
		{"cut to the half", Intersection(Box(unitBox()), Below(0)), r3.Box{Min: vec(-1, -1, -1), Max: vec(1, 0, 1)}},
		{"nothing in common", Intersection(Sphere(vec(0, 0, 0), 1), Sphere(vec(6, 0, 0), 1)), r3.Box{Min: vec(3, -1, -1), Max: vec(3, 1, 1)}},
		{"cylinder", Cylinder(vec(0, 0, 0), vec(0, 4, 0), 1), r3.Box{Min: vec(-1, 0, -1), Max: vec(1, 4, 1)}},
		{"torus", Torus(vec(0, 0, 0), vec(0, 0, 1), 3, 1), r3.Box{Min: vec(-4, -4, -1), Max: vec(4, 4, 1)}},
		{"offset", Offset(Box(unitBox()), 0.5), r3.Box{Min: vec(-1.5, -1.5, -1.5), Max: vec(1.5, 1.5, 1.5)}},
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
	ball := Sphere(r3.Vec{}, 1)
	for _, c := range []struct {
		s    SDF
		want string
	}{
		{nil, "SDF is nil"},
		{(*Mesh)(nil), "nil *fluid.Mesh"},
		{(*userSDF)(nil), "nil *fluid.userSDF"},
		{&Mesh{}, "not made by NewMesh"},
		{Box(r3.Box{Min: vec(0, 0, 0), Max: vec(1, -1, 1)}), "Box: size along Y is -1 m; it must be > 0"},
		{Box(r3.Box{}), "Box: size along X is 0 m"},
		{Box(r3.Box{Min: vec(nan, 0, 0), Max: vec(1, 1, 1)}), "Box: Min.X is NaN m"},
		{Box(r3.Box{Min: vec(0, 0, 0), Max: vec(1, 1, inf)}), "Box: Max.Z is +Inf m"},
		{RoundBox(unitBox(), 1.5), "RoundBox: radius is 1.5 m; it must be ≤ 1 m"},
		{RoundBox(unitBox(), 0), "RoundBox: radius is 0 m"},
		{Sphere(r3.Vec{}, 0), "Sphere: radius is 0 m; it must be > 0"},
		{Sphere(vec(0, 2e9, 0), 1), "Sphere: centre.Y is 2e+09 m; it must be within ±1e+09 m"},
		{Capsule(r3.Vec{}, vec(0, nan, 0), 1), "Capsule: b.Y is NaN"},
		{Cylinder(vec(1, 1, 1), vec(1, 1, 1), 1), "Cylinder: distance from a to b is 0 m"},
		{Cylinder(r3.Vec{}, vec(0, 1, 0), -2), "Cylinder: radius is -2 m"},
		{HalfSpace(r3.Vec{}, r3.Vec{}), "HalfSpace: normal {0 0 0} has length 0; it must be 1"},
		{HalfSpace(r3.Vec{}, vec(0, 2, 0)), "HalfSpace: normal {0 2 0} has length 2"},
		{HalfSpace(r3.Vec{}, vec(nan, 0, 1)), "HalfSpace: normal"},
		{Below(nan), "Below: y is NaN m"},
		{Torus(r3.Vec{}, vec(0, 1, 0), 1, 2), "Torus: minor is 2 m; it must be < major, 1 m"},
		{Torus(r3.Vec{}, r3.Vec{}, 2, 1), "Torus: axis"},
		{Union(), "Union: no shapes; it must have at least 1"},
		{Intersection(), "Intersection: no shapes"},
		{Union(ball, nil), "Union: shape 1: SDF is nil"},
		{Union(ball, Transform(Sphere(r3.Vec{}, -1), one, r3.Vec{})), "Union: shape 1: Transform: Sphere: radius is -1 m"},
		{Difference(ball, (*Mesh)(nil)), "Difference: b: SDF is nil"},
		{Difference(Below(nan), ball), "Difference: a: Below"},
		{Transform(ball, o, r3.Vec{}), "Transform: rotation"},
		{Transform(ball, quat.Number{Real: nan}, r3.Vec{}), "Transform: rotation"},
		{Transform(ball, one, vec(inf, 0, 0)), "Transform: translation.X is +Inf m"},
		{Transform(nil, one, r3.Vec{}), "Transform: SDF is nil"},
		{Shell(ball, 0), "Shell: thickness is 0 m"},
		{Shell(Union(), 1), "Shell: Union: no shapes"},
		{Offset(ball, nan), "Offset: d is NaN m"},
		{Offset(nil, 1), "Offset: SDF is nil"},
		{&userSDF{float32(nan), unitBox()}, "*fluid.userSDF: Eval gives NaN"},
		{Union(&userSDF{float32(inf), unitBox()}), "Union: shape 0: *fluid.userSDF: Eval gives +Inf"},
		{&userSDF{1, r3.Box{Min: vec(1, 0, 0)}}, "bounds on axis x are [1, 0] m"},
	} {
		err := CheckSDF(c.s)
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want it to say %q", err, c.want)
		}
		if _, user := c.s.(*userSDF); c.s != nil && !user {
			c.s.Bounds() // must not panic
			evalAt(c.s, vec(0.1, 0.2, 0.3))
		}
	}
	inside := &userSDF{-1, boxes.Everywhere()}
	if err := CheckSDF(inside); err != nil {
		t.Errorf("a user's unbounded SDF: %v", err)
	}
}

// poolAllocates tells builds (the race detector's) whose sync.Pool drops what it is given.
func poolAllocates() bool {
	p := sync.Pool{New: func() any { return new([64]int) }}
	return testing.AllocsPerRun(10, func() {
		for range 100 {
			p.Put(p.Get())
		}
	}) > 0
}

func TestSDFEvalDoesNotAllocate(t *testing.T) {
	if poolAllocates() {
		t.Skip("sync.Pool allocates in this build")
	}
	vs, tris := icosphere(2)
	mesh, err := NewMesh(vs, tris, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	turn := quat.Number{Real: math.Sqrt2 / 2, Jmag: math.Sqrt2 / 2}
	s := Union(
		Difference(Transform(Box(unitBox()), turn, vec(1, 0, 0)), Cylinder(r3.Vec{}, vec(0, 1, 0), 0.5)),
		Intersection(Shell(Torus(r3.Vec{}, vec(0, 1, 0), 2, 1), 0.1), Offset(mesh, 0.1)),
		RoundBox(unitBox(), 0.1), Capsule(r3.Vec{}, vec(1, 1, 1), 1))
	pts, dst := make([]r3.Vec, 200), make([]float32, 200)
	for i := range pts {
		pts[i] = vec(0.01*float64(i), 0.3, 0.1)
	}
	if n := testing.AllocsPerRun(100, func() { s.Eval(dst, pts) }); n > 0 {
		t.Errorf("%v allocations in Eval, want 0", n)
	}
}

func BenchmarkSDFEval(b *testing.B) {
	vs, tris := readOBJ(b, "spot.obj")
	mesh, err := NewMesh(vs, tris, MeshOptions{})
	if err != nil {
		b.Fatal(err)
	}
	baked, err := NewMesh(vs, tris, MeshOptions{Resolution: 64})
	if err != nil {
		b.Fatal(err)
	}
	teapotVs, teapotTris := readOBJ(b, "teapot.obj")
	teapot, err := NewMesh(teapotVs, teapotTris, MeshOptions{})
	if err != nil {
		b.Fatal(err)
	}
	one := quat.Number{Real: 1}
	for _, c := range []struct {
		name string
		s    SDF
	}{
		{"box", Box(unitBox())}, {"sphere", Sphere(r3.Vec{}, 1)}, {"transform", Transform(Box(unitBox()), one, r3.Vec{})},
		{"union2", Union(Box(unitBox()), Sphere(r3.Vec{}, 1))}, {"mesh", mesh}, {"open", teapot}, {"baked", baked},
	} {
		for _, order := range []string{"rows", "random"} {
			b.Run(c.name+"/"+order, func(b *testing.B) {
				const n = 32
				box := c.s.Bounds()
				size := r3.Scale(1.2/n, box.Size())
				low := r3.Sub(box.Min, r3.Scale(0.1*n/1.2, size))
				pts, dst := make([]r3.Vec, 0, n*n*n), make([]float32, n*n*n)
				for i := range n * n * n {
					at := vec(float64(i%n), float64(i/n%n), float64(i/n/n))
					pts = append(pts, r3.Add(low, vec(at.X*size.X, at.Y*size.Y, at.Z*size.Z)))
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
	vs, tris := readOBJ(b, "spot.obj")
	for b.Loop() {
		if _, err := NewMesh(vs, tris, MeshOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tris)), "ns/triangle")
}
