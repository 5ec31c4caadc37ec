package testrig

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/cutting"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// FillLattice fills a graph with the cells of a uniform lattice of tetrahedra in a box from 0 to size, m, with edges of h, m, and walls on all sides. size is a whole
// number of base cells. surface writes the signed distance of the liquid's surface, m; nil: the box is full.
func FillLattice(g *graph.Graph, size r3.Vec, h float64, bodies []rigid.Solid, surface func(dst []float32, at []r3.Vec)) {
	pool := par.New(1)
	defer pool.Close()
	box := r3.Box{Max: size}
	origin, dim := layout.Place(box, h, [6]bool{})
	grid := layout.New(origin, h, dim, layout.MaxLevel)
	var l bcc.Lattice
	l.Build(grid, &grid.Cur, pool)
	d := cutting.New(grid, pool, reproducible.Array(box.Min), reproducible.Array(box.Max), [6]bool{})
	d.Walls = true
	d.Solids(&l, bodies)
	at, distance, phi := make([]r3.Vec, l.Vertices()), make([]float32, l.Vertices()), make([]float64, l.Vertices())
	for v, x := range l.Position {
		at[v], distance[v] = reproducible.Vector(x), float32(-h)
	}
	if surface != nil {
		surface(distance, at)
	}
	for v, x := range distance {
		phi[v] = float64(x)
	}
	d.Fill(g, phi, nil, len(bodies))
}
