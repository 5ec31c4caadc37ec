package pressure_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// pool is a uniform grid of blocks with a wavy surface and a ball half in it, in motion.
func pool(t *testing.T) (*graph.Graph, rigid.Body) {
	t.Helper()
	const h, radius = .05, .23
	workers := par.New(1)
	t.Cleanup(workers.Close)
	g := layout.New([3]float64{}, h, [3]int{3, 2, 3}, layout.MaxLevel)
	var phi []float32
	g.OnGrow(func(n int) { phi = append(phi, make([]float32, n-len(phi))...) })
	d := cutting.New(g, workers, [3]float64{}, [3]float64{1.2, .8, 1.2}, [6]bool{})
	for b := range int32(g.Bases()) {
		g.Set(b, 3)
	}
	g.Settle()
	for b := range int32(g.Bases()) {
		lo := g.Corner(b)
		for c := range 512 {
			x, y, z := lo[0]+(float64(c%8)+.5)*h, lo[1]+(float64(c/8%8)+.5)*h, lo[2]+(float64(c/64)+.5)*h
			phi[int(g.Cur.First[b])+c] = float32(y - .5 - .04*math.Sin(7*x+3*z))
		}
	}
	centre := r3.Vec{X: .57, Y: .46, Z: .63}
	ball := func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(r3.Norm(r3.Sub(x, centre)) - radius)
		}
	}
	reach := r3.Vec{X: radius, Y: radius, Z: radius}
	d.Solids([]rigid.Solid{{Distance: ball, Bounds: r3.Box{Min: r3.Sub(centre, reach), Max: r3.Add(centre, reach)}, Centre: centre}}, cutting.Near{})
	gr := &graph.Graph{}
	d.Fill(gr, phi, 1)
	for f := range gr.U {
		x := gr.FaceCentre(f)
		gr.U[f] = math.Sin(5*x[0]+3*x[1]+float64(gr.Cubes.Axis[f])) * math.Cos(4*x[2])
		gr.Jump[f] = 40 * math.Cos(6*x[0])
	}
	body := rigid.Body{InverseMass: 1. / 60, V: [6]float64{.1, -.4, .2, .5, -1, .3}}
	for i := range 3 {
		body.InverseInertia[i][i] = 1 / (.4 * 60 * radius * radius)
	}
	return gr, body
}

// listed is a graph of cubes, none of whose faces are composite, as one of any cells.
func listed(t *testing.T, g *graph.Graph) *graph.Graph {
	t.Helper()
	if len(g.Cubes.Quads) > 0 {
		t.Fatalf("%d composite faces", len(g.Cubes.Quads))
	}
	c := *g
	c.Cubes, c.U, c.Dist, c.Volume = graph.Cubes{}, slices.Clone(g.U), slices.Clone(g.Dist), slices.Clone(g.Volume)
	for r, v := range c.Volume { // of cubes it may be 0
		c.Volume[r] = max(v, 1e-9)
	}
	for f := range g.A {
		c.Normals, c.FaceCentres = append(c.Normals, g.Normal(f)), append(c.FaceCentres, g.FaceCentre(f))
	}
	c.ListFaces()
	return &c
}

// A graph of cubes gives the same as one of any cells that are the same cubes.
func TestCubesAsAnyCells(t *testing.T) {
	cubes, body := pool(t)
	cells := listed(t, cubes)
	for _, g := range []*graph.Graph{cubes, cells} {
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if cubes.FirstFace != nil || cells.FirstFace == nil {
		t.Fatal("which graph is of cubes?")
	}
	var byCubes, byCells graph.Components
	byCubes.Find(cubes)
	byCells.Find(cells)
	if !slices.Equal(byCubes.Label, byCells.Label) || !slices.Equal(byCubes.Closed, byCells.Closed) {
		t.Error("components differ")
	}
	plain := *cubes // does not tell how parts hang together
	plain.Parts, plain.Connectivity = nil, nil
	if byCells.Find(&plain); !slices.Equal(byCubes.Label, byCells.Label) || !slices.Equal(byCubes.Closed, byCells.Closed) {
		t.Error("components differ without connectivity")
	}
	b1, b2 := []rigid.Body{body}, []rigid.Body{body}
	want, _, err := solve(t, cubes, b1, nil, strict)
	if err != nil {
		t.Fatal(err)
	}
	got, rep, err := solve(t, cells, b2, nil, strict)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "pressure", got, want)
	same(t, "velocity", cells.U, cubes.U)
	same(t, "the body's velocity", b2[0].V[:], b1[0].V[:])
	same(t, "impulse", b2[0].Impulse[:], b1[0].Impulse[:])
	t.Logf("%d rows, %d iterations, %g N·s", cells.Rows, rep.Iterations, b2[0].Impulse)
}

// Cells of any kind need no Levels: by each way to make the multigrid the solution is the same, in about as many iterations.
func TestGraphsWithoutLevels(t *testing.T) {
	cubes, body := pool(t)
	wanted := []rigid.Body{body}
	want, with, err := solve(t, cubes, wanted, nil, strict)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []amg.Method{{}, {Coarsening: amg.SmoothedAggregation}, {Coarsening: amg.Greedy, Smoother: amg.GaussSeidel, Cycle: amg.FullCycle},
		{Coarsening: amg.Incomplete}} {
		raw, _ := pool(t)
		g := listed(t, raw)
		g.Levels = nil
		bodies, opt := []rigid.Body{body}, strict
		opt.Method, opt.MaxIterations = method, 300
		got, rep, err := solve(t, g, bodies, nil, opt)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "pressure", got, want)
		same(t, "velocity", g.U, cubes.U)
		same(t, "the body's velocity", bodies[0].V[:], wanted[0].V[:])
		if method.Coarsening != amg.Incomplete && rep.Iterations > with.Iterations*3/2 {
			t.Errorf("%v: %d iterations, %d with levels", method, rep.Iterations, with.Iterations)
		}
	}
}

// same fails unless numbers agree to 1e-10 of the greatest.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	top, off := 0., 0.
	for i, v := range want {
		top, off = max(top, math.Abs(v)), max(off, math.Abs(got[i]-v))
	}
	if !(top > 0) || !(off <= 1e-10*top) {
		t.Errorf("%s differs by %g of %g", what, off, top)
	}
}

// What resists a body in cells of any kind the liquid gets, along all axes and nearly all of it about them.
func TestAnyCellsGetWhatResists(t *testing.T) {
	var momentum [2][6]float64
	var got [6]float64
	for i := range momentum {
		cubes, body := pool(t)
		g := listed(t, cubes)
		w := &g.Bodies[0]
		w.K, w.More, w.Less, w.Steps = make([][6]float64, len(w.Row)), [6][6]float64{}, [6][6]float64{}, [6][6]float64{} // nothing else acts between the two
		if body.Centre = [3]float64{.57, .46, .63}; i == 1 {
			for d := range 3 {
				body.AddedInertia[d][d], body.AddedInertia[3+d][3+d] = 8, .2
			}
			body.AddedMomentum = [6]float64{1, 2, 3, .4, -.3, .5}
		}
		bodies := []rigid.Body{body}
		if _, _, err := solve(t, g, bodies, nil, strict); err != nil {
			t.Fatal(err)
		}
		momentum[i], got = momentumAbout(g, &body.Centre), bodies[0].Impulse
	}
	for d, p := range got {
		few := 1e-7 * math.Abs(p)
		if d >= 3 {
			few = .05 * math.Abs(p) // loose
		}
		if lost := momentum[0][d] - momentum[1][d]; !(math.Abs(p-lost) <= few+1e-12) || p == 0 {
			t.Errorf("along or about %c the body got %g and the liquid lost %g", "xyzxyz"[d], p, lost)
		}
	}
}

// momentumAbout is the liquid's, N·s, and that about a point, N·m·s.
func momentumAbout(g *graph.Graph, centre *[3]float64) (p [6]float64) {
	for f, u := range g.U {
		by := density * g.Area[f] * g.Open[f] * g.Dist[f] * u
		n, x := g.Normal(f), g.FaceCentre(f)
		arm := r3.Sub(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, r3.Vec{X: centre[0], Y: centre[1], Z: centre[2]})
		turn := r3.Cross(arm, r3.Vec{X: n[0], Y: n[1], Z: n[2]})
		for d, v := range [6]float64{n[0], n[1], n[2], turn.X, turn.Y, turn.Z} {
			p[d] += by * v
		}
	}
	return p
}
