package lattice

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// inner is a lattice with a cell that no side of the box touches.
func inner(t *testing.T) (l *Lattice, v int32) {
	t.Helper()
	l = New(r3.Vec{}, [3]int{4, 4, 4}, 1)
	if v = l.vertexAt([3]int32{8, 8, 8}); v == none {
		t.Fatal("no vertex in the middle")
	}
	return l, v
}

// A cell of the unit lattice is a truncated octahedron of volume 1/2: eight hexagons of 3√3/16, √3/2 away, and six squares of 1/8, 1 away.
func TestInnerCell(t *testing.T) {
	l, v := inner(t)
	hexagons, squares, spread := 0, 0, [3][3]float64{}
	for i := range l.faces {
		f := &l.faces[i]
		if f.a != v && f.b != v {
			continue
		}
		area, dist := 1./8, 1.
		if f.n == 6 {
			hexagons++
			area, dist = 3*math.Sqrt(3)/16, math.Sqrt(3)/2
		} else {
			squares++
		}
		near(t, "area", f.area, area)
		near(t, "distance", f.dist, dist)
		for d := range 3 {
			near(t, "centroid", f.centre[d], (l.position(l.vertices[f.a])[d]+l.position(l.vertices[f.b])[d])/2)
			for e := range 3 {
				spread[d][e] += f.area * f.dist / 2 * f.normal[d] * f.normal[e]
			}
		}
	}
	if hexagons != 8 || squares != 6 {
		t.Errorf("%d hexagons and %d squares", hexagons, squares)
	}
	near(t, "volume", l.volume[v], .5)
	for d := range 3 {
		for e := range 3 { // Σ A d/2 n nᵀ = V, which makes linear pressures exact
			want := 0.
			if d == e {
				want = .5
			}
			near(t, "Σ A d/2 n nᵀ", spread[d][e], want)
		}
	}
}

// At the sides of the box cells are halves, quarters and eighths, and with the walls all are closed and fill the box.
func TestCellsAtTheSides(t *testing.T) {
	l := New(r3.Vec{X: -3, Y: 2, Z: 7}, [3]int{3, 4, 5}, .5)
	cube, sum := .5*.5*.5, 0.
	left := make([][3]float64, len(l.vertices))
	for _, list := range [][]face{l.faces, l.walls} {
		for i := range list {
			f := &list[i]
			for d, n := range f.normal {
				left[f.a][d] += f.area * n
				if f.b != none {
					left[f.b][d] -= f.area * n
				}
			}
		}
	}
	for v, at := range l.vertices {
		part := .5 * cube
		for d, x := range at {
			if x == 0 || int(x) == 4*l.cubes[d] {
				part /= 2
			}
		}
		near(t, "volume", l.volume[v], part)
		sum += l.volume[v]
		for d := range 3 {
			near(t, "Σ A n", left[v][d], 0)
		}
	}
	near(t, "volume of the box", sum, 3*4*5*cube)
	if want := 3*4*5 + 4*5*6; len(l.vertices) != want {
		t.Errorf("%d vertices, want %d", len(l.vertices), want)
	}
	area := 0.
	for i := range l.walls {
		area += l.walls[i].area
	}
	near(t, "area of the sides", area, 2*(3*4+4*5+5*3)*.25)
}

// The part of a tetrahedron below a plane is that which many points say.
func TestNegativePart(t *testing.T) {
	for _, at := range [][4]float64{{-1, 2, 3, 4}, {1, -2, 3, -.5}, {-1, -2, .3, -4}, {-1, -1, -1, -1}, {0, 0, 0, 1}, {2, -1, 2, 2}} {
		in, all := 0, 0
		const n = 60
		for i := range n {
			for j := range n - i {
				for k := range n - i - j {
					x, y, z := (float64(i)+.25)/n, (float64(j)+.25)/n, (float64(k)+.25)/n
					all++
					if at[0]*(1-x-y-z)+at[1]*x+at[2]*y+at[3]*z < 0 {
						in++
					}
				}
			}
		}
		if got, want := negativePart(at), float64(in)/float64(all); math.Abs(got-want) > .01 {
			t.Errorf("%v: %g is below, want %g", at, got, want)
		}
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-13) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}
