package raster

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// box is the surface of a box.
func box(min, max r3.Vec) *Surface {
	s := &Surface{}
	for i := range 8 {
		p := min
		if i&1 != 0 {
			p.X = max.X
		}
		if i&2 != 0 {
			p.Y = max.Y
		}
		if i&4 != 0 {
			p.Z = max.Z
		}
		s.Positions = append(s.Positions, p)
	}
	for _, q := range [6][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		s.Triangles = append(s.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return s
}

// sphere is an octahedron of radius 1 about the origin, divided n times.
func sphere(n int) *Surface {
	s := &Surface{Positions: []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}}
	for i := range int32(8) {
		x, y, z := i&1, 2+i>>1&1, 4+i>>2&1
		if (i&1+i>>1&1+i>>2&1)&1 == 0 {
			s.Triangles = append(s.Triangles, [3]int32{x, y, z})
		} else {
			s.Triangles = append(s.Triangles, [3]int32{x, z, y})
		}
	}
	for range n {
		middles := map[[2]int32]int32{}
		middle := func(a, b int32) int32 {
			key := [2]int32{min(a, b), max(a, b)}
			if _, ok := middles[key]; !ok {
				middles[key] = int32(len(s.Positions))
				s.Positions = append(s.Positions, r3.Unit(r3.Add(s.Positions[a], s.Positions[b])))
			}
			return middles[key]
		}
		var finer [][3]int32
		for _, t := range s.Triangles {
			a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
			finer = append(finer, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
		}
		s.Triangles = finer
	}
	return s
}

// torus has radii 1 and thick, and n by m quadrilaterals.
func torus(thick float64, n, m int) *Surface {
	s := &Surface{}
	for i := range n {
		for j := range m {
			u, v := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(m)
			rho := 1 + thick*math.Cos(v)
			s.Positions = append(s.Positions, r3.Vec{X: rho * math.Cos(u), Y: rho * math.Sin(u), Z: thick * math.Sin(v)})
			at := func(i, j int) int32 { return int32(i%n*m + j%m) }
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			s.Triangles = append(s.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return s
}

// moved is a surface scaled, turned and moved.
func moved(s *Surface, scale float64, turn r3.Rotation, by r3.Vec) *Surface {
	m := &Surface{Triangles: s.Triangles}
	for _, p := range s.Positions {
		m.Positions = append(m.Positions, r3.Add(r3.Scale(scale, turn.Rotate(p)), by))
	}
	return m
}

// joined is several surfaces as one.
func joined(all ...*Surface) *Surface {
	j := &Surface{}
	for _, s := range all {
		n := int32(len(j.Positions))
		j.Positions = append(j.Positions, s.Positions...)
		for _, t := range s.Triangles {
			j.Triangles = append(j.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return j
}

// reversed is a surface that faces the other way.
func reversed(s *Surface) *Surface {
	m := &Surface{Positions: s.Positions}
	for _, t := range s.Triangles {
		m.Triangles = append(m.Triangles, [3]int32{t[0], t[2], t[1]})
	}
	return m
}

func randomVec(rng *rand.Rand, most float64) r3.Vec {
	return r3.Vec{X: most * (2*rng.Float64() - 1), Y: most * (2*rng.Float64() - 1), Z: most * (2*rng.Float64() - 1)}
}

func randomTurn(rng *rand.Rand) r3.Rotation {
	return r3.NewRotation(6*rng.Float64(), randomVec(rng, 1))
}

// around is a lattice that holds a surface with a cell to spare.
func around(s *Surface, h float64, rng *rand.Rand) Lattice {
	l := Lattice{H: h}
	for axis := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, p := range s.Positions {
			x := [3]float64{p.X, p.Y, p.Z}[axis]
			lo, hi = min(lo, x), max(hi, x)
		}
		l.Origin[axis] = lo - h*(1.6+rng.Float64())
		l.Dim[axis] = int((hi-l.Origin[axis])/h) + 3
	}
	return l
}

// centre is that of the cell with an index.
func (l *Lattice) centre(cell int) r3.Vec {
	at := func(axis, i int) float64 { return l.Origin[axis] + l.H*(float64(i)+.5) }
	return r3.Vec{X: at(0, cell%l.Dim[0]), Y: at(1, cell/l.Dim[0]%l.Dim[1]), Z: at(2, cell/(l.Dim[0]*l.Dim[1]))}
}

func unit(axis int) r3.Vec { return [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[axis] }

func scan(t testing.TB, s *Surface, l Lattice) *Raster {
	t.Helper()
	pool := par.New(1)
	defer pool.Close()
	r := &Raster{}
	if skipped := r.Scan(pool, s, l); skipped != 0 {
		t.Fatalf("%d triangles skipped", skipped)
	}
	checkCrossings(t, r)
	return r
}

// checkCrossings checks that there is one between any two neighbours of which one is inside, in order, and of finite numbers.
func checkCrossings(t testing.TB, r *Raster) {
	t.Helper()
	n := r.Cells()
	if len(r.Inside) != n {
		t.Fatalf("%d cells, want %d", len(r.Inside), n)
	}
	for axis, stride := range r.Strides() {
		if len(r.At[axis]) != n {
			t.Fatalf("At[%d] has %d cells, want %d", axis, len(r.At[axis]), n)
		}
		found := int32(0)
		for cell := range n {
			i := [3]int{cell % r.Dim[0], cell / r.Dim[0] % r.Dim[1], cell / (r.Dim[0] * r.Dim[1])}[axis]
			if i == r.Dim[axis]-1 || r.Inside[cell] == r.Inside[cell+int(stride)] {
				if r.At[axis][cell] != -1 {
					t.Fatalf("At[%d][%d] is %d where nothing crosses", axis, cell, r.At[axis][cell])
				}
				continue
			}
			if r.At[axis][cell] != found {
				t.Fatalf("At[%d][%d] is %d, want %d", axis, cell, r.At[axis][cell], found)
			}
			c := r.Crossings[axis][found]
			found++
			u, v := c.Normal, c.Velocity
			length := math.Sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2])
			speed := math.Abs(v[0]) + math.Abs(v[1]) + math.Abs(v[2])
			if c.Cell != int32(cell) || c.Outward != map[bool]int8{true: 1, false: -1}[r.Inside[cell]] || !(c.Fraction >= 0 && c.Fraction <= 1) ||
				!(math.Abs(length-1) < 1e-12) || !(speed < math.Inf(1)) || c.Weight-c.Weight != 0 {
				t.Fatalf("axis %d, cell %d: %+v", axis, cell, c)
			}
		}
		if len(r.Crossings[axis]) != int(found) {
			t.Fatalf("%d crossings along %d, want %d", len(r.Crossings[axis]), axis, found)
		}
	}
}

// convex tells how far outside of a convex polyhedron a place is: the greatest distance before one of its planes.
type convex [][2]r3.Vec // a place on each, and its normal

func planesOf(s *Surface) (c convex) {
	for _, t := range s.Triangles {
		a, b, d := s.Positions[t[0]], s.Positions[t[1]], s.Positions[t[2]]
		c = append(c, [2]r3.Vec{a, r3.Unit(r3.Cross(r3.Sub(b, a), r3.Sub(d, a)))})
	}
	return c
}

func (c convex) distance(p r3.Vec) float64 {
	d := math.Inf(-1)
	for _, plane := range c {
		d = max(d, r3.Dot(plane[1], r3.Sub(p, plane[0])))
	}
	return d
}

// fraction is where the way from inside to outside leaves.
func (c convex) fraction(inside, outside r3.Vec) float64 {
	least := 1.
	for _, plane := range c {
		a, b := r3.Dot(plane[1], r3.Sub(inside, plane[0])), r3.Dot(plane[1], r3.Sub(outside, plane[0]))
		if b > 0 {
			least = min(least, max(0, -a/(b-a)))
		}
	}
	return least
}

// windingNumber is the sum of a surface's solid angles as seen from a place, over 4π.
func windingNumber(s *Surface, p r3.Vec) float64 {
	sum := 0.
	for _, t := range s.Triangles {
		a, b, c := r3.Sub(s.Positions[t[0]], p), r3.Sub(s.Positions[t[1]], p), r3.Sub(s.Positions[t[2]], p)
		x, y, z := r3.Norm(a), r3.Norm(b), r3.Norm(c)
		sum += math.Atan2(r3.Dot(a, r3.Cross(b, c)), x*y*z+r3.Dot(a, b)*z+r3.Dot(b, c)*x+r3.Dot(c, a)*y)
	}
	return sum / (2 * math.Pi)
}
