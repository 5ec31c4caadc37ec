package cubes

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// gradeLevels refines blocks until neighbours differ by one level at most.
func (e *Edits) gradeLevels() {
	m := e.m
	g := m.Grid
	for again := true; again; {
		again = false
		for b := range int32(g.Bases()) {
			for _, nb := range g.Neighbour[b] {
				if nb != layout.None && g.Cur.Level[nb] > g.Cur.Level[b]+1 {
					g.Set(b, g.Cur.Level[nb]-1)
					again = true
				}
			}
		}
	}
}

// blockReach is the distance from a block's middle within which a surface counts as in or at the block, m.
func (e *Edits) blockReach() float32 {
	m := e.m
	return float32(m.Grid.H * layout.Edge * (math.Sqrt(3)/2 + .25))
}

// distanceTo is the distance of a block's middle, m.
func (e *Edits) distanceTo(b int32, eval func(dst []float32, pts []r3.Vec)) float32 {
	m := e.m
	var pts [1]r3.Vec
	var dist [1]float32
	half := float64(m.Grid.H * layout.Edge / 2)
	pts[0] = r3.Add(reproducible.Vector(m.Grid.Corner(b)), r3.Vec{X: half, Y: half, Z: half})
	eval(dist[:], pts[:])
	return dist[0]
}
