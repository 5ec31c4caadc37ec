package layout

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// mixed makes a grid whose levels differ by at most one across faces.
func mixed(dim [3]int, seed uint64) *Grid {
	g := New([3]float64{-1, 2, .5}, .1, dim, 2)
	r := rand.New(rand.NewPCG(seed, 1))
	for b := range int32(g.Bases()) {
		if r.IntN(3) == 0 {
			g.Set(b, uint8(1+2*r.IntN(2)))
		}
	}
	for again := true; again; { // raise until balanced
		again = false
		for b := range int32(g.Bases()) {
			for _, nb := range g.Neighbour[b] {
				if nb != None && g.Cur.Level[nb] > g.Cur.Level[b]+1 {
					g.Set(b, g.Cur.Level[nb]-1)
					again = true
				}
			}
		}
	}
	g.Settle()
	return g
}

func (g *Grid) eachCell(f func(b int32, c int, centre [3]float64, h float64)) {
	for b := range int32(g.Bases()) {
		l := g.Cur.Level[b]
		n, h, lo := 1<<l, g.CellSize(l), g.Corner(b)
		for k := range n {
			for j := range n {
				for i := range n {
					f(b, g.Cur.Cell(b, i, j, k), [3]float64{lo[0] + (float64(i)+.5)*h, lo[1] + (float64(j)+.5)*h, lo[2] + (float64(k)+.5)*h}, h)
				}
			}
		}
	}
}

// fillFaces gives the faces of Cur a velocity at their middles.
func (g *Grid) fillFaces(u *[3][]float32, of func(x [3]float64) [3]float64) {
	for b := range int32(g.Bases()) {
		l := g.Cur.Level[b]
		n, h, lo := 1<<l, g.CellSize(l), g.Corner(b)
		for a := range 3 {
			for k := range n {
				for j := range n {
					for i := range n {
						at := [3]int{i, j, k}
						c := g.FaceCell(b, a, at)
						x := [3]float64{}
						size := 1.
						if nb := g.Neighbour[b][2*a]; at[a] == 0 && nb != None && g.Cur.Level[nb] < l {
							at = [3]int{i &^ 1, j &^ 1, k &^ 1}
							size = 2
						}
						for d := range 3 {
							x[d] = lo[d] + (float64(at[d])+.5*size)*h
						}
						x[a] = lo[a] + float64(at[a])*h
						u[a][c] = float32(of(x)[a])
					}
				}
			}
		}
	}
}

func TestScalarTilesReproduceALinearField(t *testing.T) {
	pool := par.New(2)
	defer pool.Close()
	g := mixed([3]int{4, 3, 5}, 7)
	var phi []float32
	g.OnGrow(func(n int) { phi = append(phi, make([]float32, n-len(phi))...) })
	lin := func(x, y, z float64) float64 { return 1 + 2*x - y + .5*z }
	g.eachCell(func(_ int32, c int, x [3]float64, _ float64) { phi[c] = float32(lin(x[0], x[1], x[2])) })
	s := NewScalar(g)
	s.Gather(pool, phi)
	r := rand.New(rand.NewPCG(1, 2))
	worst := 0.
	for range 2000 { // away from the grid's rim, where the halo is a copy
		p := Point{1 + 2*r.Float64(), 1 + r.Float64(), 1 + 3*r.Float64()}
		x, y, z := g.ToMetres(p)
		worst = max(worst, math.Abs(float64(s.At(p))-lin(x, y, z)))
		v, slope, edge := s.Slope(p)
		if b, _, _, _ := g.Locate(p); edge != g.CellSize(g.Prev.Level[b]) || math.Abs(float64(v)-lin(x, y, z)) > 1e-5 {
			t.Fatalf("%g in cells of %g", v, edge)
		}
		for a, want := range [3]float64{2, -1, .5} {
			if math.Abs(float64(slope[a])-want) > 1e-4 {
				t.Fatalf("slope %g", slope)
			}
		}
	}
	// A fine halo beside a coarse rim block may sample that block's own clamped halo.
	if worst > 1e-5 {
		t.Fatalf("linear field off by %g", worst)
	}
}

func TestVelocityTilesReproduceALinearField(t *testing.T) {
	pool := par.New(2)
	defer pool.Close()
	g := mixed([3]int{4, 4, 4}, 3)
	var u [3][]float32
	g.OnGrow(func(n int) {
		for a := range u {
			u[a] = append(u[a], make([]float32, n-len(u[a]))...)
		}
	})
	lin := func(x [3]float64) [3]float64 { return [3]float64{x[0] - x[1], 2*x[1] + x[2], 3 - x[2] + x[0]} }
	g.fillFaces(&u, lin)
	v := NewVelocity(g)
	v.Gather(pool, &u)
	r := rand.New(rand.NewPCG(1, 2))
	worst, sum := 0., 0.
	for range 4000 {
		p := Point{1 + 2*r.Float64(), 1 + 2*r.Float64(), 1 + 2*r.Float64()}
		var x [3]float64
		x[0], x[1], x[2] = g.ToMetres(p)
		want := lin(x)
		a, b, c := v.At(p)
		err := max(math.Abs(float64(a)-want[0]), math.Abs(float64(b)-want[1]), math.Abs(float64(c)-want[2]))
		worst = max(worst, err)
		sum += err
	}
	// Composite faces hold one value for four fine ones: off by up to a quarter of a coarse cell there.
	if worst > .5*g.CellSize(1) || sum/4000 > .02 {
		t.Fatalf("linear field off by %g at worst, %g on average", worst, sum/4000)
	}
}

func TestSetSettleRevertKeepThePool(t *testing.T) {
	g := mixed([3]int{3, 3, 3}, 5)
	owner := func() map[int32]int32 {
		seen := map[int32]int32{}
		for b := range int32(g.Bases()) {
			first := g.Cur.First[b]
			if o, ok := seen[first]; ok {
				t.Fatalf("blocks %d and %d share cells", o, b)
			}
			seen[first] = b
		}
		return seen
	}
	r := rand.New(rand.NewPCG(9, 9))
	var pages int
	for step := range 400 {
		before := append([]uint8(nil), g.Cur.Level...)
		for range 10 {
			g.Set(int32(r.IntN(g.Bases())), uint8(r.IntN(MaxLevel+1)))
		}
		owner()
		if step%3 == 0 {
			g.Revert()
			for b, l := range before {
				if g.Cur.Level[b] != l {
					t.Fatalf("step %d: base %d has level %d after Revert, want %d", step, b, g.Cur.Level[b], l)
				}
			}
		} else {
			g.Settle()
		}
		owner()
		n := 0
		for l := range MaxLevel + 1 {
			n += g.Blocks(l)
		}
		if n != g.Bases() {
			t.Fatalf("step %d: %d blocks counted, want %d", step, n, g.Bases())
		}
		if step == 200 {
			pages = len(g.pool.pages)
		}
	}
	if len(g.pool.pages) > pages+4 {
		t.Fatalf("pool grew from %d to %d pages", pages, len(g.pool.pages))
	}
}

func TestTraceFollowsARotation(t *testing.T) {
	pool := par.New(1)
	g := New([3]float64{}, .125, [3]int{4, 4, 1}, MaxLevel)
	var u [3][]float32
	g.OnGrow(func(n int) {
		for a := range u {
			u[a] = make([]float32, n)
		}
	})
	g.eachCell(func(_ int32, c int, x [3]float64, _ float64) {
		u[0][c], u[1][c] = float32(2-x[1]), float32(x[0]-2)
	})
	v := NewVelocity(g)
	v.Gather(pool, &u)
	p := g.ToPoint(3, 2, .5)
	for range 100 {
		p = v.Trace(p, 2*math.Pi/100)
	}
	x, y, _ := g.ToMetres(p)
	if math.Hypot(x-3, y-2) > .02 {
		t.Fatalf("after one turn at (%g, %g), want (3, 2)", x, y)
	}
}

func BenchmarkTrace(b *testing.B) {
	pool := par.New(1)
	g := New([3]float64{}, .125, [3]int{8, 4, 4}, MaxLevel)
	var u [3][]float32
	g.OnGrow(func(n int) {
		for a := range u {
			u[a] = make([]float32, n)
		}
	})
	v := NewVelocity(g)
	v.Gather(pool, &u)
	p := Point{2.3, 1.7, 2.2}
	for i := range b.N {
		p.X = 1 + float64(i&1023)/400
		v.Trace(p, .01)
	}
}

func BenchmarkGather(b *testing.B) {
	pool := par.New(1)
	g := New([3]float64{}, .125, [3]int{8, 4, 4}, MaxLevel)
	var u [3][]float32
	g.OnGrow(func(n int) {
		for a := range u {
			u[a] = make([]float32, n)
		}
	})
	v := NewVelocity(g)
	for range b.N {
		v.Gather(pool, &u)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(128*512), "ns/cell")
}
