package tets

import (
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffed"
)

// StuffedState codes the state of the lattice, and of the stuffed mesh: where its vertices are, and the velocity of its tetrahedra.
type StuffedState struct{ m *Stuffed }

// Code encodes or decodes the state. After decoding, Resume derives the rest.
func (s *StuffedState) Code(c *codec.Codec) {
	s.m.settled.Code(c, s.m.Lattice.State.code(c))
}

// CodeMeasured codes what steps measure and carry on.
func (s *StuffedState) CodeMeasured(c *codec.Codec) { s.m.Lattice.State.CodeMeasured(c) }

// Resume makes anew, after Code has read, what is not written of the state.
func (s *StuffedState) Resume() { s.m.Lattice.State.Resume() }

// Most is more bytes than what Code writes can have.
func (s *StuffedState) Most() int {
	return s.m.Lattice.State.Most() + stuffed.MostPerCell*s.m.Grid.Bases()*layout.Edge*layout.Edge*layout.Edge
}
