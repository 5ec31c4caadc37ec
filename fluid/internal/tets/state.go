package tets

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/transport"
)

// State codes the state of the blocks, and of the lattice on them: the velocity along its edges, and the pressure at its vertices.
type State struct {
	m    *Lattice
	tets int // of the lattice that was checked last
}

// mostVelocity, m/s, is far beyond what a step leaves.
const mostVelocity = 1e15

// Code encodes or decodes the state. After decoding, Resume derives the rest.
func (s *State) Code(c *codec.Codec) {
	m := s.m
	m.Blocks.State.Code(c)
	c.Part("lattice")
	edges, vertices := s.sizes(c)
	u, known := m.carrier.Edges()
	c.Float64s(u, edges, -mostVelocity, mostVelocity)
	c.Uint8s(known, edges, 0, transport.MostKnown)
	if c.Reading() {
		m.now.pressure = arrays.Resize(m.now.pressure, vertices)
	}
	c.Float64s(m.now.pressure, vertices, -math.MaxFloat64, math.MaxFloat64)
}

// sizes is how many edges and vertices the lattice of the layout that is coded has. When it is read, the lattice is made that of the layout.
func (s *State) sizes(c *codec.Codec) (edges, vertices int) {
	m := s.m
	if c.Checking() {
		if c.Failed() {
			return 0, 0
		}
		var l graded
		level := m.Blocks.State.Levels()
		l.Build(m.Grid, &layout.Map{Level: level, First: make([]int32, len(level))}, m.Pool)
		s.tets = l.Tets()
		return l.Edges(), l.Vertices()
	}
	if c.Reading() {
		m.rebuild()
		m.carrier.Start(&m.now.Lattice)
		m.settle()
	}
	return m.now.Edges(), m.now.Vertices()
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
