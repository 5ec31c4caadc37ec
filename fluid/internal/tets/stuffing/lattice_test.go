package stuffing

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// uniform is the lattice of a box of cubes of one size, with what Stuff reads of one.
func uniform(cubes [3]int, edge float64, lo [3]float64) *bcc.Lattice {
	l := &bcc.Lattice{}
	var n [3]int
	for a := range n {
		n[a] = cubes[a] + 2
	}
	centre, corner := make([]int32, n[0]*n[1]*n[2]), make([]int32, n[0]*n[1]*n[2])
	at := func(x, y, z int) int { return x + 1 + n[0]*(y+1+n[1]*(z+1)) }
	add := func(x, y, z, half float64, beyond bool, cell int32) int32 {
		l.Position = append(l.Position, [3]float64{lo[0] + edge*(x+half), lo[1] + edge*(y+half), lo[2] + edge*(z+half)})
		l.Cell, l.Beyond, l.Level = append(l.Cell, cell), append(l.Beyond, beyond), append(l.Level, 3)
		return int32(len(l.Position) - 1)
	}
	for z := -1; z <= cubes[2]; z++ {
		for y := -1; y <= cubes[1]; y++ {
			for x := -1; x <= cubes[0]; x++ {
				out := 0
				for a, i := range [3]int{x, y, z} {
					if i < 0 || i == cubes[a] {
						out++
					}
				}
				i := at(x, y, z)
				centre[i], corner[i] = -1, -1
				switch {
				case out == 0:
					centre[i] = add(float64(x), float64(y), float64(z), .5, false, int32(i))
				case out == 1:
					centre[i] = add(float64(x), float64(y), float64(z), .5, true, -1)
				}
				if min(x, y, z) >= 0 {
					corner[i] = add(float64(x), float64(y), float64(z), 0, false, -1)
				}
			}
		}
	}
	step := [3]int{1, n[0], n[0] * n[1]}
	for z := -1; z < cubes[2]; z++ {
		for y := -1; y < cubes[1]; y++ {
			for x := -1; x < cubes[0]; x++ {
				i := at(x, y, z)
				for a := range 3 {
					p, q := centre[i], centre[i+step[a]]
					if p < 0 || q < 0 || l.Beyond[p] && l.Beyond[q] {
						continue
					}
					u, v := step[(a+1)%3], step[(a+2)%3]
					k := i + step[a]
					ring := [4]int32{corner[k], corner[k+u], corner[k+u+v], corner[k+v]}
					for j := range ring {
						l.Corners = append(l.Corners, [4]int32{p, q, ring[j], ring[(j+1)%4]})
						l.Shapes = append(l.Shapes, bcc.Whole)
					}
				}
			}
		}
	}
	connect(l)
	return l
}

// connect fills a lattice's edges.
func connect(l *bcc.Lattice) {
	var keys []int64
	for _, c := range l.Corners {
		for i := range 4 {
			for j := range i {
				a, b := min(c[i], c[j]), max(c[i], c[j])
				if l.Beyond[a] || l.Beyond[b] {
					continue
				}
				keys = append(keys, int64(a)<<32|int64(b))
			}
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	l.VertexEdgeRuns = make([]int32, l.Vertices()+1)
	for _, k := range keys {
		a, b := int32(k>>32), int32(k)
		l.Dist = append(l.Dist, reproducible.Norm(difference(&l.Position[b], &l.Position[a])))
		l.Ends = append(l.Ends, [2]int32{a, b})
		l.VertexEdgeRuns[a+1]++
		l.VertexEdgeRuns[b+1]++
	}
	for v := range l.Vertices() {
		l.VertexEdgeRuns[v+1] += l.VertexEdgeRuns[v]
	}
	next := slices.Clone(l.VertexEdgeRuns)
	l.VertexEdges = make([]int32, 2*len(keys))
	for e, ends := range l.Ends {
		for _, v := range ends {
			l.VertexEdges[next[v]] = int32(e)
			next[v]++
		}
	}
}

// graded is the lattice of a layout of random levels, or such as wanted asks for, made finer until they are balanced.
func graded(dim [3]int, h float64, wanted func(b int, middle r3.Vec) uint8) *bcc.Lattice {
	g := layout.New([3]float64{-.3, .2, .1}, h, dim, 0)
	g.SetBalance(layout.BalanceEdges)
	for b := range g.Bases() {
		g.Set(int32(b), wanted(b, g.Middle(int32(b))))
	}
	g.Grade()
	g.Settle()
	l := &bcc.Lattice{}
	l.Build(g, &g.Cur, par.New(1))
	return l
}
