package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func ballSDF(radius float64) Geometry {
	return SDF(func(dst []float32, pts []r3.Vec) {
		for k, p := range pts {
			dst[k] = float32(r3.Norm(p) - radius)
		}
	}, grow(r3.Box{}, radius))
}

// queryShapes are one of each geometry, about a metre across; static bodies can have them all.
func queryShapes() (names []string, all []Geometry) {
	for _, name := range solids {
		names, all = append(names, name), append(all, convexShapes[name])
	}
	names = append(names, "mesh", "open box", "sdf", "field", "half-space")
	def := field(8, 0.25, func(x, z float64) float64 { return 0.1 * math.Sin(4*x) * math.Cos(3*z) })
	return names, append(all, Mesh(boxMesh(r3.Vec{X: 0.4, Y: 0.2, Z: 0.3})), OpenBox(Centred(0.8, 0.5, 0.7), 0.1), ballSDF(0.4), def.Geometry, HalfSpace(r3.Vec{}, r3.Vec{X: 1, Y: 2, Z: -0.5}))
}

// one is a world with one shape at some pose.
func one(g Geometry) (*World, Body) {
	w := NewWorld(WorldDef{})
	return w, add(w, BodyDef{Position: r3.Vec{X: 0.3, Y: -0.2, Z: 0.1}, Rotation: about(r3.Vec{X: 1, Y: 2, Z: -1}, 0.8)}, ShapeDef{Geometry: g})
}

func (w *World) distanceAt(i int, p r3.Vec) float64 {
	var d [1]float32
	w.Coupling().Distance(i, d[:], []r3.Vec{p})
	return float64(d[0])
}

// TestRayCast checks each hit with the signed distance: it is on the surface, no point of the
// ray before it is inside, and the normal is the gradient; of a miss, that none is inside.
func TestRayCast(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	names, all := queryShapes()
	for k, g := range all {
		w, b := one(g)
		hits := 0
		for range 400 {
			from := r3.Add(b.Position(), randomVec(rng, 1.2))
			motion := r3.Sub(r3.Add(b.Position(), randomVec(rng, 0.3)), from)
			motion = r3.Scale(0.5+2*rng.Float64(), motion)
			hit, ok, err := w.RayCast(from, motion, Query{})
			check(t, err)
			end := 1.0
			if ok {
				hits++
				end = hit.Fraction
				nearVec(t, names[k]+": point", hit.Point, r3.Add(from, r3.Scale(end, motion)), 1e-9)
				near1(t, names[k]+": normal's length", r3.Norm(hit.Normal), 1, 1e-9)
				d := w.distanceAt(0, hit.Point)
				if end > 0 && math.Abs(d) > 2e-5 || end == 0 && d > 2e-5 {
					t.Fatalf("%s: %v from the surface at %v", names[k], d, end)
				}
				if end > 0 && r3.Dot(hit.Normal, motion) > 1e-9 {
					t.Fatalf("%s: hit from behind", names[k])
				}
				const e = 1e-3
				if out := w.distanceAt(0, r3.Add(hit.Point, r3.Scale(e, hit.Normal))); end > 0 && names[k] != "field" && names[k] != "open box" && out < 0.9*e {
					t.Fatalf("%s: the normal leads to %v", names[k], out)
				}
			}
			for s := range 100 {
				if end == 0 { // it starts inside
					break
				}
				x := r3.Add(from, r3.Scale(end*float64(s)/100, motion))
				if d := w.distanceAt(0, x); d < -1e-4 && !(names[k] == "mesh" || names[k] == "field") {
					t.Fatalf("%s: %v inside at %v of %v, found %v", names[k], d, float64(s)/100, end, ok)
				}
			}
		}
		if hits < 30 {
			t.Errorf("%s: only %d hits", names[k], hits)
		}
	}
}

// TestShapeCast checks that a cast geometry is free before the hit and overlaps just after.
func TestShapeCast(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	names, all := queryShapes()
	for k, g := range all {
		w, b := one(g)
		for _, name := range solids {
			a, hits := convexShapes[name], 0
			for range 30 {
				rot := about(randomVec(rng, 1), 3*rng.Float64())
				from := r3.Add(b.Position(), r3.Scale(1.7, r3.Unit(randomVec(rng, 1))))
				motion := r3.Scale(1.5, r3.Sub(r3.Add(b.Position(), randomVec(rng, 0.2)), from))
				touches := func(at float64) bool {
					return len(must(w.Overlap(nil, a, r3.Add(from, r3.Scale(at, motion)), rot, Query{}))) > 0
				}
				hit, ok, err := w.ShapeCast(a, from, rot, motion, Query{})
				check(t, err)
				end := 1.0
				if ok {
					end = hit.Fraction
					hits++
					if after := end + 1e-3; end > 0 && names[k] != "sdf" && names[k] != "field" && !touches(after) && -r3.Dot(hit.Normal, motion) > 0.2 {
						t.Fatalf("%s on %s: free after the hit at %v along %v", name, names[k], end, hit.Normal)
					}
				}
				if names[k] == "field" || names[k] == "mesh" || touches(0) { // from behind or inside
					continue
				}
				for s := range 40 {
					if at := end*float64(s)/40 - 1e-4; at > 0 && touches(at) {
						t.Fatalf("%s on %s: in touch at %v of %v", name, names[k], at, end)
					}
				}
			}
			if hits < 3 {
				t.Errorf("%s on %s: only %d hits", name, names[k], hits)
			}
		}
	}
}

// TestOverlap compares with the depth found by a search over axes.
func TestOverlap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, na := range solids {
		for _, nb := range solids {
			w, b := one(convexShapes[nb])
			other := w.shapes[0].solid(0)
			for range 10 {
				rot := about(randomVec(rng, 1), 3*rng.Float64())
				pos := r3.Add(b.Position(), r3.Scale(0.3+0.4*rng.Float64(), r3.Unit(randomVec(rng, 1))))
				a := placedAt(convexShapes[na], pos, rotationMatrix(rot))
				sep := overlapOf(&a, &other, rng)
				got := len(must(w.Overlap(nil, convexShapes[na], pos, rot, Query{}))) > 0
				if math.Abs(sep) > 1e-3 && got != (sep < 0) && (sep > 0 || !got) {
					t.Fatalf("%s in %s: overlap %v at %v", na, nb, got, sep)
				}
			}
		}
	}
}

// TestClosestPoint compares with the signed distance.
func TestClosestPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	names, all := queryShapes()
	for k, g := range all {
		w, b := one(g)
		for range 300 {
			p := r3.Add(b.Position(), randomVec(rng, 0.5))
			want := w.distanceAt(0, p)
			hit, ok, err := w.ClosestPoint(p, 1, Query{})
			check(t, err)
			if ok != (want <= 1) && math.Abs(want-1) > 1e-2 && names[k] != "field" {
				t.Fatalf("%s: found %v at %v", names[k], ok, want)
			}
			if !ok {
				continue
			}
			tol := 1e-5
			switch {
			case names[k] == "field": // its walls are no surface for bodies
				if math.Abs(hit.Distance) < math.Abs(want)-1e-5 {
					t.Fatalf("field: %v, but at least %v", hit.Distance, want)
				}
				continue
			case names[k] == "open box" && want < 0: // the slabs overlap at its edges
				continue
			}
			near1(t, names[k]+": distance", hit.Distance, want, tol)
			near1(t, names[k]+": point", w.distanceAt(0, hit.Point), 0, 5e-4)
			nearVec(t, names[k]+": normal", r3.Sub(p, hit.Point), r3.Scale(hit.Distance, hit.Normal), 1e-4)
		}
	}
}

func TestQueriesInOrder(t *testing.T) {
	w := NewWorld(WorldDef{})
	var all []Body
	for i := range 8 {
		all = append(all, dynamic(w, Sphere(r3.Vec{}, 0.25), float64(i), 0, 0))
	}
	sensor := add(w, BodyDef{Position: r3.Vec{X: 0.5}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.2), Sensor: true})
	ghost := add(w, BodyDef{Position: r3.Vec{X: -1}}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.2), Filter: Filter{Category: 2}})
	hits := must(w.RayCastAll(nil, r3.Vec{X: 9}, r3.Vec{X: -20}, Query{Ignore: all[3], Filter: Filter{Mask: 1}}))
	var got []int
	for _, h := range hits {
		got = append(got, h.Shape.Body().Index())
	}
	if !slices.Equal(got, []int{7, 6, 5, 4, 2, 1, 0}) {
		t.Errorf("in order: %v", got)
	}
	shapes := must(w.Overlap(nil, Box(Centred(20, 1, 1)), r3.Vec{}, quat.Number{}, Query{}))
	if len(shapes) != 9 || shapes[8].Body() != ghost {
		t.Errorf("%d shapes overlap", len(shapes))
	}
	for _, s := range shapes {
		if s.Body() == sensor {
			t.Error("a sensor is found")
		}
	}
	rays := []Ray{{r3.Vec{X: 9}, r3.Vec{X: -20}}, {r3.Vec{Y: 9}, r3.Vec{X: -20}}}
	out := make([]CastHit, 2)
	check(t, w.RayCasts(out, rays, Query{}))
	first, _, err := w.RayCast(rays[0].From, rays[0].Motion, Query{})
	if check(t, err); out[0] != first || out[1] != (CastHit{}) {
		t.Errorf("%+v", out)
	}
	near := make([]ClosestHit, 2)
	check(t, w.ClosestPoints(near, []r3.Vec{{X: 3.2, Y: 1}, {Y: 50}}, 2, Query{}))
	if near[0].Shape.Body() != all[3] || near[1] != (ClosestHit{}) {
		t.Errorf("%+v", near)
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	w := pile(WorldDef{Gravity: down}, 60)
	add(w, BodyDef{}, ShapeDef{Geometry: Mesh(tiles(8, 1, level))})
	add(w, BodyDef{}, ShapeDef{Geometry: ballSDF(0.5)})
	steps(w, 60)
	hits, shapes := make([]CastHit, 0, 100), make([]Shape, 0, 100)
	rays, out := make([]Ray, 50), make([]CastHit, 50)
	for i := range rays {
		rays[i] = Ray{r3.Vec{X: float64(i%7) - 3, Y: 5, Z: float64(i%5) - 2}, r3.Vec{Y: -9}}
	}
	box, rock := Box(Centred(1, 1, 1)), convexShapes["rock"]
	ask := func() {
		_, err := w.RayCastAll(hits, r3.Vec{X: -5, Y: 1}, r3.Vec{X: 10}, Query{})
		check(t, err)
		check(t, w.RayCasts(out, rays, Query{}))
		_, _, err = w.ShapeCast(box, r3.Vec{Y: 9}, quat.Number{}, r3.Vec{Y: -9}, Query{})
		check(t, err)
		_, _, err = w.ShapeCast(rock, r3.Vec{Y: 9}, quat.Number{}, r3.Vec{Y: -9}, Query{})
		check(t, err)
		_, err = w.Overlap(shapes, box, r3.Vec{Y: 0.5}, quat.Number{}, Query{})
		check(t, err)
		_, _, err = w.ClosestPoint(r3.Vec{Y: 2}, 1, Query{})
		check(t, err)
	}
	ask()
	if n := testing.AllocsPerRun(20, ask); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestBadQueries(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	w := NewWorld(WorldDef{})
	dynamic(w, Sphere(r3.Vec{}, 1), 0, 0, 0)
	ray := func(p, d r3.Vec) error { _, ok, err := w.RayCast(p, d, Query{}); return refused(ok, err) }
	cast := func(g Geometry, p r3.Vec, q quat.Number, d r3.Vec) error {
		_, ok, err := w.ShapeCast(g, p, q, d, Query{})
		return refused(ok, err)
	}
	overlap := func(g Geometry, p r3.Vec, q quat.Number) error {
		s, err := w.Overlap(nil, g, p, q, Query{})
		return refused(len(s) > 0, err)
	}
	closest := func(p r3.Vec, d float64) error { _, ok, err := w.ClosestPoint(p, d, Query{}); return refused(ok, err) }
	x := r3.Vec{X: 1}
	_, all := w.RayCastAll(nil, x, r3.Vec{}, Query{})
	for i, c := range []struct {
		err  error
		want string
	}{
		{ray(r3.Vec{X: nan}, x), "World.RayCast: from"}, {ray(x, r3.Vec{}), "not zero"}, {ray(x, r3.Vec{Y: inf}), "World.RayCast: motion"}, {all, "World.RayCastAll: motion"},
		{w.RayCasts(make([]CastHit, 1), make([]Ray, 1), Query{}), "World.RayCasts: motion"},
		{cast(Sphere(r3.Vec{}, 1), r3.Vec{Z: nan}, quat.Number{}, x), "World.ShapeCast: pos"}, {cast(Sphere(r3.Vec{}, 1), x, quat.Number{Real: nan}, x), "World.ShapeCast: rot"},
		{cast(Sphere(r3.Vec{}, 1), x, quat.Number{}, r3.Vec{}), "World.ShapeCast: motion"}, {cast(Sphere(r3.Vec{}, -1), x, quat.Number{}, x), "radius"},
		{cast(HalfSpace(r3.Vec{}, x), x, quat.Number{}, x), "World.ShapeCast: g"}, {cast(Geometry{}, x, quat.Number{}, x), "made by"},
		{overlap(Sphere(r3.Vec{}, 1), r3.Vec{X: inf}, quat.Number{}), "World.Overlap: pos"}, {overlap(OpenBox(Centred(1, 1, 1), 0.1), x, quat.Number{}), "World.Overlap: g"},
		{closest(r3.Vec{X: nan}, 1), "World.ClosestPoint: p"}, {closest(x, -1), "distance"}, {closest(x, nan), "distance"},
		{w.ClosestPoints(make([]ClosestHit, 1), []r3.Vec{{X: nan}}, 1, Query{}), "World.ClosestPoints: p"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("case %d: %v, want one about %q", i, c.err, c.want)
		}
	}
}

// refused is the error of a call that was to find nothing.
func refused(found bool, err error) error {
	if found {
		return fmt.Errorf("found something")
	}
	return err
}

func BenchmarkRayCasts(b *testing.B) {
	w := pile(WorldDef{Gravity: down}, 100)
	steps(w, 300)
	rays, out := make([]Ray, 1000), make([]CastHit, 1000)
	for i := range rays {
		rays[i] = Ray{r3.Vec{X: float64(i%40)/8 - 2.5, Y: 6, Z: float64(i/40)/5 - 2.5}, r3.Vec{X: 1, Y: -9, Z: 0.5}}
	}
	for b.Loop() {
		if err := w.RayCasts(out, rays, Query{}); err != nil {
			b.Fatal(err)
		}
	}
}
