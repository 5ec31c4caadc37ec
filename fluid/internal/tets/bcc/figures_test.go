package bcc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// uniform is a lattice of cells of one level with an edge of 1 m.
func uniform(dim [3]int, level uint8) *Lattice {
	g := laid(dim, slices.Repeat([]uint8{level}, dim[0]*dim[1]*dim[2]))
	l := &Lattice{}
	l.Build(g, &g.Cur, par.New(1))
	return l
}

func TestUniformLatticeHasItsKnownFigures(t *testing.T) {
	l := uniform([3]int{1, 1, 1}, 3)
	h := l.h
	lo, hi := l.extent()
	tets := make([]int, l.Vertices())
	for i, c := range l.Corners {
		for _, v := range c {
			tets[v]++
		}
		if v := l.tetVolume(i); math.Abs(v-h*h*h/12) > 1e-14*h*h*h {
			t.Fatalf("tetrahedron %d has the volume %g of %g", i, v, h*h*h)
		}
	}
	inner := 0
	for v, x := range l.Position {
		if least := min(x[0]-lo[0], hi[0]-x[0], x[1]-lo[1], hi[1]-x[1], x[2]-lo[2], hi[2]-x[2]); least < 1.1*h {
			continue
		}
		inner++
		edges := l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]]
		if tets[v] != 24 || len(edges) != 14 || math.Abs(l.Volume[v]-h*h*h/2) > 1e-14*h*h*h {
			t.Fatalf("vertex %d has %d tetrahedra, %d edges, volume %g", v, tets[v], len(edges), l.Volume[v])
		}
		squares := 0
		for _, e := range edges {
			n := l.RingRuns[e+1] - l.RingRuns[e]
			area, dist := 3*math.Sqrt(3)/16, math.Sqrt(3)/2
			if n == 4 {
				squares++
				area, dist = 1./8, 1
			} else if n != 6 {
				t.Fatalf("edge %d is in %d tetrahedra", e, n)
			}
			if math.Abs(l.Area[e]-area*h*h) > 1e-14*h*h || math.Abs(l.Dist[e]-dist*h) > 1e-14*h {
				t.Fatalf("edge %d has the area %g and the length %g with %d tetrahedra around it", e, l.Area[e], l.Dist[e], n)
			}
		}
		if squares != 6 {
			t.Fatalf("vertex %d has %d square polygons", v, squares)
		}
	}
	if inner < 100 {
		t.Errorf("%d vertices are away from the sides", inner)
	}
}

// dihedral are the six angles of a tetrahedron between its triangles, degrees, ascending.
func (l *Lattice) dihedral(t int) (angles [6]float64) {
	i := 0
	for a := range 4 {
		for b := range a {
			p, q := l.corner(t, a), l.corner(t, b)
			var others [2]*[3]float64
			k := 0
			for c := range 4 {
				if c != a && c != b {
					others[k] = l.corner(t, c)
					k++
				}
			}
			edge, u, v := geom.Sub(q, p), geom.Sub(others[0], p), geom.Sub(others[1], p)
			m, n := geom.Cross(&edge, &u), geom.Cross(&edge, &v)
			angles[i] = math.Acos(min(1, max(-1, geom.Dot(&m, &n)/(geom.Norm(&m)*geom.Norm(&n))))) * 180 / math.Pi
			i++
		}
	}
	slices.Sort(angles[:])
	return angles
}

func TestShapesHaveTheirAngles(t *testing.T) {
	third := math.Acos(1./3) * 180 / math.Pi // 70.53°
	want := [6][6]float64{
		Whole:        {60, 60, 60, 60, 90, 90},
		Bisected:     {45, 60, 60, 90, 90, 90},
		Quadrisected: {45, 45, 60, 90, 90, 90},
		HalfPyramid:  {45, 45, 60, 60, 90, 120},
		Tip:          {third / 2, third / 2, 45, 45, 120, 90 + third/2},
		Core:         {90 - third/2, 90 - third/2, 90 - third/2, 90 - third/2, 90, 180 - third},
	}
	var seen [6]int
	for seed := range uint64(4) {
		_, l := graded([3]int{3, 3, 3}, seed)
		for i, s := range l.Shapes {
			seen[s]++
			for k, angle := range l.dihedral(i) {
				if math.Abs(angle-want[s][k]) > 1e-6 || angle < 10.78 || angle > 164.74 {
					t.Fatalf("tetrahedron %d of shape %d has the angles %v", i, s, l.dihedral(i))
				}
			}
		}
	}
	if slices.Min(seen[:]) == 0 {
		t.Errorf("of the shapes there are %v", seen)
	}
}

// size is a list's, bytes.
func size[T any](s []T) float64 { return float64(len(s)) * float64(unsafe.Sizeof(*new(T))) }

// bytes is what the lattice holds, as it stands, and if tetrahedra and edges of one shape, orientation and size shared their geometry: then a byte for each tells
// which it is, and its place follows from a vertex.
func (l *Lattice) bytes() (whole, shared float64) {
	geometry := size(l.Shapes) + size(l.Centres) + size(l.Dist) + size(l.Area) + size(l.Middle)
	vertices := size(l.Position) + size(l.Cell) + size(l.Level) + size(l.Beyond) + size(l.Volume) + size(l.VertexEdgeRuns)
	graph := size(l.Ends) + size(l.RingRuns) + size(l.Ring) + size(l.VertexEdges) + size(l.Corners) + size(l.faces) + size(l.blocks)
	for _, c := range l.cursors {
		vertices += size(c)
	}
	for _, c := range l.chunks {
		graph += size(c.rings)
	}
	return geometry + vertices + graph, float64(l.Tets()+l.Edges()) + vertices + graph
}

func TestBytesPerTetrahedron(t *testing.T) {
	for _, l := range []*Lattice{uniform([3]int{3, 3, 3}, 3), second(graded([3]int{4, 4, 4}, 3))} {
		whole, shared := l.bytes()
		n := float64(l.Tets())
		t.Logf("%.0f tetrahedra: %.1f bytes each, %.1f if geometry were shared", n, whole/n, shared/n)
		if whole/n > 300 {
			t.Errorf("%g bytes per tetrahedron", whole/n)
		}
	}
}

func second[A, B any](_ A, b B) B { return b }

func TestLinearPressureIsInBalance(t *testing.T) {
	for seed := range seeds(4, 30) {
		_, l := graded([3]int{3, 3, 3}, seed)
		r := rand.New(rand.NewPCG(seed, 9))
		slope := [3]float64{r.Float64() - .5, r.Float64() - .5, r.Float64() - .5}
		lo, hi := l.extent()
		for v, x := range l.Position {
			if l.Beyond[v] {
				continue
			}
			flux, most, reach := 0., 0., 0.
			for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
				to := l.Ends[e][0] + l.Ends[e][1] - int32(v)
				way := geom.Sub(&l.Position[to], &x)
				f := l.Area[e] / l.Dist[e] * geom.Dot(&slope, &way)
				flux += f
				most += math.Abs(f)
				for _, c := range l.ring(int(e)) {
					reach = max(reach, geom.Distance(&c, &x))
				}
			}
			atSide := false
			for a := range 3 {
				atSide = atSide || x[a]-lo[a] < reach || hi[a]-x[a] < reach
			}
			if !atSide && math.Abs(flux) > 1e-12*most {
				t.Fatalf("layout %d: the flux of vertex %d does not balance: %g of %g", seed, v, flux, most)
			}
		}
	}
}
