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

// Set is all that accelerates the liquid at a distance: gravity and the fields, in the order in which they were added. What changes one of All
// tells so by Invalidate.
type Set struct {
	All     []*Field
	Gravity r3.Vec      // with the fields that are the same everywhere, m/s²
	Tiles   boxes.Tiles // of the domain
	Warn    func(knob, text string)

	out       remedies.Out
	acting    []*Field // those of All that are not left out, as the index was placed last
	index     Index
	strongest float64 // bound of what gravity and all fields accelerate liquid by, m/s²
}

// SetGravity sets gravity, m/s², and returns it with the fields that are the same everywhere.
func (s *Set) SetGravity(gravity r3.Vec) r3.Vec {
	s.Invalidate()
	for _, f := range s.All {
		if f.Even() && !s.out.Has(f.ID) {
			gravity = r3.Add(gravity, reproducible.Scale(f.Strength, f.Axis))
		}
	}
	s.Gravity = gravity
	return gravity
}

// LeaveOut has what is left out not act, and tells whether that changes something: SetGravity is to follow then.
func (s *Set) LeaveOut(out remedies.Out) (changed bool) {
	changed = s.out != out
	s.out = out
	return changed
}

// AppendActing lists the fields, to be left out.
func (s *Set) AppendActing(dst []remedies.Choice) []remedies.Choice {
	for _, f := range s.All {
		dst = append(dst, remedies.Choice{Kind: remedies.Fields, One: true, ID: f.ID})
	}
	return dst
}

// Invalidate has the fields be read anew.
func (s *Set) Invalidate() { s.index.Invalidate() }

// Index is which fields act where.
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
	if s.index.Place(s.acting, s.Tiles) {
		s.strongest = s.index.Strongest() + reproducible.Norm(s.Gravity)
	}
	return &s.index
}

// warn names a field whose function gives what is not finite.
func (s *Set) warn(i int32, given, at r3.Vec) {
	s.Warn("Field.Func", fmt.Sprintf("field %d gives %v m/s² at %v m: what is not finite counts as none", s.acting[i].ID, given, at))
}

// Strongest bounds what gravity and all fields accelerate liquid by, m/s².
func (s *Set) Strongest() float64 {
	s.Index()
	return s.strongest
}

// At is what gravity and the fields accelerate liquid by at a place, m/s².
func (s *Set) At(x r3.Vec) r3.Vec {
	a := s.Gravity
	s.Index().Each(x, func(more r3.Vec) { a = r3.Add(a, more) })
	return a
}

// Sample writes At for some places.
func (s *Set) Sample(dst, at []r3.Vec) {
	for i, x := range at {
		dst[i] = s.At(x)
	}
}

// AccelerateParticles adds what the fields that differ from place to place change velocities by in dt seconds. Places, m, and velocities, m/s, are xyz
// of one particle after the other.
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

// Accelerate adds what the fields that differ from place to place do in dt seconds to the velocities of all faces.
func (s *Set) Accelerate(pool *par.Pool, gr *graph.Graph, dt float64) {
	if n := s.Index(); n.Any() {
		n.Accelerate(pool, gr, dt)
	}
}

// CopyTo makes dst have the same fields.
func (s *Set) CopyTo(dst *Set) {
	arrays.CopyEach(&dst.All, s.All, func(to, from *Field) { *to = *from })
}

// Code goes along the fields.
func (s *Set) Code(c *codec.Codec) {
	c.Part("fields")
	list := c.List(len(s.All))
	for list.Next() {
		s.All[list.At].code(c)
	}
}

// code goes along what a field is like.
func (f *Field) code(c *codec.Codec) {
	const most = math.MaxFloat64
	c.Same("Kind", uint64(f.Kind))
	c.Settable("what they are like", -most, most, &f.Centre.X, &f.Centre.Y, &f.Centre.Z)
	c.Settable("what they are like", -most, most, &f.Axis.X, &f.Axis.Y, &f.Axis.Z)
	c.Settable("what they are like", 0, most, &f.Radius)
	c.Settable("what they are like", -MaxStrength, MaxStrength, &f.Strength)
}
