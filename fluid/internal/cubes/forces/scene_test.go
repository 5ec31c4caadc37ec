package forces

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// scene is a grid from the origin with a liquid on it.
type scene struct {
	g     *layout.Grid
	pool  *par.Pool
	d     *cutting.Discretiser
	gr    graph.Graph
	phi   []float32
	faces [3][]float32
}

// newScene makes one of dim blocks with cells of edge h; level gives a block's level by its place.
func newScene(t testing.TB, workers int, h float64, dim [3]int, level func(at [3]int) uint8, phi func(x [3]float64) float64) *scene {
	s := &scene{g: layout.New([3]float64{}, h, dim, 3), pool: par.New(workers)}
	t.Cleanup(s.pool.Close)
	if level != nil {
		for b := range int32(s.g.Bases()) {
			s.g.Set(b, level(s.g.BaseCoords(b)))
		}
		s.g.Settle()
	}
	s.g.OnGrow(func(n int) {
		s.phi = arrays.Lengthen(s.phi, n)
		for a := range s.faces {
			s.faces[a] = arrays.Lengthen(s.faces[a], n)
		}
	})
	e := h * layout.Edge
	hi := [3]float64{e * float64(dim[0]), e * float64(dim[1]), e * float64(dim[2])}
	s.d = cutting.New(s.g, s.pool, [3]float64{}, hi, [6]bool{})
	s.fill(phi)
	return s
}

func (s *scene) fill(phi func(x [3]float64) float64) {
	s.each(func(c int, x [3]float64, h float64) {
		s.phi[c] = float32(max(-3*h, min(3*h, phi(x))))
	})
	s.refill()
}

// refill makes the graph of phi and the solids.
func (s *scene) refill() {
	s.d.Solids(nil, cutting.Near{})
	s.d.Fill(&s.gr, s.phi, 0)
}

func (s *scene) each(f func(c int, x [3]float64, h float64)) {
	for b := range int32(s.g.Bases()) {
		l := s.g.Cur.Level[b]
		n, h, lo := 1<<l, s.g.CellSize(l), s.g.Corner(b)
		for i := range n * n * n {
			f(int(s.g.Cur.First[b])+i, [3]float64{lo[0] + (float64(i%n)+.5)*h, lo[1] + (float64(i/n%n)+.5)*h, lo[2] + (float64(i/(n*n))+.5)*h}, h)
		}
	}
}

// box is the signed distance of a box.
func box(x, lo, hi [3]float64) float64 {
	d := math.Inf(-1)
	for a := range 3 {
		d = max(d, lo[a]-x[a], x[a]-hi[a])
	}
	return d
}

func distance(x, y [3]float64) float64 {
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}
