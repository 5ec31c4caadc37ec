package bcc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// laid is a grid of levels.
func laid(dim [3]int, levels []uint8) *layout.Grid {
	g := layout.New([3]float64{-1, 2, .5}, .1, dim, 0)
	g.Lay(levels)
	return g
}

// graded is the lattice of random levels.
func graded(dim [3]int, seed uint64) (*layout.Grid, *Lattice) {
	g, l := laid(dim, balancedLevels(dim, seed, false)), &Lattice{}
	l.Build(g, &g.Cur, par.New(1))
	return g, l
}

func TestGradedLatticesAreSound(t *testing.T) {
	for seed := range seeds(4, 40) {
		_, l := graded([3]int{3, 3, 2}, seed)
		if err := l.Check(); err != nil {
			t.Fatalf("layout %d: %v", seed, err)
		}
	}
}

func TestUniformLatticesAreSound(t *testing.T) {
	for level := range uint8(4) {
		dim := [3]int{2, 1, 3}
		levels := make([]uint8, 6)
		for b := range levels {
			levels[b] = level
		}
		g, l := laid(dim, levels), &Lattice{}
		l.Build(g, &g.Cur, par.New(1))
		if err := l.Check(); err != nil {
			t.Fatalf("level %d: %v", level, err)
		}
	}
}

// plainly is the lattice of a grid made in the plainest way.
func plainly(g *layout.Grid) *Lattice {
	l := &Lattice{}
	l.buildPlainly(g, &g.Cur)
	return l
}

// sameLattice tells how two lattices differ, but for the order within base cells, where edges begin, and which corner of a ring comes first.
func sameLattice(t *testing.T, got, want *Lattice) {
	t.Helper()
	if !slices.Equal(got.Position, want.Position) || !slices.Equal(got.Cell, want.Cell) || !slices.Equal(got.Level, want.Level) || !slices.Equal(got.Beyond, want.Beyond) {
		t.Fatalf("other vertices: %d, not %d", got.Vertices(), want.Vertices())
	}
	if !slices.Equal(got.VertexRuns, want.VertexRuns) || !slices.Equal(got.EdgeRuns, want.EdgeRuns) || !slices.Equal(got.TetRuns, want.TetRuns) {
		t.Fatalf("other runs: edges %v, not %v; tetrahedra %v, not %v", got.EdgeRuns, want.EdgeRuns, got.TetRuns, want.TetRuns)
	}
	tets := map[[4]int32]int{}
	for i, c := range want.Corners {
		slices.Sort(c[:])
		tets[c] = i
	}
	for i, c := range got.Corners {
		slices.Sort(c[:])
		j, ok := tets[c]
		if !ok || got.Shapes[i] != want.Shapes[j] || got.Centres[i] != want.Centres[j] {
			t.Fatalf("tetrahedron %d of %v at %v: shape %d centre %v, there: %v", i, c, got.Position[c[0]], got.Shapes[i], got.Centres[i], ok)
		}
		delete(tets, c)
	}
	edges := map[[2]int32]int{}
	for e, ends := range want.Ends {
		edges[[2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}] = e
	}
	for e, ends := range got.Ends {
		o, ok := edges[[2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])}]
		if !ok {
			t.Fatalf("no edge has the ends %v", ends)
		}
		delete(edges, [2]int32{min(ends[0], ends[1]), max(ends[0], ends[1])})
		if got.Dist[e] != want.Dist[o] || got.Area[e] != want.Area[o] {
			t.Fatalf("edge %d from %v to %v has length %g and area %g, not %g and %g; rings %v and %v", e, got.Position[ends[0]], got.Position[ends[1]], got.Dist[e], got.Area[e], want.Dist[o], want.Area[o], got.ring(e), want.ring(o))
		}
		if geom.Distance(&got.Middle[e], &want.Middle[o]) > 1e-13 {
			t.Fatalf("edge %d has its middle at %v, not %v", e, got.Middle[e], want.Middle[o])
		}
		if !sameRing(got.ring(e), want.ring(o), ends != want.Ends[o]) {
			t.Fatalf("edge %d from %v to %v has the ring %v, not %v", e, got.Position[ends[0]], got.Position[ends[1]], got.ring(e), want.ring(o))
		}
	}
	for v := range got.Volume {
		if math.Abs(got.Volume[v]-want.Volume[v]) > 1e-13*want.Volume[v] {
			t.Fatalf("vertex %d has the volume %.15g, not %.15g", v, got.Volume[v], want.Volume[v])
		}
	}
	if !slices.Equal(got.VertexEdgeRuns, want.VertexEdgeRuns) {
		t.Fatal("vertices have other numbers of edges")
	}
}

// ring are the corners of an edge's polygon.
func (l *Lattice) ring(e int) (ring [][3]float64) {
	for _, t := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
		ring = append(ring, l.Centres[t])
	}
	return ring
}

func sameRing(a, b [][3]float64, turned bool) bool {
	if turned {
		slices.Reverse(b)
	}
	if len(a) != len(b) {
		return false
	}
	for shift := range b {
		if slices.EqualFunc(a, slices.Concat(b[shift:], b[:shift]), func(x, y [3]float64) bool { return geom.Distance(&x, &y) < 1e-13 }) {
			return true
		}
	}
	return false
}

func TestBuildMakesThePlainLattice(t *testing.T) {
	for seed := range seeds(3, 40) {
		g, l := graded([3]int{3, 2, 3}, seed)
		sameLattice(t, l, plainly(g))
	}
}

// pond is a layout like a pool's: the finest level along a slanted surface, coarser away from it.
func pond(edge int) *layout.Grid {
	dim := [3]int{edge, edge, edge}
	levels := make([]uint8, edge*edge*edge)
	for b := range levels {
		x, y, z := b%edge, b/edge%edge, b/(edge*edge)
		d := max(0, abs(4*y-x-z-edge)-3)
		levels[b] = uint8(max(0, 3-(d+3)/4))
	}
	balance(dim, levels, false)
	return laid(dim, levels)
}

func abs(x int) int { return max(x, -x) }

// seeds is how many random layouts a test tries, in short tests and else.
func seeds(short, long uint64) uint64 {
	if testing.Short() {
		return short
	}
	return long
}

// same tells whether two lattices have the same bits.
func same(a, b *Lattice) bool {
	return slices.Equal(a.VertexRuns, b.VertexRuns) && slices.Equal(a.EdgeRuns, b.EdgeRuns) && slices.Equal(a.TetRuns, b.TetRuns) &&
		slices.Equal(a.Position, b.Position) && slices.Equal(a.Cell, b.Cell) && slices.Equal(a.Level, b.Level) && slices.Equal(a.Beyond, b.Beyond) &&
		slices.Equal(a.Ends, b.Ends) && slices.Equal(a.Dist, b.Dist) && slices.Equal(a.Area, b.Area) && slices.Equal(a.Middle, b.Middle) &&
		slices.Equal(a.RingRuns, b.RingRuns) && slices.Equal(a.Ring, b.Ring) && slices.Equal(a.VertexEdgeRuns, b.VertexEdgeRuns) &&
		slices.Equal(a.VertexEdges, b.VertexEdges) && slices.Equal(a.Volume, b.Volume) && slices.Equal(a.Corners, b.Corners) &&
		slices.Equal(a.Shapes, b.Shapes) && slices.Equal(a.Centres, b.Centres) && slices.Equal(a.faces, b.faces)
}

// changing is a sequence of balanced layouts on one grid, each near the one before.
func changing(dim [3]int, steps int, each func(g *layout.Grid)) {
	levels := balancedLevels(dim, 5, false)
	g := laid(dim, levels)
	r := rand.New(rand.NewPCG(1, 2))
	for range steps {
		each(g)
		levels = slices.Clone(g.Cur.Level)
		for range r.IntN(3) {
			b := r.IntN(len(levels))
			levels[b] = uint8(r.IntN(4))
		}
		balance(dim, levels, false)
		g.Lay(levels)
	}
}

func TestRebuildingGivesTheBitsOfBuilding(t *testing.T) {
	one, three := par.New(1), par.New(3)
	defer three.Close()
	again := &Lattice{}
	step := 0
	changing([3]int{4, 3, 3}, int(seeds(12, 100)), func(g *layout.Grid) {
		again.Build(g, &g.Cur, three)
		afresh := &Lattice{}
		afresh.Build(g, &g.Cur, one)
		if !same(again, afresh) {
			t.Fatalf("layout %d differs", step)
		}
		step++
	})
}

func TestBuildRefusesUnbalancedLayouts(t *testing.T) {
	for _, levels := range [][]uint8{{0, 2, 1, 1}, {0, 1, 1, 2}} { // across a face, and across an edge
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("levels %v are taken", levels)
				}
			}()
			g := laid([3]int{2, 2, 1}, levels)
			(&Lattice{}).Build(g, &g.Cur, par.New(1))
		}()
	}
}

func TestBuildAllocatesNothing(t *testing.T) {
	pool := par.New(1)
	l := [2]*Lattice{{}, {}}
	a, b := laid([3]int{3, 3, 3}, balancedLevels([3]int{3, 3, 3}, 1, false)), balancedLevels([3]int{3, 3, 3}, 2, false)
	levels := [2][]uint8{slices.Clone(a.Cur.Level), b}
	step := func() {
		for i := range 4 {
			a.Lay(levels[i/2])
			l[i%2].Build(a, &a.Cur, pool)
		}
	}
	step()
	step()
	if n := testing.AllocsPerRun(3, step); n != 0 {
		t.Errorf("four builds allocate %g times", n)
	}
}

func TestScaleAndPlaceChangeNothingElse(t *testing.T) {
	dim := [3]int{3, 3, 3}
	levels := balancedLevels(dim, 4, false)
	pool := par.New(1)
	made := func(origin [3]float64, h float64) *Lattice {
		g, l := layout.New(origin, h, dim, 0), &Lattice{}
		g.Lay(levels)
		l.Build(g, &g.Cur, pool)
		return l
	}
	unit := made([3]float64{}, 1)
	for _, h := range []float64{1e-4, .3, 1e3} {
		l := made([3]float64{-1e3 * h, 1e5 * h, 7 * h}, h)
		if !slices.Equal(l.Corners, unit.Corners) || !slices.Equal(l.Ends, unit.Ends) || !slices.Equal(l.Ring, unit.Ring) || !slices.Equal(l.RingRuns, unit.RingRuns) {
			t.Fatalf("cells of %g m have other tetrahedra", h)
		}
		for e, a := range l.Area {
			if math.Abs(a/(h*h)-unit.Area[e]) > 1e-12 || math.Abs(l.Dist[e]/h-unit.Dist[e]) > 1e-12 {
				t.Fatalf("cells of %g m: edge %d has the area %g and the length %g", h, e, a, l.Dist[e])
			}
		}
	}
}

// All that eight base cells around a corner may be, but for those that differ by two levels across the corner.
func TestAllNeighbourhoodsAreSound(t *testing.T) {
	dim := [3]int{2, 2, 2}
	levels := make([]uint8, 8)
	l := &Lattice{}
	g := laid(dim, levels)
	pool := par.New(1)
	for least := range uint8(seeds(1, 2)) {
		for which := 0; which < 256; which += int(seeds(7, 1)) {
			for b := range levels {
				levels[b] = least + uint8(which>>b&1)
			}
			g.Lay(levels)
			l.Build(g, &g.Cur, pool)
			if err := l.Check(); err != nil {
				t.Fatalf("levels %v: %v", levels, err)
			}
			sameLattice(t, l, plainly(g))
		}
	}
}

// FuzzBuild takes levels, which it balances, and checks the lattice.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{3, 0, 1, 2, 2, 0, 0, 1})
	f.Add([]byte{0, 0, 0, 0, 0, 0, 3, 0})
	f.Add([]byte{1, 2, 1, 1, 1, 1, 2, 1})
	again := &Lattice{}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		dim := [3]int{2, 2, 2}
		if len(bytes) >= 12 {
			dim = [3]int{3, 2, 2}
		}
		levels := make([]uint8, dim[0]*dim[1]*dim[2])
		for b := range min(len(levels), len(bytes)) {
			levels[b] = bytes[b] & 3
		}
		balance(dim, levels, false)
		g := laid(dim, levels)
		again.Build(g, &g.Cur, par.New(1))
		if err := again.Check(); err != nil {
			t.Fatal(levels, err)
		}
	})
}
