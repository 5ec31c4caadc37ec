package cutting_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// What is left open does not depend on what was measured before: bodies that move, rest, come and go, on a layout that
// changes, leave what they leave to who sees them for the first time.
func TestSolidsMeasuredAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	q := newTrial(t, halves)
	place := func() rigid.Solid {
		c := r3.Vec{X: 1.6 * random.Float64(), Y: 1.2 * random.Float64(), Z: 1.6 * random.Float64()}
		e := r3.Vec{X: .2, Y: .2, Z: .2}
		return rigid.Solid{Distance: distance(func(x r3.Vec) float64 { return r3.Norm(r3.Sub(x, c)) - .2 }),
			Bounds: r3.Box{Min: r3.Sub(c, e), Max: r3.Add(c, e)}, Centre: c}
	}
	bodies := []rigid.Solid{place(), place(), place()}
	for step := range 40 {
		for i := range bodies {
			bodies[i].Still = step > 0
		}
		switch step % 5 {
		case 0:
			i := random.IntN(len(bodies))
			bodies[i] = place()
		case 1:
			b := int32(random.IntN(q.g.Bases()))
			q.g.Set(b, 5-q.g.Cur.Level[b]) // 2 or 3
			q.g.Settle()
		case 2: // one goes and another comes
			bodies = append(slices.Delete(bodies, 0, 1), place())
			for i := range bodies {
				bodies[i].Still = false
			}
		case 3:
			q.d.Forget()
		}
		q.d.Solids(bodies, cutting.Near{})
		fresh := cutting.New(q.g, par.New(1), [3]float64{}, [3]float64{8 * h * 4, 8 * h * 3, 8 * h * 4}, [6]bool{})
		fresh.Solids(bodies, cutting.Near{})
		q.each(func(c int32, x r3.Vec, _ float64) {
			if q.d.Volume[c] != fresh.Volume[c] || q.d.Open[0][c] != fresh.Open[0][c] || q.d.Open[1][c] != fresh.Open[1][c] || q.d.Open[2][c] != fresh.Open[2][c] {
				t.Fatalf("step %d: what is open at %.3f depends on what was", step, x)
			}
		})
	}
}
