package fields

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Set is gravity and the fields, in the order in which they were added. Invalidate must follow a change of a field.
type Set struct {
	All     []*Field
	Gravity r3.Vec      // with the uniform fields, m/s²
	Tiles   boxes.Tiles // of the domain
	Warn    func(knob, text string)

	out       remedies.Out
	acting    []*Field // those of All that are not left out, as of the last Place
	index     Index
	strongest float64 // upper bound of the acceleration by gravity and all fields, m/s²
}

// SetGravity sets gravity, m/s², and returns it with the uniform fields added.
func (s *Set) SetGravity(gravity r3.Vec) r3.Vec {
	s.Invalidate()
	for _, f := range s.All {
		if f.IsUniform() && !s.out.Has(f.ID) {
			gravity = r3.Add(gravity, reproducible.Scale(f.Strength, f.Axis))
		}
	}
	s.Gravity = gravity
	return gravity
}

// LeaveOut sets which fields are left out, and reports whether that is a change; then SetGravity must follow.
func (s *Set) LeaveOut(out remedies.Out) (changed bool) {
	changed = s.out != out
	s.out = out
	return changed
}

// AppendActing appends the fields, as candidates to leave out.
func (s *Set) AppendActing(dst []remedies.Choice) []remedies.Choice {
	for _, f := range s.All {
		dst = append(dst, remedies.Choice{Kind: remedies.Fields, One: true, ID: f.ID})
	}
	return dst
}

// Invalidate makes the next Index rebuild the index.
func (s *Set) Invalidate() { s.index.Invalidate() }

// Index returns the index of the fields, rebuilt if needed.
func (s *Set) Index() *Index {
	if s.index.Warn == nil {
		s.index.Warn = s.warn
	}
	if s.index.stale {
		s.acting = s.acting[:0]
		for _, f := range s.All {
			if !s.out.Has(f.ID) {
				s.acting = append(s.acting, f)
			}
		}
	}
	if s.index.Rebuild(s.acting, s.Tiles) {
		s.strongest = s.index.Strongest() + reproducible.Norm(s.Gravity)
	}
	return &s.index
}

// warn warns of a field whose function returns a value that is not finite.
func (s *Set) warn(i int32, given, at r3.Vec) {
	s.Warn("Field.Func", fmt.Sprintf("field %d gives %v m/s² at %v m: what is not finite counts as none", s.acting[i].ID, given, at))
}

// Strongest returns an upper bound of the acceleration by gravity and all fields, m/s².
func (s *Set) Strongest() float64 {
	s.Index()
	return s.strongest
}

// At returns the acceleration by gravity and the fields at a place, m/s².
func (s *Set) At(x r3.Vec) r3.Vec {
	a := s.Gravity
	s.Index().Each(x, func(more r3.Vec) { a = r3.Add(a, more) })
	return a
}

// Sample sets dst to At of the places at.
func (s *Set) Sample(dst, at []r3.Vec) {
	for i, x := range at {
		dst[i] = s.At(x)
	}
}

// AccelerateParticles adds the effect of fields that vary in space in dt seconds to particles' velocities. Places, m, and velocities, m/s, are xyz
// per particle.
func (s *Set) AccelerateParticles(places, velocities []float32, dt float64) {
	n := s.Index()
	for i := range len(places) / 3 {
		p, v := places[3*i:][:3], velocities[3*i:][:3]
		x := r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
		n.Each(x, func(more r3.Vec) {
			for k, a := range reproducible.Array(more) {
				v[k] += float32(dt * a)
			}
		})
	}
}

// Accelerate adds the effect of fields that vary in space in dt seconds to the velocities of all faces.
func (s *Set) Accelerate(pool *par.Pool, gr *graph.Graph, dt float64) {
	if n := s.Index(); n.Any() {
		n.Accelerate(pool, gr, dt)
	}
}

// CopyTo copies the fields into dst.
func (s *Set) CopyTo(dst *Set) {
	arrays.CopyEach(&dst.All, s.All, func(to, from *Field) { *to = *from })
}

// Code encodes and decodes the fields.
func (s *Set) Code(c *codec.Codec) {
	c.Part("fields")
	list := c.List(len(s.All))
	for list.Next() {
		s.All[list.At].code(c)
	}
}

// code encodes and decodes a field. Its Func is the game's code, and not encoded.
func (f *Field) code(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Same("Kind", uint64(f.Kind))
	c.Settable("what they are like", -most, most, &f.Centre.X, &f.Centre.Y, &f.Centre.Z)
	c.Settable("what they are like", -most, most, &f.Axis.X, &f.Axis.Y, &f.Axis.Z)
	c.Settable("what they are like", 0, most, &f.Radius)
	c.Settable("what they are like", -MaxStrength, MaxStrength, &f.Strength)
}
