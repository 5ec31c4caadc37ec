package adaptive

import (
	"sync"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Weigh measures what part of each cell is liquid.
func (t *meshed) Weigh() {
	g := t.m.Grid
	t.fractions.Measure(&t.track.Mesh, reproducible.Vector(g.Origin), g.H)
}

// leastPart is the part of a cell that is rounding.
const leastPart = 1e-7

// FractionsAround writes the liquid parts of a block's cells and of a layer around it.
func (t *meshed) FractionsAround(b int32, dst []float32) {
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
func (t *meshed) Areas(b int32, dst []float32) { t.sum(b, 0, dst, (*trimesh.Fractions).Areas) }

// sum adds up what the finest cells have in each cell of a block and so many layers around it. It returns how many finest cells are along an edge of one.
func (t *meshed) sum(b int32, layers int, dst []float32, of func(f *trimesh.Fractions, dst []float64, first, count [3]int)) (m int) {
	g := t.m.Grid
	level, at := g.Cur.Level[b], g.BaseCoords(b)
	m = 1 << (grid.MaxLevel - level)
	n := 1<<level + 2*layers
	count, first := m*n, [3]int{}
	for a := range first {
		first[a] = grid.Edge*at[a] - layers*m
	}
	fine := t.parts.take(count * count * count)
	defer t.parts.giveBack(fine)
	of(&t.fractions, fine, first, [3]int{count, count, count})
	for c := range dst[:n*n*n] {
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
