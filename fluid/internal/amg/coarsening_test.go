package amg

import (
	"fmt"
	"math"
	"testing"
)

// hierarchyOf sets up a system.
func hierarchyOf(t *testing.T, p *problem, method Method) *Solver {
	t.Helper()
	n := len(p.m.Diag)
	s := p.solver(t, nil, 2)
	s.begin(s.system, make([]float64, n), make([]float64, n), &Options{Method: method})
	s.setup()
	return s.Solver
}

// full returns a level's matrix L·scale, by its off-diagonal entries and row sums.
func (l *level) full() [][]float64 {
	a := make([][]float64, l.n)
	for i := range a {
		a[i] = make([]float64, l.n)
		a[i][i] = float64(l.dir[i])
		col, val := l.part[i/grain].row(i % grain)
		for k, j := range col {
			a[i][j] += float64(val[k])
			a[i][i] -= float64(val[k])
		}
	}
	return a
}

// project returns PᵀAP.
func project(a, p [][]float64) [][]float64 {
	n := 0
	if len(p) > 0 {
		n = len(p[0])
	}
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	for r := range a {
		for c, v := range a[r] {
			if v == 0 {
				continue
			}
			for i, w := range p[r] {
				if w != 0 {
					for j, x := range p[c] {
						out[i][j] += w * v * x
					}
				}
			}
		}
	}
	return out
}

// checkMatrix compares two matrices.
func checkMatrix(t *testing.T, name string, got, want [][]float64) {
	t.Helper()
	scale := 0.
	for i := range want {
		scale = max(scale, math.Abs(want[i][i]))
	}
	for i := range want {
		for j := range want[i] {
			if math.Abs(got[i][j]-want[i][j]) > 2e-6*scale {
				t.Fatalf("%s: entry %d, %d is %g, want %g", name, i, j, got[i][j], want[i][j])
			}
		}
	}
}

// isPinned reports whether the diagonal entry of a row is five times the others' sum.
func (l *level) isPinned(i int) bool {
	_, val := l.part[i/grain].row(i % grain)
	sum := 0.
	for _, v := range val {
		sum += math.Max(0, -float64(v))
	}
	return float64(l.diag[i]) >= pinnedRow*sum*(1-1e-6)
}

// The rows of P sum to one, the coarse matrix is PᵀLP, and the eigenvalues of D⁻¹L are at most 2 by Gershgorin.
func TestInterpolatedLevels(t *testing.T) {
	for name, p := range ballProblems(.45) {
		for _, c := range []Coarsening{SmoothedAggregation, Greedy} {
			s := hierarchyOf(t, p, Method{Coarsening: c})
			if s.depth < 2 {
				t.Fatalf("%s, %v: %d levels", name, c, s.depth)
			}
			for k := 1; k < s.depth; k++ {
				f, l := s.level[k-1], s.level[k]
				label := fmt.Sprintf("%s, %v, level %d", name, c, k)
				weights := make([][]float64, f.n)
				for i := range weights {
					weights[i] = make([]float64, l.n)
					col, val := l.transfer.part[i/grain].row(i % grain)
					sum := 0.
					for e, j := range col {
						weights[i][j] += float64(val[e])
						sum += float64(val[e])
					}
					if math.Abs(sum-1) > 1e-6 && !(len(col) == 0 && c == SmoothedAggregation && f.isPinned(i)) {
						t.Fatalf("%s: row %d of P has %d entries with the sum %g", label, i, len(col), sum)
					}
				}
				checkMatrix(t, label, l.full(), project(f.full(), weights))
				for i, row := range l.full() {
					sum := 0.
					for _, v := range row {
						sum += math.Abs(v)
					}
					if d := float64(l.diag[i]); sum > 2*d*(1+1e-5) || math.Abs(row[i]-d*float64(l.unit[i])) > 1e-5*d {
						t.Fatalf("%s: D is %g in row %d of the sum %g and the diagonal %g", label, d, i, sum, row[i])
					}
				}
			}
		}
	}
}

// Each fine unknown has a coarse neighbour and no coarse unknown has one; of the disconnected pieces each has a coarse unknown.
func TestGreedyLabels(t *testing.T) {
	p := grid(apart(), top(8))
	p.levels = nil
	s := hierarchyOf(t, p, Method{Coarsening: Greedy})
	component, _ := label(&p.m)
	isCoarse := func(i int32) bool {
		col, val := s.level[1].transfer.part[i/grain].row(int(i) % grain)
		return len(col) == 1 && val[0] == 1
	}
	found := map[int32]int{}
	for i := range int32(len(p.cells)) {
		near := 0
		col, _ := p.m.row(i)
		for _, j := range col {
			if isCoarse(j) {
				near++
			}
		}
		switch {
		case isCoarse(i):
			found[component[i]]++
			// A fine unknown with one coarse neighbour looks like a coarse one. Coarse ones have no coarse neighbours.
		case near == 0:
			t.Fatalf("fine unknown %d has no coarse neighbour", i)
		}
		entries, _ := s.level[1].transfer.part[i/grain].row(int(i) % grain)
		if !isCoarse(i) && len(entries) != near {
			t.Fatalf("unknown %d is the mean of %d coarse ones and has %d", i, len(entries), near)
		}
	}
	if len(found) != 2 {
		t.Errorf("%d components have coarse unknowns, want 2", len(found))
	}
}

// Each aggregate but those of pinned unknowns is connected, has at most half as many unknowns again as wanted, and few have less than half.
func TestAggregatesAreConnected(t *testing.T) {
	for name, p := range ballProblems(.7) {
		s := hierarchyOf(t, p, Method{Smoother: Chebyshev})
		l := s.level[0]
		members := make([][]int32, s.level[1].n)
		for i, a := range l.parent {
			members[a] = append(members[a], int32(i))
		}
		small := 0
		for a, of := range members {
			if len(of) > 0 && l.isPinned(int(of[0])) {
				continue
			}
			if len(of) == 0 || len(of) > coarseSize*3/2 {
				t.Fatalf("%s: aggregate %d has %d unknowns", name, a, len(of))
			}
			if len(of) < coarseSize/2 {
				small++
			}
			reached := map[int32]bool{of[0]: true}
			queue := []int32{of[0]}
			for len(queue) > 0 {
				i := queue[0]
				queue = queue[1:]
				col, _ := p.m.row(i)
				for _, j := range col {
					if l.parent[j] == int32(a) && !reached[j] {
						reached[j] = true
						queue = append(queue, j)
					}
				}
			}
			if len(reached) != len(of) {
				t.Fatalf("%s: aggregate %d has %d unknowns of which %d are connected", name, a, len(of), len(reached))
			}
		}
		if small > len(members)/10 {
			t.Errorf("%s: %d of %d aggregates are small", name, small, len(members))
		}
	}
}

// Unknowns that a surface all but touches share an aggregate with none but their like.
func TestPinnedUnknownsAreLeftOut(t *testing.T) {
	p := grid(box(9, 8, 9), func(c cell) float64 {
		if c.y == 7 && c.x%3 == 0 {
			return 1e6
		}
		return 0
	})
	p.levels = nil
	s := hierarchyOf(t, p, Method{Smoother: Chebyshev})
	l := s.level[0]
	pinned := map[int32]bool{}
	for i, c := range p.cells {
		if c.y == 7 && c.x%3 == 0 {
			pinned[l.parent[i]] = true
		}
	}
	for i, c := range p.cells {
		if pinned[l.parent[i]] && !(c.y == 7 && c.x%3 == 0) {
			t.Fatalf("unknown %d shares an aggregate with pinned ones", i)
		}
	}
	if len(pinned) != 1 {
		t.Errorf("pinned unknowns are in %d aggregates, want 1", len(pinned))
	}
}

// The first coarse matrix of aggregates of black unknowns is that of S, each entry times the ratio of what the edges add up to, finer over coarser; row sums
// times that of the edges.
func TestReducedLevel(t *testing.T) {
	for name, p := range ballProblems(.45) {
		s := hierarchyOf(t, p, Method{})
		n, l := len(p.m.Diag), s.level[0]
		full := make([][]float64, n)
		for i := range full {
			full[i] = make([]float64, n)
			full[i][i] = p.m.Diag[i] * s.unit
			col, val := p.m.row(int32(i))
			for k, j := range col {
				full[i][j] += val[k] * s.unit
			}
		}
		for r := range full {
			if p.m.Red[r] {
				for i := range full {
					if f := full[i][r] / full[r][r]; f != 0 && i != r {
						for j := range full {
							full[i][j] -= f * full[r][j]
						}
					}
				}
				for j := range full { // out of what follows
					full[r][j], full[j][r] = 0, 0
				}
			}
		}
		constants := make([][]float64, n)
		for i := range constants {
			constants[i] = make([]float64, l.n)
			if c := s.fine.unknown[i].parent; c >= 0 {
				constants[i][c] = 1
			}
		}
		want := project(full, constants)
		for i := range want {
			sum := 0.
			for j := range want[i] {
				sum += want[i][j]
			}
			want[i][i] = sum / float64(l.size[i])
			for j := range want[i] {
				if i != j {
					want[i][j] *= 2 / float64(l.size[i]+l.size[j])
					want[i][i] -= want[i][j]
				}
			}
		}
		checkMatrix(t, name, l.full(), want)
	}
}

// Colours of cubes and of tetrahedra are those of two-coloured graphs, or nearly; no two red unknowns are neighbours, and no coupled one is red.
func TestColour(t *testing.T) {
	l := newBall(1, true)
	tets, _ := l.byTets()
	vertices, _ := l.byVertices()
	bodies := []ball{{4.1, 5.2, 4.4, 2.2}}
	cubes := grid(without(box(12, 12, 12), bodies), none)
	k := cubes.couple(bodies, 1)
	for _, c := range []struct {
		name        string
		m           *Matrix
		k           *Coupling
		least, most float64
	}{{"tetrahedra", &tets, nil, .44, .5}, {"vertices", &vertices, nil, 0, .05}, {"cubes", &cubes.m, k, .4, .5}} {
		c.m.Colour(c.k)
		reds := 0
		for i, isRed := range c.m.Red {
			if !isRed {
				continue
			}
			reds++
			col, _ := c.m.row(int32(i))
			for _, j := range col {
				if c.m.Red[j] {
					t.Fatalf("%s: red unknowns %d and %d are joined", c.name, i, j)
				}
			}
		}
		if c.k != nil {
			for _, i := range c.k.Col {
				if c.m.Red[i] {
					t.Fatalf("%s: red unknown %d is coupled", c.name, i)
				}
			}
		}
		if part := float64(reds) / float64(len(c.m.Red)); part < c.least || part > c.most {
			t.Errorf("%s: %.3f of the unknowns are red, want %g to %g", c.name, part, c.least, c.most)
		}
	}
}

// From step to step aggregates are kept in blocks of rows whose entries are as they were. The bits are those of a solver that has none to keep.
func TestAggregatesAreKept(t *testing.T) {
	p := ballProblems(.95)["tetrahedra"]
	n := len(p.m.Diag)
	if n < aggregateRows*5/4 {
		t.Fatalf("%d rows in one block", n)
	}
	b, x := p.rightSide(), make([]float64, n)
	old := p.solver(t, nil, 2)
	for step := range 3 {
		if step == 2 { // an opening in the first block closes by half
			part := &p.m.Part[1]
			i, j := int32(PartRows+5), part.Col[part.Ptr[5]]
			by := part.Val[part.Ptr[5]] / 2
			part.Val[part.Ptr[5]] -= by
			other := &p.m.Part[j/PartRows]
			for e := other.Ptr[j%PartRows]; e < other.Ptr[j%PartRows+1]; e++ {
				if other.Col[e] == i {
					other.Val[e] -= by
				}
			}
			p.m.Diag[i] += by
			p.m.Diag[j] += by
		}
		clear(x)
		if _, err := old.Solve(x, b, Options{Tol: 1e-6}); err != nil {
			t.Fatal(err)
		}
		fresh := make([]float64, n)
		if _, err := p.solver(t, nil, 1).Solve(fresh, b, Options{Tol: 1e-6}); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if math.Float64bits(x[i]) != math.Float64bits(fresh[i]) {
				t.Fatalf("step %d: x[%d] is %v, from a new solver %v", step, i, x[i], fresh[i])
			}
		}
		blocks := old.aggregates.maker[0].block
		if got, want := [2]bool{blocks[0].kept, blocks[1].kept}, [3][2]bool{{}, {true, true}, {false, true}}[step]; got != want {
			t.Errorf("step %d: blocks are kept: %v, want %v", step, got, want)
		}
	}
}
