package adaptive

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Triangles writes the mesh as far as it is in a domain. What is beyond a side is put onto it, and so closes the surface there.
func (t *meshed) Triangles(dst *query.Triangles, domain r3.Box) {
	s := &t.settled
	t.normals = arrays.Resize(t.normals, len(s.position))
	clear(t.normals)
	for _, v := range s.triangle {
		a, b, c := s.position[v[0]], s.position[v[1]], s.position[v[2]]
		n := reproducible.Cross(r3.Sub(b, a), r3.Sub(c, a))
		for _, w := range v {
			t.normals[w] = r3.Add(t.normals[w], n)
		}
	}
	dst.Positions, dst.Normals = arrays.Resize(dst.Positions, 3*len(s.position)), arrays.Resize(dst.Normals, 3*len(s.position))
	for i, x := range s.position {
		n := t.normals[i]
		if n != (r3.Vec{}) {
			n = reproducible.Unit(n)
		}
		x = boxes.Min(boxes.Max(x, domain.Min), domain.Max)
		dst.Positions[3*i], dst.Positions[3*i+1], dst.Positions[3*i+2] = float32(x.X), float32(x.Y), float32(x.Z)
		dst.Normals[3*i], dst.Normals[3*i+1], dst.Normals[3*i+2] = float32(n.X), float32(n.Y), float32(n.Z)
	}
	dst.Indices = dst.Indices[:0]
	for _, beyond := range [2]bool{false, true} {
		for _, v := range s.triangle {
			if side, none := t.sideOf(v, &domain); side == beyond && !none {
				dst.Indices = append(dst.Indices, uint32(v[0]), uint32(v[1]), uint32(v[2]))
			}
		}
		if !beyond {
			dst.Free = len(dst.Indices)
		}
	}
}

// sideOf tells whether a triangle comes to lie on a side of the domain. One that comes to lie on an edge of the domain is none any more.
func (t *meshed) sideOf(v [3]int32, domain *r3.Box) (side, none bool) {
	sides := 0
	var out [3][6]bool
	for i, w := range v {
		x := &t.settled.position[w]
		out[i] = [6]bool{x.X <= domain.Min.X, x.X >= domain.Max.X, x.Y <= domain.Min.Y, x.Y >= domain.Max.Y, x.Z <= domain.Min.Z, x.Z >= domain.Max.Z}
	}
	for k := range 6 {
		if out[0][k] && out[1][k] && out[2][k] {
			sides++
		}
	}
	return sides > 0, sides > 1
}
