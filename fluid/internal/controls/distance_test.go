package controls_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// triangleGrid finds how far a place is from triangles: exactly, with the triangles sorted by the cells of a lattice.
type triangleGrid struct {
	positions []r3.Vec
	triangles [][3]int32
	lo        r3.Vec
	edge      float64 // of a cell, m
	dim       [3]int
	cells     [][]int32 // per cell: the triangles whose boxes reach into it
}

func newTriangleGrid(positions []r3.Vec, triangles [][3]int32, edge float64) *triangleGrid {
	g := &triangleGrid{positions: positions, triangles: triangles, edge: edge}
	lo, hi := positions[0], positions[0]
	for _, x := range positions {
		lo, hi = lowest(lo, x), highest(hi, x)
	}
	g.lo = lo
	top := g.cell(hi)
	for a := range top {
		g.dim[a] = top[a] + 1
	}
	g.cells = make([][]int32, g.dim[0]*g.dim[1]*g.dim[2])
	for i, t := range triangles {
		a, b, c := positions[t[0]], positions[t[1]], positions[t[2]]
		from, to := g.cell(lowest(a, lowest(b, c))), g.cell(highest(a, highest(b, c)))
		for x := from[0]; x <= to[0]; x++ {
			for y := from[1]; y <= to[1]; y++ {
				for z := from[2]; z <= to[2]; z++ {
					at := x + g.dim[0]*(y+g.dim[1]*z)
					g.cells[at] = append(g.cells[at], int32(i))
				}
			}
		}
	}
	return g
}

func lowest(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

func highest(a, b r3.Vec) r3.Vec {
	return r3.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

func (g *triangleGrid) cell(x r3.Vec) [3]int {
	d := r3.Scale(1/g.edge, r3.Sub(x, g.lo))
	return [3]int{int(math.Floor(d.X)), int(math.Floor(d.Y)), int(math.Floor(d.Z))}
}

// distance is that of the nearest triangle, m.
func (g *triangleGrid) distance(x r3.Vec) float64 {
	home, best := g.cell(x), math.Inf(1)
	furthest := 0
	for a := range home {
		furthest = max(furthest, home[a], g.dim[a]-1-home[a])
	}
	for ring := 0; ring <= furthest; ring++ {
		// What is in this ring is no nearer than ring-1 cells.
		if float64(ring-1)*g.edge > best {
			break
		}
		g.eachInRing(home, ring, func(cell int) {
			for _, i := range g.cells[cell] {
				t := g.triangles[i]
				best = min(best, triangleDistance(x, g.positions[t[0]], g.positions[t[1]], g.positions[t[2]]))
			}
		})
	}
	return best
}

// eachInRing calls for the cells whose greatest difference from home along an axis is ring.
func (g *triangleGrid) eachInRing(home [3]int, ring int, do func(cell int)) {
	from, to := [3]int{}, [3]int{}
	for a := range home {
		from[a], to[a] = max(0, home[a]-ring), min(g.dim[a]-1, home[a]+ring)
	}
	for x := from[0]; x <= to[0]; x++ {
		for y := from[1]; y <= to[1]; y++ {
			for z := from[2]; z <= to[2]; z++ {
				if max(x-home[0], home[0]-x, y-home[1], home[1]-y, z-home[2], home[2]-z) == ring {
					do(x + g.dim[0]*(y+g.dim[1]*z))
				}
			}
		}
	}
}

// triangleDistance is the distance of x from a triangle, m.
func triangleDistance(x, a, b, c r3.Vec) float64 {
	n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
	if nn := r3.Dot(n, n); nn > 0 {
		over := true
		for _, e := range [3][2]r3.Vec{{a, b}, {b, c}, {c, a}} {
			over = over && r3.Dot(r3.Cross(n, r3.Sub(e[1], e[0])), r3.Sub(x, e[0])) >= 0
		}
		if over {
			return math.Abs(r3.Dot(n, r3.Sub(x, a))) / math.Sqrt(nn)
		}
	}
	return min(segmentDistance(x, a, b), segmentDistance(x, b, c), segmentDistance(x, c, a))
}

// segmentDistance is the distance of x from a segment, m.
func segmentDistance(x, a, b r3.Vec) float64 {
	d := r3.Sub(b, a)
	s := 0.
	if dd := r3.Dot(d, d); dd > 0 {
		s = min(1, max(0, r3.Dot(d, r3.Sub(x, a))/dd))
	}
	return r3.Norm(r3.Sub(x, r3.Add(a, r3.Scale(s, d))))
}

// What the tracking tests measure with is right: against a sphere, and against all triangles one by one.
func TestTriangleDistance(t *testing.T) {
	m := sphereMesh(4, .4)
	g := newTriangleGrid(m.rest, m.triangles, .05)
	for i := range 200 {
		f := float64(i)
		x := r3.Vec{X: .9 * math.Sin(1.3*f), Y: .9 * math.Sin(2.1*f+1), Z: .9 * math.Sin(.7*f+2)}
		got, want := g.distance(x), math.Inf(1)
		for _, k := range m.triangles {
			want = min(want, triangleDistance(x, m.rest[k[0]], m.rest[k[1]], m.rest[k[2]]))
		}
		if round := math.Abs(r3.Norm(x) - .4); got != want || math.Abs(got-round) > 2e-3 {
			t.Errorf("%v is %g from the mesh; one by one %g, from the sphere %g", x, got, want, round)
		}
	}
}
