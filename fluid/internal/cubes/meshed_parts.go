package cubes

import (
	"sync"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshParts tells what part of each cell is within a mesh.
type meshParts struct {
	m         *Blocks
	mesh      *trimesh.Mesh
	fractions trimesh.Fractions // of finest cells
	numbers   numbersPool
	passed    []passed // per base cell
}

// Weigh measures what part of each cell is liquid.
func (t *meshParts) Weigh() {
	g := t.m.Grid
	t.fractions.Pool = t.m.Pool
	t.fractions.Measure(t.mesh, reproducible.Vector(g.Origin), g.H)
	t.passed = arrays.Resize(t.passed, g.Bases())
	clear(t.passed)
	for n := range t.fractions.Len() {
		i, j, k, _ := t.fractions.Cell(n)
		if b := g.BaseAt(i>>layout.MaxLevel, j>>layout.MaxLevel, k>>layout.MaxLevel); b != layout.None {
			t.passed[b].add([3]int{i & (layout.Edge - 1), j & (layout.Edge - 1), k & (layout.Edge - 1)})
		}
	}
}

// passed is a box of a block's finest cells around those that the surface passes.
type passed struct {
	some      bool
	low, high [3]uint8
}

func (p *passed) add(cell [3]int) {
	for a, c := range cell {
		if c := uint8(c); p.some {
			p.low[a], p.high[a] = min(p.low[a], c), max(p.high[a], c)
		} else {
			p.low[a], p.high[a] = c, c
		}
	}
	p.some = true
}

// reaches tells whether the box comes nearer than so many cells to the block that lies a step away along each axis.
func (p *passed) reaches(step [3]int, cells int) bool {
	for a, s := range step {
		if s < 0 && int(p.low[a]) >= cells || s > 0 && int(p.high[a]) < layout.Edge-cells {
			return false
		}
	}
	return p.some
}

// clear tells whether no surface passes a block and so many finest cells around it.
func (t *meshParts) clear(b int32, cells int) bool {
	for o, nb := range t.m.Grid.Nearby(b) {
		if nb == layout.None || t.passed[nb].reaches([3]int{1 - o%3, 1 - o/3%3, 1 - o/9}, cells) {
			return false
		}
	}
	return true
}

// leastPart is the part of a cell that is rounding.
const leastPart = 1e-7

// FractionsAround writes the liquid parts of a block's cells and of a layer around it.
func (t *meshParts) FractionsAround(b int32, dst []float32) {
	m := t.sum(b, 1, dst, (*trimesh.Fractions).Box)
	each := 1 / float32(m*m*m)
	for c, sum := range dst {
		switch sum *= each; {
		case sum < leastPart:
			sum = 0
		case sum > 1-leastPart:
			sum = 1
		}
		dst[c] = sum
	}
}

// Areas writes the area of the surface in a block's cells, m².
func (t *meshParts) Areas(b int32, dst []float32) { t.sum(b, 0, dst, (*trimesh.Fractions).Areas) }

// sum adds up what the finest cells have in each cell of a block and so many layers around it. It returns how many finest cells are along an edge of one.
func (t *meshParts) sum(b int32, layers int, dst []float32, of func(f *trimesh.Fractions, dst []float64, first, count [3]int)) (m int) {
	g := t.m.Grid
	level, at := g.Cur.Level[b], g.BaseCoords(b)
	m = 1 << (layout.MaxLevel - level)
	n := 1<<level + 2*layers
	count, first := m*n, [3]int{}
	for a := range first {
		first[a] = layout.Edge*at[a] - layers*m
	}
	dst = dst[:n*n*n]
	if t.clear(b, layers*m) {
		var one [1]float64
		of(&t.fractions, one[:], first, [3]int{1, 1, 1})
		fill(dst, float32(one[0]*float64(m*m*m)))
		return m
	}
	fine := t.numbers.take(count * count * count)
	defer t.numbers.giveBack(fine)
	of(&t.fractions, fine, first, [3]int{count, count, count})
	for c := range dst {
		low, sum := m*(c%n)+count*m*(c/n%n+count*(c/(n*n))), 0.
		for k := range m * m {
			for _, p := range fine[low+count*(k%m+count*(k/m)):][:m] {
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
