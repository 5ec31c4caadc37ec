package layout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// measured is the vorticity of a velocity on a grid.
func measured(g *Grid, workers int, of func(x [3]float64) [3]float64) []float32 {
	pool := par.New(workers)
	defer pool.Close()
	var u [3][]float32
	for a := range u {
		u[a] = make([]float32, g.Cells())
	}
	g.fillFaces(&u, of)
	v := NewVelocity(g)
	v.Gather(pool, &u)
	w := NewVorticity(v)
	w.Measure(pool, nil)
	return w.Most
}

// flows are velocities, m/s, and their vorticity, 1/s.
var flows = map[string]struct {
	of   func(x [3]float64) [3]float64
	curl float64
}{
	"rotation about z":    {func(x [3]float64) [3]float64 { return [3]float64{-1.5 * x[1], 1.5 * x[0], .2} }, 3},
	"rotation":            {func(x [3]float64) [3]float64 { return [3]float64{x[2] - 2*x[1], 2*x[0] - 2*x[2], 2*x[1] - x[0]} }, 6}, // of (2, 1, 2) rad/s
	"shear along x":       {func(x [3]float64) [3]float64 { return [3]float64{4 * x[1], 0, 0} }, 4},
	"shear along y":       {func(x [3]float64) [3]float64 { return [3]float64{1, 4 * x[2], 0} }, 4},
	"shear along z":       {func(x [3]float64) [3]float64 { return [3]float64{0, 0, 4 * x[0]} }, 4},
	"strain":              {func(x [3]float64) [3]float64 { return [3]float64{2*x[0] + x[1], x[0] - 3*x[1], x[2]} }, 0},
	"the same everywhere": {func([3]float64) [3]float64 { return [3]float64{3, -2, 1} }, 0},
	"none":                {func([3]float64) [3]float64 { return [3]float64{} }, 0},
}

// A linear velocity's vorticity is exact in cells of any size, at the grid's sides too. Where sizes meet it is within what a composite face leaves open.
func TestVorticityOfLinearFlows(t *testing.T) {
	for name, flow := range flows {
		for level := range uint8(MaxLevel + 1) {
			g := New([3]float64{-1, 2, .5}, .1, [3]int{3, 2, 4}, level)
			for b, got := range measured(g, 2, flow.of) {
				if !g.endsIn(int32(b), flow.of) && math.Abs(float64(got)-flow.curl) > 1e-4 {
					t.Fatalf("%s, level %d: %g 1/s in block %d, want %g", name, level, got, b, flow.curl)
				}
			}
		}
		g := mixed([3]int{4, 4, 4}, 3)
		gradient := 0. // its norm, 1/s
		for a := range 3 {
			var x [3]float64
			x[a] = 1
			for c, v := range flow.of(x) {
				gradient = math.Hypot(gradient, v-flow.of([3]float64{})[c])
			}
		}
		for b, got := range measured(g, 1, flow.of) {
			if !g.endsIn(int32(b), flow.of) && math.Abs(float64(got)-flow.curl) > .3*gradient {
				t.Errorf("%s, levels mixed: %g 1/s in block %d, want %g", name, got, b, flow.curl)
			}
		}
	}
}

// endsIn tells whether a velocity goes out of the grid's high sides in a block, where there is a wall.
func (g *Grid) endsIn(b int32, of func(x [3]float64) [3]float64) bool {
	for a, v := range of([3]float64{.37, .41, .43}) {
		if g.Neighbour[b][2*a+1] == None && v != 0 {
			return true
		}
	}
	return false
}

// Only cells of liquid count, and blocks that the velocity does not reach don't turn.
func TestVorticityCountsLiquid(t *testing.T) {
	pool := par.New(2)
	defer pool.Close()
	g := New([3]float64{}, .1, [3]int{3, 3, 3}, 2)
	var u [3][]float32
	phi := make([]float32, g.Cells())
	for a := range u {
		u[a] = make([]float32, g.Cells())
	}
	g.fillFaces(&u, func(x [3]float64) [3]float64 { return [3]float64{-x[1] * x[1], 0, 0} }) // turns at 2y
	g.eachCell(func(_ int32, c int, x [3]float64, _ float64) { phi[c] = float32(x[1] - 1) })
	v := NewVelocity(g)
	w := NewVorticity(v)
	for _, reached := range []func(b int32) bool{func(int32) bool { return true }, func(b int32) bool { return b%2 == 0 }} {
		use := make([]bool, g.Bases())
		for b := range use {
			use[b] = reached(int32(b))
		}
		v.GatherIn(pool, &u, use)
		w.Measure(pool, phi)
		for b, got := range w.Most {
			want := float32(0)
			if y := g.BaseCoords(int32(b))[1]; use[b] && y < 2 {
				want = []float32{1.4, 1.8}[y] // of the uppermost cells below y = 1 m, .2 m high
			}
			if math.Abs(float64(got-want)) > 1e-4 {
				t.Errorf("block %v: %g 1/s, want %g", g.BaseCoords(int32(b)), got, want)
			}
		}
	}
}

// Any velocity gives the same bits with any number of workers and by the curl's definition at cells' middles, and measuring allocates nothing.
func TestVorticityOfNoise(t *testing.T) {
	g := mixed([3]int{5, 4, 3}, 11)
	noise := func(x [3]float64) [3]float64 {
		r := rand.New(rand.NewPCG(math.Float64bits(x[0]), math.Float64bits(x[1]+7*x[2])))
		return [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	one := measured(g, 1, noise)
	for _, workers := range []int{2, 5} {
		if !slices.Equal(one, measured(g, workers, noise)) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
	if slices.Min(one) <= 0 {
		t.Errorf("a block of noise does not turn: %g", one)
	}
	pool := par.New(1)
	var u [3][]float32
	for a := range u {
		u[a] = make([]float32, g.Cells())
	}
	g.fillFaces(&u, noise)
	v := NewVelocity(g)
	v.Gather(pool, &u)
	w := NewVorticity(v)
	w.Measure(pool, nil)
	for b, got := range w.Most {
		if want := greatestCurl(v, int32(b)); math.Abs(float64(got)-want) > 1e-4*want {
			t.Errorf("block %d: %g 1/s, want %g", b, got, want)
		}
	}
	if n := testing.AllocsPerRun(20, func() { w.Measure(pool, nil) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// greatestCurl is that of the means of opposite faces in a block, away from the grid's sides by central differences, at them over one cell.
func greatestCurl(v *Velocity, b int32) (most float64) {
	g, tile := v.g, v.Tile(b)
	n := tile.n
	h := g.CellSize(g.Prev.Level[b])
	at := func(p [3]int, k int) float64 { // what the component k is in the middle of a cell of the halo or the block
		low := tile.Face(k, p[0], p[1], p[2])
		p[k]++
		return float64(low+tile.Face(k, p[0], p[1], p[2])) / 2
	}
	for c := range n * n * n {
		p := [3]int{c % n, c / n % n, c / n / n}
		var d [3][3]float64 // component by axis
		for a := range 3 {
			lo, hi, width := p, p, 0.
			if p[a] > 0 || g.Neighbour[b][2*a] != None {
				lo[a]--
				width++
			}
			if p[a] < n-1 || g.Neighbour[b][2*a+1] != None {
				hi[a]++
				width++
			}
			for k := range 3 {
				if k != a {
					d[k][a] = (at(hi, k) - at(lo, k)) / (width * h)
				}
			}
		}
		w := [3]float64{d[2][1] - d[1][2], d[0][2] - d[2][0], d[1][0] - d[0][1]}
		most = max(most, math.Sqrt(w[0]*w[0]+w[1]*w[1]+w[2]*w[2]))
	}
	return most
}

func BenchmarkVorticity(b *testing.B) {
	pool := par.New(1)
	for _, level := range []uint8{1, MaxLevel} {
		b.Run(fmt.Sprintf("level %d", level), func(b *testing.B) {
			g := New([3]float64{}, .125, [3]int{8, 4, 4}, level)
			var u [3][]float32
			for a := range u {
				u[a] = make([]float32, g.Cells())
			}
			g.fillFaces(&u, flows["rotation"].of)
			v := NewVelocity(g)
			v.Gather(pool, &u)
			w := NewVorticity(v)
			for range b.N {
				w.Measure(pool, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.CellsInUse()), "ns/cell")
		})
	}
}
