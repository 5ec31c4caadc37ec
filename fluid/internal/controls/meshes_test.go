package controls_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// movingMesh is a mesh whose vertices move by a function of where they were and of time.
type movingMesh struct {
	rest      []r3.Vec
	triangles [][3]int32
	at        func(x r3.Vec, t float64) r3.Vec
}

func (m *movingMesh) Duration() float64 { return 0 }

func (m *movingMesh) At(t float64, to *control.Mesh) {
	const dt = 1e-4
	to.Positions, to.Velocities = to.Positions[:0], to.Velocities[:0]
	to.Triangles, to.Revision = m.triangles, 1
	for _, x := range m.rest {
		now := m.at(x, t)
		to.Positions = append(to.Positions, now)
		to.Velocities = append(to.Velocities, r3.Scale(1/(2*dt), r3.Sub(m.at(x, t+dt), m.at(x, t-dt))))
	}
}

// still is the motion of a mesh that stays.
func still(x r3.Vec, _ float64) r3.Vec { return x }

// standing is the motion of a mesh that stays somewhere.
func standing(where r3.Vec) func(r3.Vec, float64) r3.Vec {
	return func(x r3.Vec, _ float64) r3.Vec { return r3.Add(x, where) }
}

// phase is a clock that begins at rest and goes at its full rate after half a second.
func phase(t float64) float64 {
	const soft = .5
	switch {
	case t <= 0:
		return 0
	case t < soft:
		return t * t / (2 * soft)
	}
	return t - soft/2
}

// lift goes smoothly from 0 to 1 between two times.
func lift(t, from, to float64) float64 {
	return (1 - math.Cos(math.Pi*min(1, max(0, (t-from)/(to-from))))) / 2
}

// sphereMesh is an octahedron refined n times, on a sphere.
func sphereMesh(n int, radius float64) *movingMesh {
	m := &movingMesh{at: still, rest: []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}}
	m.triangles = [][3]int32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
	for range n {
		mid := map[[2]int32]int32{}
		half := func(a, b int32) int32 {
			k := [2]int32{min(a, b), max(a, b)}
			if i, ok := mid[k]; ok {
				return i
			}
			mid[k] = int32(len(m.rest))
			m.rest = append(m.rest, r3.Unit(r3.Add(m.rest[a], m.rest[b])))
			return mid[k]
		}
		var next [][3]int32
		for _, t := range m.triangles {
			ab, bc, ca := half(t[0], t[1]), half(t[1], t[2]), half(t[2], t[0])
			next = append(next, [3]int32{t[0], ab, ca}, [3]int32{ab, t[1], bc}, [3]int32{ca, bc, t[2]}, [3]int32{ab, bc, ca})
		}
		m.triangles = next
	}
	for i := range m.rest {
		m.rest[i] = r3.Scale(radius, m.rest[i])
	}
	return m
}

// boxMesh is a box of so many squares along each edge.
func boxMesh(n int, half r3.Vec) *movingMesh {
	m := &movingMesh{at: still}
	index := map[[3]int]int32{}
	vertex := func(p [3]int) int32 {
		if i, ok := index[p]; ok {
			return i
		}
		at := func(k int, h float64) float64 { return h * (2*float64(k)/float64(n) - 1) }
		index[p] = int32(len(m.rest))
		m.rest = append(m.rest, r3.Vec{X: at(p[0], half.X), Y: at(p[1], half.Y), Z: at(p[2], half.Z)})
		return index[p]
	}
	for axis := range 3 {
		for _, side := range [2]int{0, n} {
			for i := range n {
				for j := range n {
					var c [4]int32
					for k, d := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
						var p [3]int
						p[axis], p[(axis+1)%3], p[(axis+2)%3] = side, i+d[0], j+d[1]
						c[k] = vertex(p)
					}
					if side == 0 {
						c[1], c[3] = c[3], c[1]
					}
					m.triangles = append(m.triangles, [3]int32{c[0], c[1], c[2]}, [3]int32{c[0], c[2], c[3]})
				}
			}
		}
	}
	return m
}

// torusMesh is a torus around the y axis, of so many quadrangles around it and across its tube.
func torusMesh(radius, tube float64, around, across int) *movingMesh {
	m := &movingMesh{at: still}
	for i := range around {
		a := 2 * math.Pi * float64(i) / float64(around)
		for j := range across {
			b := 2 * math.Pi * float64(j) / float64(across)
			r := radius + tube*math.Cos(b)
			m.rest = append(m.rest, r3.Vec{X: r * math.Cos(a), Y: tube * math.Sin(b), Z: r * math.Sin(a)})
		}
	}
	at := func(i, j int) int32 { return int32(i%around*across + j%across) }
	for i := range around {
		for j := range across {
			a, b, c, d := at(i, j), at(i, j+1), at(i+1, j+1), at(i+1, j)
			m.triangles = append(m.triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return m
}

func controlDef(of fluid.Discretisation) fluid.Def {
	return fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -1, Y: 0, Z: -1}, Max: r3.Vec{X: 1, Y: 2, Z: 1}}, CellSize: .05, Discretisation: of}
}

// following makes a liquid that follows controls, after a fill if there is one.
func following(t testing.TB, d fluid.Def, fill fluid.SDF, defs ...fluid.ControlDef) (*fluid.Liquid, []fluid.ControlID) {
	t.Helper()
	liq, err := fluid.New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(liq.Close)
	if fill != nil {
		if err := liq.Fill(fill); err != nil {
			t.Fatal(err)
		}
	}
	ids := make([]fluid.ControlID, len(defs))
	for i, def := range defs {
		if ids[i], err = liq.AddControl(def); err != nil {
			t.Fatal(err)
		}
	}
	return liq, ids
}

// stepped takes a step that must go well.
func stepped(t testing.TB, liq *fluid.Liquid, dt float64) fluid.Report {
	t.Helper()
	r := *liq.Step(dt)
	if r.Err != nil {
		t.Fatalf("rolled back: %s", r.Err)
	}
	return r
}

// The meshes that tests follow are closed, and enclose what they are to.
func TestControlMeshes(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      *movingMesh
		volume float64
	}{
		{"sphere", sphereMesh(4, .4), 4 * math.Pi / 3 * .4 * .4 * .4},
		{"box", boxMesh(4, r3.Vec{X: .1, Y: .2, Z: .3}), 8 * .1 * .2 * .3},
		{"torus", torusMesh(.4, .12, 48, 16), 2 * math.Pi * math.Pi * .4 * .12 * .12},
		{"capsule", capsuleMesh(.2, .1, 5), math.Pi*.1*.1*.2 + 4*math.Pi/3*.1*.1*.1},
	} {
		edges := map[[2]int32]int{}
		for _, tri := range c.m.triangles {
			for k := range 3 {
				edges[[2]int32{tri[k], tri[(k+1)%3]}]++
			}
		}
		for e, n := range edges {
			if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
				t.Fatalf("%s: edge %v is in %d triangles this way and %d that way", c.name, e, n, edges[[2]int32{e[1], e[0]}])
			}
		}
		var now control.Mesh
		c.m.At(0, &now)
		if v := now.Volume(); !(v > .95*c.volume && v < 1.001*c.volume) {
			t.Errorf("%s: %g m³ enclosed, want a little less than %g", c.name, v, c.volume)
		}
	}
}
