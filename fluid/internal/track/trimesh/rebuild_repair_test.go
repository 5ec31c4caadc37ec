package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// eight is a tube around a curve that crosses itself once.
func eight(n, m int) *soup {
	var s soup
	s.addTube(func(turn float64) r3.Vec {
		sin, cos := math.Sincos(2 * math.Pi * turn)
		return r3.Vec{X: 2 * cos, Y: 2 * sin * cos, Z: 0.1 * sin}
	}, 0.3, n, m)
	return &s
}

// jitter moves all vertices.
func (s *soup) jitter(rng *rand.Rand, by float64) {
	for i := range s.position {
		s.position[i] = r3.Add(s.position[i], r3.Vec{X: by * rng.NormFloat64(), Y: by * rng.NormFloat64(), Z: by * rng.NormFloat64()})
	}
}

// Spheres pushed into each other are one, and a tube that crosses itself gets another hole where it does. The volume is that of what is inside.
func TestRepairJoins(t *testing.T) {
	const h, radius, step = 0.1, 0.6, 0.8
	var chain soup
	for i := range 4 {
		chain.addSphere(r3.Vec{X: step * float64(i)}, radius, 12)
	}
	// Each of three lenses of two caps is there twice before.
	const lens = math.Pi * (4*radius + step) * (2*radius - step) * (2*radius - step) / 12
	// The two arms of the eight cross at a right angle, 0.1 above and below the middle: at height z their widths make a square.
	crossing, steps := 0., 1000
	for i := range steps {
		z := 0.4*(float64(i)+0.5)/float64(steps) - 0.2
		crossing += 4 * math.Sqrt(0.09-(z-0.1)*(z-0.1)) * math.Sqrt(0.09-(z+0.1)*(z+0.1)) * 0.4 / float64(steps)
	}
	for _, c := range []struct {
		name   string
		soup   *soup
		euler  int
		change float64
		bound  float64
	}{
		{"chain", &chain, 2, -3 * lens, 3 * lens / 4},
		{"eight", eight(120, 20), -2, -crossing, crossing / 4},
	} {
		m := c.soup.mesh(0)
		before := volumeOf(m)
		var r Rebuilder
		report, err := r.Repair(m, Lattice{H: h}, 0)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := manifold(m); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if e := eulerOf(m); e != c.euler {
			t.Errorf("%s: Euler characteristic %d, want %d", c.name, e, c.euler)
		}
		if got := volumeOf(m) - before; math.Abs(got-c.change) > c.bound || math.Abs(got-report.VolumeChange) > 1e-12 {
			t.Errorf("%s: the volume changes by %v, and %v is reported, want %v ± %v", c.name, got, report.VolumeChange, c.change, c.bound)
		}
	}
}

// Whatever the vertices of spheres and tubes are moved by, up to several edge lengths, and whatever overlaps: nothing meets afterwards.
func TestRepairGarbage(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 8
	}
	rng := rand.New(rand.NewPCG(5, 6))
	var r Rebuilder
	for run := range runs {
		var s soup
		if run%3 == 0 {
			s = *eight(60, 12)
		}
		for range 1 + rng.IntN(4) {
			s.addSphere(r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}, 0.2+0.5*rng.Float64(), 4+rng.IntN(8))
		}
		s.jitter(rng, 0.2*rng.Float64()*rng.Float64())
		m := s.mesh(0)
		before, pairs := volumeOf(m), len(m.Intersections(nil))
		report, err := r.Repair(m, Lattice{H: 0.06 + 0.1*rng.Float64()}, 0)
		if err != nil {
			t.Errorf("run %d: %d pairs: %v", run, pairs, err)
			continue
		}
		if err := m.Check(); err != nil {
			t.Errorf("run %d: %v, %+v", run, err, report)
		}
		if got := volumeOf(m) - before; math.Abs(got-report.VolumeChange) > 1e-11 {
			t.Errorf("run %d: the volume changes by %v, and %v is reported", run, got, report.VolumeChange)
		}
	}
}
