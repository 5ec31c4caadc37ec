package meshsdf_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// cubeMesh is the cube |x - centre| ≤ half, twelve faces pointing out.
func cubeMesh(centre r3.Vec, half float64) (vs []r3.Vec, tris [][3]int32) {
	for i := range 8 {
		s := func(bit int) float64 { return half * float64(2*(i>>bit&1)-1) }
		vs = append(vs, r3.Add(centre, testrig.Vec(s(0), s(1), s(2))))
	}
	return vs, [][3]int32{
		{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
		{2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
	}
}

func joinMeshes(vs []r3.Vec, tris [][3]int32, ws []r3.Vec, more [][3]int32) ([]r3.Vec, [][3]int32) {
	n := int32(len(vs))
	vs, tris = append([]r3.Vec(nil), vs...), append([][3]int32(nil), tris...)
	for _, t := range more {
		tris = append(tris, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
	return append(vs, ws...), tris
}

func reversed(tris [][3]int32) [][3]int32 {
	out := make([][3]int32, len(tris))
	for i, t := range tris {
		out[i] = [3]int32{t[0], t[2], t[1]}
	}
	return out
}

func mustMesh(t *testing.T, vs []r3.Vec, tris [][3]int32) *fluid.Mesh {
	t.Helper()
	m, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tol)
	}
}

func TestMeshIcosphere(t *testing.T) {
	vs, tris := testrig.Icosphere(4)
	m := mustMesh(t, vs, tris)
	near(t, "volume", m.Volume(), 4*math.Pi/3, 0.02)
	near(t, "open", m.Open(), 0, 0)
	near(t, "triangles", float64(m.Triangles()), 5120, 0)
	ball := fluid.Sphere(r3.Vec{}, 1)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		p := testrig.Vec(4*rng.Float64()-2, 4*rng.Float64()-2, 4*rng.Float64()-2)
		near(t, "distance", testrig.EvalAt(m, p), testrig.EvalAt(ball, p), 2e-3) // the sagitta of an edge is 1.2e-3
	}
	checkLipschitz(t, m, m.Bounds(), rng, 1.001)
}

// TestMeshTakesWhatGamesHave holds bad cubes against the exact one.
func TestMeshTakesWhatGamesHave(t *testing.T) {
	vs, tris := cubeMesh(r3.Vec{}, 1)
	flipped := append([][3]int32(nil), tris...)
	for _, i := range []int{2, 3, 5} {
		flipped[i] = reversed(tris[i : i+1])[0]
	}
	doubled := append(append([][3]int32(nil), tris...), tris[4:7]...)
	both := append(append([][3]int32(nil), tris...), reversed(tris)...)
	var soupVs []r3.Vec // every face with its own corners, off by float32 rounding
	var soup [][3]int32
	for _, f := range tris {
		n := int32(len(soupVs))
		for k, v := range f {
			p := vs[v]
			soupVs = append(soupVs, testrig.Vec(p.X+1e-7*float64(k), p.Y, p.Z-1e-7*float64(k)))
		}
		soup = append(soup, [3]int32{n, n + 1, n + 2})
	}
	wallVs := append(append([]r3.Vec(nil), vs...), testrig.Vec(0, -1, -1), testrig.Vec(0, 1, -1), testrig.Vec(0, -1, 1), testrig.Vec(0, 1, 1))
	wall := append(append([][3]int32(nil), tris...), [3]int32{8, 9, 10}, [3]int32{9, 11, 10})
	inVs, in := cubeMesh(testrig.Vec(0.2, 0, 0), 0.3)
	insideVs, inside := joinMeshes(vs, tris, inVs, in)
	for _, c := range []struct {
		name string
		vs   []r3.Vec
		tris [][3]int32
	}{
		{"as it should be", vs, tris}, {"reversed", vs, reversed(tris)}, {"partly flipped", vs, flipped},
		{"faces repeated", vs, doubled}, {"both sides", vs, both}, {"soup", soupVs, soup},
		{"faces of no area", vs, append([][3]int32{{0, 0, 1}, {2, 2, 2}}, tris...)},
		{"unused vertex far away", append(append([]r3.Vec(nil), vs...), testrig.Vec(1e8, 0, 0)), tris},
		{"a wall inside", wallVs, wall}, {"a solid inside", insideVs, inside},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mustMesh(t, c.vs, c.tris)
			near(t, "open", m.Open(), 0, 0.02)
			exact := fluid.Box(testrig.UnitBox())
			rng := rand.New(rand.NewPCG(5, 6))
			for range 300 {
				p := testrig.Vec(3*rng.Float64()-1.5, 3*rng.Float64()-1.5, 3*rng.Float64()-1.5)
				near(t, "distance", testrig.EvalAt(m, p), testrig.EvalAt(exact, p), 1e-6)
			}
		})
	}
}

func TestMeshWithHoles(t *testing.T) {
	vs, tris := cubeMesh(r3.Vec{}, 1)
	m := mustMesh(t, vs, tris[1:])
	t.Logf("cube without a triangle: open %.3f", m.Open())
	exact := fluid.Box(testrig.UnitBox())
	rng := rand.New(rand.NewPCG(7, 8))
	wrong := 0
	for range 1000 {
		p := testrig.Vec(3*rng.Float64()-1.5, 3*rng.Float64()-1.5, 3*rng.Float64()-1.5)
		if want := testrig.EvalAt(exact, p); testrig.EvalAt(m, p)*want < 0 && math.Abs(want) > 0.05 {
			wrong++
		}
	}
	if wrong > 10 { // the surface sags into the hole
		t.Errorf("%d of 1000 signs are wrong more than 5 cm from the cube", wrong)
	}
	checkLipschitz(t, m, m.Bounds(), rng, 2)
	for _, c := range []struct {
		name string
		tris [][3]int32
	}{{"lid", tris[2:]}, {"lid and a side", tris[4:]}, {"half", tris[:6]}} {
		_, err := fluid.NewMesh(vs, c.tris, fluid.MeshOptions{})
		if err == nil || !strings.Contains(err.Error(), "open") {
			t.Errorf("cube without %s: error %v, want one about its being open", c.name, err)
		}
		if m, err := fluid.NewMesh(vs, c.tris, fluid.MeshOptions{MaxOpen: 1}); err == nil {
			t.Logf("cube without %s: open %.3f", c.name, m.Open())
		}
	}
}

func TestMeshPieces(t *testing.T) {
	outVs, out := cubeMesh(r3.Vec{}, 1)
	inVs, in := cubeMesh(testrig.Vec(0.1, 0, 0), 0.5)
	farVs, far := cubeMesh(testrig.Vec(5, 0, 0), 1)
	lapVs, lap := cubeMesh(testrig.Vec(1, 0.3, 0.2), 1)
	coreVs, core := cubeMesh(testrig.Vec(0.1, 0, 0), 0.2)
	box := func(c r3.Vec, h float64) fluid.SDF {
		v := testrig.Vec(h, h, h)
		return fluid.Box(r3.Box{Min: r3.Sub(c, v), Max: r3.Add(c, v)})
	}
	o, i := box(r3.Vec{}, 1), box(testrig.Vec(0.1, 0, 0), 0.5)
	for _, c := range []struct {
		name  string
		vs    [2][]r3.Vec
		tris  [2][][3]int32
		want  fluid.SDF
		exact bool // distances too, not just signs
	}{
		{"cavity", [2][]r3.Vec{outVs, inVs}, [2][][3]int32{out, reversed(in)}, fluid.Difference(o, i), true},
		{"cavity, all reversed", [2][]r3.Vec{inVs, outVs}, [2][][3]int32{in, reversed(out)}, fluid.Difference(o, i), true},
		{"disjoint, one reversed", [2][]r3.Vec{outVs, farVs}, [2][][3]int32{out, reversed(far)}, fluid.Union(o, box(testrig.Vec(5, 0, 0), 1)), true},
		{"overlapping, one reversed", [2][]r3.Vec{outVs, lapVs}, [2][][3]int32{out, reversed(lap)}, fluid.Union(o, box(testrig.Vec(1, 0.3, 0.2), 1)), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			vs, tris := joinMeshes(c.vs[0], c.tris[0], c.vs[1], c.tris[1])
			m := mustMesh(t, vs, tris)
			rng := rand.New(rand.NewPCG(9, 10))
			for range 300 {
				p := testrig.Vec(9*rng.Float64()-2, 4*rng.Float64()-2, 4*rng.Float64()-2)
				got, want := testrig.EvalAt(m, p), testrig.EvalAt(c.want, p)
				if c.exact && math.Abs(want) < 0.4 {
					near(t, "distance", got, want, 1e-6)
				}
				if got*want < 0 && math.Abs(want) > 1e-5 {
					t.Errorf("%v at %v, want the sign of %v", got, p, want)
				}
			}
			checkLipschitz(t, m, m.Bounds(), rng, 1.001)
		})
	}
	vs, tris := joinMeshes(outVs, out, inVs, reversed(in))
	vs, tris = joinMeshes(vs, tris, coreVs, core)
	m := mustMesh(t, vs, tris)
	near(t, "a core in a cavity", testrig.EvalAt(m, testrig.Vec(0.1, 0, 0)), -0.2, 1e-6)
	near(t, "the cavity", testrig.EvalAt(m, testrig.Vec(0.4, 0, 0)), 0.1, 1e-6)
	near(t, "the volume", m.Volume(), 8-1+0.064, 1e-9)
}

func TestMeshFarAndSmall(t *testing.T) {
	ballVs, tris := testrig.Icosphere(3)
	for _, c := range []struct {
		at     r3.Vec
		radius float64
	}{{testrig.Vec(1e4, -1e4, 1e4), 1}, {r3.Vec{}, 1e-3}, {testrig.Vec(1e4, 0, 0), 1e-3}, {r3.Vec{}, 1e5}} {
		vs := make([]r3.Vec, len(ballVs))
		for i, v := range ballVs {
			vs[i] = r3.Add(c.at, r3.Scale(c.radius, v))
		}
		m := mustMesh(t, vs, tris)
		near(t, "volume", m.Volume()/math.Pow(c.radius, 3), 4*math.Pi/3, 0.07)
		rng := rand.New(rand.NewPCG(11, 12))
		for range 100 {
			p := testrig.Vec(4*rng.Float64()-2, 4*rng.Float64()-2, 4*rng.Float64()-2)
			got := testrig.EvalAt(m, r3.Add(c.at, r3.Scale(c.radius, p))) / c.radius
			near(t, "distance", got, r3.Norm(p)-1, 6e-3)
		}
	}
}

func TestNewMeshRefuses(t *testing.T) {
	vs, tris := cubeMesh(r3.Vec{}, 1)
	with := func(i int, p r3.Vec) []r3.Vec {
		out := append([]r3.Vec(nil), vs...)
		out[i] = p
		return out
	}
	flat := make([]r3.Vec, len(vs))
	for i, v := range vs {
		flat[i] = testrig.Vec(v.X+0.1*v.Y, 0, v.Z+0.2*v.Y)
	}
	sheetVs, sheet := []r3.Vec{}, [][3]int32{}
	for i := range 25 {
		sheetVs = append(sheetVs, testrig.Vec(float64(i%5), 0.1*float64(i%3), float64(i/5)))
		if i%5 < 4 && i/5 < 4 {
			n := int32(i)
			sheet = append(sheet, [3]int32{n, n + 1, n + 5}, [3]int32{n + 1, n + 6, n + 5})
		}
	}
	for _, c := range []struct {
		name string
		vs   []r3.Vec
		tris [][3]int32
		opts fluid.MeshOptions
		want string
	}{
		{"no triangles", vs, nil, fluid.MeshOptions{}, "0 triangles; a solid has at least 4"},
		{"three triangles", vs, tris[:3], fluid.MeshOptions{}, "3 triangles"},
		{"NaN", with(3, testrig.Vec(0, math.NaN(), 0)), tris, fluid.MeshOptions{}, "vertex 3 is"},
		{"infinity", with(5, testrig.Vec(math.Inf(1), 0, 0)), tris, fluid.MeshOptions{}, "vertex 5 is"},
		{"far", with(5, testrig.Vec(2e9, 0, 0)), tris, fluid.MeshOptions{}, "within ±1e+09 m"},
		{"index high", vs, append([][3]int32{{0, 1, 8}}, tris...), fluid.MeshOptions{}, "triangle 0 has index 8; there are 8 vertices"},
		{"index low", vs, append(append([][3]int32(nil), tris...), [3]int32{-1, 1, 2}), fluid.MeshOptions{}, "triangle 12 has index -1"},
		{"one point", make([]r3.Vec, 8), tris, fluid.MeshOptions{}, "0 m across"},
		{"one face many times", vs, [][3]int32{{0, 1, 2}, {1, 2, 0}, {2, 1, 0}, {0, 1, 2}, {0, 2, 1}}, fluid.MeshOptions{}, "1 of 5 triangles are left"},
		{"flat", flat, tris, fluid.MeshOptions{}, "no volume"},
		{"sheet", sheetVs, sheet, fluid.MeshOptions{}, "open"},
		{"sheet from both sides", sheetVs, append(append([][3]int32(nil), sheet...), reversed(sheet)...), fluid.MeshOptions{}, "open"},
		{"MaxOpen", vs, tris, fluid.MeshOptions{MaxOpen: 2}, "MaxOpen is 2; it must be in (0, 1]"},
		{"MaxOpen NaN", vs, tris, fluid.MeshOptions{MaxOpen: math.NaN()}, "MaxOpen is NaN"},
		{"Resolution", vs, tris, fluid.MeshOptions{Resolution: -1}, "Resolution is -1"},
		{"Resolution high", vs, tris, fluid.MeshOptions{Resolution: 5000}, "Resolution is 5000; it must be in [0, 400]"},
	} {
		m, err := fluid.NewMesh(c.vs, c.tris, c.opts)
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), "fluid: NewMesh: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, error %v; want an error that says %q", c.name, m, err, c.want)
		}
	}
}

func TestMeshDoesNotDependOnTheBatch(t *testing.T) {
	vs, tris := testrig.Icosphere(2)
	other, more := cubeMesh(testrig.Vec(0.8, 0.1, 0), 0.6)
	vs2, tris2 := joinMeshes(vs, tris, other, more)
	for _, m := range []*fluid.Mesh{mustMesh(t, vs, tris), mustMesh(t, vs2, tris2), mustMesh(t, vs, tris[3:])} {
		rng := rand.New(rand.NewPCG(13, 14))
		pts, dst := make([]r3.Vec, 500), make([]float32, 500)
		p := r3.Vec{}
		for i := range pts {
			p = r3.Add(p, r3.Scale(0.1, testrig.Vec(rng.NormFloat64()-0.1*p.X, rng.NormFloat64()-0.1*p.Y, rng.NormFloat64()-0.1*p.Z)))
			pts[i] = p
		}
		m.Eval(dst, pts)
		for i, p := range pts {
			if one := testrig.EvalAt(m, p); one != float64(dst[i]) {
				t.Errorf("%v alone, %v in a batch, at %v", one, dst[i], p)
			}
		}
	}
}

func TestBake(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	vs, tris := testrig.Icosphere(3)
	mesh, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{Resolution: 40})
	if err != nil {
		t.Fatal(err)
	}
	ball, err := fluid.Bake(fluid.Sphere(r3.Vec{}, 1), 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		p := testrig.Vec(6*rng.Float64()-3, 6*rng.Float64()-3, 6*rng.Float64()-3)
		want := r3.Norm(p) - 1
		for _, s := range []fluid.SDF{mesh, ball} {
			got := testrig.EvalAt(s, p)
			if want < 0.05 && want > -0.8 {
				near(t, "distance", got, want, 6e-3)
			} else if want > 0 && (got > want+6e-3 || got < 0.7*want-0.05) {
				t.Errorf("%v at distance %v; want no more, and not much less", got, want)
			}
		}
	}
	checkLipschitz(t, mesh, mesh.Bounds(), rng, 1.02)
	for _, c := range []struct {
		s    fluid.SDF
		cell float64
		want string
	}{
		{nil, 1, "SDF is nil"}, {fluid.Sphere(r3.Vec{}, -1), 1, "Sphere: radius"}, {fluid.Below(1), 0.1, "bounds are +Inf m along X"},
		{ball, 0, "cell is 0 m"}, {ball, math.NaN(), "cell is NaN m"}, {ball, 1e-4, "use a larger cell"}, {ball, 1e-300, "use a larger cell"},
	} {
		if s, err := fluid.Bake(c.s, c.cell); err == nil || s != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("cell %v: %v, want an error that says %q", c.cell, err, c.want)
		}
	}
	if v := testrig.EvalAt(ball, testrig.Vec(math.NaN(), 0, 0)); !math.IsNaN(v) {
		t.Errorf("%v at NaN", v)
	}
}

func FuzzNewMesh(f *testing.F) {
	encode := func(vs []r3.Vec, tris [][3]int32) []byte {
		b := []byte{byte(len(vs))}
		for _, v := range vs {
			for _, x := range [3]float64{v.X, v.Y, v.Z} {
				b = binary.LittleEndian.AppendUint16(b, uint16(int16(x*1000)))
			}
		}
		for _, t := range tris {
			b = append(b, byte(t[0]), byte(t[1]), byte(t[2]))
		}
		return b
	}
	vs, tris := cubeMesh(r3.Vec{}, 1)
	f.Add(encode(vs, tris))
	f.Add(encode(vs, tris[1:]))
	f.Add(encode(vs, append(reversed(tris[:5]), tris...)))
	ico, faces := testrig.Icosphere(0)
	f.Add(encode(joinMeshes(vs, tris, ico, faces)))
	f.Add([]byte{4})
	f.Fuzz(func(t *testing.T, data []byte) {
		vs, tris := decodeMesh(data)
		m, err := fluid.NewMesh(vs, tris, fluid.MeshOptions{MaxOpen: 1})
		if err != nil {
			return
		}
		b := m.Bounds()
		pts := append([]r3.Vec{b.Center(), b.Min, b.Max, r3.Sub(b.Min, b.Size()), r3.Add(b.Max, testrig.Vec(1, 2, 3))}, vs...)
		dst := make([]float32, len(pts))
		m.Eval(dst, pts)
		for i, d := range dst {
			if v := float64(d); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%v at %v", d, pts[i])
			}
		}
		if v := m.Volume(); !(v > 0) || !(m.Open() >= 0 && m.Open() <= 1) || m.Triangles() < 4 {
			t.Fatalf("volume %v, open %v, %d triangles", v, m.Open(), m.Triangles())
		}
	})
}

// decodeMesh reads vertices as millimetres, or as bits of a float64 where their count is
// odd, then triangles.
func decodeMesh(data []byte) (vs []r3.Vec, tris [][3]int32) {
	if len(data) == 0 {
		return nil, nil
	}
	n, data := int(data[0]), data[1:]
	size, read := 2, func(b []byte) float64 { return float64(int16(binary.LittleEndian.Uint16(b))) / 1000 }
	if n%2 == 1 {
		size, read = 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }
	}
	for ; n > 0 && len(data) >= 3*size; n-- {
		vs = append(vs, testrig.Vec(read(data), read(data[size:]), read(data[2*size:])))
		data = data[3*size:]
	}
	for ; len(data) >= 3; data = data[3:] {
		tris = append(tris, [3]int32{int32(data[0]), int32(data[1]), int32(data[2])})
	}
	return vs, tris
}

// A union leaves meshes out where others are nearer than their boxes, which changes no bit.
func TestUnionOfMeshesIsTheLeast(t *testing.T) {
	var parts []fluid.SDF
	for k := range 5 {
		def := testrig.MeshOf(testrig.Cuboid(float64(k), 0, .1*float64(k), float64(k)+1.1, .7, .8))
		m, err := fluid.NewMesh(def.Vertices, def.Triangles, fluid.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, m)
	}
	union := fluid.Union(parts...)
	var pts [200]r3.Vec
	var got, want, one [len(pts)]float32
	for round := range 20 {
		for i := range pts { // near one another, as a block's are
			h := math.Mod(.618*float64(i+200*round), 1)
			pts[i] = r3.Vec{X: .3*float64(round) - .5 + .2*h, Y: math.Mod(7.3*h, 1.5) - .4, Z: math.Mod(3.1*h, 1.5) - .2}
		}
		parts[0].Eval(want[:], pts[:])
		for _, p := range parts[1:] {
			p.Eval(one[:], pts[:])
			for i, d := range one {
				want[i] = min(want[i], d)
			}
		}
		if union.Eval(got[:], pts[:]); got != want {
			t.Fatalf("round %d: the union is not the least of its parts", round)
		}
	}
}
