package transport

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// below is the liquid under a height, m above the grid's low side.
func (r *rig) below(height float64) func(x [3]float64) float64 {
	return func(x [3]float64) float64 { return x[2] - r.grid.Origin[2] - height }
}

// without leaves the faces out of a graph whose middles are in a solid, or all of whose liquid is; each row keeps one at least.
func (r *rig) without(g *graph.Graph, solid func(x [3]float64) float64) *graph.Graph {
	k := 0
	for f := range g.A {
		if solid(g.FaceCentres[f]) < 0 {
			continue
		}
		g.A[k], g.B[k], g.Slot[k], g.Normals[k], g.FaceCentres[k] = g.A[f], g.B[f], g.Slot[f], g.Normals[f], g.FaceCentres[f]
		g.Area[k], g.Dist[k], g.Open[k], g.Jump[k], g.U[k] = g.Area[f], g.Dist[f], g.Open[f], g.Jump[f], g.U[f]
		k++
	}
	g.A, g.B, g.Slot, g.Normals, g.FaceCentres = g.A[:k], g.B[:k], g.Slot[:k], g.Normals[:k], g.FaceCentres[:k]
	g.Area, g.Dist, g.Open, g.Jump, g.U = g.Area[:k], g.Dist[:k], g.Open[:k], g.Jump[:k], g.U[:k]
	g.ListFaces()
	return g
}

// A constant velocity goes on beyond the surface as it is, at least one whole base cell beyond the liquid's own, on a graded lattice too; further away there is none.
func TestExtrapolationGoesOn(t *testing.T) {
	along := [3]float64{0, 0, 1.5}
	for _, level := range []func(int32) uint8{uniform(2), mixed(6), mixed(7)} {
		r := newRig(t, [3]int{2, 2, 9}, .05, 2, level)
		base := r.grid.H * layout.Edge
		g := r.fill(r.below(4.4 * base))
		r.set(g, func([3]float64) [3]float64 { return along })
		r.tr.Begin(r.l)
		r.tr.Extrapolate(g, &Solids{})
		f := r.tr.next()
		for b, reached := range f.reached {
			if z := r.grid.BaseCoords(int32(b))[2]; !reached && z < 6 || reached && z > 7 {
				t.Errorf("base cell %v: reached %v", r.grid.BaseCoords(int32(b)), reached)
			}
		}
		for e, s := range f.state[:f.Edges()] {
			x, n := f.Middle[e], f.Normal(int32(e))
			want := geom.Dot(&n, &along)
			switch p, q := f.Ends[e][0], f.Ends[e][1]; {
			case f.reached[f.base[p]] && f.reached[f.base[q]]:
				if d := math.Abs(f.u[e] - want); s == unknown || d > 1e-12 && x[2] > r.grid.Origin[2]+3*base {
					t.Fatalf("edge %d at %v, state %d: off by %g", e, x, s, d)
				}
			case s != unknown || f.u[e] != 0:
				t.Fatalf("edge %d at %v beyond what is reached has %g", e, x, f.u[e])
			}
		}
	}
}

// slope is a static wall that slants in the middle of a grid: its distance and the unit vector into it.
func (r *rig) slope() (wall func(x [3]float64) float64, normal [3]float64) {
	normal = [3]float64{0, .6, -.8}
	wall = func(x [3]float64) float64 {
		for a := range x {
			x[a] -= r.grid.Origin[a] + r.grid.H*layout.Edge*float64(r.grid.Dim[a])/2
		}
		return -geom.Dot(&normal, &x)
	}
	return wall, normal
}

// Liquid along a slanting static wall goes on into it as fast as it is; of what leads into the wall less than half does beyond.
func TestExtrapolationSlips(t *testing.T) {
	r := newRig(t, [3]int{3, 5, 5}, .05, 1, uniform(2))
	base, h := r.grid.H*layout.Edge, r.grid.CellSize(2)
	wall, normal := r.slope()
	along := [3]float64{0, 1.6, 1.2}
	for _, lead := range []float64{0, .5} {
		u := along
		geom.AddScaled(&u, lead, &normal)
		g := r.without(r.fill(func(x [3]float64) float64 { return -h/2 - wall(x) }), wall)
		r.set(g, func([3]float64) [3]float64 { return u })
		g.Walls = make([][3]float64, g.Rows)
		for i, v := range g.Cell {
			if math.Abs(wall(r.l.Position[v])) < h {
				geom.AddScaled(&g.Walls[i], h*h, &normal)
			}
		}
		r.tr.Begin(r.l)
		r.tr.Extrapolate(g, &Solids{})
		f := r.tr.next()
		deep, count, most := 0., 0, lead/2+1e-12
		for v, x := range f.Position {
			if d := -wall(x); f.Beyond[v] || r.depth(x) < 1.4*base || d < -h/2 || d > 2*h {
				continue
			}
			got := f.vertex[v]
			count++
			if along := geom.Dot(&got, &along) / geom.Dot(&along, &along); math.Abs(along-1) > 1e-12+lead/20 {
				t.Errorf("vertex at %v, %g in the wall: %g of the velocity along it", x, -wall(x), along)
			}
			if d := -wall(x); d > h/2 && d < h {
				deep = max(deep, math.Abs(geom.Dot(&got, &normal)))
			}
		}
		t.Logf("%d vertices: of %g that lead into the wall %.3g do beyond it", count, lead, deep)
		if count < 20 || deep > most {
			t.Errorf("%d vertices: %g lead into the wall, want at most %g", count, deep, most)
		}
	}
}

// A velocity that is linear goes on as it does inside for a cell beyond the surface, and a step carries what is at the surface as if there were none.
func TestExtrapolationIsLinear(t *testing.T) {
	r := newRig(t, [3]int{2, 2, 1}, 1./16, 2, uniform(3))
	o, h := r.grid.Origin, 1./16
	u := func(x [3]float64) [3]float64 { return [3]float64{-(x[1] - o[1] - .5), x[0] - o[0] - .5, 0} }
	off := func(x [3]float64) float64 { return math.Hypot(x[0]-o[0]-.5, x[1]-o[1]-.5) - .4 }
	g := r.fill(off)
	r.start(g, u)
	const dt = .1
	r.tr.Begin(r.l)
	r.tr.Advect(g, dt, true)
	sum, count := 0., 0.
	for f := range g.U {
		x := g.FaceCentres[f]
		if off(x) < -h || r.depth(x) < h {
			continue
		}
		v := u(x)
		for range 2 { // back by the midpoint rule
			y := x
			geom.AddScaled(&y, -dt/2, &v)
			v = u(y)
		}
		y := x
		geom.AddScaled(&y, -dt, &v)
		v = u(y)
		d := g.U[f] - geom.Dot(&v, &g.Normals[f])
		sum, count = sum+d*d, count+1
	}
	// Constant extrapolation is off by .032 of the change across a cell.
	if rms := math.Sqrt(sum/count) / h; rms > .005 {
		t.Errorf("off by %.3g of the change across a cell at the surface", rms)
	} else {
		t.Logf("off by %.3g of the change across a cell at the surface", rms)
	}
}

// What a moving body shuts has the body's velocity, and so has what is in the body.
func TestExtrapolationFollowsBodies(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 3}, .05, 1, uniform(2))
	h := r.grid.CellSize(2)
	wall, _ := r.slope()
	g := r.without(r.fill(func(x [3]float64) float64 { return -h/2 - wall(x) }), wall)
	solids := &Solids{Wall: func(body int32, x r3.Vec) r3.Vec { return r3.Vec{X: float64(body), Y: x.Z, Z: -x.Y} }}
	for e := range int32(r.l.Edges()) {
		if wall(r.l.Middle[e]) < 0 {
			solids.Shut = append(solids.Shut, ShutEdge{e, 7})
		}
	}
	r.tr.Begin(r.l)
	r.tr.Extrapolate(g, solids)
	f := r.tr.next()
	for v, x := range f.Position {
		if d := wall(x); !f.Beyond[v] && d < -1.1*h && r.depth(x) > h {
			if want := [3]float64{7, x[2], -x[1]}; worst(f.vertex[v], want) > 1e-12 {
				t.Fatalf("vertex at %v has %v, not the body's %v", x, f.vertex[v], want)
			}
		}
	}
}

// Liquid that is asleep has no velocity, whatever flows beside it.
func TestExtrapolationLeavesWhatSleeps(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 3}, .05, 2, mixed(3))
	asleep := make([]bool, r.grid.Bases())
	for b := range asleep {
		asleep[b] = r.grid.BaseCoords(int32(b))[2] == 0
	}
	f := r.tr.settled()
	sleeps := func(e int32) bool { return asleep[f.base[f.Ends[e][0]]] || asleep[f.base[f.Ends[e][1]]] }
	air := map[[3]float64]bool{}
	for e := range int32(f.Edges()) {
		air[f.Middle[e]] = sleeps(e)
	}
	g := r.without(r.fill(nil), func(x [3]float64) float64 {
		if air[x] {
			return -1
		}
		return 1
	})
	r.set(g, r.vortex)
	r.tr.Begin(r.l)
	r.tr.Extrapolate(g, &Solids{Asleep: asleep})
	r.tr.Publish()
	f = r.tr.settled()
	for e := range int32(f.Edges()) {
		if sleeps(e) && f.u[e] != 0 {
			t.Fatalf("edge %d at %v flows at %g", e, f.Middle[e], f.u[e])
		}
	}
	for v, x := range f.Position {
		if d := x[2] - r.grid.Origin[2]; d < .25 && f.vertex[v] != [3]float64{} && !f.Beyond[v] {
			t.Fatalf("vertex at %v flows at %v", x, f.vertex[v])
		}
	}
}

// What edges tell of a velocity in some directions alone is kept, the rest is that of what is around, and of a single edge nothing else is made up.
func TestRankDeficientFits(t *testing.T) {
	other := [3]float64{.5, -2, 1}
	for _, c := range []struct {
		n    [][3]float64
		z    []float64
		want [3]float64
	}{
		{[][3]float64{{1, 0, 0}}, []float64{3}, [3]float64{3, -2, 1}},
		{[][3]float64{{0, .6, .8}, {0, .6, .8}}, []float64{1, 3}, [3]float64{.5, -2 + .6*2.4, 1 + .8*2.4}},
		{[][3]float64{{1, 0, 0}, {0, 1, 0}}, []float64{3, 4}, [3]float64{3, 4, 1}},
		{[][3]float64{{1, 0, 0}, {0, 1, 0}, {1 / math.Sqrt(2), 1 / math.Sqrt(2), 0}}, []float64{1, 1, math.Sqrt2}, [3]float64{1, 1, 1}},
		{nil, nil, other},
	} {
		var eq normal
		for i := range c.n {
			eq.add(&c.n[i], .3, c.z[i])
		}
		if _, ok := eq.solve(); ok {
			t.Errorf("%v tell all", c.n)
		}
		if got := eq.near(&other); worst(got, c.want) > 1e-13 {
			t.Errorf("%v: %v, want %v", c.n, got, c.want)
		}
	}
}
