package predicates

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Contact is where two simplices come together: a vertex and a triangle, or two edges, of four points in all.
type Contact struct {
	// Weights say where. The sum of the weighted points leads from the place on the second simplex to that on the first: a vertex has 1 and
	// the triangle's corners negative weights, that add up to -1; the ends of the first edge have weights that add up to 1, those of the second to -1.
	Weights [4]float64
	// Normal is a unit vector from the second to the first.
	Normal r3.Vec
	// Distance is between the two, m: 0 in a collision.
	Distance float64
	// Time is when a collision happens, as a part of the motion, 0 to 1.
	Time float64
}

// NearVertexTriangle is where a vertex is nearest to a triangle. Where it lies on it, the normal is the triangle's, and if that has none any.
func NearVertexTriangle(x, a, b, c r3.Vec) (near Contact) {
	p := pair{n: 3}
	m := moment{x: [4]r3.Vec{r3.Sub(x, a), r3.Sub(x, b), r3.Sub(x, c)}}
	p.refine(&m)
	near.Weights = [4]float64{1, -m.w, -m.u, -m.v}
	near.Distance = m.distance
	near.Normal = direction(m.nearest, reproducible.Norm(m.nearest), p.across(&m.x))
	return near
}

// NearEdgeEdge is where the edges p-q and a-b are nearest to each other. Where they cross, the normal is across both, and if they are parallel any.
func NearEdgeEdge(p, q, a, b r3.Vec) (near Contact) {
	d := pair{n: 4}
	m := moment{x: [4]r3.Vec{r3.Sub(p, a), r3.Sub(p, b), r3.Sub(q, a), r3.Sub(q, b)}}
	d.refine(&m)
	near.Weights = [4]float64{1 - m.u, m.u, m.v - 1, -m.v}
	near.Distance = m.distance
	near.Normal = direction(m.nearest, reproducible.Norm(m.nearest), d.across(&m.x))
	return near
}

// direction is the unit vector of d, of length n, or that of another one if n is 0.
func direction(d r3.Vec, n float64, other r3.Vec) r3.Vec {
	if n > 0 {
		return reproducible.Scale(1/n, d)
	}
	if n = reproducible.Norm(other); n > 0 {
		return reproducible.Scale(1/n, other)
	}
	return r3.Vec{X: 1}
}
