package amg

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// solver is a Solver on a pool of its own, with a system to solve.
type solver struct {
	*Solver
	system System
}

func (s solver) Solve(x, b []float64, opt Options) (Report, error) {
	return s.Solver.Solve(s.system, x, b, opt)
}

// solver makes one for p and k.
func (p *problem) solver(t testing.TB, k *Coupling, workers int) solver {
	pool := par.New(workers)
	t.Cleanup(pool.Close)
	p.m.paint(k)
	return solver{New(pool), System{L: &p.m, K: k, Levels: p.levels}}
}

// residual returns ‖b - (L + KᵀWK) x‖ by a plain loop.
func (p *problem) residual(x, b []float64, k *Coupling) float64 {
	r := make([]float64, len(b))
	for i := range r {
		r[i] = b[i] - p.m.Diag[i]*x[i]
		col, val := p.m.row(int32(i))
		for e, j := range col {
			r[i] -= val[e] * x[j]
		}
	}
	if g := k.groups(); g > 0 {
		kx, wkx := make([]float64, 6*g), make([]float64, 6*g)
		gather(k, kx, x)
		k.Apply(wkx, kx)
		k.scatter(r, wkx, -1)
	}
	return norm2(r)
}

// dense solves the system by elimination with pivoting.
func (p *problem) dense(b []float64, k *Coupling) []float64 {
	n := len(b)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		a[i][i] = p.m.Diag[i]
		col, val := p.m.row(int32(i))
		for e, j := range col {
			a[i][j] += val[e]
		}
		a[i][n] = b[i]
	}
	if g := k.groups(); g > 0 {
		kx, wkx, y := make([]float64, 6*g), make([]float64, 6*g), make([]float64, n)
		for j := range n {
			clear(y)
			y[j] = 1
			gather(k, kx, y)
			k.Apply(wkx, kx)
			clear(y)
			k.scatter(y, wkx, 1)
			for i, v := range y {
				a[i][j] += v
			}
		}
	}
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		for r := range n {
			if f := a[r][c] / a[c][c]; r != c && f != 0 {
				for j := c; j <= n; j++ {
					a[r][j] -= f * a[c][j]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x
}

// mixed returns a box of edge n whose left half has cells of edge 2, the right of edge 1.
func mixed(n int) []cell {
	var cells []cell
	for _, c := range box(n, n, n) {
		switch {
		case c.x >= n/2:
			cells = append(cells, c)
		case c.x%2 == 0 && c.y%2 == 0 && c.z%2 == 0:
			c.edge = 2
			cells = append(cells, c)
		}
	}
	return cells
}

// fractions returns a free surface whose cells have liquid fractions θ down to 0.001.
func fractions(y int) func(cell) float64 {
	return func(c cell) float64 {
		if c.y != y-1 {
			return 0
		}
		return 1 / math.Pow(10, -float64((c.x*7+c.z*3)%13)/4)
	}
}

func none(cell) float64 { return 0 }

// apart returns two boxes that do not touch; only the first can have a surface at y = 7.
func apart() []cell {
	cells := box(8, 8, 8)
	for _, c := range box(8, 6, 8) {
		cells = append(cells, cell{c.x + 12, c.y, c.z, 1})
	}
	return cells
}

func TestSolveReachesToleranceInFewIterations(t *testing.T) {
	ones := func(n int) []int32 { return make([]int32, n) }
	split := make([]int32, len(apart()))
	for i := 8 * 8 * 8; i < len(split); i++ {
		split[i] = 1
	}
	for _, c := range []struct {
		name     string
		p        *problem
		opt      Options
		atMost   int // iterations
		singular bool
	}{
		{"half box", grid(box(64, 32, 64), top(32)), Options{Tol: 1e-6}, 12, false},
		{"half box, fine", grid(box(32, 16, 32), top(16)), Options{Tol: 1e-10}, 18, false},
		{"odd box", grid(box(37, 23, 29), top(23)), Options{Tol: 1e-6}, 14, false},
		{"fractions", grid(box(32, 16, 32), fractions(16)), Options{Tol: 1e-8}, 22, false},
		{"mixed", grid(mixed(32), top(32)), Options{Tol: 1e-6}, 14, false},
		{"closed", grid(box(32, 24, 32), none), Options{Tol: 1e-6, Component: ones(32 * 24 * 32), Singular: []int32{0}}, 14, true},
		{"closed, fine", grid(box(24, 24, 24), none), Options{Tol: 1e-10, Component: ones(24 * 24 * 24), Singular: []int32{0}}, 20, true},
		{"mixed, closed", grid(mixed(16), none), Options{Tol: 1e-8, Component: ones(len(mixed(16))), Singular: []int32{0}}, 18, true},
		{"two apart", grid(apart(), top(8)), Options{Tol: 1e-8, Component: split, Singular: []int32{1}}, 16, true},
		{"both closed", grid(apart(), none), Options{Tol: 1e-8, Component: split, Singular: []int32{1, 0}}, 16, true},
	} {
		s := c.p.solver(t, nil, 2)
		b, x := c.p.smooth(), make([]float64, len(c.p.cells))
		rep, err := s.Solve(x, b, c.opt)
		if err != nil || !rep.Converged || rep.Iterations > c.atMost {
			t.Errorf("%s: %+v, %v; want at most %d iterations", c.name, rep, err, c.atMost)
		}
		t.Logf("%s: %d unknowns, %+v", c.name, len(x), rep)
		if c.singular {
			s.nullSpace.component = c.opt.Component
			s.nullSpace.project(b)
			mean := append([]float64(nil), x...)
			s.nullSpace.project(mean)
			for i := range x {
				if math.Abs(x[i]-mean[i]) > 1e-12*norm2(x) {
					t.Fatalf("%s: the solution's mean is not zero", c.name)
				}
			}
		}
		if got := c.p.residual(x, b, nil) / norm2(b); math.Abs(got-rep.Residual) > 1e-13+1e-3*got {
			t.Errorf("%s: residual %g, reported %g", c.name, got, rep.Residual)
		}
	}
}

// Liquid that is nearly enclosed: a slit to the air in one cell of a box of the given edge, from as wide as the cell to the
// limit of rounding. Single-precision errors of the constants must not dominate it.
func TestSlitsAreNoTrouble(t *testing.T) {
	for _, edge := range []int{12, 24, 41} {
		for slit, atMost := range map[float64]int{1: 40, 1e-2: 24, 1e-3: 20, 1e-4: 20, 1e-6: 20, 1e-9: 30} {
			if testing.Short() && edge == 41 && slit != 1e-6 {
				continue
			}
			p := grid(box(edge, edge, edge), func(c cell) float64 {
				if c.x+c.y+c.z == 0 {
					return slit
				}
				return 0
			})
			b, x, component := p.smooth(), make([]float64, len(p.cells)), make([]int32, len(p.cells))
			s := p.solver(t, nil, 1)
			s.nullSpace.reset(len(b), &Options{Component: component, Singular: []int32{0}})
			s.nullSpace.project(b) // as where liquid is pushed about, but not through the slit
			if rep, err := s.Solve(x, b, Options{Tol: 1e-8, Component: component}); err != nil || rep.Iterations > atMost {
				t.Errorf("edge %d, slit %g: %+v, %v; want at most %d iterations", edge, slit, rep, err, atMost)
			}
		}
	}
}

func TestSolveAgreesWithElimination(t *testing.T) {
	bodies := []ball{{2.6, 4.1, 3.2, 1.6}, {6.1, 3.7, 5.9, 1.3}}
	for name, p := range map[string]*problem{
		"uniform":   grid(box(7, 8, 6), top(8)),
		"mixed":     grid(mixed(8), top(8)),
		"fractions": grid(box(6, 8, 7), fractions(8)),
		"bodies":    grid(without(box(9, 7, 9), bodies), top(7)),
		"closed":    grid(without(box(8, 7, 8), bodies[:1]), none), // the coupling alone fixes the mean
	} {
		for _, density := range []float64{1e3, 1, 0.01, 1e-4} {
			k := p.couple(bodies, density)
			if name == "closed" {
				k = p.couple([]ball{{0, 4, 0, 2}}, density) // open at the walls: ΣK ≠ 0
			}
			b, x := p.smooth(), make([]float64, len(p.cells))
			rep, err := p.solver(t, k, 1).Solve(x, b, Options{Tol: 1e-10})
			if err != nil {
				t.Errorf("%s, density %g: %+v, %v", name, density, rep, err)
			}
			want := p.dense(b, k)
			scale := norm2(want)
			for i := range want {
				if math.Abs(x[i]-want[i]) > 1e-7*scale {
					t.Fatalf("%s, density %g: x[%d] = %g, want %g", name, density, i, x[i], want[i])
				}
			}
		}
	}
}

func TestSolveIsLinearFromWarmStart(t *testing.T) {
	p := grid(box(24, 16, 24), top(16))
	s := p.solver(t, nil, 2)
	b, x := p.smooth(), make([]float64, len(p.cells))
	if _, err := s.Solve(x, b, Options{Tol: 1e-4}); err != nil {
		t.Fatal(err)
	}
	before := append([]float64(nil), x...)
	rep, err := s.Solve(x, b, Options{Tol: 1e-3})
	if err != nil || rep.Iterations != 0 || !rep.Converged {
		t.Fatalf("%+v, %v; want no iteration from a solution", rep, err)
	}
	for i := range x {
		if x[i] != before[i] {
			t.Fatal("a solve without iterations changed x")
		}
	}
	rep, err = s.Solve(x, b, Options{Tol: 1e-3, Norm: 1e6 * norm2(b)})
	if err != nil || rep.Iterations != 0 || rep.Residual > 1e-9 {
		t.Fatalf("%+v, %v; want the residual over the caller's norm", rep, err)
	}
	clear(b)
	rep, err = s.Solve(x, b, Options{})
	if err != nil || !rep.Converged || norm2(x) != 0 {
		t.Fatalf("%+v, %v; want zero for a zero right-hand side", rep, err)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	bodies := []ball{{8.2, 9.1, 9.7, 4.3}, {22.9, 8.3, 20.6, 4.1}}
	p := grid(without(box(32, 18, 32), bodies), top(18))
	b := p.smooth()
	var want []float64
	for _, density := range []float64{1, 1e-4} {
		k := p.couple(bodies, density)
		want = nil
		for _, workers := range []int{1, 2, 4} {
			s, x := p.solver(t, k, workers), make([]float64, len(b))
			if _, err := s.Solve(x, b, Options{Tol: 1e-6}); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = x
			}
			for i := range x {
				if math.Float64bits(x[i]) != math.Float64bits(want[i]) {
					t.Fatalf("density %g, %d workers: x[%d] = %v, with one worker %v", density, workers, i, x[i], want[i])
				}
			}
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	bodies := []ball{{8.2, 9.1, 9.7, 4.3}}
	p := grid(without(box(24, 16, 24), bodies), top(16))
	b, x := p.smooth(), make([]float64, len(p.cells))
	opt := Options{Tol: 1e-5, Component: make([]int32, len(x)), Singular: []int32{3}, Deadline: func() bool { return false }}
	for _, density := range []float64{1, 1e-4} {
		k := p.couple(bodies, density)
		s := p.solver(t, k, 2)
		// Over twenty runs: a helper that parks for the first time costs the runtime six objects, once.
		if n := testing.AllocsPerRun(20, func() {
			clear(x)
			if _, err := s.Solve(x, b, opt); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("density %g: %v allocations, want 0", density, n)
		}
	}
}

func TestNumbersOutOfRangeGiveAnError(t *testing.T) {
	p := grid(box(16, 8, 16), top(8))
	n := len(p.cells)
	for name, spoil := range map[string]func(m *Matrix, x, b []float64){
		"right-hand side":  func(_ *Matrix, _, b []float64) { b[7] = math.NaN() },
		"huge":             func(_ *Matrix, _, b []float64) { b[7] = 1e300 },
		"infinite":         func(_ *Matrix, _, b []float64) { b[9] = math.Inf(1) },
		"guess":            func(_ *Matrix, x, _ []float64) { x[3] = math.NaN() },
		"diagonal":         func(m *Matrix, _, _ []float64) { m.Diag[5] = math.NaN() },
		"entry":            func(m *Matrix, _, _ []float64) { m.Part[0].Val[5] = math.Inf(-1) },
		"negative":         func(m *Matrix, _, _ []float64) { m.Diag[100] = -m.Diag[100] },
		"all zero":         func(m *Matrix, _, _ []float64) { clear(m.Diag); clear(m.Part[0].Val); clear(m.Part[1].Val) },
		"wrong everywhere": func(m *Matrix, _, _ []float64) { m.Diag = noise(n) },
	} {
		m := p.m
		m.Diag, m.Part = slices.Clone(m.Diag), slices.Clone(m.Part)
		for i := range m.Part {
			m.Part[i].Val = slices.Clone(m.Part[i].Val)
		}
		b, x := p.smooth(), make([]float64, n)
		spoil(&m, x, b)
		q := problem{cells: p.cells, m: m, levels: p.levels}
		s := q.solver(t, nil, 1)
		rep, err := s.Solve(x, b, Options{})
		if err == nil || rep.Converged {
			t.Errorf("%s: %+v without an error", name, rep)
		}
		for i, v := range x {
			if !geom.Finite(v) {
				t.Fatalf("%s: x[%d] = %v", name, i, v)
			}
		}
		s.system, x = p.solver(t, nil, 1).system, make([]float64, n)
		if rep, err := s.Solve(x, p.smooth(), Options{}); err != nil {
			t.Errorf("%s: then %+v, %v for numbers in range", name, rep, err)
		}
	}
}

func TestLimitsEndTheSolve(t *testing.T) {
	p := grid(box(32, 16, 32), top(16))
	s, b, x := p.solver(t, nil, 1), p.smooth(), make([]float64, len(p.cells))
	rep, err := s.Solve(x, b, Options{Tol: 1e-9, MaxIter: 3})
	if !errors.Is(err, ErrNotConverged) || rep.Iterations != 3 || rep.Residual > 0.1 {
		t.Errorf("%+v, %v; want three iterations", rep, err)
	}
	clear(x)
	left := 2
	rep, err = s.Solve(x, b, Options{Tol: 1e-9, Deadline: func() bool { left--; return left < 0 }})
	if !errors.Is(err, ErrNotConverged) || rep.Iterations != 2 {
		t.Errorf("%+v, %v; want two iterations", rep, err)
	}
	clear(x)
	rep, err = s.Solve(x, b, Options{Tol: 1e-9, MaxIter: 1, Useful: 1e-4, Last: 50})
	if !errors.Is(err, ErrNotConverged) || rep.Residual > 1.1e-4 || rep.Iterations < 4 || rep.Iterations > 20 {
		t.Errorf("%+v, %v; want as many as are of use", rep, err)
	}
	clear(x)
	rep, err = s.Solve(x, b, Options{Tol: 1e-9, MaxIter: 1, Useful: 1e-4, Last: 2})
	if !errors.Is(err, ErrNotConverged) || rep.Iterations != 2 {
		t.Errorf("%+v, %v; want two iterations", rep, err)
	}
	rep, err = s.Solve(x, b, Options{Tol: 1e-30})
	if !errors.Is(err, ErrNotConverged) || rep.Residual > 1e-12 {
		t.Errorf("%+v, %v; want the limit of precision", rep, err)
	}
}

func TestLargeLastLevelIsSmoothedAtLength(t *testing.T) {
	p := grid(box(32, 16, 32), top(16))
	p.levels = append([]Level(nil), p.levels[:3]...) // 256 unknowns on the last
	p.levels[2].Parent = nil
	b, x := p.smooth(), make([]float64, len(p.cells))
	rep, err := p.solver(t, nil, 2).Solve(x, b, Options{Tol: 1e-6})
	if err != nil || rep.Levels != 3 || rep.Iterations > 14 {
		t.Errorf("%+v, %v", rep, err)
	}
}

func TestWoodburyPaysForLightBodies(t *testing.T) {
	bodies := []ball{{9.3, 10.2, 9.1, 5.2}}
	p := grid(without(box(32, 20, 32), bodies), top(20))
	b := p.smooth()
	for _, c := range []struct {
		density        float64
		groups, atMost int
	}{{1e3, 0, 12}, {1, 0, 13}, {0.01, 1, 12}, {1e-3, 1, 12}, {1e-6, 1, 14}} {
		x, s := make([]float64, len(b)), p.solver(t, p.couple(bodies, c.density), 2)
		rep, err := s.Solve(x, b, Options{Tol: 1e-6})
		if err != nil || rep.Woodbury != c.groups || rep.Iterations > c.atMost {
			t.Errorf("density %g: %+v, %v; want %d groups, %d iterations", c.density, rep, err, c.groups, c.atMost)
		}
	}
}

// With L and the levels unchanged the hierarchy is kept; K and the right-hand side may change.
func TestSolvesAgain(t *testing.T) {
	bodies := []ball{{9.3, 10.2, 9.1, 5.2}}
	p := grid(without(box(20, 20, 20), bodies), top(20))
	heavy, light := p.couple(bodies, 2), p.couple(bodies, 1e-3)
	b := p.smooth()
	again := p.solver(t, heavy, 2)
	x, want := make([]float64, len(b)), make([]float64, len(b))
	if _, err := again.Solve(x, b, Options{Tol: 1e-6}); err != nil {
		t.Fatal(err)
	}
	for i := range b {
		b[i] *= 2 - x[i]/norm2(x)
	}
	copy(want, x)
	first, err := p.solver(t, light, 2).Solve(want, b, Options{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	again.system.K, again.system.Again = light, true
	second, err := again.Solve(x, b, Options{Tol: 1e-6})
	if err != nil || second.Iterations != first.Iterations || second.Woodbury != first.Woodbury {
		t.Errorf("again %+v, %v; at first %+v", second, err, first)
	}
	if left := p.residual(x, b, light); left > 1.01e-6*norm2(b) {
		t.Errorf("left %v of %v", left, norm2(b))
	}
	for i := range x {
		if math.Abs(x[i]-want[i]) > 1e-5*norm2(want) {
			t.Fatalf("unknown %d: %v again, %v at first", i, x[i], want[i])
		}
	}
}

// pocket returns a pool with a cubic pocket of so many cells an edge in its corner, which a body seals: coarser unknowns lie in both. The body
// floats on the pool as well, and adds so much of the diagonal, or of a face if there is none, to the pocket's constants.
func pocket(edge int, hold float64) (p *problem, k *Coupling, component []int32) {
	var cells []cell
	k = &Coupling{Ptr: []int32{0}}
	for _, c := range box(32, 16, 32) {
		far := max(c.x, c.y, c.z)
		if far == edge { // in the body
			continue
		}
		if far == edge-1 || far == edge+1 {
			k.Col, k.Val = append(k.Col, int32(len(cells))), append(k.Val, [6]float64{unit * unit})
		}
		id := int32(0)
		if far < edge {
			id = 1
		}
		cells, component = append(cells, c), append(component, id)
	}
	k.Ptr = append(k.Ptr, int32(len(k.Col)))
	p = grid(cells, top(16))
	diag, push := 0., 0.
	for i, id := range component {
		diag += float64(id) * p.m.Diag[i]
	}
	for i, v := range k.Val {
		push += float64(component[k.Col[i]]) * v[0]
	}
	w := hold * max(diag, unit) / (push * push)
	k.Apply = func(dst, src []float64) {
		clear(dst)
		dst[0] = w * src[0]
	}
	return p, k, component
}

func TestPocketThatABodyShuts(t *testing.T) {
	for edge := 1; edge <= 5; edge++ {
		for i, hold := range []float64{1e-8, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 1e-3, 1e-2, 1} {
			if testing.Short() && (edge+i)%3 != 0 { // each edge and each hold comes
				continue
			}
			p, k, component := pocket(edge, hold)
			for kind, b := range [][]float64{p.smooth(), noise(len(component))} {
				x := make([]float64, len(b))
				rep, err := p.solver(t, k, 2).Solve(x, b, Options{Tol: 1e-5, Component: component, Leaky: true})
				if err != nil || rep.Iterations > 24 {
					t.Errorf("%d cells, held by %g of the diagonal, right-hand side %d: %+v, %v; want at most 24 iterations", edge, hold, kind, rep, err)
				}
				if got := p.residual(x, b, k) / norm2(b); got > 1.01e-5 {
					t.Errorf("%d cells, held by %g of the diagonal, right-hand side %d: residual %g", edge, hold, kind, got)
				}
			}
		}
	}
}

// The preconditioner is symmetric: its response at j to a unit residual at i equals that at i to one at j, also where coarser unknowns join components.
func TestPreconditionerIsSymmetric(t *testing.T) {
	for edge := 1; edge <= 4; edge++ {
		p, k, component := pocket(edge, 1e-3)
		s := p.solver(t, k, 2)
		b := make([]float64, len(component))
		s.begin(s.system, b, b, &Options{Component: component})
		s.resizeCoupled()
		s.setup()
		s.resizeVectors()
		f := &s.fine
		var places []int32
		for i, u := range f.unknown {
			if c := p.cells[i]; f.kind[i] != red && max(c.x, c.y, c.z) < 8 {
				places = append(places, u.place)
			}
		}
		at := make([][]float32, len(places))
		for i, place := range places {
			clear(f.b)
			f.b[place] = f.inv[place]
			s.precondition()
			for _, q := range places {
				at[i] = append(at[i], f.y[q])
			}
		}
		for i := range at {
			for j := range i {
				if d := math.Abs(float64(at[i][j] - at[j][i])); d > 3e-6 {
					t.Fatalf("%d cells: %g at %d from %d, %g the other way", edge, at[i][j], i, j, at[j][i])
				}
			}
		}
	}
}

func TestSingularWithCoupling(t *testing.T) {
	bodies := []ball{{9.3, 10.2, 9.1, 5.2}} // closed: K·1 = 0, the constants stay the null space
	p := grid(without(box(20, 20, 20), bodies), none)
	b := p.smooth()
	for _, density := range []float64{1, 1e-3} {
		x, s := make([]float64, len(b)), p.solver(t, p.couple(bodies, density), 2)
		rep, err := s.Solve(x, b, Options{Tol: 1e-9, Component: make([]int32, len(b)), Singular: []int32{0}})
		if err != nil || rep.Iterations > 24 {
			t.Errorf("density %g: %+v, %v", density, rep, err)
		}
	}
}

func TestRedUnknownsCanBeEliminated(t *testing.T) {
	bodies := []ball{{9.3, 7.2, 9.1, 4.2}}
	for name, c := range map[string]struct {
		p   *problem
		red float64 // at least this part
	}{
		"uniform": {grid(without(box(16, 12, 16), bodies), top(12)), .4},
		"mixed":   {grid(without(mixed(16), bodies), top(16)), .3},
	} {
		k := c.p.couple(bodies, 1)
		s := c.p.solver(t, k, 2)
		if _, err := s.Solve(make([]float64, len(c.p.cells)), c.p.smooth(), Options{}); err != nil {
			t.Fatal(err)
		}
		f := &s.fine
		isRed := func(i int32) bool { return int(f.unknown[i].place) >= f.zone[i/zoneRows].red }
		reds := 0
		for i := range int32(f.n) {
			if f.row[f.unknown[i].place] != i {
				t.Fatalf("%s: unknown %d is not at its place", name, i)
			}
			if !isRed(i) {
				continue
			}
			reds++
			col, _ := c.p.m.row(i)
			for _, j := range col {
				if isRed(j) {
					t.Fatalf("%s: red unknowns %d and %d are joined", name, i, j)
				}
			}
		}
		for _, i := range k.Col {
			if isRed(i) {
				t.Fatalf("%s: red unknown %d is coupled", name, i)
			}
		}
		if float64(reds) < c.red*float64(f.n) {
			t.Errorf("%s: %d red unknowns of %d", name, reds, f.n)
		}
	}
}

func TestTinySystems(t *testing.T) {
	empty := problem{levels: []Level{{}}}
	if rep, err := empty.solver(t, nil, 1).Solve(nil, nil, Options{}); err != nil || !rep.Converged {
		t.Errorf("no unknowns: %+v, %v", rep, err)
	}
	p := grid(box(3, 3, 3), top(3))
	b, x := p.smooth(), make([]float64, 27)
	if rep, err := p.solver(t, nil, 1).Solve(x, b, Options{Tol: 1e-10}); err != nil || rep.Levels != 2 || rep.Iterations > 2 {
		t.Errorf("27 unknowns: %+v, %v", rep, err)
	}
	lone := grid([]cell{{0, 0, 0, 1}, {2, 0, 0, 1}, {2, 1, 0, 1}}, none) // an empty row and a pair
	v, opt := []float64{0, 0, 0}, Options{Tol: 1e-10, Component: []int32{0, 1, 1}, Singular: []int32{0, 1}}
	if rep, err := lone.solver(t, nil, 1).Solve(v, []float64{5, 1, 0}, opt); err != nil || v[0] != 0 || math.Abs(v[1]-v[2]-0.5/unit) > 1e-9 {
		t.Errorf("three unknowns: %+v, %v, x = %v", rep, err, v)
	}
}

func TestMisusePanics(t *testing.T) {
	p := grid(box(4, 4, 4), top(4))
	s, v := p.solver(t, nil, 1), make([]float64, 64)
	solve := func(system System) { _, _ = s.Solver.Solve(system, v, v, Options{}) }
	for name, call := range map[string]func(){
		"short x":     func() { _, _ = s.Solve(v[:3], v, Options{}) },
		"components":  func() { _, _ = s.Solve(v, v, Options{Singular: []int32{0}}) },
		"coupling":    func() { solve(System{L: &p.m, K: &Coupling{Ptr: []int32{0, 2}}, Levels: p.levels}) },
		"matrix":      func() { solve(System{L: &Matrix{Diag: v}, Levels: p.levels}) },
		"method":      func() { _, _ = s.Solve(v, v, Options{Method: Method{Cycle: FullCycle + 1}}) },
		"again":       func() { solve(System{L: &p.m, Levels: p.levels, Again: true}) },
		"level sizes": func() { solve(System{L: &p.m, Levels: []Level{{Size: make([]float32, 3)}}}) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "amg: ") {
					t.Errorf("%s: panic %q, want the package's name", name, text)
				}
			}()
			call()
		}()
	}
}
