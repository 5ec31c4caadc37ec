package boundary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// State is a copy of all that a Liquid goes on from. Parameters are no part of it.
type State struct {
	position []r3.Vec
	triangle [][3]int32
	label    []int32
	velocity []r3.Vec
	target   []float64 // volume of each piece of the surface, m³
	momenta  []momenta // of each region
}

// Snapshot copies the state to s, in whose memory it is put.
func (l *Liquid) Snapshot(s *State) {
	m := &l.Tracker.Mesh
	m.Compact()
	s.position = append(s.position[:0], m.Position...)
	s.triangle, s.label, s.velocity = append(s.triangle[:0], m.Triangle...), append(s.label[:0], m.Label...), append(s.velocity[:0], l.velocity...)
	s.target, s.momenta = s.target[:0], s.momenta[:0]
	for i := range l.volumes.Piece {
		s.target = append(s.target, l.volumes.Piece[i].Target)
	}
	for i := range l.regions {
		s.momenta = append(s.momenta, l.regions[i].momenta)
	}
}

// Restore brings back what Snapshot copied.
func (l *Liquid) Restore(s *State) {
	m := &l.Tracker.Mesh
	m.SetLabelled(s.position, s.triangle, s.label)
	l.velocity = append(l.velocity[:0], s.velocity...)
	l.volumes.Begin(m)
	for i := range l.volumes.Piece {
		l.volumes.Piece[i].Target = s.target[i]
	}
	l.gather()
	for i := range l.regions {
		l.regions[i].momenta = s.momenta[i]
	}
	l.impulses = l.impulses[:0]
}

// mostItems is how many vertices, faces or pieces a file may have.
const mostItems = 1 << 24

// Code passes the state to a codec. What is read is checked when it is brought back: a surface that is open or that meets itself is a failure.
func (l *Liquid) Code(c *codec.Codec) {
	s := &l.before
	if c.Writing() {
		l.Snapshot(s)
	} else {
		s = &State{}
	}
	c.Part("the surface of the liquid")
	s.code(c)
	if c.Writing() || c.Failed() {
		return
	}
	if c.Checking() {
		s.check(c)
		return
	}
	l.Restore(s)
}

// code codes the arrays. What is only checked is read too: what the arrays mean together can be checked only so.
func (s *State) code(c *codec.Codec) {
	vertices := c.Count(len(s.position), mostItems, 24)
	faces := c.Count(len(s.triangle), mostItems, 16)
	targets := c.Count(len(s.target), mostItems, 8)
	regions := c.Count(len(s.momenta), mostItems, 48)
	if c.Failed() {
		return
	}
	s.position = arrays.Resize(s.position, vertices)
	s.triangle, s.label, s.velocity = arrays.Resize(s.triangle, faces), arrays.Resize(s.label, faces), arrays.Resize(s.velocity, faces)
	s.target, s.momenta = arrays.Resize(s.target, targets), arrays.Resize(s.momenta, regions)
	for i := range s.position {
		codeVec(c, &s.position[i])
	}
	for i := range s.triangle {
		c.DraftInt32s(s.triangle[i][:], 0, int32(vertices)-1)
		codeVec(c, &s.velocity[i])
	}
	c.DraftInt32s(s.label, math.MinInt32, math.MaxInt32)
	c.DraftFloat64s(s.target, -math.MaxFloat64, math.MaxFloat64)
	for i := range s.momenta {
		codeVec(c, &s.momenta[i].linear)
		codeVec(c, &s.momenta[i].angular)
	}
}

func codeVec(c *codec.Codec, v *r3.Vec) {
	x := [3]float64{v.X, v.Y, v.Z}
	c.DraftFloat64s(x[:], -math.MaxFloat64, math.MaxFloat64)
	*v = r3.Vec{X: x[0], Y: x[1], Z: x[2]}
}

// check fails unless the state can be brought back.
func (s *State) check(c *codec.Codec) {
	var l Liquid
	m := &l.Tracker.Mesh
	for _, t := range s.triangle {
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			c.Fail("a face has a vertex twice")
			return
		}
	}
	m.SetLabelled(s.position, s.triangle, s.label)
	if len(m.Position) != len(s.position) {
		c.Fail("%d vertices have no face", len(s.position)-len(m.Position))
		return
	}
	if err := m.Check(); err != nil {
		c.Fail("%v", err)
		return
	}
	l.velocity = s.velocity
	l.volumes.Begin(m)
	l.gather()
	if len(s.target) != len(l.volumes.Piece) || len(s.momenta) != len(l.regions) {
		c.Fail("%d volumes and %d momenta for %d and %d pieces", len(s.target), len(s.momenta), len(l.volumes.Piece), len(l.regions))
	}
	for i := range l.regions {
		if !(l.regions[i].body.volume > 0) {
			c.Fail("piece %d encloses %g m³", i, l.regions[i].body.volume)
			return
		}
	}
}
