package transport

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// settledEnergy is Σ A d u²/2 of all edges.
func (r *rig) settledEnergy() (sum float64) {
	f := r.tr.settled()
	for e, u := range f.u[:f.Edges()] {
		sum += f.Area[e] * f.Dist[e] * u * u / 2
	}
	return sum
}

// Carried from one layout to another and back a velocity loses energy and gains none, however often; where levels stay the same it stays to the bit.
func TestCarryOverFeedsNoEnergy(t *testing.T) {
	for _, noise := range []float64{0, 1} {
		r := newRig(t, [3]int{3, 3, 3}, 1./24, 2, mixed(11))
		levels := [2][]uint8{append([]uint8(nil), r.grid.Cur.Level...)}
		lattices := [2]*bcc.Lattice{r.l}
		r.lay(mixed(12))
		levels[1], lattices[1] = append(levels[1], r.grid.Cur.Level...), r.l
		r.l = lattices[0]
		rnd := rand.New(rand.NewPCG(1, 1))
		r.start(r.fill(nil), func(x [3]float64) [3]float64 {
			u := r.vortex(x)
			for a := range u {
				u[a] += noise * rnd.NormFloat64()
			}
			return u
		})
		e := r.settledEnergy()
		start := e
		transfers := 1000
		if testing.Short() {
			transfers = 20
		}
		for n := range transfers {
			r.tr.CarryOver(lattices[1-n%2])
			now := r.settledEnergy()
			if n == 0 {
				t.Logf("noise %g: after one transfer %.4f of the energy", noise, now/e)
				if noise == 0 && !(now > .9*e && now < 1.001*e) {
					t.Errorf("after one transfer %g of the energy", now/e)
				}
			}
			if now > 1.001*start {
				t.Fatalf("transfer %d: %g of the energy there was", n, now/start)
			}
			e = now
		}
		t.Logf("noise %g: after %d transfers %.4f", noise, transfers, e/start)
	}
}

// Where neither a base cell nor one around it changes its level, its edges keep their velocity to the bit.
func TestCarryOverKeepsWhatStays(t *testing.T) {
	r := newRig(t, [3]int{7, 2, 2}, .05, 1, uniform(1))
	r.start(r.fill(nil), r.vortex)
	old := r.l
	before, _ := r.tr.Edges()
	before = append([]float64(nil), before...)
	r.lay(func(b int32) uint8 {
		if r.grid.BaseCoords(b)[0] < 2 {
			return 2
		}
		return 1
	})
	r.tr.CarryOver(r.l)
	after, _ := r.tr.Edges()
	same := 0
	for b := range int32(r.grid.Bases()) {
		if r.grid.BaseCoords(b)[0] < 3 {
			continue
		}
		lo, hi := old.EdgeRuns.Of(b)
		from, _ := r.l.EdgeRuns.Of(b)
		for i := range hi - lo {
			if before[lo+i] != after[from+i] {
				t.Fatalf("base cell %d: edge %d has %g, had %g", b, i, after[from+i], before[lo+i])
			}
			same++
		}
	}
	if same == 0 {
		t.Fatal("nothing stays")
	}
}

// The layout's faces between cells of one size have the very velocity of the edge across them, those between sizes that of the flow in their middle; the layout's sides none.
// What the layout samples of a constant velocity is that.
func TestFacesOfTheLayout(t *testing.T) {
	along := [3]float64{2, 0, 0}
	for seed := range uint64(4) {
		r := newRig(t, [3]int{5, 3, 3}, .05, 1, mixed(seed))
		g := r.fill(nil)
		r.set(g, func([3]float64) [3]float64 { return along })
		r.tr.Begin(r.l)
		r.tr.Extrapolate(g, &Solids{})
		var faces [3][]float32
		r.grid.OnGrow(func(n int) {
			for a := range faces {
				faces[a] = append(faces[a], make([]float32, n-len(faces[a]))...)
			}
		})
		for a := range faces {
			for i := range faces[a] {
				faces[a][i] = float32(math.NaN())
			}
		}
		r.tr.WriteFaces(&faces, nil)
		r.tr.Publish()
		r.grid.Settle()
		v := layout.NewVelocity(r.grid)
		v.Gather(r.pool, &faces)
		rnd := rand.New(rand.NewPCG(seed, 3))
		for range 1000 {
			x := r.insideAlong(rnd, along)
			if p := r.grid.ToPoint(x[0], x[1], x[2]); p.X > 2 && p.X < 3 {
				ux, uy, uz := v.At(p)
				if d := worst([3]float64{float64(ux), float64(uy), float64(uz)}, along); !(d < 1e-6) {
					t.Fatalf("layout %d: off by %g at %v", seed, d, p)
				}
			}
		}
		for b := range int32(r.grid.Bases()) {
			for a := range 3 {
				r.grid.EachFace(b, a, func(slot int32, x [3]float64) {
					if x[a]-r.grid.Origin[a] < 1e-9 && faces[a][slot] != 0 {
						t.Errorf("the side's face at %v has %g", x, faces[a][slot])
					}
					if u := faces[a][slot]; u != u {
						t.Errorf("the face at %v is left out", x)
					}
				})
			}
		}
	}
}

// A step in which next to nothing moves loses next to no energy, though vectors don't tell all of what edges have: under a surface and where sizes change neither. To the first
// order it is damped.
func TestStillLiquidKeepsEnergy(t *testing.T) {
	for name, c := range map[string]struct {
		level func(int32) uint8
		least float64
	}{"uniform": {uniform(2), .998}, "mixed": {mixed(3), .99}} {
		r := newRig(t, [3]int{3, 3, 2}, 1./24, 1, c.level)
		k := newTank(r)
		k.g = r.fill(r.below(.45))
		r.start(k.g, r.vortex)
		before := energy(k.g)
		var left [2]float64
		for i, second := range []bool{true, false} {
			r.tr.Begin(r.l)
			r.tr.Advect(k.g, 1e-9, second)
			left[i] = energy(k.g) / before
		}
		t.Logf("%s: %.5f of the energy left, to the first order %.5f", name, left[0], left[1])
		if left[0] < c.least || left[0] > 1 || left[1] > left[0]-.001 {
			t.Errorf("%s: %g of the energy left, to the first order %g", name, left[0], left[1])
		}
	}
}

// A step finds the edges again that base cells keep when others change their levels, and carries to them what it carries on the old lattice.
func TestStepFindsEdgesAgain(t *testing.T) {
	r := newRig(t, [3]int{7, 2, 2}, .05, 1, uniform(1))
	surface := r.below(.5)
	r.start(r.fill(surface), r.vortex)
	carried := func() map[[3]float64]float64 {
		g, u := r.fill(surface), map[[3]float64]float64{}
		r.tr.Begin(r.l)
		r.tr.Advect(g, 1e-3, true)
		for f, x := range g.FaceCentres {
			if (x[0]-r.grid.Origin[0])/(8*r.grid.H) > 3 {
				u[x] = g.U[f]
			}
		}
		return u
	}
	want := carried()
	r.lay(func(b int32) uint8 {
		if r.grid.BaseCoords(b)[0] < 2 {
			return 2
		}
		return 1
	})
	got := carried()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d faces, want %d", len(got), len(want))
	}
	for x, u := range want {
		if got[x] != u {
			t.Fatalf("at %v: %g, want %g", x, got[x], u)
		}
	}
}

// run has a vortex with a surface flow for some steps between changing lattices, and gives its edges.
func (r *rig) run(steps int) ([]float64, []r3.Vec) {
	k := newTank(r)
	k.begin(r.vortex)
	for n := range steps {
		k.lay(mixed(uint64(n)))
		k.tr.Begin(k.l)
		k.g = r.fill(r.below(.7))
		k.tr.Advect(k.g, 1./16, n%3 > 0)
		k.tr.Extrapolate(k.g, &Solids{})
		k.tr.Publish()
	}
	k.lay(mixed(99))
	k.tr.CarryOver(k.l)
	rnd := rand.New(rand.NewPCG(5, 3))
	at := make([]r3.Vec, 500)
	for i := range at {
		at[i] = vec(r.inside(rnd, -.1))
	}
	dst := make([]r3.Vec, len(at))
	k.tr.Velocity(dst, at)
	u, _ := k.tr.Edges()
	return u, dst
}

// Any number of workers gives the same bits.
func TestSameBitsForAnyWorkers(t *testing.T) {
	var edges []float64
	var samples []r3.Vec
	for _, workers := range []int{1, 2, 5} {
		r := newRig(t, [3]int{3, 3, 2}, 1./24, workers, mixed(1))
		u, at := r.run(4)
		if edges == nil {
			edges, samples = append(edges, u...), at
			continue
		}
		for e := range u {
			if math.Float64bits(u[e]) != math.Float64bits(edges[e]) {
				t.Fatalf("%d workers: edge %d has %g, not %g", workers, e, u[e], edges[e])
			}
		}
		for i := range at {
			if at[i] != samples[i] {
				t.Fatalf("%d workers: place %d has %v, not %v", workers, i, at[i], samples[i])
			}
		}
	}
}

// Revert gives the settled velocity back, and what follows from the edges alone is what Resume makes of them.
func TestRevertAndResume(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 2}, 1./24, 1, mixed(1))
	g := r.fill(r.below(.6))
	r.start(g, r.vortex)
	x := []r3.Vec{{X: .1, Y: .7, Z: .4}, {X: .3, Y: .9, Z: .75}}
	var before, after [2]r3.Vec
	r.tr.Velocity(before[:], x)
	old := r.l
	r.lay(mixed(2))
	r.tr.Begin(r.l)
	r.tr.Advect(r.fill(nil), .1, true)
	r.tr.Revert(false)
	if r.tr.Velocity(after[:], x); after != before || before[0] == (r3.Vec{}) {
		t.Errorf("%v after Revert, %v before", after, before)
	}
	r.l = old
	r.tr.Begin(r.l)
	r.tr.Advect(g, .1, true)
	want := append([]float64(nil), g.U...)

	u, known := r.tr.Edges()
	other := newRig(t, [3]int{3, 3, 2}, 1./24, 1, mixed(1))
	v, k := other.tr.Edges()
	copy(v, u)
	copy(k, known)
	other.tr.Resume()
	other.tr.Begin(other.l)
	other.tr.Advect(g, .1, true)
	for f := range want {
		if want[f] != g.U[f] {
			t.Fatalf("face %d: %g after Resume, %g before", f, g.U[f], want[f])
		}
	}
	r.tr.Revert(true)
	if r.tr.Velocity(after[:], x); after != [2]r3.Vec{} {
		t.Errorf("%v at rest", after)
	}
}

// Once all arrays are long enough a substep allocates nothing, whether the lattice changes or not.
func TestSubstepAllocatesNothing(t *testing.T) {
	r := newRig(t, [3]int{3, 3, 2}, 1./24, 1, mixed(1))
	lattices := []*bcc.Lattice{r.l}
	r.lay(mixed(2))
	lattices = append(lattices, r.l, r.l)
	var faces [3][]float32
	for a := range faces {
		faces[a] = make([]float32, r.grid.Cells())
	}
	graphs, surfaces := []*rigGraph{}, []*Surface{}
	for _, l := range lattices {
		r.l = l
		graphs, surfaces = append(graphs, &rigGraph{l, r.fill(r.below(.6))}), append(surfaces, r.surfaceOf(r.below(.6)))
	}
	solids := &Solids{}
	at, dst := make([]r3.Vec, 300), make([]r3.Vec, 300)
	fast := make([]float64, r.grid.Bases())
	n := 0
	step := func() {
		k, is := graphs[n%len(graphs)], surfaces[n%len(graphs)]
		n++
		r.tr.Begin(k.l)
		r.tr.Advect(k.g, .01, true)
		r.tr.Extrapolate(k.g, solids)
		r.tr.WriteFaces(&faces, is)
		r.tr.Publish()
		r.tr.Velocity(dst, at)
		r.tr.MaxSpeeds(fast)
	}
	for range 2 * len(graphs) {
		step()
	}
	if n := testing.AllocsPerRun(2*len(graphs), step); n > 0 {
		t.Errorf("%g allocations a substep", n)
	}
}

// What is not a number spoils no more than velocities: nothing panics, and once the velocity is finite again so is all that follows. Finite velocities stay so, and steps
// and transfers make none that is much faster, however fast and however long the step.
func FuzzVelocities(f *testing.F) {
	f.Add(uint64(1), 1., .1, false)
	f.Add(uint64(2), 1e15, 1e9, false)
	f.Add(uint64(3), math.NaN(), .1, true)
	f.Add(uint64(4), math.Inf(-1), math.Inf(1), true)
	f.Add(uint64(5), 1e-300, math.NaN(), false)
	f.Fuzz(func(t *testing.T, seed uint64, size, dt float64, linear bool) {
		r := newRig(t, [3]int{2, 2, 2}, .1, 1, mixed(seed))
		rnd := rand.New(rand.NewPCG(seed, 7))
		g := r.fill(r.below(1 + rnd.Float64()))
		r.start(g, func([3]float64) (u [3]float64) {
			for a := range u {
				u[a] = size * (2*rnd.Float64() - 1)
			}
			return u
		})
		r.tr.LinearEnd = linear
		for n := range 3 {
			r.lay(mixed(seed + uint64(n) + 1))
			r.tr.Begin(r.l)
			g = r.fill(r.below(1 + rnd.Float64()))
			r.tr.Advect(g, dt, n > 0)
			r.tr.Extrapolate(g, &Solids{})
			r.tr.Publish()
		}
		r.lay(mixed(seed))
		r.tr.CarryOver(r.l)
		at := []r3.Vec{{}, {X: dt, Y: size}, {X: math.NaN()}, {X: .5, Y: 1, Z: .3}}
		dst := make([]r3.Vec, len(at))
		r.tr.Velocity(dst, at)
		finite := math.Abs(size) <= 1e15 && !math.IsNaN(dt)
		u, _ := r.tr.Edges()
		for e, v := range u {
			if finite && !(math.Abs(v) <= 10*math.Abs(size)) {
				t.Fatalf("edge %d has %g, of %g", e, v, size)
			}
		}
		g = r.fill(nil)
		r.start(g, func([3]float64) [3]float64 { return [3]float64{1, 2, 3} })
		r.tr.Begin(r.l)
		r.tr.Advect(g, .1, true)
		for i, v := range g.U {
			if !(math.Abs(v) < 10) {
				t.Fatalf("face %d has %g after all", i, v)
			}
		}
	})
}
