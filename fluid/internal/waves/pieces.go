package waves

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// pieces are the parts of a mesh that hang together.
type pieces struct {
	of    []int32 // per vertex
	count int
	sets  geom.Sets
	sums  []pieceSum // scratch: per piece
}

type pieceSum struct{ mass, value float64 }

func (p *pieces) find(vertices int, triangles []uint32) {
	p.sets.Reset(vertices)
	for t := 0; t+2 < len(triangles); t += 3 {
		a := int32(triangles[t])
		p.sets.Join(a, int32(triangles[t+1]))
		p.sets.Join(a, int32(triangles[t+2]))
	}
	p.of, p.count = arrays.Resize(p.of, vertices), 0
	for v := range p.of {
		p.of[v] = -1
	}
	for v := range p.of {
		root := p.sets.Find(int32(v))
		if p.of[root] < 0 {
			p.of[root] = int32(p.count)
			p.count++
		}
		p.of[v] = p.of[root]
	}
}

// removeMean takes from values what they are in the mean of their piece, weighed by mass.
func (p *pieces) removeMean(values, mass []float64) {
	p.sums = arrays.Resize(p.sums, p.count)
	clear(p.sums)
	for v, m := range mass {
		s := &p.sums[p.of[v]]
		s.mass += m
		s.value += float64(m * values[v])
	}
	for v, m := range mass {
		if s := &p.sums[p.of[v]]; m > 0 {
			values[v] -= s.value / s.mass
		}
	}
}
