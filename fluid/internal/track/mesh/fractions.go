package mesh

import (
	"math"
	"sync"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// fractions tells what part of each cell is within a mesh.
type fractions struct {
	in      *track.Surroundings
	mesh    *trimesh.Mesh
	of      trimesh.Fractions // of finest cells
	numbers numbersPool
	passed  []passed // per tile
}

// measure measures what part of each cell is liquid.
func (t *fractions) measure() {
	tiles := &t.in.Tiles
	t.of.Pool = t.in.Pool
	t.of.Measure(t.mesh, reproducible.Vector(tiles.Origin), t.in.CellSize)
	t.passed = arrays.Resize(t.passed, tiles.Len())
	clear(t.passed)
	edge := t.tileEdge()
	for n := range t.of.Len() {
		i, j, k, _ := t.of.Cell(n)
		cell := [3]int{i, j, k}
		if b := t.tileAt([3]int{floorDiv(i, edge), floorDiv(j, edge), floorDiv(k, edge)}); b >= 0 {
			t.passed[b].add(cell)
		}
	}
}

// tileEdge is how many finest cells are along a tile's edge.
func (t *fractions) tileEdge() int { return int(math.Round(t.in.Tiles.Edge / t.in.CellSize)) }

// tileAt is the number of the tile at integer coordinates, or -1.
func (t *fractions) tileAt(at [3]int) int {
	dim := &t.in.Tiles.Dim
	for a, c := range at {
		if c < 0 || c >= dim[a] {
			return -1
		}
	}
	return at[0] + dim[0]*(at[1]+dim[1]*at[2])
}

func floorDiv(i, n int) int {
	if i < 0 {
		return -((n - 1 - i) / n)
	}
	return i / n
}

// passed is a box of a tile's finest cells around those that the surface passes.
type passed struct {
	some      bool
	low, high [3]int32
}

func (p *passed) add(cell [3]int) {
	for a, c := range cell {
		if c := int32(c); p.some {
			p.low[a], p.high[a] = min(p.low[a], c), max(p.high[a], c)
		} else {
			p.low[a], p.high[a] = c, c
		}
	}
	p.some = true
}

// meets tells whether the box has a cell of a range.
func (p *passed) meets(first, count [3]int) bool {
	for a := range first {
		if int(p.high[a]) < first[a] || int(p.low[a]) >= first[a]+count[a] {
			return false
		}
	}
	return p.some
}

// clear tells whether no surface passes a range of finest cells in the tiles.
func (t *fractions) clear(first, count [3]int) bool {
	var low, high [3]int
	edge := t.tileEdge()
	for a := range first {
		low[a], high[a] = floorDiv(first[a], edge), floorDiv(first[a]+count[a]-1, edge)
	}
	for z := low[2]; z <= high[2]; z++ {
		for y := low[1]; y <= high[1]; y++ {
			for x := low[0]; x <= high[0]; x++ {
				if b := t.tileAt([3]int{x, y, z}); b < 0 || t.passed[b].meets(first, count) {
					return false
				}
			}
		}
	}
	return true
}

// leastPart is the part of a cell that is rounding.
const leastPart = 1e-7

// box writes the liquid parts of a box's cells.
func (t *fractions) box(dst []float32, box track.Box) {
	m := t.sum(dst, &box, (*trimesh.Fractions).Box)
	each := 1 / float32(m*m*m)
	for c, sum := range dst[:box.Len()] {
		switch sum *= each; {
		case sum < leastPart:
			sum = 0
		case sum > 1-leastPart:
			sum = 1
		}
		dst[c] = sum
	}
}

// areas writes the area of the surface in a box's cells, m².
func (t *fractions) areas(dst []float32, box track.Box) { t.sum(dst, &box, (*trimesh.Fractions).Areas) }

// sum adds up what the finest cells have in each cell of a box. It returns how many finest cells are along an edge of one.
func (t *fractions) sum(dst []float32, box *track.Box, of func(f *trimesh.Fractions, dst []float64, first, count [3]int)) (m int) {
	h := t.in.CellSize
	m = int(math.Round(box.Edge / h))
	low := reproducible.Array(box.Low)
	var first, count [3]int
	for a := range first {
		first[a], count[a] = int(math.Round((low[a]-t.in.Tiles.Origin[a])/h)), m*box.Count[a]
	}
	n := box.Count
	dst = dst[:box.Len()]
	if t.clear(first, count) {
		var one [1]float64
		of(&t.of, one[:], first, [3]int{1, 1, 1})
		fill(dst, float32(one[0]*float64(m*m*m)))
		return m
	}
	fine := t.numbers.take(count[0] * count[1] * count[2])
	defer t.numbers.giveBack(fine)
	of(&t.of, fine, first, count)
	for c := range dst {
		low, sum := m*(c%n[0]+count[0]*(c/n[0]%n[1]+count[1]*(c/(n[0]*n[1])))), 0.
		for k := range m * m {
			for _, p := range fine[low+count[0]*(k%m+count[1]*(k/m)):][:m] {
				sum += p
			}
		}
		dst[c] = float32(sum)
	}
	return m
}

func fill(dst []float32, x float32) {
	for i := range dst {
		dst[i] = x
	}
}

// numbersPool is scratch: slices of numbers that several workers take and give back.
type numbersPool struct {
	sync.Mutex
	free [][]float64
}

// take takes one of a length.
func (p *numbersPool) take(n int) (s []float64) {
	p.Lock()
	if last := len(p.free) - 1; last >= 0 {
		s, p.free = p.free[last], p.free[:last]
	}
	p.Unlock()
	return arrays.Resize(s, n)
}

func (p *numbersPool) giveBack(s []float64) {
	p.Lock()
	p.free = append(p.free, s)
	p.Unlock()
}
