package fluid

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// cast looks along one ray.
func castOne(t testing.TB, l *Liquid, r Ray) RayHit {
	t.Helper()
	var hit [1]RayHit
	if err := l.RayCast([]Ray{r}, hit[:]); err != nil {
		t.Fatal(err)
	}
	return hit[0]
}

// A still pool is met from above, from below, from outside, at a grazing angle, on fine cells and coarse ones.
func TestRayMeetsStillPool(t *testing.T) {
	for _, levels := range []int{1, 4} {
		l := mustNew(t, Def{Domain: box(3.2, 1.6, 3.2), CellSize: .05, Levels: levels, Band: 1, InvisibleLevel: 3})
		if err := l.Fill(Below(.83)); err != nil {
			t.Fatal(err)
		}
		if levels > 1 { // look at nothing but a corner
			if err := l.SetView(cornerView()); err != nil {
				t.Fatal(err)
			}
		}
		goesOn(t, l, 20)
		level := func(x, z float64) float64 { // coarse cells set it a little otherwise
			var s [1]Sample
			l.Sample([]r3.Vec{{X: x, Y: .5, Z: z}}, s[:])
			return .5 + s[0].Height
		}
		up := r3.Vec{Y: 1}
		mid, far := level(1.31, 1.27), level(3.1, 3.1)
		const tilt = .05
		for _, c := range []struct {
			name  string
			ray   Ray
			want  RayHit
			close float64 // cells
		}{
			{"above", Ray{r3.Vec{X: 1.31, Y: 1.5, Z: 1.27}, r3.Vec{Y: -3}, 0}, RayHit{Hit: true, Point: r3.Vec{X: 1.31, Y: mid, Z: 1.27}, Normal: up, Distance: 1.5 - mid}, .02},
			{"far above", Ray{r3.Vec{X: 1.31, Y: 1e9, Z: 1.27}, r3.Vec{Y: -1e-300}, 0}, RayHit{Hit: true, Point: r3.Vec{X: 1.31, Y: mid, Z: 1.27}, Normal: up, Distance: 1e9 - mid}, .02},
			{"below", Ray{r3.Vec{X: 3.1, Y: .2, Z: 3.1}, r3.Vec{Y: 1e200}, 0}, RayHit{Hit: true, Inside: true, Point: r3.Vec{X: 3.1, Y: far, Z: 3.1}, Normal: up, Distance: far - .2}, .02},
			{"too short", Ray{r3.Vec{X: 1.3, Y: 1.5, Z: 1.3}, r3.Vec{Y: -1}, .6}, RayHit{}, 0},
			{"too short within", Ray{r3.Vec{X: 1.3, Y: .5, Z: 1.3}, r3.Vec{X: 1}, 1}, RayHit{Inside: true}, 0},
			{"away", Ray{r3.Vec{X: 1.3, Y: 1.5, Z: 1.3}, r3.Vec{X: 1, Y: .1}, 0}, RayHit{}, 0},
			{"past the domain", Ray{r3.Vec{X: -1, Y: .5, Z: 1.3}, r3.Vec{X: -1}, 0}, RayHit{}, 0},
			{"glass", Ray{r3.Vec{X: -1, Y: .5, Z: 1.3}, r3.Vec{X: 2}, 0}, RayHit{Hit: true, Side: true, Point: r3.Vec{Y: .5, Z: 1.3}, Normal: r3.Vec{X: -1}, Distance: 1}, 0},
			{"floor from below", Ray{r3.Vec{X: 1, Y: -2, Z: 1.3}, r3.Vec{Y: 2}, 0}, RayHit{Hit: true, Side: true, Point: r3.Vec{X: 1, Z: 1.3}, Normal: r3.Vec{Y: -1}, Distance: 2}, 0},
			{"out through glass", Ray{r3.Vec{X: 1, Y: .5, Z: 1.3}, r3.Vec{Z: 1}, inf}, RayHit{Hit: true, Inside: true, Side: true, Point: r3.Vec{X: 1, Y: .5, Z: 3.2}, Normal: r3.Vec{Z: 1}, Distance: 1.9}, 0},
			{"grazing", Ray{r3.Vec{X: .1, Y: .93, Z: 1.6}, r3.Vec{X: 1, Y: -tilt}, 0}, RayHit{Hit: true, Point: r3.Vec{X: 2.1, Y: .83, Z: 1.6}, Normal: up, Distance: 2 * math.Sqrt(1+tilt*tilt)}, 1},
		} {
			if c.name == "grazing" && levels > 1 {
				continue
			}
			got := castOne(t, l, c.ray)
			near := c.close*l.sim.def.CellSize + 1e-6
			if got.Hit != c.want.Hit || got.Inside != c.want.Inside || got.Side != c.want.Side ||
				r3.Norm(r3.Sub(got.Point, c.want.Point)) > near || r3.Norm(r3.Sub(got.Normal, c.want.Normal)) > .02 || math.Abs(got.Distance-c.want.Distance) > near {
				t.Errorf("%d levels, %s: %+v, want %+v", levels, c.name, got, c.want)
			}
		}
	}
}

// How deep a point is, is measured to the surface also where cells are as large as what is measured.
func TestHeightOnCoarseCells(t *testing.T) {
	l := mustNew(t, Def{Domain: box(3.2, 1.6, 3.2), CellSize: .05, Band: 1, InvisibleLevel: 3})
	if err := l.Fill(Below(.83)); err != nil {
		t.Fatal(err)
	}
	if err := l.SetView(cornerView()); err != nil {
		t.Fatal(err)
	}
	goesOn(t, l, 20)
	for _, y := range []float64{.05, .3, .5, .7, 1, 1.3, 1.55} {
		var s [1]Sample
		l.Sample([]r3.Vec{{X: 3.1, Y: y, Z: 3.1}}, s[:])
		if level := y + s[0].Height; math.Abs(level-.83) > .025 {
			t.Errorf("from y = %g m the surface is said to be at %g m", y, level)
		}
	}
}

// cornerView looks at a corner of the domain, from where nothing else is to be seen.
func cornerView() View {
	v := View{Height: 480}
	v.View = [16]float32{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, -.2, .2, -3, 1} // down on (.2, ., .2)
	v.Projection = [16]float32{4, 0, 0, 0, 0, 4, 0, 0, 0, 0, -1, -1, 0, 0, -.2, 0}
	return v
}

// A ball that falls is met from all directions where it is shown, and from within.
func TestRayMeetsBall(t *testing.T) {
	l := mustNew(t, Def{Domain: box(1.6, 3.2, 1.6), CellSize: .05, Viscosity: 1e-3})
	centre := r3.Vec{X: .81, Y: 2.13, Z: .78}
	if err := l.Fill(Sphere(centre, .45)); err != nil {
		t.Fatal(err)
	}
	r := goesOn(t, l, 15)
	centre.Y -= 9.81 / 2 * r.Time * r.Time
	rnd := rand.New(rand.NewPCG(1, 2))
	var rays []Ray
	for range 400 {
		way := r3.Unit(r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: rnd.NormFloat64()})
		rays = append(rays, Ray{From: r3.Add(centre, r3.Scale(-.6, way)), Dir: way}, Ray{From: r3.Add(centre, r3.Scale(.1, way)), Dir: way})
	}
	hits := make([]RayHit, len(rays))
	if err := l.RayCast(rays, hits); err != nil {
		t.Fatal(err)
	}
	for i, h := range hits {
		inside := i%2 == 1
		want, normal := .15, r3.Scale(-1, rays[i].Dir)
		if inside {
			want, normal = .35, rays[i].Dir
		}
		if !h.Hit || h.Inside != inside || math.Abs(h.Distance-want) > .15*.05 || r3.Dot(h.Normal, normal) < .98 || math.Abs(r3.Norm(h.Normal)-1) > 1e-9 {
			t.Fatalf("%+v: %+v, want a distance of %g m and a normal along %.3v", rays[i], h, want, normal)
		}
	}
	compareWithMesh(t, l, 500, .1, .004)
}

// A ray meets what Surface's mesh has, whatever the liquid does and the sizes of cells are.
func TestRaysMeetMesh(t *testing.T) {
	slosh := mustNew(t, Def{Domain: box(3.2, 1.6, 1.6), CellSize: .05, Band: 2, InvisibleLevel: 2})
	if err := slosh.Fill(standing{level: .8, height: .15, length: 3.2}); err != nil {
		t.Fatal(err)
	}
	if err := slosh.SetView(cornerView()); err != nil {
		t.Fatal(err)
	}
	mixedLevels(t, goesOn(t, slosh, 20))
	compareWithMesh(t, slosh, 10000, .1, .005)
	wild, _ := lively(t, 2)
	for n := range 40 {
		stirLively(t, wild, n)
		goesOn(t, wild, 1)
	}
	compareWithMesh(t, wild, 2000, .1, .06) // drops and sheets of a cell or two are bent too much for a tenth
	compareWithMesh(t, wild, 2000, .4, .03)
}

// A ray meets the surface that a tracker of its own has, which is finer than cells, as exactly as that is drawn. The end of Sample's height is there, too.
func TestRaysMeetTrackersMesh(t *testing.T) {
	for name, tracker := range map[string]Tracker{"contouring": Contouring, "explicit mesh": ExplicitMesh} {
		t.Run(name, func(t *testing.T) {
			l := mustNew(t, Def{Domain: followedDomain, CellSize: .1, Workers: 1, Tracker: tracker, SurfaceDetail: 2})
			must(t, l.Fill(Below(.3)))
			must(t, l.Fill(Sphere(r3.Vec{X: .6, Y: .6, Z: .4}, .16)))
			goesOn(t, l, 9)
			compareWithMesh(t, l, 2000, .02, .02)
			mesh := trianglesOf(l.Surface())
			for i := range 20 {
				x := r3.Vec{X: .05 + .055*float64(i), Y: .9, Z: .3 + .01*float64(i)}
				var s [1]Sample
				l.Sample([]r3.Vec{x}, s[:])
				if first, _ := mesh.meet(Ray{From: x, Dir: r3.Vec{Y: -1}}); math.Abs(-s[0].Height-first) > .005 {
					t.Errorf("the surface is said to be %.4f m below %.3v, the mesh is %.4f", -s[0].Height, x, first)
				}
			}
			var hit [1]RayHit
			rays := []Ray{{From: r3.Vec{X: .5, Y: .9, Z: .3}, Dir: r3.Vec{X: .1, Y: -1}}}
			if n := allocations(t, 5, func() { must(t, l.RayCast(rays, hit[:])) }); n > 0 {
				t.Errorf("%g allocations", n)
			}
		})
	}
}

// compareWithMesh has random rays meet the mesh's triangles, and what RayCast says. But for a share of them the first surface must be the same, to so
// many of the cells there across it.
func compareWithMesh(t *testing.T, l *Liquid, n int, cells, share float64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 4))
	lo, size := l.sim.def.Domain.Min, r3.Sub(l.sim.def.Domain.Max, l.sim.def.Domain.Min)
	rays, hits := make([]Ray, n), make([]RayHit, n)
	for i := range rays {
		at := func() r3.Vec {
			return r3.Add(lo, r3.Vec{X: size.X * (1.4*rnd.Float64() - .2), Y: size.Y * (1.4*rnd.Float64() - .2), Z: size.Z * (1.4*rnd.Float64() - .2)})
		}
		from, to := at(), at()
		rays[i] = Ray{From: from, Dir: r3.Unit(r3.Sub(to, from))}
	}
	if err := l.RayCast(rays, hits); err != nil {
		t.Fatal(err)
	}
	mesh := trianglesOf(l.Surface())
	off, met := 0, 0
	for i, h := range hits {
		first, normal := mesh.meet(rays[i])
		if h.Hit {
			met++
		}
		across := math.Abs(r3.Dot(normal, rays[i].Dir))
		switch {
		case h.Hit != !math.IsInf(first, 1):
			off++
		case h.Hit && math.Abs(h.Distance-first)*across > cells*blocksOf(l).Grid.SettledEdgeAt(h.Point):
			off++
		}
	}
	t.Logf("%d of %d rays meet liquid; %d meet something else than the mesh", met, n, off)
	if float64(off) > share*float64(n) || met < n/20 {
		t.Errorf("%d of %d rays meet something else than the mesh; %d meet liquid", off, n, met)
	}
}

// triangles are corners, m.
type triangles [][3]r3.Vec

func trianglesOf(s *Surface) (tris triangles) {
	for i := 0; i < len(s.Indices); i += 3 {
		var tri [3]r3.Vec
		for k := range tri {
			p := s.Positions[3*s.Indices[i+k]:][:3]
			tri[k] = r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		}
		tris = append(tris, tri)
	}
	return tris
}

// moments are the volume that triangles enclose, m³, and its first moment, m⁴.
func (tris triangles) moments() (volume float64, moment r3.Vec) {
	for _, c := range tris {
		v := r3.Dot(c[0], r3.Cross(c[1], c[2])) / 6
		volume, moment = volume+v, r3.Add(moment, r3.Scale(v/4, r3.Add(c[0], r3.Add(c[1], c[2]))))
	}
	return volume, moment
}

// meet is how far along a ray the first triangle is, infinite if there is none, and that one's normal.
func (tris triangles) meet(r Ray) (first float64, normal r3.Vec) {
	first = math.Inf(1)
	for i := range tris {
		c := &tris[i]
		e, f := r3.Sub(c[1], c[0]), r3.Sub(c[2], c[0])
		p := r3.Cross(r.Dir, f)
		det := r3.Dot(e, p)
		if det == 0 {
			continue
		}
		s := r3.Sub(r.From, c[0])
		u := r3.Dot(s, p) / det
		if u < 0 || u > 1 {
			continue
		}
		q := r3.Cross(s, e)
		if v := r3.Dot(r.Dir, q) / det; v < 0 || u+v > 1 {
			continue
		}
		if d := r3.Dot(f, q) / det; d >= 0 && d < first {
			first, normal = d, r3.Unit(r3.Cross(e, f))
		}
	}
	return first, normal
}

// Rays that say nothing are refused by name, before any is cast; all others give numbers.
func TestBadRays(t *testing.T) {
	l := mustNew(t, Def{Domain: box(.8, .8, .8), CellSize: .1, Workers: 1})
	if err := l.Fill(Below(.5)); err != nil {
		t.Fatal(err)
	}
	good := Ray{From: r3.Vec{X: .4, Y: .7, Z: .4}, Dir: r3.Vec{Y: -1}}
	for want, bad := range map[string]Ray{
		"ray 1: From: {NaN 0 0} m; must be finite":      {From: r3.Vec{X: nan}, Dir: r3.Vec{X: 1}},
		"ray 1: Dir: {0 0 0}; must be finite and not 0": {},
		"ray 1: Dir: {0 +Inf 0}; must be finite":        {Dir: r3.Vec{Y: inf}},
		"ray 1: Max: -1 m; must be ≥ 0":                 {Dir: r3.Vec{X: 1}, Max: -1},
		"ray 1: Max: NaN m":                             {Dir: r3.Vec{X: 1}, Max: nan},
	} {
		dst := []RayHit{{Hit: true}, {Hit: true}, {Hit: true}}
		err := l.RayCast([]Ray{good, bad, {}}, dst)
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: RayCast: "+want) || dst[0] != (RayHit{}) || dst[2] != (RayHit{}) {
			t.Errorf("%v, want %s; %+v", err, want, dst)
		}
	}
	two := make([]RayHit, 2)
	if err := l.RayCast([]Ray{good}, two); err != nil || !two[0].Hit || two[1].Hit {
		t.Errorf("%v, %+v", err, two)
	}
	if err := l.RayCast(nil, nil); err != nil {
		t.Error(err)
	}
	empty := mustNew(t, Def{Domain: box(.8, .8, .8), CellSize: .1, Workers: 1})
	if h := castOne(t, empty, good); h != (RayHit{}) {
		t.Errorf("in no liquid: %+v", h)
	}
}

// Solids do not stop a ray; behind a thin wall is no liquid if there is none.
func TestRaysPassSolids(t *testing.T) {
	l := mustNew(t, Def{Domain: box(1.6, .8, .8), CellSize: .05, Workers: 1})
	if _, err := l.AddObstacle(Box(between(.79, 0, 0, .81, .8, .8))); err != nil { // thinner than a cell
		t.Fatal(err)
	}
	if _, err := l.AddObstacle(Sphere(r3.Vec{X: .3, Y: .4, Z: .4}, .15)); err != nil {
		t.Fatal(err)
	}
	if err := l.Fill(Box(between(0, 0, 0, .8, .4, .8))); err != nil {
		t.Fatal(err)
	}
	goesOn(t, l, 10)
	if h := castOne(t, l, Ray{From: r3.Vec{X: .3, Y: .7, Z: .4}, Dir: r3.Vec{Y: -1}}); !h.Hit || math.Abs(h.Point.Y-.4) > .02 {
		t.Errorf("through a ball that is half in the liquid: %+v", h)
	}
	if h := castOne(t, l, Ray{From: r3.Vec{X: 1.5, Y: .2, Z: .4}, Dir: r3.Vec{X: -1}}); !h.Hit || math.Abs(h.Point.X-.8) > .05 || h.Normal.X < .9 {
		t.Errorf("at a wall with liquid behind it: %+v", h)
	}
	if h := castOne(t, l, Ray{From: r3.Vec{X: 1.2, Y: .7, Z: .4}, Dir: r3.Vec{Y: -1}}); h.Hit {
		t.Errorf("beyond the wall: %+v", h)
	}
	compareWithMesh(t, l, 500, .4, .01)
}

func TestRayCastAllocatesNothing(t *testing.T) {
	l, _ := lively(t, 2)
	goesOn(t, l, 5)
	rays, hits := make([]Ray, 200), make([]RayHit, 200)
	for i := range rays {
		rays[i] = Ray{From: r3.Vec{X: .008 * float64(i), Y: .7, Z: .4}, Dir: r3.Vec{X: .1, Y: -1, Z: .01 * float64(i%10)}}
	}
	cast := func() {
		if err := l.RayCast(rays, hits); err != nil {
			t.Fatal(err)
		}
	}
	cast()
	was := append([]RayHit(nil), hits...)
	if n := testing.AllocsPerRun(20, cast); n > 0 {
		t.Errorf("%g allocations", n)
	}
	for i, r := range rays { // one by one as together
		if h := castOne(t, l, r); h != was[i] {
			t.Fatalf("ray %d alone: %+v, with others %+v", i, h, was[i])
		}
	}
}

func BenchmarkRayCast(b *testing.B) {
	l, _ := lively(b, 1)
	goesOn(b, l, 20)
	var rays [256]Ray
	var hits [256]RayHit
	for i := range rays {
		rays[i] = Ray{From: r3.Vec{X: 1.6 * float64(i%16) / 16, Y: .8, Z: .8 * float64(i/16) / 16}, Dir: r3.Vec{X: .2, Y: -1, Z: .1}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := l.RayCast(rays[:], hits[:]); err != nil {
			b.Fatal(err)
		}
	}
}
