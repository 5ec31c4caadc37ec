package stuffing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// stuff fills a field, connects the mesh, and checks all of it.
func (m *Mesher) stuff(t testing.TB, l *bcc.Lattice, f *Field) *Mesh {
	t.Helper()
	pool := par.New(1)
	mesh := m.Stuff(pool, l, f)
	m.Connect(pool)
	if err := mesh.Check(); err != nil {
		t.Fatal(err)
	}
	if err := mesh.CheckAngles(m.Alpha); err != nil {
		t.Fatal(err)
	}
	return mesh
}

// volume is that of all tetrahedra.
func (m *Mesh) volume() (v float64) {
	for t := range int32(m.Tets()) {
		v += m.Volume(t)
	}
	return v
}

// TestShapes fills smooth, thin, sharp and nested shapes at offsets of the lattice, with either pair of alphas: all angles are within the bounds, and
// the mesh is closed and conforms.
func TestShapes(t *testing.T) {
	mid := r3.Vec{X: 6, Y: 6, Z: 6}
	l := uniform([3]int{12, 12, 12}, 1, [3]float64{})
	r := rand.New(rand.NewPCG(3, 1))
	shapes := []struct {
		name string
		make func(c, n r3.Vec) distance
	}{
		{"ball", func(c, n r3.Vec) distance { return sphere(c, 2+r.Float64()) }},
		{"drop", func(c, n r3.Vec) distance { return sphere(c, .3+r.Float64()) }},
		{"plane", func(c, n r3.Vec) distance { return plane(c, n) }},
		{"level", func(c, n r3.Vec) distance { return plane(c, r3.Vec{Z: 1}) }},
		{"waves", func(c, n r3.Vec) distance { return waves(c, 1, 3+2*r.Float64()) }},
		{"sheet", func(c, n r3.Vec) distance { return disc(c, n, 5, .2+r.Float64()) }},
		{"wedge", func(c, n r3.Vec) distance {
			return without(plane(c, n), plane(c, r3.Add(n, r3.Vec{X: .1, Y: -.05})))
		}},
		{"ring", func(c, n r3.Vec) distance { return torus(c, n, 3, .4+r.Float64()) }},
		{"nested voids", func(c, n r3.Vec) distance {
			d := sphere(c, 5)
			for i := range 4 {
				d = without(both(d, sphere(c, float64(4-i)*1.1)), sphere(c, float64(4-i)*1.1-.55))
			}
			return d
		}},
		{"star", func(c, n r3.Vec) distance { return star(t, c, 3+r.Float64()) }},
	}
	offsets := 12
	if testing.Short() {
		offsets = 2
	}
	for _, s := range shapes {
		for i := range offsets {
			d := s.make(r3.Add(mid, random(r)), random(r))
			f := &Field{Inside: d.at(l)}
			if i%2 == 0 {
				f.InsideAt = d.eval
			}
			m := Mesher{Options: Options{Alpha: []Alpha{GreatLeast, SmallMost}[i/2%2]}}
			if mesh := m.stuff(t, l, f); mesh.Tets() == 0 && s.name != "drop" && s.name != "sheet" && s.name != "wedge" {
				t.Errorf("%s is empty", s.name)
			}
		}
	}
}

// TestNoise fills noise on lattices of random levels, with solids of noise and without: the bounds hold where the surface crosses transitions and
// sides of the layout too.
func TestNoise(t *testing.T) {
	layouts := 24
	if testing.Short() {
		layouts = 3
	}
	m := &Mesher{}
	for seed := range uint64(layouts) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := graded([3]int{3, 2, 2}, .1, func(int, r3.Vec) uint8 { return uint8(r.IntN(4)) })
		for i := range 4 {
			f := &Field{Inside: make([]float64, l.Vertices())}
			bias, spread := r.Float64()-.5, []float64{.3, 3}[i/2]
			for v := range f.Inside {
				f.Inside[v] = math.Copysign(math.Exp(spread*r.NormFloat64()), r.Float64()-.5+bias)
			}
			if i%2 == 0 {
				f.Solid = make([]float64, l.Vertices())
				for v := range f.Solid {
					f.Solid[v] = r.Float64()*2 - .5
				}
			}
			m.Snap = float64(r.IntN(2)) / 8
			m.Alpha = []Alpha{GreatLeast, SmallMost}[r.IntN(2)]
			m.stuff(t, l, f)
		}
	}
}

// The volume of a sphere converges with order 1.5 to 2.5, and it is one closed surface without handles.
func TestSphere(t *testing.T) {
	for _, c := range []r3.Vec{{X: .5, Y: .5, Z: .5}, {X: .513, Y: .486, Z: .507}, {X: .53, Y: .47, Z: .49}} {
		var errs []float64
		for _, n := range []int{10, 20, 40} {
			if n == 40 && testing.Short() {
				continue
			}
			l := uniform([3]int{n, n, n}, 1/float64(n), [3]float64{})
			d := sphere(c, .4)
			m := Mesher{}
			mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
			errs = append(errs, math.Abs(mesh.volume()/(4./3*math.Pi*.064)-1))
			if euler, pinched := mesh.topology(); euler != 2 || pinched != 0 {
				t.Errorf("%d leaves: Euler characteristic %d, %d edges of more than two faces", n, euler, pinched)
			}
		}
		for i := range errs[1:] {
			if order := math.Log2(errs[i] / errs[i+1]); order < 1.5 || order > 2.5 {
				t.Errorf("errors %v: order %.2f, want 1.5 to 2.5", errs, order)
			}
		}
	}
}

// topology is the Euler characteristic of the boundary, and how many of its edges more than two faces meet at.
func (m *Mesh) topology() (euler, pinched int) {
	edges, corners := map[[2]int32]int{}, map[int32]bool{}
	for _, f := range m.Boundary {
		v := m.FaceVertices(f.Tet, int(f.Corner))
		for i, a := range v {
			b := v[(i+1)%3]
			edges[[2]int32{min(a, b), max(a, b)}]++
			corners[a] = true
		}
	}
	for _, n := range edges {
		if n != 2 {
			pinched++
		}
	}
	return len(corners) - len(edges) + len(m.Boundary), pinched
}

// pieces is how many parts a mesh has that are joined across faces.
func (m *Mesh) pieces() int {
	seen, n := make([]bool, m.Tets()), 0
	for start := range int32(m.Tets()) {
		if seen[start] {
			continue
		}
		n++
		seen[start] = true
		for stack := []int32{start}; len(stack) > 0; {
			t := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, nb := range m.Neighbours[t] {
				if nb >= 0 && !seen[nb] {
					seen[nb] = true
					stack = append(stack, nb)
				}
			}
		}
	}
	return n
}

// A plate as thick as a leaf is one piece at whatever tilt and offset, with most of its volume.
func TestPlate(t *testing.T) {
	const r = 7
	l := uniform([3]int{16, 16, 16}, 1, [3]float64{})
	tilt := math.Pi / 6
	normals := []r3.Vec{{Z: 1}, {X: math.Sin(tilt), Z: math.Cos(tilt)}, {X: .5, Y: .3, Z: .8}, {X: 1, Y: 1, Z: 1}, {X: 1, Z: 1}}
	for _, n := range normals {
		for i := range 8 {
			if testing.Short() && i%4 != 1 {
				continue
			}
			for _, alpha := range []Alpha{GreatLeast, SmallMost} {
				d := disc(r3.Vec{X: 8, Y: 8, Z: 8 + float64(i)/8}, n, r, 1)
				m := Mesher{Options: Options{Alpha: alpha}}
				mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
				if p, v := mesh.pieces(), mesh.volume()/(math.Pi*r*r); p != 1 || v < .9 || v > 1.05 {
					t.Errorf("normal %v, offset %d/8: %d pieces, %.2f of the volume", n, i, p, v)
				}
			}
		}
	}
}

// A full layout is its own box: the volume is exact, and all faces lie on sides.
func TestFull(t *testing.T) {
	l := graded([3]int{2, 3, 2}, .1, func(b int, _ r3.Vec) uint8 { return uint8(b % 4) })
	f := &Field{Inside: make([]float64, l.Vertices())}
	for v := range f.Inside {
		f.Inside[v] = -1
	}
	m := Mesher{}
	mesh := m.stuff(t, l, f)
	if v, want := mesh.volume(), 12*.8*.8*.8; math.Abs(v-want) > 1e-9*want {
		t.Errorf("volume %g, want %g", v, want)
	}
	area := map[uint16]float64{}
	for _, f := range mesh.Boundary {
		if f.Kind != OfSide {
			t.Fatalf("face %+v", f)
		}
		area[f.Sides] += r3.Norm(mesh.Area(f.Tet, int(f.Corner)))
	}
	for a, want := range []float64{6 * .64, 4 * .64, 6 * .64} {
		for _, high := range []bool{false, true} {
			if got := area[Side(a, high)]; math.Abs(got-want) > 1e-9 {
				t.Errorf("side %d, %v: area %g, want %g", a, high, got, want)
			}
		}
	}
	own := 0
	for t := range int32(mesh.Tets()) {
		if !mesh.Standard(t) && !slices.ContainsFunc(l.Corners[mesh.Source[t]][:], func(v int32) bool { return l.Beyond[v] }) {
			own++
		}
	}
	if own > 0 {
		t.Errorf("%d tetrahedra within have geometry of their own", own)
	}
}

// Where the surface lies in finest leaves alone, CheckCuts passes; where it crosses transitions or coarser leaves it says so, and the bounds hold all
// the same. Vertices in transitions that can't be moved onto the surface are at most a quarter of a coarser edge off.
func TestTransitions(t *testing.T) {
	c, r := r3.Vec{X: 1.3, Y: 1.7, Z: 1.6}, 1.1
	d := sphere(c, r)
	exact := 4. / 3 * math.Pi * r * r * r
	cases := []struct {
		name  string
		level func(p r3.Vec) uint8
		ok    bool
		miss  float64
	}{
		{"finest at the surface", func(p r3.Vec) uint8 {
			if math.Abs(d(p)) < .8 {
				return 3
			}
			return 0
		}, true, .02},
		{"coarser at the surface", func(p r3.Vec) uint8 {
			if math.Abs(d(p)) < .8 {
				return 2
			}
			return 0
		}, false, .06},
		{"coarser at half of the surface", func(p r3.Vec) uint8 {
			switch {
			case math.Abs(d(p)) > .8:
				return 0
			case p.X > 1.4:
				return 2
			}
			return 3
		}, false, .08},
	}
	for _, tc := range cases {
		l := graded([3]int{4, 4, 4}, .1, func(_ int, p r3.Vec) uint8 { return tc.level(p) })
		m := Mesher{}
		mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
		if err := m.CheckCuts(l, 3); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, err)
		}
		off := 0. // in edges of the coarser leaves
		for v, f := range mesh.Flags {
			if f&InPlace != 0 {
				off = max(off, math.Abs(d(point(mesh.Position[v])))/.2)
			}
		}
		if off > .25 || (off > 0) != (m.Crossings().Transitions > 0) {
			t.Errorf("%s: a vertex is %.2f edges off the surface", tc.name, off)
		}
		if miss := math.Abs(mesh.volume()/exact - 1); miss > tc.miss || mesh.pieces() != 1 {
			t.Errorf("%s: volume misses by %.3f, %d pieces", tc.name, miss, mesh.pieces())
		} else {
			t.Logf("%s: volume misses by %.4f, vertices by %.2f edges; %+v", tc.name, mesh.volume()/exact-1, off, m.Crossings())
		}
	}
}

// Any number of workers makes the same bits.
func TestWorkers(t *testing.T) {
	d := waves(r3.Vec{X: 1, Y: 1, Z: .9}, .3, .8)
	solid := sphere(r3.Vec{X: .9, Y: 1, Z: .8}, .3)
	l := graded([3]int{3, 3, 2}, .1, func(b int, _ r3.Vec) uint8 { return uint8(b%2 + 2) })
	f := &Field{Inside: d.at(l), Solid: solid.at(l), InsideAt: d.eval, SolidAt: solid.eval}
	var want string
	for _, workers := range []int{1, 2, 5} {
		pool := par.New(workers)
		m := Mesher{Options: Options{Snap: .125}}
		for range 2 {
			mesh := m.Stuff(pool, l, f)
			m.Connect(pool)
			got := fmt.Sprint(mesh.Position, mesh.Flags, mesh.Origin, mesh.Corners, mesh.Source, mesh.Geometry, mesh.Own, mesh.Neighbours, mesh.Boundary)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%d workers: another mesh", workers)
			}
		}
		pool.Close()
	}
}

// A mesher that has made a mesh makes the next one without allocating.
func TestStuffAllocatesNothing(t *testing.T) {
	d := sphere(r3.Vec{X: 8, Y: 8, Z: 8}, 6)
	solid := plane(r3.Vec{X: 8, Y: 8, Z: 5}, r3.Vec{X: .2, Z: 1})
	l := uniform([3]int{16, 16, 16}, 1, [3]float64{})
	f := &Field{Inside: d.at(l), Solid: solid.at(l), InsideAt: d.eval, SolidAt: solid.eval}
	pool := par.New(2)
	defer pool.Close()
	m := Mesher{Options: Options{Snap: .125}}
	step := func() {
		m.Stuff(pool, l, f)
		m.Connect(pool)
	}
	step()
	if n := testing.AllocsPerRun(5, step); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// A mesh of more than a million tetrahedra is sound.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	l := graded([3]int{10, 10, 10}, 1./80, func(_ int, p r3.Vec) uint8 {
		if math.Abs(p.Z-.5) < .25 {
			return 3
		}
		return 1
	})
	d := without(waves(r3.Vec{X: .5, Y: .5, Z: .5}, .2, .4), sphere(r3.Vec{X: .4, Y: .5, Z: .45}, .13))
	m := Mesher{}
	mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
	if mesh.Tets() < 1e6 {
		t.Errorf("%d tetrahedra", mesh.Tets())
	}
}

// Tetrahedra of standard shapes share their geometry: what a mesh takes is much less than what it would take else.
func TestSharedGeometry(t *testing.T) {
	d := sphere(r3.Vec{X: 1.3, Y: 1.7, Z: 1.6}, 1.1)
	l := graded([3]int{4, 4, 4}, .1, func(_ int, p r3.Vec) uint8 {
		if math.Abs(d(p)) < .6 {
			return 3
		}
		return 0
	})
	m := Mesher{}
	mesh := m.stuff(t, l, &Field{Inside: d.at(l)})
	standard := 0
	for v := range int32(mesh.Tets()) {
		if mesh.Standard(v) {
			standard++
		}
	}
	shared, unshared := mesh.bytes()
	n := uintptr(mesh.Tets())
	t.Logf("%d tetrahedra, %d standard, of %d classes; %d bytes each, %d unshared", n, standard, len(m.classes.shapes), shared/n, unshared/n)
	if standard < mesh.Tets()/2 || shared > unshared*2/3 {
		t.Errorf("%d of %d tetrahedra are standard; %d bytes, %d unshared", standard, n, shared, unshared)
	}
}

// A level surface ends at the layout's sides where it should, at most heights exactly; a tilted one nearly so.
func TestPool(t *testing.T) {
	l := uniform([3]int{8, 8, 8}, 1, [3]float64{})
	heights := 20
	if testing.Short() {
		heights = 5
	}
	exact := 0
	for _, n := range []r3.Vec{{Z: 1}, {X: .2, Y: .1, Z: 1}} {
		for k := range heights {
			height := 4 + float64(k)/float64(heights)
			d := plane(r3.Vec{X: 4, Y: 4, Z: height}, n)
			m := Mesher{}
			mesh := m.stuff(t, l, &Field{Inside: d.at(l), InsideAt: d.eval})
			off, area := 0., 0.
			for _, f := range mesh.Boundary {
				if f.Kind != Free {
					continue
				}
				area += r3.Norm(mesh.Area(f.Tet, int(f.Corner)))
				for _, v := range mesh.FaceVertices(f.Tet, int(f.Corner)) {
					off = max(off, math.Abs(d(point(mesh.Position[v]))))
				}
			}
			volume, area := mesh.volume()/(64*height)-1, area/(64*r3.Norm(n))-1
			if math.Abs(volume) > .003 || math.Abs(area) > .06 || off > 1 || n.X == 0 && off > .2 {
				t.Errorf("normal %v at %g: a vertex is %g off, volume %g, area %g", n, height, off, volume, area)
			}
			if off < 1e-9 && math.Abs(volume) < 1e-9 && math.Abs(area) < 1e-9 {
				exact++
			}
		}
	}
	if exact < heights*3/4 {
		t.Errorf("%d of %d level surfaces are exact", exact, heights)
	}
}
