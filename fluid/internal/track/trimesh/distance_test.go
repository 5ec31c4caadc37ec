package trimesh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshScenes are surfaces that distances and fractions are tested on.
func meshScenes() map[string]*Mesh {
	unit := r3.Vec{X: 1, Y: 1, Z: 1}
	box := dividedBox(unit, 1)
	torus, sheet := torusAround(r3.Vec{}, 1, .3, 16, 8), dividedBox(r3.Vec{X: 1, Y: 1, Z: 1e-3}, 2)
	sphere := icosphere(r3.Vec{}, 1, 4)
	// A spike in a dent that touches its deepest place: below that, its normals are against those of the dent.
	dent := soup{
		position:  []r3.Vec{{X: -1, Y: -1, Z: .8}, {X: 1, Y: -1, Z: .8}, {Y: 1.2, Z: .8}, {}, {Z: -1}, {X: -.3, Y: -.2, Z: .9}, {X: .3, Y: -.2, Z: .9}, {Y: .3, Z: .9}},
		triangles: [][3]int32{{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}, {5, 6, 7}, {6, 5, 3}, {7, 6, 3}, {5, 7, 3}},
	}
	// Two cubes that share an edge, and one that shares a vertex with them, as after a merge.
	edge := new(soup).add(dividedBox(unit, 0), r3.Vec{}, false).add(dividedBox(unit, 0), r3.Vec{X: 1, Y: 1}, false).add(dividedBox(unit, 0), r3.Vec{X: -1, Y: -1, Z: 1}, false)
	return map[string]*Mesh{
		"sphere":      sphere.mesh(0),
		"torus":       torus.mesh(0),
		"box":         box.mesh(0),
		"sheet":       sheet.mesh(0),
		"touching":    new(soup).add(box, r3.Vec{}, false).add(dividedBox(unit, 0), r3.Vec{X: 1, Y: .25}, false).mesh(0),
		"shells":      new(soup).add(sphere, r3.Vec{}, false).add(icosphere(r3.Vec{}, .6, 2), r3.Vec{X: .1}, true).add(icosphere(r3.Vec{}, .2, 2), r3.Vec{X: .2}, false).mesh(0),
		"dent":        dent.mesh(0),
		"nonmanifold": welded(edge).mesh(0),
	}
}

// welded makes vertices at one place one.
func welded(s *soup) *soup {
	first := map[r3.Vec]int32{}
	for i := range s.triangles {
		for k, v := range s.triangles[i] {
			x := s.position[v]
			if _, is := first[x]; !is {
				first[x] = v
			}
			s.triangles[i][k] = first[x]
		}
	}
	return s
}

// windingAt is the winding number of a mesh at a place, by solid angles.
//
// Source: Van Oosterom and Strackee 1983.
func windingAt(m *Mesh, p r3.Vec) float64 {
	sum := 0.
	for t := range m.Triangle {
		a, b, c := m.Corners(int32(t))
		a, b, c = r3.Sub(a, p), r3.Sub(b, p), r3.Sub(c, p)
		la, lb, lc := reproducible.Norm(a), reproducible.Norm(b), reproducible.Norm(c)
		det := reproducible.Dot(a, reproducible.Cross(b, c))
		sum += math.Atan2(det, la*lb*lc+reproducible.Dot(a, b)*lc+reproducible.Dot(b, c)*la+reproducible.Dot(c, a)*lb)
	}
	return sum / (2 * math.Pi)
}

// slowDistance is the signed distance by a look at every triangle.
func slowDistance(m *Mesh, p r3.Vec) float64 {
	best := math.Inf(1)
	for t := range m.Triangle {
		a, b, c := m.Corners(int32(t))
		best = min(best, predicates.NearVertexTriangle(p, a, b, c).Distance)
	}
	if windingAt(m, p) > .5 {
		return -best
	}
	return best
}

// wrongDistance tells what is wrong about a distance. Beyond limit its sign alone counts; nearer than 1e-9 m its sign does not.
func wrongDistance(got float32, want, limit float64) error {
	if math.Abs(want) >= limit {
		want = math.Copysign(limit, want)
	}
	switch g := float64(got); {
	case math.Abs(g-want) <= 1e-6*math.Abs(want)+1e-9: // a float32 holds 6e-8 of it
	case math.Abs(math.Abs(g)-math.Abs(want)) > 1e-6*math.Abs(want):
		return fmt.Errorf("distance %v, want %v", g, want)
	default:
		return fmt.Errorf("distance %v has the wrong sign", g)
	}
	return nil
}

// Distances at ten thousand places are those of a look at every triangle; places on the axes and planes of the shapes are among them.
func TestDistance(t *testing.T) {
	places := 10_000
	if testing.Short() {
		places = 1500
	}
	for name, m := range meshScenes() {
		rng := rand.New(rand.NewPCG(5, 6))
		bounds, _ := m.Boxes.Bounds()
		bounds = boxes.Grown(bounds, .3)
		random := func(lo, hi float64) float64 {
			x := lo + (hi-lo)*rng.Float64()
			if rng.IntN(4) == 0 {
				x = math.Round(8*x) / 8
			}
			return x
		}
		var at []r3.Vec
		for i := range places {
			x := r3.Vec{X: random(bounds.Min.X, bounds.Max.X), Y: random(bounds.Min.Y, bounds.Max.Y), Z: random(bounds.Min.Z, bounds.Max.Z)}
			if i%3 == 0 { // close to a triangle, an edge or a vertex
				a, b, c := m.Corners(rng.Int32N(int32(len(m.Triangle))))
				u, v := rng.Float64(), rng.Float64()
				if i%2 == 0 {
					v = 0
				}
				if i%5 == 0 {
					u = 0
				}
				x = r3.Add(a, r3.Add(reproducible.Scale(u*(1-v), r3.Sub(b, a)), reproducible.Scale(u*v, r3.Sub(c, a))))
				x = r3.Add(x, r3.Vec{X: 1e-3 * rng.NormFloat64(), Y: 1e-3 * rng.NormFloat64(), Z: 1e-3 * rng.NormFloat64()})
			}
			at = append(at, x)
		}
		const limit = .25
		var q Probe
		dst := make([]float32, len(at))
		q.Distance(dst, m, at, limit)
		wrong := 0
		for i, x := range at {
			if err := wrongDistance(dst[i], slowDistance(m, x), limit); err != nil {
				if wrong++; wrong < 5 {
					t.Errorf("%s at %v: %v", name, x, err)
				}
			}
		}
		if n := testing.AllocsPerRun(4, func() { q.Distance(dst[:100], m, at[:100], limit) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// The nodes of a lattice get the same, block by block, with vertices of the shapes on nodes and off them, and with limits above and below the spacing.
func TestDistanceOfNodes(t *testing.T) {
	limits := []float64{.3, .06}
	without := 0
	for name, m := range meshScenes() {
		for _, spacing := range []float64{.125, .11} {
			var q Probe
			wrong := 0
			for block := range 4 * 4 * 4 {
				if testing.Short() && block%4 != 1 {
					continue
				}
				b := NodeBox{Min: r3.Vec{X: spacing * float64(6*(block&3)-12), Y: spacing * float64(6*(block>>2&3)-12), Z: spacing * float64(3*(block>>4)-6)}, Spacing: spacing, Count: [3]int{6, 6, 3}}
				dst := make([]float32, 6*6*3)
				want := make([]float64, len(dst))
				for i := range dst {
					want[i] = slowDistance(m, b.at(i%6, i/6%6, i/36))
				}
				for _, limit := range limits {
					if !q.Nodes(dst, m, &b, limit) && limit < .1 {
						without++
					}
					for i, d := range dst {
						if err := wrongDistance(d, want[i], limit); err != nil {
							if wrong++; wrong < 5 {
								t.Errorf("%s, spacing %v, limit %v, at %v: %v", name, spacing, limit, b.at(i%6, i/6%6, i/36), err)
							}
						}
					}
				}
				if block == 21 {
					if n := testing.AllocsPerRun(4, func() { q.Nodes(dst, m, &b, .3) }); n > 0 {
						t.Errorf("%v allocations", n)
					}
				}
			}
		}
	}
	if without == 0 {
		t.Error("every block of every scene is near the surface")
	}
}

func BenchmarkDistanceOfNodes(b *testing.B) {
	shape := icosphere(r3.Vec{}, .5, 32)
	m := shape.mesh(0)
	spacing := .5 / 20.
	var q Probe
	var dst [512]float32
	nodes := 0
	for b.Loop() {
		nodes = 0
		for k := -3; k < 3; k++ {
			for j := -3; j < 3; j++ {
				for i := -3; i < 3; i++ {
					box := NodeBox{Min: r3.Vec{X: spacing * float64(8*i), Y: spacing * float64(8*j), Z: spacing * float64(8*k)}, Spacing: spacing, Count: [3]int{8, 8, 8}}
					q.Nodes(dst[:], m, &box, 3*spacing)
					for _, d := range dst {
						if math.Abs(float64(d)) < 2.999*spacing {
							nodes++
						}
					}
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node-of-band")
	b.ReportMetric(float64(m.Triangles()), "triangles")
}

// A scan finds the distances that a search finds: exactly within a spacing of the surface, and further off to a part of a spacing, with the same sign, for any number of workers.
func TestScan(t *testing.T) {
	const h, band = .05, 3
	for _, workers := range []int{1, 2} {
		pool := par.New(workers)
		rng := rand.New(rand.NewPCG(8, 9))
		off, nodes, all := 0., 0, 0
		for range 6 {
			var m Mesh
			icosphere(randomVector(rng, .3), .4, 6).addTo(&m, 0)
			icosphere(r3.Vec{X: 1.4, Y: rng.Float64()}, .08, 2).addTo(&m, 0)
			torusAround(r3.Vec{X: -.8, Y: -.7, Z: -.85}, .5, .06, 24, 9).addTo(&m, 0)
			for v := range m.Position {
				m.Position[v] = r3.Add(m.Position[v], randomVector(rng, .005))
			}
			m.Refit()
			s, g := Scan{Pool: pool}, ScanGrid{Min: r3.Vec{X: -1.51, Y: -1.52, Z: -1.03}, Spacing: h, Dim: [3]int{8, 7, 5}, Band: band}
			s.Measure(&m, g)
			var q Probe
			var got, want [scanNodes]float32
			for tile := range int32(len(s.place)) {
				q.ScannedNodes(got[:], &m, &s, tile, band*h)
				at := [3]int{int(tile) % 8, int(tile) / 8 % 7, int(tile) / 56}
				q.Nodes(want[:], &m, &NodeBox{Min: g.at(8*at[0], 8*at[1], 8*at[2]), Spacing: h, Count: [3]int{8, 8, 8}}, band*h)
				for n, d := range want {
					miss := math.Abs(float64(got[n] - d))
					if math.Signbit(float64(got[n])) != math.Signbit(float64(d)) || math.Abs(float64(d)) <= h && miss > 1e-6*h {
						t.Fatalf("tile %d, node %d: %g, want %g", tile, n, got[n], d)
					}
					if d < band*h && d > -band*h {
						all++
					}
					if off = max(off, miss); miss > .02*h {
						nodes++
					}
				}
			}
		}
		if t.Logf("%.3f of a spacing off at most, %d of %d nodes by more than .02", off/h, nodes, all); off > .15*h || 50*nodes > all {
			t.Errorf("%.3f of a spacing off at most, %d of %d nodes by more than .02", off/h, nodes, all)
		}
		pool.Close()
	}
}
