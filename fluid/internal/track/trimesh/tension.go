package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// wettedCosine is how far at least the normal of a triangle is turned from that of the solid it lies on, as a cosine: a triangle that
// has its corners on the rim may still be part of the free surface, and wetted ones point into the solid.
const wettedCosine = -.7

// Tension is the force of a surface that contracts, per N/m of tension.
//
// A solid's surface is given by its unit normal at the vertices that lie on it, which points out of the solid, and 0 for all others. A triangle that lies on it
// with all its corners is wetted: it has no tension of its own.
//
// Source: Brochu 2006, section 4.3. Half of each triangle's boundary pulls at each vertex: the force is minus the gradient of the area. The
// paper's constant, without the half, is twice too large.
type Tension struct {
	// Force is that on each vertex, m: times the tension it is in N. All forces add up to 0, and so do their torques.
	Force []r3.Vec
	// Curvature is the sum of both principal curvatures at each vertex, 1/m: 2/R on a sphere, negative in a hollow. Where the normal vanishes it is 0.
	Curvature []float64

	measures Measures
	wet      []bool // by triangle
	mesh     *Mesh
	at       []r3.Vec
	solid    []r3.Vec
}

// Pull makes the forces and curvatures of a free surface, with the vertices where at says. solid has the solid's normal for each vertex, or is nil if there is none.
func (f *Tension) Pull(pool *par.Pool, m *Mesh, at, solid []r3.Vec) {
	f.measures.Measure(pool, m, at)
	f.mesh, f.at, f.solid = m, at, solid
	f.Force, f.Curvature = arrays.Resize(f.Force, len(m.Position)), arrays.Resize(f.Curvature, len(m.Position))
	f.wet = arrays.Resize(f.wet, len(m.Triangle))
	inChunks(pool, len(m.Triangle), f, (*Tension).wetted)
	inChunks(pool, len(m.Position), f, (*Tension).pull)
	f.mesh, f.at, f.solid = nil, nil, nil
}

// wetted finds the triangles that lie on a solid.
func (f *Tension) wetted(_, lo, hi int) {
	for t := lo; t < hi; t++ {
		v := f.mesh.Triangle[t]
		f.wet[t] = false
		if f.solid == nil || v[0] == Gone || f.solid[v[0]] == (r3.Vec{}) || f.solid[v[1]] == (r3.Vec{}) || f.solid[v[2]] == (r3.Vec{}) {
			continue
		}
		n := r3.Add(r3.Add(f.solid[v[0]], f.solid[v[1]]), f.solid[v[2]])
		a := f.measures.Vector[t]
		f.wet[t] = reproducible.Dot(a, n) <= float64(wettedCosine*reproducible.Norm(a)*reproducible.Norm(n))
	}
}

// pull adds up what the triangles of a vertex do to it. The area of a triangle grows by n×(c-b)/2 per metre that its corner a moves.
func (f *Tension) pull(_, lo, hi int) {
	m := f.mesh
	for i := lo; i < hi; i++ {
		var sum, normal r3.Vec
		share := 0.
		for _, t := range m.VertexTriangles[i] {
			n := f.measures.Vector[t]
			area := reproducible.Norm(n)
			if f.wet[t] || area == 0 {
				continue
			}
			v := m.Triangle[t]
			k := corner(v, int32(i))
			a, b, c := f.at[v[k]], f.at[v[(k+1)%3]], f.at[v[(k+2)%3]]
			normal = r3.Add(normal, n)
			sum = r3.Add(sum, reproducible.Scale(.5/area, reproducible.Cross(r3.Sub(c, b), n)))
			share += nearestShare(r3.Sub(b, a), r3.Sub(c, a), r3.Sub(c, b), area)
		}
		f.Force[i], f.Curvature[i] = sum, 0
		if size := float64(reproducible.Norm(normal) * share); size > 0 {
			f.Curvature[i] = -reproducible.Dot(sum, normal) / size
		}
	}
}

// nearestShare is the area of what of a triangle a, b, c is nearest to a, or in an obtuse one a half or a quarter of its area. With a third of the area instead, the curvature at the corners
// of a divided icosahedron is 15 % too large.
//
// Source: Meyer, Desbrun, Schröder and Barr 2003, section 3.3.
func nearestShare(ab, ac, bc r3.Vec, area float64) float64 {
	atA, atB, atC := reproducible.Dot(ab, ac), -reproducible.Dot(ab, bc), reproducible.Dot(ac, bc)
	switch {
	case atA < 0:
		return area / 2
	case atB < 0 || atC < 0:
		return area / 4
	}
	return (float64(reproducible.Norm2(ab)*atC) + float64(reproducible.Norm2(ac)*atB)) / (16 * area)
}

// corner is the place of a vertex in a triangle.
func corner(v [3]int32, of int32) int {
	switch of {
	case v[0]:
		return 0
	case v[1]:
		return 1
	}
	return 2
}

// Rim adds to Force what the solid does along its surface to the rim of the wetted part, so that the free surface comes to meet the solid at a contact angle of the given cosine: each
// metre of the rim is pulled outwards by cosine times the tension. Call it after Pull, with the same arguments. 1: the surface spreads; -1: it draws back.
//
// Source: Young's equation for the tensions of three surfaces that meet.
func (f *Tension) Rim(m *Mesh, at, solid []r3.Vec, cosine float64) {
	for e, list := range m.EdgeTriangles {
		ends := m.Edge[e]
		if ends[0] == Gone || len(list) != 2 || f.wet[list[0]] == f.wet[list[1]] {
			continue
		}
		wet := list[0]
		if !f.wet[wet] {
			wet = list[1]
		}
		p, q := ends[0], ends[1]
		if !m.Along(wet, p, q) {
			p, q = q, p
		}
		// The wetted triangle, whose normal is opposite to the solid's, runs from p to q: outwards of it is (q-p) × (-n).
		n := r3.Add(solid[p], solid[q])
		out := reproducible.Cross(n, r3.Sub(at[q], at[p]))
		size := reproducible.Norm(n)
		if size == 0 {
			continue
		}
		pull := reproducible.Scale(.5*cosine/size, out)
		f.Force[p], f.Force[q] = r3.Add(f.Force[p], pull), r3.Add(f.Force[q], pull)
	}
}
