package tets

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/transport"
)

// State codes the state of the blocks, and of the lattice on them: the velocity along its edges, and the pressure at its vertices.
type State struct{ m *Lattice }

// mostVelocity, m/s, is far beyond what a step leaves.
const mostVelocity = 1e15

// Code encodes or decodes the state. After decoding, Resume derives the rest.
func (s *State) Code(c *codec.Codec) { s.code(c) }

// code is Code, and returns the lattice that the state is of.
func (s *State) code(c *codec.Codec) *bcc.Lattice {
	m := s.m
	m.Blocks.State.Code(c)
	c.Part("lattice")
	l := s.lattice(c)
	u, known := m.carrier.Edges()
	c.Float64s(u, l.Edges(), -mostVelocity, mostVelocity)
	c.Uint8s(known, l.Edges(), 0, transport.MostKnown)
	if c.Reading() {
		m.now.pressure = arrays.Resize(m.now.pressure, l.Vertices())
	}
	c.Float64s(m.now.pressure, l.Vertices(), -math.MaxFloat64, math.MaxFloat64)
	return l
}

// lattice is that on the layout that is coded, which is made when it is checked or read. After a failure it is empty.
func (s *State) lattice(c *codec.Codec) *bcc.Lattice {
	m := s.m
	if c.Checking() {
		l := new(bcc.Lattice)
		if level := m.Blocks.State.Levels(); !c.Failed() {
			l.Build(m.Grid, &layout.Map{Level: level, First: make([]int32, len(level))}, m.Pool)
		}
		return l
	}
	if c.Reading() {
		m.rebuild()
		m.carrier.Start(&m.now.Lattice)
		m.settle()
	}
	return &m.now.Lattice
}

// CodeMeasured codes what steps measure and carry on.
func (s *State) CodeMeasured(c *codec.Codec) { s.m.Blocks.State.CodeMeasured(c) }

// Resume makes anew, after Code has read, what is not written of the state.
func (s *State) Resume() {
	s.m.Blocks.State.Resume()
	s.m.carrier.Resume()
}

// Most is more bytes than what Code writes can have: an edge takes 9, of which a cell has 14 and some, a vertex 8.
func (s *State) Most() int {
	return s.m.Blocks.State.Most() + 256*s.m.Grid.Bases()*layout.Edge*layout.Edge*layout.Edge
}
