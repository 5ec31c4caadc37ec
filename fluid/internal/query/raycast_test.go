package query_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// cast looks along one ray.
func castOne(t testing.TB, l *fluid.Liquid, r fluid.Ray) fluid.RayHit {
	t.Helper()
	var hit [1]fluid.RayHit
	testrig.Must(t, l.RayCast(hit[:], []fluid.Ray{r}))
	return hit[0]
}

// A still pool is met from above, from below, from outside, at a grazing angle, on fine cells and coarse ones.
func TestRayMeetsStillPool(t *testing.T) {
	for _, levels := range []int{1, 4} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 3.2), CellSize: .05, Numerics: fluid.Numerics{Levels: levels, Band: 1, InvisibleLevel: 3}})
		testrig.Must(t, l.Fill(fluid.Below(.83)))
		if levels > 1 { // look at nothing but a corner
			testrig.Must(t, l.SetView(cornerView()))
		}
		testrig.GoesOn(t, l, 20)
		level := func(x, z float64) float64 { // coarse cells set it a little otherwise
			var s [1]fluid.Sample
			l.Sample(s[:], []r3.Vec{{X: x, Y: .5, Z: z}})
			return .5 + s[0].Height
		}
		up := r3.Vec{Y: 1}
		mid, far := level(1.31, 1.27), level(3.1, 3.1)
		const tilt = .05
		for _, c := range []struct {
			name  string
			ray   fluid.Ray
			want  fluid.RayHit
			close float64 // cells
		}{
			{"above", fluid.Ray{From: r3.Vec{X: 1.31, Y: 1.5, Z: 1.27}, Dir: r3.Vec{Y: -3}, Max: 0}, fluid.RayHit{Hit: true, Point: r3.Vec{X: 1.31, Y: mid, Z: 1.27}, Normal: up, Distance: 1.5 - mid}, .02},
			{"far above", fluid.Ray{From: r3.Vec{X: 1.31, Y: 1e9, Z: 1.27}, Dir: r3.Vec{Y: -1e-300}, Max: 0}, fluid.RayHit{Hit: true, Point: r3.Vec{X: 1.31, Y: mid, Z: 1.27}, Normal: up, Distance: 1e9 - mid}, .02},
			{"below", fluid.Ray{From: r3.Vec{X: 3.1, Y: .2, Z: 3.1}, Dir: r3.Vec{Y: 1e200}, Max: 0}, fluid.RayHit{Hit: true, Inside: true, Point: r3.Vec{X: 3.1, Y: far, Z: 3.1}, Normal: up, Distance: far - .2}, .02},
			{"too short", fluid.Ray{From: r3.Vec{X: 1.3, Y: 1.5, Z: 1.3}, Dir: r3.Vec{Y: -1}, Max: .6}, fluid.RayHit{}, 0},
			{"too short within", fluid.Ray{From: r3.Vec{X: 1.3, Y: .5, Z: 1.3}, Dir: r3.Vec{X: 1}, Max: 1}, fluid.RayHit{Inside: true}, 0},
			{"away", fluid.Ray{From: r3.Vec{X: 1.3, Y: 1.5, Z: 1.3}, Dir: r3.Vec{X: 1, Y: .1}, Max: 0}, fluid.RayHit{}, 0},
			{"past the domain", fluid.Ray{From: r3.Vec{X: -1, Y: .5, Z: 1.3}, Dir: r3.Vec{X: -1}, Max: 0}, fluid.RayHit{}, 0},
			{"glass", fluid.Ray{From: r3.Vec{X: -1, Y: .5, Z: 1.3}, Dir: r3.Vec{X: 2}, Max: 0}, fluid.RayHit{Hit: true, Side: true, Point: r3.Vec{Y: .5, Z: 1.3}, Normal: r3.Vec{X: -1}, Distance: 1}, 0},
			{"floor from below", fluid.Ray{From: r3.Vec{X: 1, Y: -2, Z: 1.3}, Dir: r3.Vec{Y: 2}, Max: 0}, fluid.RayHit{Hit: true, Side: true, Point: r3.Vec{X: 1, Z: 1.3}, Normal: r3.Vec{Y: -1}, Distance: 2}, 0},
			{"out through glass", fluid.Ray{From: r3.Vec{X: 1, Y: .5, Z: 1.3}, Dir: r3.Vec{Z: 1}, Max: testrig.Inf}, fluid.RayHit{Hit: true, Inside: true, Side: true, Point: r3.Vec{X: 1, Y: .5, Z: 3.2}, Normal: r3.Vec{Z: 1}, Distance: 1.9}, 0},
			{"grazing", fluid.Ray{From: r3.Vec{X: .1, Y: .93, Z: 1.6}, Dir: r3.Vec{X: 1, Y: -tilt}, Max: 0}, fluid.RayHit{Hit: true, Point: r3.Vec{X: 2.1, Y: .83, Z: 1.6}, Normal: up, Distance: 2 * math.Sqrt(1+tilt*tilt)}, 1},
		} {
			if c.name == "grazing" && levels > 1 {
				continue
			}
			got := castOne(t, l, c.ray)
			near := c.close*l.Def().CellSize + 1e-6
			if got.Hit != c.want.Hit || got.Inside != c.want.Inside || got.Side != c.want.Side ||
				r3.Norm(r3.Sub(got.Point, c.want.Point)) > near || r3.Norm(r3.Sub(got.Normal, c.want.Normal)) > .02 || math.Abs(got.Distance-c.want.Distance) > near {
				t.Errorf("%d levels, %s: %+v, want %+v", levels, c.name, got, c.want)
			}
		}
	}
}

// How deep a point is, is measured to the surface also where cells are as large as what is measured.
func TestHeightOnCoarseCells(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 3.2), CellSize: .05, Numerics: fluid.Numerics{Band: 1, InvisibleLevel: 3}})
	testrig.Must(t, l.Fill(fluid.Below(.83)))
	testrig.Must(t, l.SetView(cornerView()))
	testrig.GoesOn(t, l, 20)
	for _, y := range []float64{.05, .3, .5, .7, 1, 1.3, 1.55} {
		var s [1]fluid.Sample
		l.Sample(s[:], []r3.Vec{{X: 3.1, Y: y, Z: 3.1}})
		if level := y + s[0].Height; math.Abs(level-.83) > .025 {
			t.Errorf("from y = %g m the surface is said to be at %g m", y, level)
		}
	}
}

// cornerView looks at a corner of the domain, from where nothing else is to be seen.
func cornerView() fluid.View {
	v := fluid.View{Height: 480}
	v.View = [16]float32{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, -.2, .2, -3, 1} // down on (.2, ., .2)
	v.Projection = [16]float32{4, 0, 0, 0, 0, 4, 0, 0, 0, 0, -1, -1, 0, 0, -.2, 0}
	return v
}

// A ball that falls is met from all directions where it is shown, and from within.
func TestRayMeetsBall(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 3.2, 1.6), CellSize: .05, Physics: fluid.Physics{Viscosity: 1e-3}})
	centre := r3.Vec{X: .81, Y: 2.13, Z: .78}
	testrig.Must(t, l.Fill(fluid.Sphere(centre, .45)))
	r := testrig.GoesOn(t, l, 15)
	centre.Y -= 9.81 / 2 * r.Time * r.Time
	rnd := rand.New(rand.NewPCG(1, 2))
	var rays []fluid.Ray
	for range 400 {
		way := r3.Unit(r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: rnd.NormFloat64()})
		rays = append(rays, fluid.Ray{From: r3.Add(centre, r3.Scale(-.6, way)), Dir: way}, fluid.Ray{From: r3.Add(centre, r3.Scale(.1, way)), Dir: way})
	}
	hits := make([]fluid.RayHit, len(rays))
	testrig.Must(t, l.RayCast(hits, rays))
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
	slosh := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 1.6, 1.6), CellSize: .05, Numerics: fluid.Numerics{Band: 2, InvisibleLevel: 2}})
	testrig.Must(t, slosh.Fill(testrig.Standing{Level: .8, Height: .15, Length: 3.2}))
	testrig.Must(t, slosh.SetView(cornerView()))
	testrig.MixedLevels(t, testrig.GoesOn(t, slosh, 20))
	compareWithMesh(t, slosh, 10000, .1, .005)
	wild, _ := testrig.Lively(t, 2)
	for n := range 40 {
		testrig.StirLively(t, wild, n)
		testrig.GoesOn(t, wild, 1)
	}
	compareWithMesh(t, wild, 2000, .1, .06) // drops and sheets of a cell or two are bent too much for a tenth
	compareWithMesh(t, wild, 2000, .4, .03)
}

// A ray meets the surface that a tracker of its own has, which is finer than cells, as exactly as that is drawn. The end of Sample's height is there, too.
func TestRaysMeetTrackersMesh(t *testing.T) {
	for name, tracker := range map[string]fluid.Tracker{"contouring": fluid.Contouring, "explicit mesh": fluid.ExplicitMesh} {
		t.Run(name, func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.FollowedDomain, CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker, Numerics: fluid.Numerics{SurfaceDetail: 2}})
			testrig.Must(t, l.Fill(fluid.Below(.3)))
			testrig.Must(t, l.Fill(fluid.Sphere(r3.Vec{X: .6, Y: .6, Z: .4}, .16)))
			testrig.GoesOn(t, l, 9)
			compareWithMesh(t, l, 2000, .02, .02)
			mesh := testrig.TrianglesOf(l.Surface())
			for i := range 20 {
				x := r3.Vec{X: .05 + .055*float64(i), Y: .9, Z: .3 + .01*float64(i)}
				var s [1]fluid.Sample
				l.Sample(s[:], []r3.Vec{x})
				first, normal := mesh.Meet(fluid.Ray{From: x, Dir: r3.Vec{Y: -1}})
				if math.Abs(normal.Y) < .2 {
					continue // it grazes a drop
				}
				if math.Abs(-s[0].Height-first) > .005 {
					t.Errorf("the surface is said to be %.4f m below %.3v, the mesh is %.4f", -s[0].Height, x, first)
				}
			}
			var hit [1]fluid.RayHit
			rays := []fluid.Ray{{From: r3.Vec{X: .5, Y: .9, Z: .3}, Dir: r3.Vec{X: .1, Y: -1}}}
			if n := testrig.Allocations(t, 5, func() { testrig.Must(t, l.RayCast(hit[:], rays)) }); n > 0 {
				t.Errorf("%g allocations", n)
			}
		})
	}
}

// compareWithMesh has random rays meet the mesh's triangles, and what RayCast says. But for a share of them the first surface must be the same, to so
// many of the cells there across it.
func compareWithMesh(t *testing.T, l *fluid.Liquid, n int, cells, share float64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 4))
	lo, size := l.Def().Domain.Min, r3.Sub(l.Def().Domain.Max, l.Def().Domain.Min)
	rays, hits := make([]fluid.Ray, n), make([]fluid.RayHit, n)
	for i := range rays {
		at := func() r3.Vec {
			return r3.Add(lo, r3.Vec{X: size.X * (1.4*rnd.Float64() - .2), Y: size.Y * (1.4*rnd.Float64() - .2), Z: size.Z * (1.4*rnd.Float64() - .2)})
		}
		from, to := at(), at()
		rays[i] = fluid.Ray{From: from, Dir: r3.Unit(r3.Sub(to, from))}
	}
	testrig.Must(t, l.RayCast(hits, rays))
	mesh := testrig.TrianglesOf(l.Surface())
	off, met := 0, 0
	for i, h := range hits {
		first, normal := mesh.Meet(rays[i])
		if h.Hit {
			met++
		}
		across := math.Abs(r3.Dot(normal, rays[i].Dir))
		switch {
		case h.Hit != !math.IsInf(first, 1):
			off++
		case h.Hit && math.Abs(h.Distance-first)*across > cells*testrig.Blocks(l).Grid.SettledEdgeAt(h.Point):
			off++
		}
	}
	t.Logf("%d of %d rays meet liquid; %d meet something else than the mesh", met, n, off)
	if float64(off) > share*float64(n) || met < n/20 {
		t.Errorf("%d of %d rays meet something else than the mesh; %d meet liquid", off, n, met)
	}
}

// Rays that say nothing are refused by name, before any is cast; all others give numbers.
func TestBadRays(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.5)))
	good := fluid.Ray{From: r3.Vec{X: .4, Y: .7, Z: .4}, Dir: r3.Vec{Y: -1}}
	for want, bad := range map[string]fluid.Ray{
		"ray 1: From: {NaN 0 0} m; must be finite":      {From: r3.Vec{X: testrig.NaN}, Dir: r3.Vec{X: 1}},
		"ray 1: Dir: {0 0 0}; must be finite and not 0": {},
		"ray 1: Dir: {0 +Inf 0}; must be finite":        {Dir: r3.Vec{Y: testrig.Inf}},
		"ray 1: Max: -1 m; must be ≥ 0":                 {Dir: r3.Vec{X: 1}, Max: -1},
		"ray 1: Max: NaN m":                             {Dir: r3.Vec{X: 1}, Max: testrig.NaN},
	} {
		dst := []fluid.RayHit{{Hit: true}, {Hit: true}, {Hit: true}}
		err := l.RayCast(dst, []fluid.Ray{good, bad, {}})
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: RayCast: "+want) || dst[0] != (fluid.RayHit{}) || dst[2] != (fluid.RayHit{}) {
			t.Errorf("%v, want %s; %+v", err, want, dst)
		}
	}
	two := make([]fluid.RayHit, 2)
	if err := l.RayCast(two, []fluid.Ray{good}); err != nil || !two[0].Hit || two[1].Hit {
		t.Errorf("%v, %+v", err, two)
	}
	if err := l.RayCast(nil, nil); err != nil {
		t.Error(err)
	}
	empty := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .8, .8), CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if h := castOne(t, empty, good); h != (fluid.RayHit{}) {
		t.Errorf("in no liquid: %+v", h)
	}
}

// Solids do not stop a ray; behind a thin wall is no liquid if there is none.
func TestRaysPassSolids(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .05, Resources: fluid.Resources{Workers: 1}})
	if _, err := l.AddObstacle(fluid.Box(testrig.Between(.79, 0, 0, .81, .8, .8))); err != nil { // thinner than a cell
		t.Fatal(err)
	}
	if _, err := l.AddObstacle(fluid.Sphere(r3.Vec{X: .3, Y: .4, Z: .4}, .15)); err != nil {
		t.Fatal(err)
	}
	testrig.Must(t, l.Fill(fluid.Box(testrig.Between(0, 0, 0, .8, .4, .8))))
	testrig.GoesOn(t, l, 10)
	if h := castOne(t, l, fluid.Ray{From: r3.Vec{X: .3, Y: .7, Z: .4}, Dir: r3.Vec{Y: -1}}); !h.Hit || math.Abs(h.Point.Y-.4) > .02 {
		t.Errorf("through a ball that is half in the liquid: %+v", h)
	}
	if h := castOne(t, l, fluid.Ray{From: r3.Vec{X: 1.5, Y: .2, Z: .4}, Dir: r3.Vec{X: -1}}); !h.Hit || math.Abs(h.Point.X-.8) > .05 || h.Normal.X < .9 {
		t.Errorf("at a wall with liquid behind it: %+v", h)
	}
	if h := castOne(t, l, fluid.Ray{From: r3.Vec{X: 1.2, Y: .7, Z: .4}, Dir: r3.Vec{Y: -1}}); h.Hit {
		t.Errorf("beyond the wall: %+v", h)
	}
	compareWithMesh(t, l, 500, .4, .01)
}

func TestRayCastAllocatesNothing(t *testing.T) {
	l, _ := testrig.Lively(t, 2)
	testrig.GoesOn(t, l, 5)
	rays, hits := make([]fluid.Ray, 200), make([]fluid.RayHit, 200)
	for i := range rays {
		rays[i] = fluid.Ray{From: r3.Vec{X: .008 * float64(i), Y: .7, Z: .4}, Dir: r3.Vec{X: .1, Y: -1, Z: .01 * float64(i%10)}}
	}
	cast := func() {
		testrig.Must(t, l.RayCast(hits, rays))
	}
	cast()
	was := append([]fluid.RayHit(nil), hits...)
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
	l, _ := testrig.Lively(b, 1)
	testrig.GoesOn(b, l, 20)
	var rays [256]fluid.Ray
	var hits [256]fluid.RayHit
	for i := range rays {
		rays[i] = fluid.Ray{From: r3.Vec{X: 1.6 * float64(i%16) / 16, Y: .8, Z: .8 * float64(i/16) / 16}, Dir: r3.Vec{X: .2, Y: -1, Z: .1}}
	}
	b.ReportAllocs()
	for b.Loop() {
		testrig.Must(b, l.RayCast(hits[:], rays[:]))
	}
}
