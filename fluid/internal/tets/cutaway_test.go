package tets

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// scattered is a cut through a lattice of cells of all levels, whose layout is its domain, all of them in the air.
func scattered(random *rand.Rand, pool *par.Pool) *cutaway {
	g := layout.New([3]float64{-1, 2, .5}, .125, [3]int{3, 3, 2}, 0)
	g.SetBalance(layout.BalanceEdges)
	for b := range int32(g.Bases()) {
		g.Set(b, uint8(random.IntN(4)))
	}
	g.Grade()
	g.Settle()
	l := &graded{}
	l.Build(g, &g.Cur, pool)
	l.stencils = arrays.Resize(l.stencils, l.Vertices())
	c := &cutaway{lattice: l, grid: g, domain: g.Whole(), phi: make([]float32, g.Cells())}
	for i := range c.phi {
		c.phi[i] = 1
	}
	return c
}

// A line that is nearly along the plane's normal, well within the domain, leaves what is kept once more often than it comes back. Where it does, it passes
// a face that looks along it.
func TestCutAwayOfALattice(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	random := rand.New(rand.NewPCG(5, 6))
	for range 12 {
		c := scattered(random, pool)
		middle := c.domain.Center()
		normal := r3.Unit(r3.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()})
		c.plane = query.Plane{Point: middle, Normal: normal}
		faces := c.append(nil)
		if len(faces) == 0 {
			t.Fatal("no faces")
		}
		lines := 0
		for range 40 {
			x := r3.Add(middle, r3.Scale(.5, r3.Vec{X: random.Float64() - .5, Y: random.Float64() - .5, Z: random.Float64() - .5}))
			along := r3.Unit(r3.Add(normal, r3.Scale(.05, r3.Vec{X: random.Float64(), Y: random.Float64(), Z: random.Float64()})))
			reach := .5 * c.grid.H * layout.Edge
			if !boxes.Contains(c.domain, r3.Add(x, r3.Scale(reach, along))) || !boxes.Contains(c.domain, r3.Sub(x, r3.Scale(reach, along))) {
				continue
			}
			lines++
			left := 0
			for i := range faces {
				left += passes(&faces[i], x, along)
			}
			if left != 1 {
				t.Errorf("a line through %v along %v leaves what is kept %d times more than it comes back", x, along, left)
			}
		}
		if lines < 5 {
			t.Errorf("%d lines", lines)
		}
	}
}

// passes is 1 if a line through x passes a triangle outwards, -1 if inwards, and 0 if not.
func passes(f *query.CellFace, x, along r3.Vec) int {
	var side [3]bool
	for k := range side {
		a, b := r3.Sub(f.Corners[k], x), r3.Sub(f.Corners[(k+1)%3], x)
		side[k] = r3.Dot(r3.Cross(a, b), along) > 0
	}
	switch {
	case side[0] != side[1] || side[1] != side[2]:
		return 0
	case side[0]:
		return 1
	}
	return -1
}

// The faces are those that a search of all pairs finds, each of the tetrahedron behind the plane, which is the farther one along the face's normal.
func TestCutAwayFindsEachFace(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	random := rand.New(rand.NewPCG(7, 8))
	for range 4 {
		c := scattered(random, pool)
		c.plane = query.Plane{Point: r3.Add(c.domain.Center(), r3.Vec{X: .1, Y: .03, Z: -.2}), Normal: r3.Unit(r3.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()})}
		all := map[[3]int32][]halfFace{}
		for tet := range int32(c.lattice.Tets()) {
			middle := c.centroid(tet)
			if !boxes.Contains(c.domain, middle) {
				continue
			}
			for i := range faceCorners {
				f := halfFace{tet: tet, without: int8(i), kept: c.plane.Distance(middle) <= 0}
				for k, j := range faceCorners[i] {
					f.corners[k] = c.lattice.Corners[tet][j]
				}
				lo, hi := min(f.corners[0], f.corners[1], f.corners[2]), max(f.corners[0], f.corners[1], f.corners[2])
				key := [3]int32{lo, f.corners[0] + f.corners[1] + f.corners[2] - lo - hi, hi}
				all[key] = append(all[key], f)
			}
		}
		want := 0
		for _, two := range all {
			if len(two) == 2 && two[0].kept != two[1].kept {
				want++
			}
		}
		faces := c.append(nil)
		if len(faces) != want || want == 0 {
			t.Errorf("%d faces, want %d", len(faces), want)
		}
		for i := range faces {
			f := &faces[i]
			n := r3.Cross(r3.Sub(f.Corners[1], f.Corners[0]), r3.Sub(f.Corners[2], f.Corners[0]))
			at := r3.Scale(1./3, r3.Add(f.Corners[0], r3.Add(f.Corners[1], f.Corners[2])))
			out := r3.Add(at, r3.Scale(.002/r3.Norm(n), n))
			tet, _ := c.lattice.Locate([3]float64{out.X, out.Y, out.Z})
			if f.Count != 3 || f.Wet || c.plane.Distance(c.centroid(tet)) <= 0 {
				t.Fatalf("face %+v has a tetrahedron behind the plane on its outer side", f)
			}
		}
	}
}

// Levels are by volume: 0 for the finest cells' and one more for each twice as long.
func TestCutAwayLevels(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	for level := range uint8(layout.MaxLevel + 1) {
		g := layout.New([3]float64{}, .1, [3]int{2, 2, 2}, level)
		l := &graded{}
		l.Build(g, &g.Cur, pool)
		l.stencils = arrays.Resize(l.stencils, l.Vertices())
		c := &cutaway{lattice: l, grid: g, domain: g.Whole(), phi: make([]float32, g.Cells())}
		for i := range c.phi {
			c.phi[i] = -1
		}
		at := cornersOf(g, l, g.Whole(), [6]bool{})
		for b := range g.Bases() {
			at.makeBase(0, int32(b))
		}
		c.plane = query.Plane{Point: c.domain.Center(), Normal: r3.Vec{Y: 1}}
		faces := c.append(nil)
		wet := 0
		for _, f := range faces {
			if f.Level != layout.MaxLevel-int(level) {
				t.Fatalf("level %d for cells of level %d", f.Level, level)
			}
			if f.Wet {
				wet++
			}
		}
		if len(faces) == 0 || wet < len(faces)/2 {
			t.Errorf("level %d: %d of %d faces are wet", level, wet, len(faces))
		}
		if n := testing.AllocsPerRun(5, func() { faces = c.append(faces[:0]) }); n > 0 {
			t.Errorf("allocates %g times", n)
		}
		if math.Abs(c.longest(0)-g.CellSize(level)) > 1e-12 {
			t.Errorf("the longest edge is %g", c.longest(0))
		}
	}
}
