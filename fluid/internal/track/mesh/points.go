package mesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// points is scratch of surfacePoints.
type points struct {
	measures trimesh.Measures
	velocity []r3.Vec
	at       []r3.Vec
}

// surfacePoints appends the vertices.
func (t *Tracker) surfacePoints(dst []track.SurfacePoint, velocity func(dst, at []r3.Vec), later float64) []track.SurfacePoint {
	p, mesh := &t.points, &t.track.Mesh
	n := len(mesh.Position)
	p.velocity, p.at = arrays.Resize(p.velocity, n), arrays.Resize(p.at, n)
	velocity(p.velocity, mesh.Position)
	for v, u := range p.velocity {
		p.at[v] = r3.Add(mesh.Position[v], reproducible.Scale(later, u))
	}
	p.measures.Measure(t.in.Pool, mesh, p.at)
	for v, x := range p.at {
		label := int32(0)
		if list := mesh.VertexTriangles[v]; len(list) > 0 {
			label = mesh.Label[list[0]]
		}
		dst = append(dst, track.SurfacePoint{At: x, Normal: p.measures.Normal[v], Label: label})
	}
	return dst
}
