package sizing

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// sea is a grid with liquid below a plane, for tests.
type sea struct {
	g  *layout.Grid
	s  *Sizer
	in Input
}

const testH = .05 // m; base cells are 0.4 m

func newSea(dim [3]int, height float64) *sea {
	g := layout.New([3]float64{}, testH, dim, 0)
	n := g.Bases()
	e := testH * layout.Edge
	t := &sea{g: g, in: Input{MinAbs: make([]float32, n), Fraction: make([]float32, n)}}
	t.s = New(g, r3.Box{Max: r3.Vec{X: e * float64(dim[0]), Y: e * float64(dim[1]), Z: e * float64(dim[2])}})
	t.flood(func(x, z float64) float64 { return height })
	return t
}

// flood fills the sea up to height(x, z), m.
func (t *sea) flood(height func(x, z float64) float64) {
	e := testH * layout.Edge
	t.in.Wet.Clear()
	t.in.Band.Clear()
	for b := range int32(t.g.Bases()) {
		c := t.g.Corner(b)
		top := height(c[0]+e/2, c[2]+e/2)
		low, high := c[1]-top, c[1]+e-top
		t.in.MinAbs[b] = float32(max(low, -high, 0))
		t.in.Fraction[b] = float32(min(max(-low/e, 0), 1))
		if low < 0 {
			t.in.Wet.Set(uint32(b))
		}
		if low <= 0 && high >= 0 {
			t.in.Band.Set(uint32(b))
		}
	}
}

// plan runs a step as the liquid does.
func (t *sea) plan(k Knobs) Outcome {
	out := t.s.Plan(&t.in, k)
	t.g.Settle()
	return out
}

func (t *sea) level(x, y, z int) int { return int(t.g.Cur.Level[t.g.BaseAt(x, y, z)]) }

func (t *sea) mustBalance(tb testing.TB) {
	tb.Helper()
	if b, nb := unbalanced(t.g); b != layout.None {
		tb.Fatalf("base %v has level %d beside %v with %d", t.g.BaseCoords(b), t.g.Cur.Level[b], t.g.BaseCoords(nb), t.g.Cur.Level[nb])
	}
}

// unbalanced finds two base cells whose levels the grid's balance forbids, from their coordinates alone.
func unbalanced(g *layout.Grid) (b, beside int32) {
	most := 1
	if g.Balance() == layout.BalanceEdges {
		most = 2
	}
	for b, l := range g.Cur.Level {
		at := g.BaseCoords(int32(b))
		for c := range 27 {
			x, y, z := c%3-1, c/3%3-1, c/9-1
			nb := g.BaseAt(at[0]+x, at[1]+y, at[2]+z)
			if nb != layout.None && x*x+y*y+z*z <= most && g.Cur.Level[nb] > l+1 {
				return int32(b), nb
			}
		}
	}
	return layout.None, layout.None
}

// look is a perspective camera at eye, m, that looks at a point with a vertical field of view.
func look(eye, at r3.Vec, fov float64, height int) View {
	f := r3.Unit(r3.Sub(at, eye))
	r := r3.Unit(r3.Cross(f, r3.Vec{Y: 1, X: 1e-9}))
	u := r3.Cross(r, f)
	v := View{Height: height}
	for i, row := range []r3.Vec{r, u, r3.Scale(-1, f)} {
		v.View[i], v.View[4+i], v.View[8+i] = float32(row.X), float32(row.Y), float32(row.Z)
		v.View[12+i] = float32(-r3.Dot(row, eye))
	}
	v.View[15] = 1
	near, far, c := .1, 1000., 1/math.Tan(fov/2)
	v.Projection[0], v.Projection[5] = float32(c*3/4), float32(c)
	v.Projection[10], v.Projection[14] = float32((far+near)/(near-far)), float32(2*far*near/(near-far))
	v.Projection[11] = -1
	return v
}

// ortho turns a camera into an orthographic one that shows 2·half metres from bottom to top.
func ortho(v View, half float64) View {
	v.Projection = [16]float32{}
	v.Projection[0], v.Projection[5], v.Projection[10], v.Projection[15] = float32(.75/half), float32(1/half), -1./500, 1
	return v
}

func mustView(tb testing.TB, s *Sizer, v View) {
	tb.Helper()
	if err := s.SetViews(v); err != nil {
		tb.Fatal(err)
	}
}

func total(out Outcome) int {
	n := 0
	for _, u := range out.Unknowns {
		n += u
	}
	return n
}
