package surfaceonly

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// picture is the surface as triangles to be drawn.
type picture struct {
	triangles query.Triangles
	number    []int32 // per vertex of the mesh: that of the picture
	normal    []r3.Vec
	velocity  []r3.Vec
	area      []float64
	ends      []uint32 // triangles along the domain's sides
}

// atSide is how near to a side of the domain, in edges, a triangle counts as lying on it.
const atSide = .02

// Surface is the surface's triangles: new ones, or the last ones moved on.
func (s *Solver) Surface(ahead float32) query.Triangles {
	p := &s.picture
	if ahead > 0 {
		for i, u := range p.triangles.Velocities {
			p.triangles.Positions[i] += float32(ahead * u)
		}
		return p.triangles
	}
	p.begin(&s.liquid.Tracker.Mesh)
	p.derive(s.liquid)
	p.list(&s.liquid.Tracker.Mesh, s.Settings.Domain, atSide*s.Settings.CellSize)
	return p.triangles
}

// begin numbers the vertices.
func (p *picture) begin(m *trimesh.Mesh) {
	p.number = p.number[:0]
	p.normal, p.velocity, p.area = p.normal[:0], p.velocity[:0], p.area[:0]
	for v := range m.Position {
		n := trimesh.Gone
		if len(m.VertexTriangles[v]) > 0 {
			n = int32(len(p.normal))
			p.normal, p.velocity, p.area = append(p.normal, r3.Vec{}), append(p.velocity, r3.Vec{}), append(p.area, 0)
		}
		p.number = append(p.number, n)
	}
}

// derive finds normals and velocities of vertices as the means of their triangles.
func (p *picture) derive(l *boundary.Liquid) {
	m, u := &l.Tracker.Mesh, l.FaceVelocities()
	for t, v := range m.Triangle {
		if v[0] == trimesh.Gone {
			continue
		}
		a, b, c := m.Corners(int32(t))
		n := geom.TwiceArea(a, b, c)
		size := reproducible.Norm(n)
		for _, i := range v {
			k := p.number[i]
			p.normal[k] = r3.Add(p.normal[k], n)
			p.velocity[k] = r3.Add(p.velocity[k], reproducible.Scale(size, u[t]))
			p.area[k] += size
		}
	}
}

// list writes the triangles, those along the domain's sides last.
func (p *picture) list(m *trimesh.Mesh, domain r3.Box, near float64) {
	d := &p.triangles
	d.Positions, d.Normals, d.Velocities, d.Foam, d.Indices, p.ends = d.Positions[:0], d.Normals[:0], d.Velocities[:0], d.Foam[:0], d.Indices[:0], p.ends[:0]
	for v, k := range p.number {
		if k == trimesh.Gone {
			continue
		}
		n := r3.Vec{Y: 1}
		if size := reproducible.Norm(p.normal[k]); size > 0 {
			n = reproducible.Scale(1/size, p.normal[k])
		}
		u := r3.Vec{}
		if p.area[k] > 0 {
			u = reproducible.Scale(1/p.area[k], p.velocity[k])
		}
		d.Positions, d.Normals, d.Velocities, d.Foam = append3(d.Positions, m.Position[v]), append3(d.Normals, n), append3(d.Velocities, u), append(d.Foam, 0)
	}
	for t, v := range m.Triangle {
		if v[0] == trimesh.Gone {
			continue
		}
		to := &d.Indices
		if a, b, c := m.Corners(int32(t)); onOneSide(&domain, near, a, b, c) {
			to = &p.ends
		}
		*to = append(*to, uint32(p.number[v[0]]), uint32(p.number[v[1]]), uint32(p.number[v[2]]))
	}
	d.Free = len(d.Indices)
	d.Indices = append(d.Indices, p.ends...)
}

func append3(dst []float32, x r3.Vec) []float32 {
	return append(dst, float32(x.X), float32(x.Y), float32(x.Z))
}

// onOneSide tells whether three points lie on one side of a box, or not further within than near, m.
func onOneSide(box *r3.Box, near float64, a, b, c r3.Vec) bool {
	lo, hi := reproducible.Array(box.Min), reproducible.Array(box.Max)
	p, q, r := reproducible.Array(a), reproducible.Array(b), reproducible.Array(c)
	for i := range lo {
		if max(p[i], q[i], r[i]) <= lo[i]+near || min(p[i], q[i], r[i]) >= hi[i]-near {
			return true
		}
	}
	return false
}
