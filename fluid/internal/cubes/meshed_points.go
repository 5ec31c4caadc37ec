package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshPoints is scratch of SurfacePoints.
type meshPoints struct {
	measures trimesh.Measures
	velocity []r3.Vec
	at       []r3.Vec
}

// SurfacePoints appends the vertices.
func (t *meshed) SurfacePoints(dst []forces.SurfacePoint, later float64) []forces.SurfacePoint {
	p, mesh := &t.points, &t.track.Mesh
	n := len(mesh.Position)
	p.velocity, p.at = arrays.Resize(p.velocity, n), arrays.Resize(p.at, n)
	t.m.followed.velocity(p.velocity, mesh.Position)
	for v, u := range p.velocity {
		p.at[v] = r3.Add(mesh.Position[v], reproducible.Scale(later, u))
	}
	p.measures.Measure(t.m.Pool, mesh, p.at)
	for v, x := range p.at {
		label := int32(0)
		if list := mesh.VertexTriangles[v]; len(list) > 0 {
			label = mesh.Label[list[0]]
		}
		dst = append(dst, forces.SurfacePoint{At: x, Normal: p.measures.Normal[v], Label: label})
	}
	return dst
}
