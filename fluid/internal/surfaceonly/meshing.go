package surfaceonly

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boundary"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/mesh"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// meshing makes new pieces of liquid from shapes and from the pieces that the shapes reach.
type meshing struct {
	shaper *mesh.Shaper
	edge   float64

	touched   []boundary.Piece // that the change replaces
	at        []r3.Vec
	triangles [][3]int32
	number    []int32  // per vertex of the liquid: which of at it is
	centroid  []r3.Vec // of the faces of touched,
	velocity  []r3.Vec // and their velocities, m/s
	kept      boundary.State
}

func (m *meshing) init(pool *par.Pool, edge float64, domain r3.Box) {
	m.edge = edge
	m.shaper = mesh.NewShaper(domain, edge, pool)
}

// reach, in edges, is how far around a shape pieces count as touched by it.
const reach = 2

// begin makes the mesh that of the pieces of the liquid that a box, m, may touch.
func (m *meshing) begin(l *boundary.Liquid, box r3.Box) {
	box = boxes.Grown(box, reach*m.edge)
	m.touched = m.touched[:0]
	for _, p := range l.Pieces() {
		if boxes.Overlap(p.Box, box) {
			m.touched = append(m.touched, p)
		}
	}
	m.collect(l)
	m.shaper.Mesh.Set(m.at, m.triangles, 0)
}

// collect lists the vertices and triangles of the touched pieces, and the velocities of their faces.
func (m *meshing) collect(l *boundary.Liquid) {
	of, u := &l.Tracker.Mesh, l.FaceVelocities()
	m.at, m.triangles, m.centroid, m.velocity, m.number = m.at[:0], m.triangles[:0], m.centroid[:0], m.velocity[:0], m.number[:0]
	for range of.Position {
		m.number = append(m.number, trimesh.Gone)
	}
	for t, v := range of.Triangle {
		if !m.isTouched(l, int32(t)) {
			continue
		}
		var w [3]int32
		for k, i := range v {
			if m.number[i] == trimesh.Gone {
				m.number[i] = int32(len(m.at))
				m.at = append(m.at, of.Position[i])
			}
			w[k] = m.number[i]
		}
		m.triangles = append(m.triangles, w)
		a, b, c := of.Corners(int32(t))
		m.centroid, m.velocity = append(m.centroid, centroid(a, b, c)), append(m.velocity, u[t])
	}
}

// isTouched tells whether a triangle of the liquid is of a touched piece.
func (m *meshing) isTouched(l *boundary.Liquid, t int32) bool {
	piece := l.PieceOf(t)
	for i := range m.touched {
		if m.touched[i].Centre == l.Pieces()[piece].Centre {
			return true
		}
	}
	return false
}

// centroid is that of a triangle.
func centroid(a, b, c r3.Vec) r3.Vec {
	return r3.Add(a, reproducible.Scale(1./3, r3.Add(r3.Sub(b, a), r3.Sub(c, a))))
}

// before is the velocity that the touched liquid had at a place, if it was there, or within half an edge.
func (m *meshing) before(l *boundary.Liquid, x r3.Vec) (u r3.Vec, was bool) {
	nearest, at := math.Inf(1), -1
	for i, c := range m.centroid {
		if d := reproducible.Norm2(r3.Sub(x, c)); d < nearest {
			nearest, at = d, i
		}
	}
	if at >= 0 && nearest <= m.edge*m.edge/4 {
		return m.velocity[at], true
	}
	return l.VelocityAt(x)
}

// replace puts the mesh in place of the touched pieces. Faces where there was liquid keep its velocity, others get one. After an error the liquid is as it was.
func (m *meshing) replace(l *boundary.Liquid, velocity func(x r3.Vec) r3.Vec) error {
	of := m.shaper.Mesh
	faces := velocities(of, func(x r3.Vec) r3.Vec {
		if u, was := m.before(l, x); was {
			return u
		}
		return velocity(x)
	})
	l.Snapshot(&m.kept)
	l.Remove(func(centre r3.Vec) bool {
		for i := range m.touched {
			if m.touched[i].Centre == centre {
				return true
			}
		}
		return false
	})
	if len(of.Triangle) == 0 {
		return nil
	}
	next := 0
	err := l.Add(of.Position, of.Triangle, 0, func(r3.Vec) r3.Vec {
		next++
		return faces[next-1]
	})
	if err != nil {
		l.Restore(&m.kept)
	}
	return err
}

// velocities are those of the faces of a mesh.
func velocities(of *trimesh.Mesh, velocity func(x r3.Vec) r3.Vec) []r3.Vec {
	u := make([]r3.Vec, len(of.Triangle))
	for t := range of.Triangle {
		a, b, c := of.Corners(int32(t))
		u[t] = velocity(centroid(a, b, c))
	}
	return u
}

// clipped is what of a shape is in the domain and not in solids.
type clipped struct {
	shapes.SDF
	domain r3.Box
	solids []query.Solid
}

// Bounds is a box around it.
func (c *clipped) Bounds() r3.Box { return boxes.Intersection(c.SDF.Bounds(), c.domain) }

// Eval writes distances to it.
func (c *clipped) Eval(dst []float32, at []r3.Vec) {
	c.SDF.Eval(dst, at)
	other := make([]float32, len(at))
	for i := range c.solids {
		c.solids[i].Distance(other, at)
		for k, d := range other {
			dst[k] = max(dst[k], -d)
		}
	}
	for k, x := range at {
		dst[k] = max(dst[k], float32(boxDistance(&c.domain, x)))
	}
}

// boxDistance is how far a place is out of a box, m, negative within.
func boxDistance(b *r3.Box, x r3.Vec) float64 {
	if d := boxes.DistanceOutside(b, &x); d > 0 {
		return d
	}
	return max(b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}
