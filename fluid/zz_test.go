package fluid

import (
	"testing"
	"fmt"
	"gonum.org/v1/gonum/spatial/r3"
)

func TestZZCup(t *testing.T) {
	for _, c := range []struct{ off, wall, dt float64 }{{0, .1, 1. / 60}, {.03, .1, 1. / 60}} {
		l := mustNew(t, Def{Domain: box(1.2, 1.4, 1.2), CellSize: .1})
		lo, hi := r3.Vec{X: .3 + c.off, Y: .4 + c.off, Z: .3 + c.off}, r3.Vec{X: .9 + c.off, Y: .8 + c.off, Z: .9 + c.off}
		wall := r3.Vec{X: c.wall, Z: c.wall}
		outside := Box(r3.Box{Min: r3.Sub(lo, wall), Max: r3.Add(hi, r3.Vec{X: c.wall, Y: c.wall, Z: c.wall})})
		if _, err := l.AddObstacle(Difference(outside, Box(r3.Box{Min: r3.Sub(lo, r3.Vec{Y: .2}), Max: hi}))); err != nil {
			t.Fatal(err)
		}
		must(t, l.Fill(Below(1.2)))
		room := r3.Box{Min: r3.Add(lo, r3.Vec{Y: .1}), Max: hi}
		must(t, l.Drain(Box(r3.Box{Min: r3.Sub(room.Min, r3.Scale(.5, wall)), Max: r3.Add(room.Max, r3.Vec{X: c.wall/2, Y: c.wall/2, Z: c.wall/2})})))
		fmt.Println(airIn(t, l, room), l.Ledger())
		for n := range 120 {
			r := l.Step(c.dt)
			if n % 6 == 5 || n < 6 {
				g := &l.sim.graph
				worst, at := 0., 0
				for f, u := range g.U { if u*u > worst { worst, at = u*u, f } }
				bub := ""
				for i := range g.Bubbles { b := &g.Bubbles[i]; in := 0.; ar := 0.
					for _, f := range b.Faces { in += f.Share*g.U[f.Face]*g.Area[f.Face]*g.Open[f.Face]; ar += g.Area[f.Face]*g.Open[f.Face] }
					bub += fmt.Sprintf(" [%.4f m3 %d faces %.3f m2 p %.0f in %.2g]", b.Volume, len(b.Faces), ar, b.Impulse/c.dt, in)
				}
				fmt.Printf("%d: air %.2f fastest %.3f at %.3v axis %d  a %d b %d open %.2f d %.4f drift %.2f it %d %s\n", n, airIn(t, l, room), fastest(l), g.FaceCentre(at), g.Axis[at], g.A[at], g.B[at], g.Open[at], g.Dist[at], l.Ledger().DriftL, r.Iterations, bub)
			}
		}
	}
}
