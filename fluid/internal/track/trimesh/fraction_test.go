package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// cellsAround are the cells that hold a mesh, with one around.
func cellsAround(m *Mesh, origin r3.Vec, spacing float64) (first, count [3]int) {
	b, _ := m.Boxes.Bounds()
	at := func(x float64) int { return int(math.Floor(x / spacing)) }
	lo, hi := r3.Sub(b.Min, origin), r3.Sub(b.Max, origin)
	first = [3]int{at(lo.X) - 1, at(lo.Y) - 1, at(lo.Z) - 1}
	return first, [3]int{at(hi.X) + 2 - first[0], at(hi.Y) + 2 - first[1], at(hi.Z) + 2 - first[2]}
}

// All parts together are the mesh's volume, each is from 0 to 1, cells apart from the surface are 0 or 1, and any box of cells has the same ones.
func TestFractionsAddUp(t *testing.T) {
	for name, m := range meshScenes() {
		for _, spacing := range []float64{.125, .1, .37, 3} {
			origin := r3.Vec{X: -.5, Y: .25, Z: -1}
			var f Fractions
			f.Measure(m, origin, spacing)
			first, count := cellsAround(m, origin, spacing)
			dst := make([]float64, count[0]*count[1]*count[2])
			f.Box(dst, first, count)
			sum := 0.
			for _, x := range dst {
				sum += x
				if x < -1e-12 || x > 1+1e-12 {
					t.Fatalf("%s, spacing %v: a part of %v", name, spacing, x)
				}
			}
			if want := m.Volume(m.Position); !nearly(sum*spacing*spacing*spacing, want, 1e-10) {
				t.Errorf("%s, spacing %v: %v m³ in all, want %v", name, spacing, sum*spacing*spacing*spacing, want)
			}
			passed := map[[3]int]bool{}
			for n := range f.Len() {
				i, j, k, _ := f.Cell(n)
				passed[[3]int{i, j, k}] = true
			}
			for at, x := range dst {
				cell := [3]int{first[0] + at%count[0], first[1] + at/count[0]%count[1], first[2] + at/(count[0]*count[1])}
				if !passed[cell] {
					middle := r3.Add(origin, r3.Vec{X: spacing * (float64(cell[0]) + .5), Y: spacing * (float64(cell[1]) + .5), Z: spacing * (float64(cell[2]) + .5)})
					if in, _ := m.Inside(middle, nil); x != 0 && x != 1 || in != (x == 1) {
						t.Fatalf("%s, spacing %v: cell %v has no surface, and a part of %v inside", name, spacing, cell, x)
					}
				}
				var one [1]float64
				if f.Box(one[:], cell, [3]int{1, 1, 1}); one[0] != x {
					t.Fatalf("%s, spacing %v: cell %v alone has %v, with others %v", name, spacing, cell, one[0], x)
				}
			}
			if n := testing.AllocsPerRun(4, func() { f.Measure(m, origin, spacing); f.Box(dst, first, count) }); n > 0 {
				t.Errorf("%v allocations", n)
			}
		}
	}
}

// Boxes have the parts that follow from their sides, one in a thousandth of a cell and one that covers many among them.
func TestFractionsOfBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		size := r3.Vec{X: 3 * rng.Float64(), Y: 3 * rng.Float64(), Z: 1e-3 * rng.Float64()}
		if rng.IntN(2) == 0 {
			size.X, size.Z = size.Z, size.X
		}
		shape := dividedBox(size, rng.IntN(3))
		at := r3.Vec{X: 2 * rng.Float64(), Y: 2 * rng.Float64(), Z: 2 * rng.Float64()}
		if rng.IntN(4) == 0 { // a side on a side of cells
			at.Y = size.Y / 2
			at.Z = 1 + size.Z/2
		}
		m := new(soup).add(shape, at, false).mesh(0)
		box, _ := m.Boxes.Bounds()
		var f Fractions
		f.Measure(m, r3.Vec{}, .5)
		first, count := cellsAround(m, r3.Vec{}, .5)
		dst := make([]float64, count[0]*count[1]*count[2])
		f.Box(dst, first, count)
		for n, got := range dst {
			lo := r3.Vec{X: .5 * float64(first[0]+n%count[0]), Y: .5 * float64(first[1]+n/count[0]%count[1]), Z: .5 * float64(first[2]+n/(count[0]*count[1]))}
			part := boxes.Intersection(box, r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: .5, Y: .5, Z: .5})})
			d := r3.Sub(part.Max, part.Min)
			want := 8 * max(0, d.X) * max(0, d.Y) * max(0, d.Z)
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("box %v: cell at %v has %v, want %v", box, lo, got, want)
			}
		}
	}
}

// A tetrahedron that is cut aslant by cells has the parts that many sums over its sections give; droplets far below a cell keep their volume.
func TestFractionsOfTetrahedra(t *testing.T) {
	// x + y + z < 1: the part below a plane z is ∫ (1-z)²/2, and of a column x, y < a it is a² - a³ for a ≤ ½.
	corner := soup{position: []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}, triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
	var f Fractions
	f.Measure(corner.mesh(0), r3.Vec{}, .5)
	var dst [8]float64
	f.Box(dst[:], [3]int{}, [3]int{2, 2, 2})
	// Cells of half the size: that at the origin lacks the corner x + y + z > 1, of 1/6 · ½³; its neighbours hold tetrahedra of 1/6 · ½³.
	for i, want := range [8]float64{5. / 6, 1. / 6, 1. / 6, 0, 1. / 6, 0, 0, 0} {
		if math.Abs(dst[i]-want) > 1e-15 {
			t.Errorf("cell %d: %v, want %v", i, dst[i], want)
		}
	}
	var drops soup
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		drops.add(icosphere(r3.Vec{}, 1e-3, 1), r3.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}, false)
	}
	m := drops.mesh(0)
	f.Measure(m, r3.Vec{}, .1)
	sum := 0.
	for n := range f.Len() {
		_, _, _, part := f.Cell(n)
		sum += part
	}
	if want := m.Volume(m.Position); !nearly(sum*1e-3, want, 1e-9) {
		t.Errorf("droplets of %v m³, want %v", sum*1e-3, want)
	}
}

func BenchmarkFractions(b *testing.B) {
	shape := icosphere(r3.Vec{}, .5, 32)
	m := shape.mesh(0)
	var f Fractions
	for b.Loop() {
		f.Measure(m, r3.Vec{}, .5/20)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Triangles()), "ns/triangle")
	b.ReportMetric(float64(f.Len()), "cells")
}
