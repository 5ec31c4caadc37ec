package shapes

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Every expression is a closed surface of one piece without handles, of nearly the same volume, and moods move the mouth's corners.
func TestFace(t *testing.T) {
	h := NewFace(1)
	m := Mesh{Positions: make([]r3.Vec, len(h.Rest.Positions)), Triangles: h.Rest.Triangles}
	most, highest := 0., [2]float64{}
	for i, mood := range []float64{-1, 1} {
		h.At(mood, m.Positions)
		if err := m.Check(); err != nil {
			t.Fatalf("mood %g: %v", mood, err)
		}
		if e := euler(m); e != 2 {
			t.Errorf("Euler characteristic %d, want 2", e)
		}
		if off := m.Volume()/h.Rest.Volume() - 1; off > .02 || off < -.02 {
			t.Errorf("mood %g: the volume is %.3f of the straight face's too much", mood, off)
		}
		for v, p := range h.Rest.Positions {
			most = max(most, r3.Norm(r3.Sub(m.Positions[v], p)))
			if p.Z > .3 && p.X > .11 && p.X < .14 && p.Y < -.22 && p.Y > -.26 {
				highest[i] = m.Positions[v].Y
			}
		}
	}
	if most > .08 {
		t.Errorf("a vertex goes %g of the height", most)
	}
	if !(highest[1] > highest[0]+.05) {
		t.Errorf("the mouth's corner is at %.3f in a frown, %.3f in a smile", highest[0], highest[1])
	}
}
