package stuffing

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/meshsdf"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// distance is a field's at one point, m, negative inside.
type distance func(p r3.Vec) float64

func (d distance) eval(dst []float64, pts []r3.Vec) {
	for i, p := range pts {
		dst[i] = d(p)
	}
}

// at is the field at a lattice's vertices.
func (d distance) at(l *bcc.Lattice) []float64 {
	dst := make([]float64, l.Vertices())
	for v, p := range l.Position {
		dst[v] = d(point(p))
	}
	return dst
}

func point(p [3]float64) r3.Vec { return r3.Vec{X: p[0], Y: p[1], Z: p[2]} }

func sphere(c r3.Vec, r float64) distance {
	return func(p r3.Vec) float64 { return r3.Norm(r3.Sub(p, c)) - r }
}

func plane(c, n r3.Vec) distance {
	n = r3.Unit(n)
	return func(p r3.Vec) float64 { return r3.Dot(r3.Sub(p, c), n) }
}

// disc is a round plate of a thickness.
func disc(c, n r3.Vec, r, thick float64) distance {
	n = r3.Unit(n)
	return func(p r3.Vec) float64 {
		q := r3.Sub(p, c)
		z := r3.Dot(q, n)
		return max(math.Abs(z)-thick/2, r3.Norm(r3.Sub(q, r3.Scale(z, n)))-r)
	}
}

func torus(c, n r3.Vec, r, tube float64) distance {
	n = r3.Unit(n)
	return func(p r3.Vec) float64 {
		q := r3.Sub(p, c)
		z := r3.Dot(q, n)
		return math.Hypot(r3.Norm(r3.Sub(q, r3.Scale(z, n)))-r, z) - tube
	}
}

// waves is below a surface with two trains of waves. It is no distance: its gradient is up to 2.
func waves(c r3.Vec, height, length float64) distance {
	k := 2 * math.Pi / length
	return func(p r3.Vec) float64 {
		q := r3.Sub(p, c)
		return q.Z - height*(math.Sin(k*q.X)+math.Sin(k*(.6*q.X+.8*q.Y)))/2
	}
}

func without(a, b distance) distance {
	return func(p r3.Vec) float64 { return max(a(p), -b(p)) }
}

func both(a, b distance) distance { return func(p r3.Vec) float64 { return min(a(p), b(p)) } }

// star is a triangle mesh of a ball with spikes, as a solid.
func star(t testing.TB, c r3.Vec, r float64) distance {
	t.Helper()
	const around, up = 20, 10
	vertices := []r3.Vec{r3.Add(c, r3.Vec{Z: r}), r3.Add(c, r3.Vec{Z: -r})}
	for i := 1; i < up; i++ {
		for j := range around {
			a, b := math.Pi*float64(i)/up, 2*math.Pi*float64(j)/around
			s := r * (1 - .5*float64((i+j)%2))
			vertices = append(vertices, r3.Add(c, r3.Vec{X: s * math.Sin(a) * math.Cos(b), Y: s * math.Sin(a) * math.Sin(b), Z: s * math.Cos(a)}))
		}
	}
	at := func(i, j int) int32 { return int32(2 + (i-1)*around + j%around) }
	var triangles [][3]int32
	for j := range around {
		triangles = append(triangles, [3]int32{0, at(1, j), at(1, j+1)}, [3]int32{1, at(up-1, j+1), at(up-1, j)})
		for i := 1; i < up-1; i++ {
			triangles = append(triangles, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	s, err := meshsdf.New(vertices, triangles, 0)
	if err != nil {
		t.Fatal(err)
	}
	var dst [1]float32
	return func(p r3.Vec) float64 {
		s.Eval(dst[:], []r3.Vec{p})
		return float64(dst[0])
	}
}

// random is a vector of whose components each is between -.5 and .5.
func random(r *rand.Rand) r3.Vec {
	return r3.Vec{X: r.Float64() - .5, Y: r.Float64() - .5, Z: r.Float64() - .5}
}
