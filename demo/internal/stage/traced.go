package stage

import (
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
)

// Traced is a geometry as a ray tracer takes it.
func Traced(g *geometry.Geometry, at raytrace.Place, m *raytrace.Material) raytrace.Mesh {
	mesh := raytrace.Mesh{Place: at, Material: m}
	vectors := func(a []float32) (v []r3.Vec) {
		for i := 0; i+2 < len(a); i += 3 {
			v = append(v, r3.Vec{X: float64(a[i]), Y: float64(a[i+1]), Z: float64(a[i+2])})
		}
		return v
	}
	for _, vbo := range g.VBOs() {
		a := *vbo.Buffer()
		switch {
		case vbo.Attrib(gls.VertexPosition) != nil:
			mesh.Positions = vectors(a)
		case vbo.Attrib(gls.VertexNormal) != nil:
			mesh.Normals = vectors(a)
		case vbo.Attrib(gls.VertexTexcoord) != nil:
			for i := 0; i+1 < len(a); i += 2 {
				mesh.UVs = append(mesh.UVs, [2]float64{float64(a[i]), float64(a[i+1])})
			}
		}
	}
	index := g.Indices()
	for i := 0; i+2 < len(index); i += 3 {
		mesh.Triangles = append(mesh.Triangles, [3]int32{int32(index[i]), int32(index[i+1]), int32(index[i+2])})
	}
	return mesh
}
