package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// A ball joined to a sphere that it overlaps, to one far away and to one that holds it.
func TestUnionOfSpheres(t *testing.T) {
	const h = 0.1
	for _, c := range []struct {
		x, radius float64
		volume    float64
		euler     int
	}{
		{0.8, 1, 2*4./3*math.Pi - math.Pi*(4+0.8)*(2-0.8)*(2-0.8)/12, 2},
		{3, 1, 2 * 4. / 3 * math.Pi, 4},
		{0.3, 0.4, 4. / 3 * math.Pi, 2},
	} {
		m := cubeSphere(r3.Vec{}, 1, 20)
		lost := 4./3*math.Pi - volumeOf(m)
		before := volumeOf(m)
		at := r3.Vec{X: c.x}
		var r Rebuilder
		report, err := r.Union(m, Lattice{H: h}, r3.Box{Min: r3.Vec{X: c.x - c.radius - h, Y: -c.radius - h, Z: -c.radius - h}, Max: r3.Vec{X: c.x + c.radius + h, Y: c.radius + h, Z: c.radius + h}}, batches(ballDistance(at, c.radius)), 0)
		if err != nil {
			t.Fatalf("x = %v: %v", c.x, err)
		}
		if err := manifold(m); err != nil {
			t.Errorf("x = %v: %v", c.x, err)
		}
		v := volumeOf(m)
		if math.Abs(v-before-report.VolumeChange) > 1e-12 {
			t.Errorf("x = %v: the volume goes from %v to %v, but %v is reported", c.x, before, v, report.VolumeChange)
		}
		// Chords of length h cut off a layer of less than h²/4 r.
		if bound := lost + 4*math.Pi*h*h/4; math.Abs(v-c.volume) > bound {
			t.Errorf("x = %v: volume %v, want %v ± %v", c.x, v, c.volume, bound)
		}
		if e := eulerOf(m); e != c.euler {
			t.Errorf("x = %v: Euler characteristic %d, want %d", c.x, e, c.euler)
		}
	}
}

// A ball taken out of a box's side, of its middle, and through it.
func TestSubtractFromBox(t *testing.T) {
	const h = 0.1
	for _, n := range []int{1, 4, 20} {
		for _, c := range []struct {
			z, radius float64
			taken     float64
			euler     int
		}{
			{1, 0.5, 2. / 3 * math.Pi / 8, 2},
			{0.5, 0.3, 4. / 3 * math.Pi * 0.027, 4},
		} {
			m := boxMesh(r3.Vec{}, r3.Vec{X: 1.5, Y: 1.5, Z: 1}, n)
			at := r3.Vec{X: 0.7, Y: 0.75, Z: c.z}
			var r Rebuilder
			box := r3.Box{Min: r3.Vec{X: at.X - c.radius - h, Y: at.Y - c.radius - h, Z: at.Z - c.radius - h}, Max: r3.Vec{X: at.X + c.radius + h, Y: at.Y + c.radius + h, Z: at.Z + c.radius + h}}
			_, err := r.Subtract(m, Lattice{H: h}, box, batches(ballDistance(at, c.radius)), 0)
			if err != nil {
				t.Fatalf("z = %v: %v", c.z, err)
			}
			if err := manifold(m); err != nil {
				t.Errorf("z = %v: %v", c.z, err)
			}
			if got := 1.5*1.5 - volumeOf(m); math.Abs(got-c.taken) > 4*math.Pi*c.radius*h*h/4 {
				t.Errorf("z = %v: %v are taken, want %v", c.z, got, c.taken)
			}
			if e := eulerOf(m); e != c.euler {
				t.Errorf("z = %v: Euler characteristic %d, want %d", c.z, e, c.euler)
			}
		}
	}
}

// sampling is a grid of points around the origin, of which it is known whether they are inside.
type sampling struct {
	n       int
	spacing float64
	inside  []bool
}

func newSampling(n int, size float64) *sampling {
	return &sampling{n, size / float64(n), make([]bool, n*n*n)}
}

// change adds a shape, or takes it out.
func (s *sampling) change(f func(x r3.Vec) float64, in bool) {
	at := func(i int) float64 { return (float64(i) - float64(s.n-1)/2) * s.spacing }
	for i := range s.inside {
		if f(r3.Vec{X: at(i % s.n), Y: at(i / s.n % s.n), Z: at(i / s.n / s.n)}) < 0 {
			s.inside[i] = in
		}
	}
}

func (s *sampling) volume() float64 {
	count := 0
	for _, in := range s.inside {
		if in {
			count++
		}
	}
	return float64(count) * s.spacing * s.spacing * s.spacing
}

// randomShape is a ball, a block or a plate around a random place.
func randomShape(rng *rand.Rand) (f func(x r3.Vec) float64, box r3.Box) {
	c := r3.Vec{X: 2.4*rng.Float64() - 1.2, Y: 2.4*rng.Float64() - 1.2, Z: 2.4*rng.Float64() - 1.2}
	half := r3.Vec{X: 0.1 + 0.5*rng.Float64(), Y: 0.1 + 0.5*rng.Float64(), Z: 0.1 + 0.5*rng.Float64()}
	switch rng.IntN(3) {
	case 0:
		half = r3.Vec{X: half.X, Y: half.X, Z: half.X}
		f = ballDistance(c, half.X)
	case 1:
		half.Z = 0.1 * rng.Float64()
		fallthrough
	default:
		f = blockDistance(r3.Sub(c, half), r3.Add(c, half))
	}
	return f, r3.Box{Min: r3.Sub(c, half), Max: r3.Add(c, half)}
}

// 1,000 random unions and differences, ten after each other: the mesh stays a closed manifold without intersections, the region stays small, what is away from it stays as it was, and the volume is that
// of a sampling.
func TestRandomUnions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var r Rebuilder
	runs := 100
	if testing.Short() {
		runs = 4
	}
	for run := range runs {
		m := cubeSphere(r3.Vec{}, 1, 8)
		sampling := newSampling(64, 3.8)
		sampling.change(ballDistance(r3.Vec{}, 1), true)
		missed := sampling.volume() - volumeOf(m)
		tolerance := 0.
		for step := range 10 {
			f, box := randomShape(rng)
			h := 0.1 + 0.1*rng.Float64()
			l := Lattice{Origin: r3.Vec{X: rng.Float64()}, H: h}
			change, in := r.Union, true
			if rng.IntN(2) == 0 {
				change, in = r.Subtract, false
			}
			before := triangleSet(m)
			report, err := change(m, l, box, batches(f), 0)
			if err != nil {
				t.Fatalf("run %d, step %d: %v", run, step, err)
			}
			if err := manifold(m); err != nil {
				t.Fatalf("run %d, step %d: %v, %+v", run, step, err, report)
			}
			if report.Cells > report.Marked+report.Marked/4+20 {
				t.Errorf("run %d, step %d: the region grows from %d cells to %d", run, step, report.Marked, report.Cells)
			}
			checkFar(t, m, before, &box, 8*h)
			m.Compact()
			sampling.change(f, in)
			// In a cell the surface is right but for edges of shapes, which are cut off: by less than a quarter of the cell. What is thinner than a cell may be missed as a whole.
			tolerance += float64(report.Marked) * h * h * h / 4
			if size := r3.Sub(box.Max, box.Min); size.Z < h {
				tolerance += size.X * size.Y * size.Z
			}
		}
		if got, want := volumeOf(m)+missed, sampling.volume(); math.Abs(got-want) > tolerance {
			t.Errorf("run %d: the volume is %v, want %v ± %v", run, got, want, tolerance)
		}
	}
}

// checkFar reports triangles further than a distance from a box that have come or gone.
func checkFar(t *testing.T, m *Mesh, before map[[3]r3.Vec]bool, box *r3.Box, distance float64) {
	t.Helper()
	after := triangleSet(m)
	around := boxes.Grown(*box, distance)
	for _, sets := range [2][2]map[[3]r3.Vec]bool{{before, after}, {after, before}} {
		for k := range sets[0] {
			if !sets[1][k] && !boxes.Holds(&around, &k[0]) && !boxes.Holds(&around, &k[1]) && !boxes.Holds(&around, &k[2]) {
				t.Errorf("triangle %v is %v away from the change, but is in one of the meshes alone", k, distance)
				return
			}
		}
	}
}

// A ball falls on a sheet thinner than a cell: the sheet stays all around.
func TestUnionOnThinSheet(t *testing.T) {
	const h, thick = 0.1, 0.03
	low, high := r3.Vec{X: -2, Y: -2, Z: -thick / 2}, r3.Vec{X: 2, Y: 2, Z: thick / 2}
	for _, n := range []int{1, 40} {
		for _, at := range []r3.Vec{{Z: 0.2}, {X: 0.013, Y: 0.021, Z: 0.41}, {X: 2, Z: 0.1}} {
			m := boxMesh(low, high, n)
			before := volumeOf(m)
			var r Rebuilder
			box := r3.Box{Min: r3.Sub(at, r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}), Max: r3.Add(at, r3.Vec{X: 0.5, Y: 0.5, Z: 0.5})}
			report, err := r.Union(m, Lattice{H: h}, box, batches(ballDistance(at, 0.5)), 0)
			if err != nil {
				t.Errorf("n %d, %v: %v", n, at, err)
				continue
			}
			if err := manifold(m); err != nil {
				t.Errorf("n %d, %v: %v", n, at, err)
			}
			if e := eulerOf(m); e != 2 {
				t.Errorf("n %d, %v: Euler characteristic %d, want 2", n, at, e)
			}
			// The ball meets the sheet in half a disc or a whole one. Around it the sheet may end a cell and a half away, and chords of length h cut a layer of h²/4 r off the ball.
			const radius = 0.5
			disc := math.Pi * (radius*radius - at.Z*at.Z) * thick
			if at.X > 1 {
				disc /= 2
			}
			bound := 2*math.Pi*radius*1.5*h*thick + math.Pi*radius*h*h
			if got, want := volumeOf(m)-before, 4./3*math.Pi*radius*radius*radius-disc; math.Abs(got-want) > bound {
				t.Errorf("n %d, %v: %v is added, want %v ± %v", n, at, got, want, bound)
			}
			if report.Cells > report.Marked*5/4+10 {
				t.Errorf("n %d, %v: the region grows from %d cells to %d", n, at, report.Marked, report.Cells)
			}
		}
	}
}

// The same lattice and almost the same ball again and again: seams come to lie on seams.
func TestUnionAgain(t *testing.T) {
	m := cubeSphere(r3.Vec{}, 1, 12)
	var r Rebuilder
	for i := range 12 {
		at := r3.Vec{X: 0.9 + 0.002*float64(i)}
		report, err := r.Union(m, Lattice{H: 0.1}, boxOf(at, 0.3), batches(ballDistance(at, 0.3)), 0)
		if err != nil {
			t.Fatalf("time %d: %v", i, err)
		}
		if err := manifold(m); err != nil {
			t.Fatalf("time %d: %v", i, err)
		}
		if e := eulerOf(m); e != 2 || report.Cells > 150 {
			t.Errorf("time %d: Euler characteristic %d, %+v", i, e, report)
		}
	}
}
