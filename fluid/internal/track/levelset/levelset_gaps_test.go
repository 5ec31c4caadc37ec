package levelset

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The walls of a slit one cell wide, in whose middle cells the velocity is 0, come as fast as the liquid beside them: after the time in which that goes half of
// the slit's width it is shut.
func TestSlitCloses(t *testing.T) {
	closesInAir(t, true)
}

// What is taken to be a slit in a solid stays: φ is only extrapolated there, and the velocity is the solid's.
func TestSlitInASolidStays(t *testing.T) {
	closesInAir(t, false)
}

// closesInAir has liquid come from both sides into a slit, in air or in a solid.
func closesInAir(t *testing.T, air bool) {
	const h, dt, speed, width = .1, .01, .5, .08
	q := newTrial(t, [3]int{2, 1, 1}, h, 3, 2)
	q.s.Whole = func(int32, int) bool { return air }
	middle := 7.5 * h
	q.s.Set(func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(width/2 - math.Abs(x.X-middle))
		}
	})
	q.s.Publish()
	q.flow(func(x r3.Vec) r3.Vec {
		if x.X < middle {
			return r3.Vec{X: speed}
		}
		return r3.Vec{X: -speed}
	})
	open := func() (n int) {
		q.eachCell(func(_ int32, c int, _ r3.Vec, _ float64) {
			if q.s.Phi[c] >= 0 {
				n++
			}
		})
		return n
	}
	if n := open(); n != 64 {
		t.Fatalf("%d cells of air, want 64", n)
	}
	steps := int(width / 2 / speed / dt)
	for n := range steps + 1 {
		if n < steps-1 && open() != 64 {
			t.Errorf("%d cells of air after %d steps, want 64", open(), n)
		}
		q.step(dt)
	}
	if n := open(); n == 0 != air {
		t.Errorf("%d cells of air when the walls have met", n)
	}
}

// A slit that goes along with the liquid around it does not close.
func TestCarriedSlitStays(t *testing.T) {
	const h, dt, speed, width = .1, .01, .5, .08
	q := newTrial(t, [3]int{2, 1, 1}, h, 3, 2)
	q.s.Set(func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(width/2 - math.Abs(x.X-4.5*h))
		}
	})
	q.s.Publish()
	q.flow(func(x r3.Vec) r3.Vec { return r3.Vec{X: speed} })
	v, tile := q.v.Tile(0), q.s.Tiles.Tile(0)
	for i := range 8 {
		if by := closing(tile, &v, &[3]int{i, 3, 3}, 8); by != 0 {
			t.Errorf("the slit in cell %d closes at %g m/s", i, by)
		}
	}
}
