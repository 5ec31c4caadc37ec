package trimesh

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Two balls of heavy vertices that fly into each other stop before they meet: no impulse moves them, so that only a part of the motion can be done.
func TestMoveHeavyIntoHeavy(t *testing.T) {
	for _, near := range []float64{0, .01} {
		m := meshOf(icosphere(r3.Vec{X: -.6}, .5, 4), icosphere(r3.Vec{X: .6, Y: .1}, .5, 4))
		for v, x := range m.Position {
			m.Heavy[v] = true
			m.Target[v] = r3.Add(x, r3.Vec{X: .4})
			if x.X > 0 {
				m.Target[v] = r3.Add(x, r3.Vec{X: -.4})
			}
		}
		r := Mover{Near: near}
		report := r.Move(m, .1)
		legal(t, m, near)
		// They touch after about .1/.4 of the way.
		if report.Fraction != .125 && report.Fraction != .25 {
			t.Errorf("Near %v: %+v", near, report)
		}
	}
}
