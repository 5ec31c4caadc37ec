package waves

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// shape is a mesh as the waves keep it, and what is on it.
type shape struct {
	positions, normals, velocities []float32 // xyz per vertex
	labels                         []uint8   // nil: one for all
	triangles                      []uint32  // the free ones
	height, speed                  []float64 // per vertex
	lookup                         lookup
}

// copyOf makes it a copy of a mesh, with room for waves.
func (s *shape) copyOf(m *query.Triangles) {
	n := len(m.Positions) / 3
	s.positions = append(s.positions[:0], m.Positions...)
	s.normals = append(s.normals[:0], m.Normals...)
	s.velocities = append(s.velocities[:0], m.Velocities...)
	s.triangles = append(s.triangles[:0], m.Indices[:m.Free]...)
	s.labels = s.labels[:0]
	if s.labels = append(s.labels, m.Labels...); len(m.Labels) == 0 {
		s.labels = nil
	}
	s.height, s.speed = arrays.Resize(s.height, n), arrays.Resize(s.speed, n)
	clear(s.height)
	clear(s.speed)
}

// copyFrom makes it a copy of another, with its waves.
func (s *shape) copyFrom(from *shape) {
	s.positions = append(s.positions[:0], from.positions...)
	s.normals = append(s.normals[:0], from.normals...)
	s.velocities = append(s.velocities[:0], from.velocities...)
	s.triangles = append(s.triangles[:0], from.triangles...)
	s.labels = s.labels[:0]
	if s.labels = append(s.labels, from.labels...); from.labels == nil {
		s.labels = nil
	}
	s.height = append(s.height[:0], from.height...)
	s.speed = append(s.speed[:0], from.speed...)
}

// Carry takes the mesh as it is dt later, however it is triangulated, and gives it the waves of the one before: each vertex those from where its velocity says that it was.
//
// Where triangles stretch, waves on them fall by the root of how much larger they get, at least to half and at most to twice as much in a step. Surface that
// was not there before is without waves. No part of the mesh that hangs together has volume by its waves afterwards.
func (w *Waves) Carry(m *query.Triangles, dt float64) {
	if w.unbuilt {
		w.build()
	}
	w.stretch(dt)
	w.now, w.old = w.old, w.now
	w.SetMesh(m)
	w.dt = dt
	par.For(w.pool, len(w.Height), grain/4, w, (*Waves).sample)
	w.RemoveMean(w.Height)
	w.RemoveMean(w.Speed)
}

// Stay takes what else has changed of a mesh that is the same, and tells whether it is.
func (w *Waves) Stay(m *query.Triangles) bool {
	s := &w.now
	if !slices.Equal(s.positions, m.Positions) || !slices.Equal(s.triangles, m.Indices[:m.Free]) || !slices.Equal(s.labels, m.Labels) {
		return false
	}
	copy(s.normals, m.Normals)
	copy(s.velocities, m.Velocities)
	if w.unbuilt {
		w.build()
	}
	return true
}

// reach is how far from a vertex its waves are looked for, in roots of its mass: edges of a mesh of squares.
const reach = 2.

func (w *Waves) sample(_, lo, hi int) {
	old := &w.old.lookup
	for v := lo; v < hi; v++ {
		mass := w.mesh.mass[v]
		if mass == 0 {
			continue
		}
		x := r3.Sub(at(w.now.positions, uint32(v)), reproducible.Scale(w.dt, at(w.now.velocities, uint32(v))))
		normal, label := at(w.now.normals, uint32(v)), uint8(0)
		if w.now.labels != nil {
			label = w.now.labels[v]
		}
		from := int32(v) // where nothing moves
		if !old.isAt(from, x, normal, label) {
			far := float64(reach * math.Sqrt(mass))
			if from = old.nearestVertex(x, normal, label, .4*far); from < 0 {
				from = old.nearestVertex(x, normal, label, far)
			}
			if from < 0 {
				continue
			}
		}
		p := old.nearestPlace(x, from)
		w.Height[v], w.Speed[v] = p.of(w.old.height), p.of(w.old.speed)
	}
}

// stretch lowers the waves where triangles will be larger dt later.
func (w *Waves) stretch(dt float64) {
	n := len(w.Height)
	w.mean, w.sum = arrays.Resize(w.mean, n), arrays.Resize(w.sum, n) // areas before and after
	clear(w.mean)
	clear(w.sum)
	s := &w.now
	for t := 0; t+2 < len(s.triangles); t += 3 {
		var x, moved [3]r3.Vec
		for k, v := range s.triangles[t : t+3] {
			x[k] = at(s.positions, v)
			moved[k] = r3.Add(x[k], reproducible.Scale(dt, at(s.velocities, v)))
		}
		before := reproducible.Norm(reproducible.Cross(r3.Sub(x[1], x[0]), r3.Sub(x[2], x[0])))
		after := reproducible.Norm(reproducible.Cross(r3.Sub(moved[1], moved[0]), r3.Sub(moved[2], moved[0])))
		for _, v := range s.triangles[t : t+3] {
			w.mean[v] += before
			w.sum[v] += after
		}
	}
	for v, before := range w.mean {
		if after := w.sum[v]; before > 0 {
			f := math.Sqrt(max(.25, min(4, before/max(after, before/8))))
			w.Height[v], w.Speed[v] = float64(w.Height[v]*f), float64(w.Speed[v]*f)
		}
	}
}
