package isomesh

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

func meshSphere(c [3]float64, r float64) meshField {
	return func(x, y, z float64) float64 { return math.Hypot(math.Hypot(x-c[0], y-c[1]), z-c[2]) - r }
}

func meshPlane(n [3]float64, d float64) meshField {
	l := math.Sqrt(meshDot(n, n))
	return func(x, y, z float64) float64 { return (n[0]*x+n[1]*y+n[2]*z)/l - d }
}

func checkClosed(t *testing.T, m *Mesh, euler int) {
	t.Helper()
	r := m.topology()
	if r.open != 0 || r.crowded != 0 || r.euler != euler {
		t.Errorf("topology %+v, want closed with Euler characteristic %d", r, euler)
	}
	for _, v := range m.Indices {
		if int(v) >= len(m.Foam) {
			t.Fatalf("index %d of %d vertices", v, len(m.Foam))
		}
	}
	for _, s := range [][]float32{m.Positions, m.Normals, m.Velocities, m.Foam} {
		for i, v := range s {
			if v != v || math.Abs(float64(v)) > 1e3 {
				t.Fatalf("value %g at %d", v, i)
			}
		}
	}
}

func within(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s %.6g, want %.6g within %g %%: %.3f %%", what, got, want, 100*tol, 100*(got/want-1))
	}
}

// meshOverlap is how large, in H², a triangle may be that is folded onto its neighbours within
// the surface. Where levels meet, one in some thousand is: the three cells' vertices are nearly
// in line.
const meshOverlap = .1

func TestMeshSphere(t *testing.T) {
	const r = 2.03
	dim := [3]int{6, 6, 6}
	grids := map[string]*layout.Grid{"level 3": meshMixed(dim, .1, 3, 3, 1), "level 2": meshMixed(dim, .1, 2, 2, 1)}
	for seed := range uint64(6) {
		grids[fmt.Sprint("mixed ", seed)] = meshMixed(dim, .1, 1, 3, seed)
		grids[fmt.Sprint("coarse ", seed)] = meshMixed(dim, .1, 0, 3, seed)
	}
	for name, g := range grids {
		t.Run(name, func(t *testing.T) {
			c := [3]float64{1.37, 4.41, 2.93}
			s := newMeshScene(t, g, 1, meshSphere(c, r))
			m := s.extract(s.all())
			checkClosed(t, m, 2)
			if m.Free != len(m.Indices) {
				t.Errorf("%d of %d indices free", m.Free, len(m.Indices))
			}
			area, volume := m.measure(m.Indices)
			tol := .01
			if strings.HasPrefix(name, "coarse") {
				tol = .02 // cells of .4 r
			}
			within(t, "area", area, 4*math.Pi*r*r, tol)
			within(t, "volume", volume, 4./3*math.Pi*r*r*r, 2*tol)
			if n := m.backward(meshOverlap * g.H * g.H); n != 0 {
				t.Errorf("%d triangles face inward", n)
			}
			checkNear(t, s, meshSphere(c, r), .15)
		})
	}
}

// checkNear holds free vertices to the surface, in edges of the cells that hold them, and
// their normals to the field's gradient.
func checkNear(t *testing.T, s *meshScene, phi meshField, tol float64) {
	t.Helper()
	worst, tilt := 0., 1.
	for p := range s.mesh.parts {
		for _, c := range s.mesh.parts[p].cells {
			if c.flags&1 == 0 {
				continue
			}
			v := s.mesh.slots[c.slot]
			x := s.mesh.position(uint32(v))
			h := s.g.CellSize(s.mesh.active[c.ord].level)
			worst = max(worst, math.Abs(phi(x[0], x[1], x[2]))/h)
			const d = 1e-4
			g := [3]float64{phi(x[0]+d, x[1], x[2]) - phi(x[0]-d, x[1], x[2]), phi(x[0], x[1]+d, x[2]) - phi(x[0], x[1]-d, x[2]), phi(x[0], x[1], x[2]+d) - phi(x[0], x[1], x[2]-d)}
			n := s.mesh.Normals[3*v:]
			tilt = min(tilt, meshDot(g, [3]float64{float64(n[0]), float64(n[1]), float64(n[2])})/math.Sqrt(meshDot(g, g)))
		}
	}
	t.Logf("φ at vertices ≤ %.4f h, normals within %.2f°", worst, 180/math.Pi*math.Acos(min(tilt, 1)))
	if worst > tol {
		t.Errorf("a vertex is %.3f h off the surface", worst)
	}
}

func TestMeshTiltedPlane(t *testing.T) {
	for seed := range uint64(6) {
		for _, low := range []int{0, 1, 2, 3} {
			t.Run(fmt.Sprint(low, " ", seed), func(t *testing.T) {
				plane := meshPlane([3]float64{.2, 1, -.13}, 3.0)
				s := newMeshScene(t, meshMixed([3]int{4, 4, 4}, .1, low, 3, seed), 1, plane)
				lo, hi := s.all()
				m := s.extract(lo, hi)
				checkClosed(t, m, 2)
				_, volume := m.measure(m.Indices)
				within(t, "volume", volume, meshBelow(plane, lo, hi), .005)
				if n := m.backward(meshOverlap * .01); n != 0 {
					t.Errorf("%d triangles face inward", n)
				}
				checkNear(t, s, plane, .1)
				checkWalls(t, m, lo, hi)
			})
		}
	}
}

// meshBelow is the volume of φ < 0 in a box for a plane, by columns.
func meshBelow(phi meshField, lo, hi [3]float64) float64 {
	const n = 64
	sum := 0.
	for c := range n * n {
		x := lo[0] + (hi[0]-lo[0])*(float64(c%n)+.5)/n
		z := lo[2] + (hi[2]-lo[2])*(float64(c/n)+.5)/n
		a, b := phi(x, lo[1], z), phi(x, hi[1], z)
		sum += max(0, min(1, a/(a-b)))
	}
	return sum / (n * n) * (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2])
}

// checkWalls wants each wall triangle in one wall's plane with its normal, and no vertex outside.
func checkWalls(t *testing.T, m *Mesh, lo, hi [3]float64) {
	t.Helper()
	plane := [3][2]float32{}
	for a := range 3 {
		plane[a] = [2]float32{float32(lo[a]), float32(hi[a])}
		for v := a; v < len(m.Positions); v += 3 {
			if p := m.Positions[v]; p < plane[a][0] || p > plane[a][1] {
				t.Fatalf("vertex at %g outside of %g on axis %d", p, plane[a], a)
			}
		}
	}
	for _, v := range m.Indices[m.Free:] {
		n := m.Normals[3*v : 3*v+3]
		on := false
		for a := range 3 {
			p := m.Positions[3*v+uint32(a)]
			on = on || n[a] == 1 && p == plane[a][1] || n[a] == -1 && p == plane[a][0]
		}
		if !on {
			t.Fatalf("wall vertex at %v with normal %v on no wall", m.position(v), n)
		}
	}
}

func TestMeshHalfFullBoxInsideBlocks(t *testing.T) {
	for seed := range uint64(8) {
		for _, h := range [][3]float64{{2.2, 5.2, 3.7}, {1.7, 5.2, 3.3}, {1.4, 4.87, 2.95}, {1.43, 4.87, 2.951}} {
			s := newMeshScene(t, meshMixed([3]int{4, 4, 4}, .1, int(seed)/2, 3, seed), 1, meshPlane([3]float64{0, 1, 0}, 3.45))
			lo := [3]float64{-1, 2, .5}
			m := s.extract(lo, h)
			checkClosed(t, m, 2)
			checkWalls(t, m, lo, h)
			area, volume := m.measure(m.Indices)
			x, y, z := h[0]+1, 1.45, h[2]-.5
			within(t, fmt.Sprint("volume ", seed, h), volume, x*y*z, .005)
			within(t, "area", area, 2*(x*y+x*z+y*z), .005)
			top, _ := m.measure(m.Indices[:m.Free])
			within(t, "free area", top, x*z, .005)
		}
	}
}

func TestMeshWallsInsideCellsOnAllSides(t *testing.T) {
	for seed := range uint64(16) {
		plane := meshPlane([3]float64{.3, 1, .2}, 3.5)
		s := newMeshScene(t, meshMixed([3]int{4, 4, 4}, .1, int(seed)/2%4, 3, seed), 1, plane)
		if seed >= 8 { // no block is but one cell
			s.sprinkle()
		}
		lo, hi := [3]float64{-.63, 2.31, .93}, [3]float64{1.53, 5.02, 3.08}
		m := s.extract(lo, hi)
		checkClosed(t, m, 2)
		checkWalls(t, m, lo, hi)
		_, volume := m.measure(m.Indices)
		within(t, fmt.Sprint("volume ", seed), volume, meshBelow(plane, lo, hi), .005)
		checkNear(t, s, plane, 1e-3)
	}
}

func TestMeshEmptyAndBrimFull(t *testing.T) {
	for _, low := range []int{0, 2} {
		g := meshMixed([3]int{3, 4, 3}, .1, low, 3, 5)
		s := newMeshScene(t, g, 1, func(x, y, z float64) float64 { return 1 })
		lo, hi := s.all()
		m := s.extract(lo, hi)
		if len(m.Indices) != 0 || len(m.Positions) != 0 || m.Free != 0 {
			t.Errorf("air makes %d indices, %d vertices", len(m.Indices), len(m.Foam))
		}
		s = newMeshScene(t, g, 1, func(x, y, z float64) float64 { return -1 })
		m = s.extract(lo, hi)
		checkClosed(t, m, 2)
		checkWalls(t, m, lo, hi)
		_, volume := m.measure(m.Indices)
		within(t, "volume", volume, (hi[0]-lo[0])*(hi[1]-lo[1])*(hi[2]-lo[2]), 1e-5)
		if m.Free != 0 {
			t.Errorf("%d free indices in a full box", m.Free)
		}
	}
}

// A surface through an unlikely φ is still closed: every edge is passed as often in one
// direction as in the other.
func TestMeshOfNoiseHasNoHoles(t *testing.T) {
	for seed := range uint64(12) {
		noise := func(x, y, z float64) float64 {
			return math.Sin(17.3*x+float64(seed))*math.Sin(23.1*y)*.3 + .2*math.Sin(19.7*z+3*x)
		}
		s := newMeshScene(t, meshMixed([3]int{4, 3, 4}, .1, int(seed)%4, 3, seed), 1, noise)
		for _, hi := range [][3]float64{{9, 9, 9}, {1.61, 4.02, 2.93}} {
			m := s.extract([3]float64{-1, 2, .5}, hi)
			if r := m.topology(); r.open != 0 {
				t.Errorf("seed %d: %+v", seed, r)
			}
		}
	}
}

func TestMeshCarriesVelocityAndFoam(t *testing.T) {
	s := newMeshScene(t, meshMixed([3]int{4, 4, 4}, .1, 1, 3, 3), 1, meshSphere([3]float64{.57, 3.61, 2.13}, 1))
	s.sprinkle()
	m := s.extract(s.all())
	for v := range m.Foam {
		p := m.position(uint32(v))
		if math.Abs(float64(m.Foam[v])-p[0]-2*p[1]) > 1e-3 {
			t.Fatalf("foam %g at %v", m.Foam[v], p)
		}
		if u := m.Velocities[3*v:]; math.Abs(float64(u[0])-1) > 1e-6 || math.Abs(float64(u[1])-2) > 1e-6 || math.Abs(float64(u[2])-3) > 1e-6 {
			t.Fatalf("velocity %v", u[:3])
		}
	}
	s.mesh.Extract(s.phi, s.vel, nil, s.g.Origin, [3]float64{9, 9, 9})
	if i := slices.IndexFunc(m.Foam, func(f float32) bool { return f != 0 }); i >= 0 {
		t.Errorf("foam %g without foam", m.Foam[i])
	}
}

// At walls under water vertices have what is in the middle of the cells that they lie at.
func TestMeshPanesShowTheCellsWithin(t *testing.T) {
	g := meshMixed([3]int{4, 4, 4}, .1, 1, 3, 3)
	s := newMeshScene(t, g, 1, meshWaves)
	s.sprinkle()
	lo, hi := s.all()
	m := s.extract(lo, hi)
	checkWalls(t, m, lo, hi)
	panes := 0
	for i := range m.parts {
		for _, c := range m.parts[i].panes {
			panes++
			v := uint32(m.slots[c.slot])
			x, h := m.position(v), g.CellSize(m.active[c.ord].level)
			for a := range 3 {
				if a == int(c.axis) {
					x[a] -= .5 * h * float64(m.Normals[3*v+uint32(a)])
				}
				if middle := (x[a] - g.Origin[a]) / h; math.Abs(middle-math.Floor(middle)-.5) > 1e-3 {
					t.Fatalf("%v is not the middle of a cell of %g m", x, h)
				}
			}
			if want := x[0] + 2*x[1]; math.Abs(float64(m.Foam[v])-want) > 1e-3 {
				t.Fatalf("foam %g at %v, want %g", m.Foam[v], x, want)
			}
			var want [3]float32
			want[0], want[1], want[2] = s.vel.At(g.ToPoint(x[0], x[1], x[2]))
			for a, u := range m.Velocities[3*v:][:3] {
				if math.Abs(float64(u-want[a])) > 1e-5 {
					t.Fatalf("velocity %v at %v, want %v", m.Velocities[3*v:][:3], x, want)
				}
			}
		}
	}
	if panes < 100 {
		t.Errorf("%d panes", panes)
	}
}

func TestMeshIsTheSameForAnyWorkers(t *testing.T) {
	var want uint64
	for i, workers := range []int{1, 2, 4} {
		s := newMeshScene(t, meshMixed([3]int{6, 4, 6}, .1, 0, 3, 9), workers, meshWaves)
		m := s.extract([3]float64{-1, 2, .5}, [3]float64{3.5, 5.1, 4.97})
		h := fnv.New64a()
		for _, f := range [][]float32{m.Positions, m.Normals, m.Velocities, m.Foam} {
			for _, v := range f {
				b := math.Float32bits(v)
				h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
			}
		}
		fmt.Fprint(h, m.Indices, m.Free)
		if i == 0 {
			want = h.Sum64()
		} else if h.Sum64() != want {
			t.Errorf("%d workers: %x, want %x", workers, h.Sum64(), want)
		}
	}
}

// Under water a wall takes one cell a block, but where it shows foam.
func TestMeshIsCoarseOnWallsUnderWater(t *testing.T) {
	s := newMeshScene(t, meshMixed([3]int{4, 4, 4}, .1, 3, 3, 1), 1, meshPlane([3]float64{0, 1, 0}, 4.15))
	lo, hi := s.all()
	deep := len(s.extract(lo, hi).Indices)
	checkWalls(t, s.mesh, lo, hi)
	s.sprinkle()
	fine := len(s.extract(lo, hi).Indices)
	checkWalls(t, s.mesh, lo, hi)
	if 2*deep > fine {
		t.Errorf("%d indices, %d with foam", deep, fine)
	}
	s.foam.Gather(s.pool, meshSample(s.g, func(x, y, z float64) float64 {
		if x < lo[0]+.15 || x > hi[0]-.15 || y < lo[1]+.15 || z < lo[2]+.15 || z > hi[2]-.15 {
			return 0
		}
		return 1
	}))
	if n := len(s.extract(lo, hi).Indices); n != deep {
		t.Errorf("%d indices with foam away from the walls, %d without", n, deep)
	}
}

// So it does beside coarser blocks that the surface is in, but beyond the nodes that they share.
func TestMeshIsCoarseOnWallsBesideCoarserBlocks(t *testing.T) {
	g := meshMixed([3]int{2, 3, 2}, .1, 2, 2, 1)
	for b := range int32(g.Bases()) {
		if g.BaseCoords(b)[1] == 0 {
			g.Set(b, 3)
		}
	}
	g.Settle()
	for _, c := range []struct {
		y    float64 // of the surface, in cells above the finer blocks
		deep bool
	}{{1, false}, {7, true}} {
		s := newMeshScene(t, g, 1, meshPlane([3]float64{0, 1, 0}, 2+.1*(8+c.y)))
		lo, hi := s.all()
		m := s.extract(lo, hi)
		checkClosed(t, m, 2)
		checkWalls(t, m, lo, hi)
		for _, k := range m.active {
			if k.coord[1] == 0 && (k.level == 0) != c.deep {
				t.Errorf("surface %g cells above: a block is at level %d", c.y, k.level)
			}
		}
	}
}

func TestMeshKeepsNothingFromTheLastExtract(t *testing.T) {
	g := meshMixed([3]int{5, 4, 5}, .1, 0, 3, 4)
	s := newMeshScene(t, g, 2, meshWaves)
	lo, hi := s.all()
	s.extract(lo, [3]float64{2.61, 4.9, 3.3})
	for b := int32(0); b < int32(g.Bases()); b += 3 {
		g.Set(b, (g.Cur.Level[b]+1)%4)
	}
	g.Settle()
	plane := meshPlane([3]float64{.3, 1, .2}, 3.9)
	fresh := newMeshScene(t, g, 1, plane)
	s.phi.Gather(s.pool, meshSample(g, plane))
	s.mesh.Extract(s.phi, fresh.vel, fresh.foam, lo, hi)
	m := fresh.extract(lo, hi)
	if !slices.Equal(m.Indices, s.mesh.Indices) || !slices.Equal(m.Positions, s.mesh.Positions) || !slices.Equal(m.Normals, s.mesh.Normals) {
		t.Error("a used Mesh extracts something else than a new one")
	}
	if r := m.topology(); r.open != 0 {
		t.Errorf("levels that differ by more than one: %+v", r)
	}
}

func meshWaves(x, y, z float64) float64 {
	return .9 * (y - 3.6 - .16*math.Sin(2.1*x+.4)*math.Cos(1.7*z) - .05*math.Sin(5*x-3*z))
}

func TestMeshExtractAllocatesNothing(t *testing.T) {
	s := newMeshScene(t, meshMixed([3]int{6, 4, 6}, .1, 0, 3, 9), 2, meshWaves)
	lo, hi := s.all()
	s.extract(lo, hi)
	s.extract(lo, hi)
	if n := testing.AllocsPerRun(10, func() { s.extract(lo, hi) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkMeshExtract(b *testing.B) {
	for _, c := range []struct {
		name    string
		low     int
		workers int
	}{{"uniform", 3, 1}, {"mixed", 1, 1}, {"uniform 2 workers", 3, 2}} {
		b.Run(c.name, func(b *testing.B) {
			s := newMeshScene(b, meshMixed([3]int{16, 4, 16}, .1, c.low, 3, 9), c.workers, meshWaves)
			lo, hi := s.all()
			m := s.extract(lo, hi)
			for b.Loop() {
				s.extract(lo, hi)
			}
			b.ReportMetric(float64(len(m.Indices)/3)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
			b.ReportMetric(float64(len(m.Indices)/3), "tris")
		})
	}
}
