package boundary

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// What can't be added or stepped is refused, and all is left as it was.
func TestLiquidIsRefused(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	addBall(t, l, 1, 1, r3.Vec{}, 0, still)
	at, triangles := geom.Icosphere(1)
	before := append([]r3.Vec{}, l.Tracker.Mesh.Position...)
	far := append([]r3.Vec{}, at...)
	for i := range far {
		far[i].X += 5
	}
	nan := append([]r3.Vec{}, far...)
	nan[3].Y = math.NaN()
	half := append([]r3.Vec{}, at...)
	for i := range half {
		half[i] = r3.Scale(.5, half[i])
	}
	for what, c := range map[string]struct {
		at        []r3.Vec
		triangles [][3]int32
		label     int32
		u         r3.Vec
		want      error
	}{
		"open":            {far, triangles[1:], 0, r3.Vec{}, ErrSurface},
		"not finite":      {nan, triangles, 0, r3.Vec{}, ErrNotFinite},
		"no velocity":     {far, triangles, 0, r3.Vec{X: math.Inf(1)}, ErrNotFinite},
		"within":          {half, triangles, 0, r3.Vec{}, ErrSurface},
		"another's label": {before, triangles, 1, r3.Vec{}, ErrSurface},
		"a corner":        {far, append([][3]int32{{0, 1, 99}}, triangles...), 0, r3.Vec{}, ErrSurface},
		"nothing":         {nil, nil, 0, r3.Vec{}, ErrSurface},
	} {
		if err := l.Add(c.at, c.triangles, c.label, constant(c.u)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := l.Step(.01, constant(r3.Vec{X: math.NaN()}), nil); !errors.Is(err, ErrNotFinite) {
		t.Errorf("an acceleration that is not a number: %v", err)
	}
	if _, err := l.Step(-1, still, nil); !errors.Is(err, ErrMaterial) {
		t.Errorf("a step backwards: %v", err)
	}
	for v := range before {
		if l.Tracker.Mesh.Position[v] != before[v] {
			t.Fatalf("vertex %d has moved", v)
		}
	}
}

// What overlaps joins: the volumes add up, and so do the momenta.
func TestAddJoins(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	addBall(t, l, 1, 1, r3.Vec{}, 0, constant(r3.Vec{X: 1}))
	ball := l.Pieces()[0].Volume
	addBall(t, l, 1, 1, r3.Vec{X: 1.5, Y: .1, Z: .2}, 0, constant(r3.Vec{Y: 1}))
	p := l.Pieces()
	if len(p) != 1 {
		t.Fatalf("%d pieces", len(p))
	}
	if got := l.volumes.Piece[0].Target; math.Abs(got/(2*ball)-1) > 1e-12 {
		t.Errorf("it is to keep %g of %g m³", got, 2*ball)
	}
	if got := r3.Scale(l.volumes.Piece[0].Target, p[0].Velocity); r3.Norm(r3.Sub(got, r3.Vec{X: ball, Y: ball})) > 1e-12 {
		t.Errorf("momentum %v", got)
	}
	for range 40 {
		advance(t, l, .01, still)
	}
	if got := l.Pieces()[0].Volume; math.Abs(got/(2*ball)-1) > 1e-9 {
		t.Errorf("it has %g of %g m³", got, 2*ball)
	}
	if err := l.Tracker.Mesh.Check(); err != nil {
		t.Error(err)
	}
}

// Pieces in a shape are taken out whole, and the others stay.
func TestRemove(t *testing.T) {
	l := newLiquid(t, edgeOf(1))
	for k := range 3 {
		addBall(t, l, 1, 1, r3.Vec{X: 3 * float64(k)}, int32(k), constant(r3.Vec{X: float64(k)}))
	}
	want := l.Pieces()[1].Volume
	if got := l.Remove(func(x r3.Vec) bool { return math.Abs(x.X-3) < 1 }); got != want {
		t.Errorf("%g m³ of %g", got, want)
	}
	p := l.Pieces()
	if len(p) != 2 || p[0].Label != 0 || p[1].Label != 2 || math.Abs(p[1].Velocity.X-2) > 1e-12 {
		t.Errorf("left are %+v", p)
	}
	if u, inside := l.VelocityAt(r3.Vec{X: 6.2, Y: .3}); !inside || math.Abs(u.X-2) > 1e-12 {
		t.Errorf("velocity %v", u)
	}
	if _, inside := l.VelocityAt(r3.Vec{X: 3}); inside {
		t.Error("there is liquid where it was taken out")
	}
}
