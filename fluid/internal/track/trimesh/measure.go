package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// measureGrain is how many triangles or vertices a chunk of a loop has. Sums are added up chunk by chunk, so that it decides about their last bits.
const measureGrain = 512

// Measures are areas and normals of a surface at some positions of its vertices.
type Measures struct {
	// Vector is each triangle's area vector, m²: its area times its normal, which points to the outside. It is 0 for triangles that are gone.
	Vector []r3.Vec
	// Normal is a third of the area vectors of a vertex's triangles, m²: by so much the volume grows per metre that the vertex moves.
	Normal []r3.Vec
	// Area is a third of the areas of a vertex's triangles, m².
	Area []float64

	mesh *Mesh
	at   []r3.Vec
}

// Measure makes the measures of a mesh. at: where its vertices are, such as m.Position or m.Target. A nil pool stands for one worker.
func (s *Measures) Measure(pool *par.Pool, m *Mesh, at []r3.Vec) {
	s.mesh, s.at = m, at
	s.Vector = arrays.Resize(s.Vector, len(m.Triangle))
	s.Normal, s.Area = arrays.Resize(s.Normal, len(m.Position)), arrays.Resize(s.Area, len(m.Position))
	inChunks(pool, len(m.Triangle), s, (*Measures).triangles)
	inChunks(pool, len(m.Position), s, (*Measures).vertices)
	s.mesh, s.at = nil, nil
}

func (s *Measures) triangles(_, lo, hi int) {
	for t := lo; t < hi; t++ {
		v := s.mesh.Triangle[t]
		if v[0] == Gone {
			s.Vector[t] = r3.Vec{}
			continue
		}
		s.Vector[t] = reproducible.Scale(.5, geom.TwiceArea(s.at[v[0]], s.at[v[1]], s.at[v[2]]))
	}
}

func (s *Measures) vertices(_, lo, hi int) {
	for v := lo; v < hi; v++ {
		var n r3.Vec
		area := 0.
		for _, t := range s.mesh.VertexTriangles[v] {
			n = r3.Add(n, s.Vector[t])
			area += reproducible.Norm(s.Vector[t])
		}
		s.Normal[v], s.Area[v] = reproducible.Scale(1./3, n), area/3
	}
}

// SurfaceArea is the area of all triangles, m², as last measured.
func (s *Measures) SurfaceArea() float64 {
	sum := 0.
	for lo := 0; lo < len(s.Vector); lo += measureGrain {
		part := 0.
		for _, a := range s.Vector[lo:min(lo+measureGrain, len(s.Vector))] {
			part += reproducible.Norm(a)
		}
		sum += part
	}
	return sum
}

// Volume is what the surface encloses, m³, with its vertices where at says. Parts that enclose a cavity count as negative.
//
// It is taken from a vertex of the mesh: far from the origin of coordinates it has the same digits as near it.
func (m *Mesh) Volume(at []r3.Vec) float64 {
	var origin r3.Vec
	for _, v := range m.Triangle {
		if v[0] != Gone {
			origin = at[v[0]]
			break
		}
	}
	sum := 0.
	for lo := 0; lo < len(m.Triangle); lo += measureGrain {
		part := 0.
		for _, v := range m.Triangle[lo:min(lo+measureGrain, len(m.Triangle))] {
			if v[0] != Gone {
				part += sixfold(origin, at[v[0]], at[v[1]], at[v[2]])
			}
		}
		sum += part
	}
	return sum / 6
}

// sixfold is six times the volume of the tetrahedron of an origin and a triangle.
func sixfold(o, a, b, c r3.Vec) float64 {
	a = r3.Sub(a, o)
	return reproducible.Dot(a, reproducible.Cross(r3.Sub(r3.Sub(b, o), a), r3.Sub(r3.Sub(c, o), a)))
}

// Mean is the middle of the volume that some triangles enclose, which are a closed surface, and the mean over it of velocities of all vertices, m/s, as they change
// linearly from each triangle to a vertex. The volume must be well away from 0.
func (m *Mesh) Mean(triangles []int32, velocity []r3.Vec) (centre, mean r3.Vec) {
	first := m.Triangle[triangles[0]][0]
	from, all := m.Position[first], 0.
	for _, t := range triangles {
		v := m.Triangle[t]
		a, b, c := m.Corners(t)
		volume := sixfold(from, a, b, c)
		all += volume
		centre = r3.Add(centre, reproducible.Scale(volume, r3.Add(r3.Sub(a, from), r3.Add(r3.Sub(b, from), r3.Sub(c, from)))))
		mean = r3.Add(mean, reproducible.Scale(volume, r3.Add(r3.Add(velocity[first], velocity[v[0]]), r3.Add(velocity[v[1]], velocity[v[2]]))))
	}
	return r3.Add(from, reproducible.Scale(.25/all, centre)), reproducible.Scale(.25/all, mean)
}

// Angles are the angles at the corners of all triangles.
type Angles struct {
	// Least is the smallest one, rad; π if there are no triangles.
	Least float64
	// Count says how many there are from 10°·i to 10°·(i+1).
	Count [18]int
}

// ShareFrom is the part of all corners, 0 to 1, that have at least 10°·i. It is 1 if there are none.
func (a *Angles) ShareFrom(i int) float64 {
	above, all := 0, 0
	for k, n := range a.Count {
		all += n
		if k >= i {
			above += n
		}
	}
	if all == 0 {
		return 1
	}
	return float64(above) / float64(all)
}

// Angles measures the angles at the corners of all triangles, with the vertices where at says.
func (m *Mesh) Angles(at []r3.Vec) Angles {
	a := Angles{Least: math.Pi}
	for _, v := range m.Triangle {
		if v[0] == Gone {
			continue
		}
		for i := range 3 {
			p := at[v[i]]
			angle := angleBetween(r3.Sub(at[v[(i+1)%3]], p), r3.Sub(at[v[(i+2)%3]], p))
			a.Least = min(a.Least, angle)
			a.Count[min(len(a.Count)-1, int(angle*(18/math.Pi)))]++
		}
	}
	return a
}

// angleBetween is the angle of two vectors, rad, 0 to π.
func angleBetween(p, q r3.Vec) float64 {
	return reproducible.Atan2(reproducible.Norm(reproducible.Cross(p, q)), reproducible.Dot(p, q))
}

// inChunks runs a loop on a pool, or if that is nil on the caller's goroutine, with the same chunks.
func inChunks[C any](pool *par.Pool, n int, ctx C, body func(ctx C, worker, lo, hi int)) {
	if pool != nil {
		par.For(pool, n, measureGrain, ctx, body)
		return
	}
	for lo := 0; lo < n; lo += measureGrain {
		body(ctx, 0, lo, min(lo+measureGrain, n))
	}
}
