package boundary

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Drops that fly at random into each other within a bowl stay sound: no surface meets itself, nothing is lost, nothing becomes infinite.
func TestRandomDrops(t *testing.T) {
	steps := 1200
	if testing.Short() {
		steps = 40
	}
	rng := rand.New(rand.NewPCG(3, 1))
	l := newLiquid(t, .6)
	l.Viscosity, l.ContactAngle = .02, 1.6
	dir := func() r3.Vec { return r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()} }
	volume, most, unsolved, repairs := 0., 0., 0, 0
	for k := range steps {
		if k%25 == 0 && len(l.Pieces()) < 8 {
			x := r3.Scale(2, dir())
			at, triangles := ballAt(1, .4+.4*rng.Float64(), x)
			u := r3.Scale(-.5, x)
			if err := l.Add(at, triangles, 0, constant(u)); err == nil {
				volume = 0
				for i := range l.volumes.Piece {
					volume += l.volumes.Piece[i].Target
				}
			}
		}
		r, err := l.Step(.05, func(x r3.Vec) r3.Vec { return r3.Scale(-.3, x) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		unsolved, repairs = unsolved+r.Unsolved, repairs+r.Track.Repairs
		sum := 0.
		for i := range l.volumes.Piece {
			sum += l.volumes.Piece[i].Target
		}
		if math.Abs(sum+r.Removed-volume) > 1e-9*volume {
			t.Fatalf("step %d: %g of %g m³", k, sum, volume)
		}
		most = max(most, l.fastest())
		if k%10 == 0 {
			if err := l.Tracker.Mesh.Check(); err != nil {
				t.Fatalf("step %d: %v", k, err)
			}
		}
		if k%100 == 99 {
			has := 0.
			for _, p := range l.Pieces() {
				has += p.Volume
			}
			t.Logf("step %d: %d pieces, %d faces, speed %.3g, volume off %.2g, %d unsolved, %d repairs", k, len(l.Pieces()), len(l.velocity), l.fastest(), has/volume-1, unsolved, repairs)
		}
	}
	if most > 50 {
		t.Errorf("a face has moved with %g m/s", most)
	}
}
