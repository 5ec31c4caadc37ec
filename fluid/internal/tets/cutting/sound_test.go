package cutting_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// scene is solids and bodies at random places, a few of which overlap.
type scene struct {
	static func(x r3.Vec) float64
	bodies []rigid.Solid
}

func randomScene(rnd *rand.Rand) (s scene) {
	somewhere := func() r3.Vec { return r3.Vec{X: 1.6 * rnd.Float64(), Y: 1.6 * rnd.Float64(), Z: 1.6 * rnd.Float64()} }
	half := func() r3.Vec { return r3.Vec{X: .4 * rnd.Float64(), Y: .4 * rnd.Float64(), Z: .4 * rnd.Float64()} }
	s.static = union(ball(somewhere(), .3*rnd.Float64()), cuboid(somewhere(), half()), plane(r3.Vec{Y: .3 * rnd.Float64()}, r3.Vec{Y: 1}))
	for i := range 4 {
		at := somewhere()
		solid := ballSolid(at, .05+.3*rnd.Float64())
		if i%2 == 1 {
			solid.Distance, solid.Bounds = distance(cuboid(at, half())), boxes.Grown(r3.Box{Min: at, Max: at}, .4)
		}
		solid.Thin = i == 3
		solid.Fixed = i == 2
		s.bodies = append(s.bodies, solid)
	}
	return s
}

// waves is a surface.
func waves(x r3.Vec) float64 { return x.Y - .85 - .1*math.Sin(6*x.X) - .07*math.Cos(7*x.Z) }

// Any solids leave closed cells and no more than there is.
func TestRandomSolids(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		s := randomScene(rnd)
		r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, seed), [3]float64{}, [3]float64{})
		r.d.SetStatic(distance(s.static), func(r3.Box) float64 { return .01 })
		r.surface(waves)
		r.fill(s.bodies)
		for e, open := range r.d.Open {
			if !(open >= 0 && open <= 1) {
				t.Fatalf("scene %d: edge %d is open by %g", seed, e, open)
			}
		}
		for v, volume := range r.d.Volume {
			if !(volume >= 0 && volume <= r.l.Volume[v]*(1+1e-12)) {
				t.Fatalf("scene %d: vertex %d has %g m³ of %g", seed, v, volume, r.l.Volume[v])
			}
		}
		r.fall()
		bodies := []rigid.Body{ballBody(3, .1, s.bodies[0].Centre), ballBody(40, .1, s.bodies[1].Centre), {}, ballBody(30, .1, s.bodies[3].Centre)}
		r.solve(bodies, strict)
		// How rows hang together, by parts and face by face.
		var byParts, byFaces graph.Components
		byParts.Find(r.g)
		plain := *r.g
		plain.Parts, plain.Connectivity = nil, nil
		if byFaces.Find(&plain); !slices.Equal(byParts.Label, byFaces.Label) || !slices.Equal(byParts.Closed, byFaces.Closed) {
			t.Errorf("scene %d: components differ without connectivity", seed)
		}
	}
}

// Distances that are no numbers, infinite, huge or tiny, of solids and of the surface, leave graphs that are sound.
func TestBadDistances(t *testing.T) {
	dim := [3]int{2, 1, 1}
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 5e-324, 0, -1e-30}
	layouts := uint64(12)
	if testing.Short() {
		layouts = 6
	}
	for seed := range layouts {
		rnd := rand.New(rand.NewPCG(seed, 5))
		r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, seed), [3]float64{}, [3]float64{})
		wild := func(f func(x r3.Vec) float64) func(x r3.Vec) float64 {
			return func(x r3.Vec) float64 {
				if rnd.IntN(4) == 0 {
					return bad[rnd.IntN(len(bad))]
				}
				return f(x)
			}
		}
		at := r3.Vec{X: .8, Y: .4, Z: .4}
		r.d.SetStatic(distance(wild(ball(r3.Vec{X: .2, Y: .2, Z: .3}, .3))), func(r3.Box) float64 { return .01 })
		body := ballSolid(at, .25)
		body.Distance, body.Thin = distance(wild(ball(at, .25))), seed%2 == 0
		r.surface(wild(plane(r3.Vec{Y: .5}, r3.Vec{Y: 1})))
		r.fill([]rigid.Solid{body})
		for f := range r.g.A {
			if d := r.g.Dist[f]; !(d > 0) || d-d != 0 {
				t.Fatalf("face %d is %g m long", f, d)
			}
		}
	}
}

// What is kept from step to step is what a new discretiser finds, while bodies move or stand still and the layout changes; and nothing depends on how many workers
// there are.
func TestKeptIsAsFoundAnew(t *testing.T) {
	dim := [3]int{2, 2, 2}
	rnd := rand.New(rand.NewPCG(7, 2))
	s := randomScene(rnd)
	corner := [3]float64{}
	lo, hi := [3]float64{.07, .02, .1}, [3]float64{1.52, 1.6, 1.55}
	thick := func(r3.Box) float64 { return .01 }
	kept := newRig(t, 2, dim, .1, corner, randomLevels(dim, 0), lo, hi)
	kept.d.SetStatic(distance(s.static), thick)
	for step := range 8 {
		levels := randomLevels(dim, uint64(step/2))
		kept.grid.Lay(levels)
		kept.build()
		for i := range s.bodies {
			b := &s.bodies[i]
			if b.Still = step > 0 && (i+step)%3 != 0; !b.Still {
				f, by := b.Distance, r3.Vec{X: .03, Y: -.02 * float64(i), Z: .01}
				b.Distance = func(dst []float32, pts []r3.Vec) {
					moved := make([]r3.Vec, len(pts))
					for k, x := range pts {
						moved[k] = r3.Sub(x, by)
					}
					f(dst, moved)
				}
				b.Bounds, b.Centre = r3.Box{Min: r3.Add(b.Bounds.Min, by), Max: r3.Add(b.Bounds.Max, by)}, r3.Add(b.Centre, by)
			}
		}
		bodies := s.bodies
		if step == 5 {
			bodies = bodies[:2]
		}
		fresh := newRig(t, 1, dim, .1, corner, levels, lo, hi)
		fresh.d.SetStatic(distance(s.static), thick)
		for _, r := range []*rig{kept, fresh} {
			r.surface(waves)
			r.fill(bodies)
		}
		same(t, step, "open", kept.d.Open, fresh.d.Open)
		same(t, step, "volume", kept.d.Volume, fresh.d.Volume)
		same(t, step, "middle", kept.d.Middle, fresh.d.Middle)
		same(t, step, "rows", kept.d.Row, fresh.d.Row)
		same(t, step, "walls", kept.g.Walls, fresh.g.Walls)
		same(t, step, "parts", kept.g.Parts, fresh.g.Parts)
		same(t, step, "faces of rows", kept.g.RowFaces, fresh.g.RowFaces)
		for i := range kept.g.Bodies {
			v, w := &kept.g.Bodies[i], &fresh.g.Bodies[i]
			same(t, step, "K", v.K, w.K)
			if v.More != w.More || v.Less != w.Less || v.Steps != w.Steps || v.Volume != w.Volume || v.Moment != w.Moment {
				t.Errorf("step %d: body %d differs", step, i)
			}
		}
		for i := range kept.g.Levels {
			same(t, step, "levels", kept.g.Levels[i].Parent, fresh.g.Levels[i].Parent)
		}
		kept.fall()
		fresh.fall()
		a, _ := kept.solve(make([]rigid.Body, len(bodies)), strict)
		b, _ := fresh.solve(make([]rigid.Body, len(bodies)), strict)
		same(t, step, "pressure", a, b)
	}
}

func same[T comparable](t *testing.T, step int, what string, a, b []T) {
	t.Helper()
	if !slices.Equal(a, b) {
		t.Errorf("step %d: %s differs", step, what)
	}
}

// Once warm, nothing is allocated.
func TestNothingIsAllocated(t *testing.T) {
	dim := [3]int{2, 2, 2}
	s := randomScene(rand.New(rand.NewPCG(3, 2)))
	r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, 1), [3]float64{.07, .02, .1}, [3]float64{1.52, 1.6, 1.55})
	r.d.SetStatic(distance(s.static), func(r3.Box) float64 { return .01 })
	r.surface(waves)
	step := func() {
		r.d.Forget()
		r.d.Solids(r.l, s.bodies)
		r.d.Fill(r.g, r.phi, nil, len(s.bodies))
	}
	for range 3 {
		step()
	}
	if n := testing.AllocsPerRun(3, step); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
