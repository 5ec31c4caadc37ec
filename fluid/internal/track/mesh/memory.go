package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// bytesPerVertex is what a vertex of an explicit mesh costs with its triangles, their tables, and the scratch of all that is done to them: it grows by 6.9 kB a vertex on
// a calm surface. fluid's TestMeshMemory measures it.
const bytesPerVertex = 8000

// vertexArea is that of the surface for a vertex, in squares of an edge, where triangles have equal sides.
const vertexArea = .866

// LeastBytes is how many bytes a mesh with edges of a length, m, needs that is as large as the surface of a domain.
func LeastBytes(domain r3.Box, edge float64) float64 {
	s := r3.Sub(domain.Max, domain.Min)
	area := 2 * (float64(s.X*s.Y) + float64(s.Y*s.Z) + float64(s.Z*s.X))
	return area / (vertexArea * edge * edge) * bytesPerVertex
}

// crowded is how many times as many vertices a mesh has as its edges' lengths ask for: edges may be as short as half of that, and are where the surface is new.
const crowded = 2.2

// full is the part of the vertices that there is memory for that a mesh is to have at most, as far as its area tells.
const full = .75

// fit sets by how much edges are longer than asked for: by as much as it takes for the surface, by its area, to have no more vertices than there is memory for.
func (t *Tracker) fit() {
	t.coarser = 1
	mesh := &t.track.Mesh
	if float64(len(mesh.Position)) < t.most/8 {
		return // edges are not longer by now, and need not be
	}
	s := &t.fitting
	s.at = s.at[:0]
	for i := range mesh.Triangle {
		a, b, c := mesh.Corners(int32(i))
		s.at = append(s.at, reproducible.Scale(1./3, r3.Add(a, r3.Add(b, c))))
	}
	s.length = arrays.Resize(s.length, len(s.at))
	t.lengths(s.length, s.at)
	vertices := 0.
	for i, l := range s.length {
		a, b, c := mesh.Corners(int32(i))
		vertices += reproducible.Norm(geom.TwiceArea(a, b, c)) / (2 * vertexArea / crowded * l * l)
	}
	t.coarser = max(1, math.Sqrt(vertices/(full*t.most)))
}

// fitting is scratch of fit: triangles' middles, and how long their edges are to be, m.
type fitting struct {
	at     []r3.Vec
	length []float64
}
