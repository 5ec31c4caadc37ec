package cubes

import (
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// State codes the state of the grid and the surface.
type State struct {
	m       *Cells
	survey  *Survey
	surface *Surface
	sleep   *BlockSleep
	volumes *Volumes
	sizer   *sizing.Sizer
	foam    *forces.Foam
	read    []uint8 // levels of the layout that is checked or read
	coded   []uint8 // levels of the layout that the last Code was about
	moving  []bool  // per base cell: the velocity there is not known to be 0
}

// mostDistance, m, and mostVelocity, m/s, are far beyond what a step leaves, and so far below what a float32 holds that a step's arithmetic
// stays finite.
const mostDistance, mostVelocity = 1e12, 1e15

// Code encodes or decodes the state: the blocks' levels, the fields on cells and faces, markers and droplets, the foam, and
// what the sizing remembers. After decoding, Resume derives the rest.
func (s *State) Code(c *codec.Codec) {
	s.codeLayout(c)
	s.codeCells(c)
	s.surface.code(c, s.coded)
	s.foam.Code(c, s.coded)
	s.sizer.Code(c)
}

// codeLayout encodes or decodes the blocks' levels.
func (s *State) codeLayout(c *codec.Codec) {
	m := s.m
	c.Part("levels")
	g := m.Grid
	if c.Writing() {
		c.Uint8s(g.Cur.Level, g.Bases(), 0, 0)
		s.coded = g.Cur.Level
		return
	}
	s.read = arrays.Resize(s.read, g.Bases())
	s.coded = s.read
	c.Draft(s.read, m.Coarsest, layout.MaxLevel)
	if c.Reading() {
		g.Lay(s.read)
		return
	}
	if b, nb := g.FindUnbalanced(s.read); b != layout.None {
		c.Fail("blocks side by side have levels %d and %d; they may differ by one", s.read[b], s.read[nb])
	}
}

// codeCells encodes or decodes the fields on cells and faces.
func (s *State) codeCells(c *codec.Codec) {
	m := s.m
	levels := s.coded
	c.Part("distance")
	s.codeField(c, m.Set.Phi, -mostDistance, mostDistance)
	c.Part("foam")
	s.codeField(c, s.foam.Cur, 0, 1)
	c.Part("velocity")
	for a := range m.Faces {
		s.codeField(c, m.Faces[a], -mostVelocity, mostVelocity)
	}
	moving := arrays.Resize(s.moving, len(levels))
	s.moving = moving
	if c.Writing() {
		for b := range moving {
			moving[b] = !m.Vel.Blank(int32(b))
		}
	}
	c.Bools(moving, len(levels))
	c.Part("pressure")
	for b, level := range levels {
		c.Float64s(partOf(c, m.Grid, m.Press, s.coded, b), 1<<(3*level), -math.MaxFloat64, math.MaxFloat64)
	}
}

// codeField encodes or decodes a field on the cells of each block.
func (s *State) codeField(c *codec.Codec, field []float32, lo, hi float32) {
	for b, level := range s.coded {
		c.Float32s(partOf(c, s.m.Grid, field, s.coded, b), 1<<(3*level), lo, hi)
	}
}

// partOf is what a field has on the cells of a block of the state that is written or read. While it is checked there is none.
func partOf[T any](c *codec.Codec, g *layout.Grid, field []T, coded []uint8, b int) []T {
	if c.Checking() {
		return nil
	}
	return field[g.Cur.First[b]:][:1<<(3*coded[b])]
}

// codeSurvey encodes or decodes what the last step found out about the blocks.
func (s *State) codeSurvey(c *codec.Codec) {
	m := s.m
	c.Part("survey")
	i, n := s.survey, m.Grid.Bases()
	c.Float32s(i.Speed, n, 0, math.MaxFloat32)
	c.Float32s(i.Fraction, n, 0, 2)
	for b := range uint32(n) {
		wet, band := i.Wet.Contains(b), i.Band.Contains(b)
		c.Bool(&wet)
		c.Bool(&band)
		if c.Reading() {
			i.Set(int32(b), wet, band)
		}
	}
	c.Float64(&i.MaxSpeed, 0, math.MaxFloat64)
	c.Int(&i.Demand.Full, 0, math.MaxInt32)
	c.Int(&i.Demand.Least, 0, math.MaxInt32)
	if c.Version() >= 4 {
		c.Int(&i.Demand.Seen, 0, math.MaxInt32)
	} else if c.Reading() {
		i.Demand.Seen = i.Demand.Full
	}
	if c.Version() < 2 { // all bodies' blocks were finest, or none
		dropped := 0
		c.Int(&dropped, 0, 1)
	}
}

// Resume makes anew, after Code has read, what is not written of the state. The solids are to be measured next.
func (s *State) Resume() {
	m := s.m
	m.Vel.GatherIn(m.Pool, &m.Faces, s.moving)
	m.Set.Publish()
	s.foam.Resume()
}

// Most is more bytes than what Code writes, with a label per cell, can have: a cell takes 40 and half as much again if it's a component of
// its own, a base cell less than a cell more, a marker or a droplet 28.
func (s *State) Most() int {
	m := s.m
	return s.surface.most() + 64*m.Grid.Bases()*layout.Edge*layout.Edge*layout.Edge
}

// Levels are those of the blocks of the layout that the last Code was about.
func (s *State) Levels() []uint8 { return s.coded }
