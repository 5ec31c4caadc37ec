package controls_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// netOf is a sphere of rings and segments, whose vertices a function moves from the unit sphere.
func netOf(rings, around int, at func(r3.Vec) r3.Vec) (positions []r3.Vec, triangles [][3]int32) {
	positions = append(positions, at(r3.Vec{Y: 1}), at(r3.Vec{Y: -1}))
	for i := 1; i < rings; i++ {
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(rings))
		for j := range around {
			s, c := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			positions = append(positions, at(r3.Vec{X: sin * s, Y: cos, Z: sin * c}))
		}
	}
	vertex := func(i, j int) int32 { return int32(2 + (i-1)*around + j%around) }
	for j := range around {
		triangles = append(triangles, [3]int32{0, vertex(1, j), vertex(1, j+1)}, [3]int32{1, vertex(rings-1, j+1), vertex(rings-1, j)})
		for i := 1; i < rings-1; i++ {
			a, b, c, d := vertex(i, j), vertex(i, j+1), vertex(i+1, j+1), vertex(i+1, j)
			triangles = append(triangles, [3]int32{a, d, c}, [3]int32{a, c, b})
		}
	}
	return positions, triangles
}

// randomShape is a deformed ball or box of some size somewhere, which moves in any way.
func randomShape(rng *rand.Rand, middle r3.Vec, size float64) *control.Live {
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	vector := func(most float64) r3.Vec {
		return r3.Vec{X: between(-most, most), Y: between(-most, most), Z: between(-most, most)}
	}
	boxed, stretch, wave, phase := rng.IntN(2) == 0, r3.Vec{X: between(.6, 1.4), Y: between(.6, 1.4), Z: between(.6, 1.4)}, vector(4), between(0, 6)
	turn := r3.NewRotation(between(0, 6), r3.Add(vector(1), r3.Vec{X: .01}))
	positions, triangles := netOf(12, 20, func(x r3.Vec) r3.Vec {
		if boxed {
			x = r3.Scale(.7/max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)), x)
		} else {
			x = r3.Scale(1+.25*math.Sin(r3.Dot(wave, x)+phase), x)
		}
		return r3.Add(middle, turn.Rotate(r3.Vec{X: size * stretch.X * x.X, Y: size * stretch.Y * x.Y, Z: size * stretch.Z * x.Z}))
	})
	live, err := control.NewLive(triangles, positions)
	if err != nil {
		panic(err)
	}
	velocity, spin, swell := vector(2), vector(3), between(-1, 1)
	velocities := make([]r3.Vec, len(positions))
	for i, x := range positions {
		d := r3.Sub(x, middle)
		velocities[i] = r3.Add(velocity, r3.Add(r3.Cross(spin, d), r3.Scale(swell, d)))
	}
	if err := live.Set(positions, velocities, 1./60); err != nil {
		panic(err)
	}
	return live
}

// enclosedFlux finds, without what controls know, the regions that faces that the graph holds and walls enclose: how many have such faces, and the worst
// difference of what flows out of one and its sources, as a part of all that flows through its surface. push is the velocity of bodies that are moved.
func enclosedFlux(gr *graph.Graph, rows []float64, moved func(body int, k *[6]float64) float64) (regions int, worst float64) {
	parent := make([]int32, gr.Rows)
	for r := range parent {
		parent[r] = int32(r)
	}
	root := func(r int32) int32 {
		for parent[r] != r {
			parent[r] = parent[parent[r]]
			r = parent[r]
		}
		return r
	}
	type share struct {
		row  int32
		part float64
	}
	side := func(s int32) (list []share) {
		switch {
		case s >= 0:
			list = append(list, share{s, 1})
		case s != graph.Air:
			for k, r := range gr.Cubes.Quads[^s] {
				list = append(list, share{r, gr.Cubes.Shares[^s][k]}) // Air is one of them
			}
		default:
			list = append(list, share{graph.Air, 1})
		}
		return list
	}
	for f := range gr.A {
		if gr.IsHeld(int32(f)) {
			continue
		}
		all := append(side(gr.A[f]), side(gr.B[f])...)
		for _, a := range all {
			for _, b := range all {
				if a.row != graph.Air && b.row != graph.Air {
					parent[root(a.row)] = root(b.row)
				}
			}
		}
	}
	open := make([]bool, gr.Rows)
	for f := range gr.A {
		if gr.IsHeld(int32(f)) {
			continue
		}
		all, air := append(side(gr.A[f]), side(gr.B[f])...), false
		for _, a := range all {
			air = air || a.row == graph.Air
		}
		for _, a := range all {
			if a.row != graph.Air {
				open[root(a.row)] = open[root(a.row)] || air
			}
		}
	}
	net, through := make([]float64, gr.Rows), make([]float64, gr.Rows)
	for r := range gr.Rows {
		net[root(int32(r))] -= rows[r]
	}
	for i := range gr.Bodies {
		for e, r := range gr.Bodies[i].Row {
			net[root(r)] += moved(i, &gr.Bodies[i].K[e])
		}
	}
	for f := range gr.A {
		if !gr.IsHeld(int32(f)) {
			continue
		}
		flux := gr.Area[f] * gr.Open[f] * gr.U[f]
		for way, s := range [2]int32{gr.A[f], gr.B[f]} {
			for _, k := range side(s) {
				if k.row != graph.Air {
					net[root(k.row)] += flux * k.part * float64(1-2*way)
					through[root(k.row)] += math.Abs(flux * k.part)
				}
			}
		}
	}
	for r := range net {
		if through[r] > 0 && !open[r] {
			regions++
			worst = max(worst, math.Abs(net[r])/through[r])
		}
	}
	return regions, worst
}

// toldFlux is the worst part of a flux that is off by what controls tell, or -1 without an enclosed region.
func toldFlux(set *controls.Set) float64 {
	worst := -1.
	for _, c := range set.All {
		if c.Told.FluxL > 0 {
			worst = max(worst, c.Told.FluxErrorL/c.Told.FluxL)
		}
	}
	return worst
}

// What flows out of each region that control surfaces enclose is what its sources bring: of random shapes of all sizes alone, within each other,
// at walls and half outside, where cells are of several sizes, with bodies about. V32.
func TestEnclosedFluxIsItsSource(t *testing.T) {
	d := fluid.Def{Domain: testrig.Box(3.2, 1.6, 1.6), CellSize: .05, Budget: fluid.Budget{Work: 3}}
	l := testrig.New(t, d)
	testrig.Must(t, l.SetView(testrig.CloseUp(.6)))
	testrig.Must(t, l.Fill(fluid.Union(fluid.Below(.8), fluid.Sphere(r3.Vec{X: 2.4, Y: 1.1, Z: .8}, .4))))
	w := physics.NewWorld(physics.WorldDef{Gravity: l.Def().Physics.Gravity, NoSleep: true})
	testrig.MomentumBody{G: physics.Sphere(r3.Vec{}, .2), Density: 500, At: r3.Vec{X: .83, Y: .7, Z: .79}, V: r3.Vec{Y: -1}}.Add(t, w)
	testrig.AddBody(t, w, physics.BodyDef{Kind: physics.Kinematic, Position: r3.Vec{X: 2, Y: .5, Z: .8}, Velocity: r3.Vec{X: .7}},
		physics.ShapeDef{Geometry: physics.Box(physics.Centred(.3, .4, .3))})
	l.Couple(w.Coupling())
	var r fluid.Report
	for range 10 {
		r = *l.Step(testrig.Frame)
		testrig.Sound(t, l, r)
	}
	testrig.MixedLevels(t, r)
	gr, rigids, set := &testrig.FV(l).Graph, testrig.Around(l).Coupling.Rigid, &testrig.Around(l).Controls
	velocities := append([]float64(nil), gr.U...)
	pi := make([]float64, gr.Rows)
	rng := rand.New(rand.NewPCG(1, 2))
	count := 1000
	if testing.Short() {
		count = 200
	}
	moved := func(i int, k *[6]float64) (flux float64) {
		if rigids[i].InverseMass > 0 {
			return 0
		}
		for a, v := range rigids[i].V {
			flux += k[a] * v
		}
		return flux
	}
	worst, told, regions, coarse, several := 0., 0., 0, 0, 0
	for n := range count {
		set.All = set.All[:0]
		size := .12 + .2*rng.Float64()
		middle := r3.Vec{X: 3.2 * rng.Float64(), Y: .6 * rng.Float64(), Z: 1.6 * rng.Float64()}
		switch n % 5 {
		case 0: // through the surface, or in the air
			middle.Y, size = .5+.8*rng.Float64(), 2*size
		case 1: // touches a wall, or is half outside
			middle.Z = 0
		case 2: // on the lattice exactly
			middle = r3.Vec{X: .05 * math.Round(middle.X/.05), Y: .05 * math.Round(middle.Y/.05), Z: .8}
		}
		shapes := []*control.Live{randomShape(rng, middle, size)}
		if n%3 == 0 { // one within another
			shapes = append(shapes, randomShape(rng, middle, size/2))
		}
		for _, s := range shapes {
			c, err := set.New(&control.Def{Clip: s, Strength: 1})
			if err != nil {
				t.Fatal(err)
			}
			set.All = append(set.All, c)
		}
		rows := make([]float64, gr.Rows)
		if n%2 == 0 {
			for k := range rows {
				rows[k] = 1e-3 * (rng.Float64() - .3) * float64(gr.Volume[k]) / 1.25e-4
			}
		}
		set.BeginSubstep(testrig.Frame, r3.Vec{Y: 1})
		set.Rasterise(gr, rigids)
		set.Prescribe(gr, rigids, rows)
		found, off := enclosedFlux(gr, rows, moved)
		regions += found
		if found > 1 {
			several++
		}
		for f := range gr.A {
			if gr.IsHeld(int32(f)) && gr.Area[f] > 2*.05*.05 {
				coarse++
				break
			}
		}
		worst, told = max(worst, off), max(told, toldFlux(set))
		if found > 0 && len(shapes) == 1 && toldFlux(set) < 0 {
			t.Errorf("shape %d: %d regions are enclosed, and no flux is told", n, found)
		}
		if off > 1e-12 {
			t.Errorf("shape %d, %.2f m at %.2f: flux and source differ by %.2g of what flows", n, size, middle, off)
		}
		set.Release(gr, pi)
		set.EndSubstep()
		copy(gr.U, velocities)
	}
	t.Logf("%d shapes, %d enclosed regions: worst %.2g, told %.2g; several regions in %d, coarse faces in %d", count, regions, worst, told, several, coarse)
	if told > 1e-12 {
		t.Errorf("told are %.2g", told)
	}
	if regions < count*2/3 || several < count/8 || coarse < count/8 {
		t.Errorf("of %d shapes %d regions are enclosed, several in %d; coarse faces in %d", count, regions, several, coarse)
	}
	set.All = set.All[:0]
}

// A flux that differs from its source is told, with the part of all that flows.
func TestUnbalancedFluxIsTold(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, .8, .8), CellSize: .05, Numerics: fluid.Numerics{Levels: 1}})
	testrig.Must(t, l.Fill(fluid.Below(.8)))
	testrig.Sound(t, l, *l.Step(testrig.Frame))
	positions, triangles := testrig.BallMesh(3, .2)
	for i := range positions {
		positions[i] = r3.Add(positions[i], r3.Vec{X: .7, Y: .4, Z: .4})
	}
	live, err := control.NewLive(triangles, positions)
	testrig.Must(t, err)
	velocities := make([]r3.Vec, len(positions))
	for i := range velocities {
		velocities[i] = r3.Vec{X: 1}
	}
	testrig.Must(t, live.Set(positions, velocities, testrig.Frame))
	gr, rigids, set := &testrig.FV(l).Graph, testrig.Around(l).Coupling.Rigid, &testrig.Around(l).Controls
	c, err := set.New(&control.Def{Clip: live, Strength: 1})
	testrig.Must(t, err)
	set.All = append(set.All, c)
	rows, pi := make([]float64, gr.Rows), make([]float64, gr.Rows)
	set.BeginSubstep(testrig.Frame, r3.Vec{Y: 1})
	set.Rasterise(gr, rigids)
	set.Prescribe(gr, rigids, rows)
	through := c.Told.FluxL
	// As much flows through a ball that moves on as through the disc within it, twice.
	if want := 2e3 * math.Pi * .2 * .2; math.Abs(through-want) > .1*want || c.Told.FluxErrorL > 1e-12*through {
		t.Errorf("%.4g litres/s flow, off by %.2g; want %.4g and nothing", through, c.Told.FluxErrorL, want)
	}
	for f := range gr.A {
		if gr.IsHeld(int32(f)) && gr.U[f] > .5 {
			gr.U[f] += .01
			break
		}
	}
	set.TellFlux()
	if want := 1e3 * .01 * .05 * .05; math.Abs(c.Told.FluxErrorL-want) > 1e-9*want || math.Abs(c.Told.FluxL-through-want) > 1e-9*want {
		t.Errorf("a face that lets %.4g litres/s more through is told as %.4g of %.6g", want, c.Told.FluxErrorL, c.Told.FluxL)
	}
	// Nor is one that the solve lets through.
	c.Told.FluxL, c.Told.FluxErrorL = 0, 0
	set.Release(gr, pi)
	if want := 1e3 * .01 * .05 * .05; math.Abs(c.Told.FluxErrorL-want) > 1e-9*want {
		t.Errorf("a face that lets %.4g litres/s more through after the solve is told as %.4g", want, c.Told.FluxErrorL)
	}
	set.EndSubstep()
	set.All = set.All[:0]
}

// A pressure is found whatever shapes liquid is to follow, in a pool that they have stirred up, with air within them, where cells are of several sizes.
func TestRandomShapesAreSolved(t *testing.T) { testrig.EachDiscretisation(t, randomShapesAreSolved) }

func randomShapesAreSolved(t *testing.T, of fluid.Discretisation) {
	testrig.LongOnTetrahedra(t, of)
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1.2, .8), CellSize: .05, Discretisation: of, Budget: fluid.Budget{Work: 4}})
	testrig.Must(t, l.Fill(fluid.Below(.7)))
	rng := rand.New(rand.NewPCG(1, 2))
	steps := 600
	if testing.Short() {
		steps = 60
	}
	for n := range steps {
		at, radius := r3.Vec{X: 1.6 * rng.Float64(), Y: .9 * rng.Float64(), Z: .8 * rng.Float64()}, .15+.25*rng.Float64()
		var ids [2]fluid.ControlID
		for i := range ids {
			id, err := l.AddControl(fluid.ControlDef{Clip: randomShape(rng, at, radius), Strength: 1})
			testrig.Must(t, err)
			ids[i], radius = id, (.4+.3*rng.Float64())*radius
		}
		if r := *l.Step(1. / 240); r.Err != nil {
			t.Errorf("step %d: %s", n, r.Err)
		}
		for _, id := range ids {
			testrig.Must(t, l.RemoveControl(id))
		}
	}
}
