package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Roughness is how far the vertices of a mesh are beside the smooth surface that they are on: waves of two edges are all roughness, of those with a wave number k the part (kd)⁴/24 for edges
// of a length d. Vertices of a ball have none, however they lie on it.
type Roughness struct {
	Normal []r3.Vec  // per vertex: unit, or 0 where there is none. On a ball it is that of the ball
	Offset []float64 // per vertex, m: by how much it is to move along its normal. It is 0 at features

	mesh *Mesh
}

// evenTurn is the cosine of the angle, 40°, between normals of neighbours from which they are at a feature.
const evenTurn = .766

// Find finds the roughness of a mesh.
func (r *Roughness) Find(pool *par.Pool, m *Mesh) {
	r.mesh = m
	r.Normal, r.Offset = arrays.Resize(r.Normal, len(m.Position)), arrays.Resize(r.Offset, len(m.Position))
	inChunks(pool, len(m.Position), r, (*Roughness).findNormals)
	inChunks(pool, len(m.Position), r, (*Roughness).findOffsets)
	r.mesh = nil
}

// findNormals finds the normals of some vertices: each triangle counts by its area over the squares of its two sides there.
//
// Source: Max 1999, "Weights for computing vertex normals from facet normals": exact on a ball.
func (r *Roughness) findNormals(_, lo, hi int) {
	m := r.mesh
	for v := lo; v < hi; v++ {
		var sum r3.Vec
		for _, t := range m.VertexTriangles[v] {
			u := m.Triangle[t]
			k := corner(u, int32(v))
			x := m.Position[v]
			b, c := r3.Sub(m.Position[u[(k+1)%3]], x), r3.Sub(m.Position[u[(k+2)%3]], x)
			if size := float64(reproducible.Norm2(b) * reproducible.Norm2(c)); size > 0 {
				sum = r3.Add(sum, reproducible.Scale(1/size, reproducible.Cross(b, c)))
			}
		}
		if r.Normal[v] = (r3.Vec{}); sum != (r3.Vec{}) {
			r.Normal[v] = reproducible.Unit(sum)
		}
	}
}

// findOffsets finds the offsets of some vertices. A chord of a circle is at right angles to the mean of the normals at its ends: how far a neighbour's end is off that is
// how far the vertex is.
func (r *Roughness) findOffsets(_, lo, hi int) {
	m := r.mesh
	for v := lo; v < hi; v++ {
		sum, n := 0., r.Normal[v]
		for _, e := range m.VertexEdges[v] {
			w := m.Other(e, int32(v))
			if !(reproducible.Dot(n, r.Normal[w]) > evenTurn) {
				sum = 0
				break
			}
			sum += reproducible.Dot(r3.Sub(m.Position[w], m.Position[v]), r3.Add(n, r.Normal[w]))
		}
		r.Offset[v] = sum / float64(2*max(1, len(m.VertexEdges[v])))
	}
}
