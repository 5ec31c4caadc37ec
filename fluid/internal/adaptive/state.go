package adaptive

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// stateScratch is scratch of what codes the state.
type stateScratch struct {
	read   []uint8 // levels of the layout that is checked or read
	coded  []uint8 // levels of the layout that the last Code was about
	moving []bool  // per base cell: the velocity there is not known to be 0
}

// mostDistance, m, and mostVelocity, m/s, are far beyond what a step leaves, and so far below what a float32 holds that a step's arithmetic
// stays finite.
const mostDistance, mostVelocity = 1e12, 1e15

// Code goes along the state of the grid and the surface: the blocks' levels, the fields on cells and faces, markers and droplets, the foam, and
// what the sizing remembers. After it has read, Resume makes anew what is not written.
func (m *Blocks) Code(c *codec.Codec) {
	m.codeLayout(c)
	m.codeCells(c)
	m.Set.Code(c)
	m.Foam.Code(c, m.state.coded)
	m.Sizer.Code(c)
}

// codeLayout goes along the blocks' levels.
func (m *Blocks) codeLayout(c *codec.Codec) {
	c.Part("levels")
	g, st := m.Grid, &m.state
	if c.Writing() {
		c.Uint8s(g.Cur.Level, g.Bases(), 0, 0)
		st.coded = g.Cur.Level
		return
	}
	st.read = arrays.Resize(st.read, g.Bases())
	st.coded = st.read
	c.Draft(st.read, m.Coarsest, grid.MaxLevel)
	if c.Reading() {
		g.Lay(st.read)
		return
	}
	for b, level := range st.read {
		for _, nb := range g.Neighbour[b] {
			if nb != grid.None && st.read[nb] > level+1 {
				c.Fail("blocks side by side have levels %d and %d; they may differ by one", level, st.read[nb])
			}
		}
	}
}

// codeCells goes along the fields on cells and faces.
func (m *Blocks) codeCells(c *codec.Codec) {
	levels := m.state.coded
	c.Part("distance")
	m.codeField(c, m.Set.Phi, -mostDistance, mostDistance)
	c.Part("foam")
	m.codeField(c, m.Foam.Cur, 0, 1)
	c.Part("velocity")
	for a := range m.Faces {
		m.codeField(c, m.Faces[a], -mostVelocity, mostVelocity)
	}
	moving := arrays.Resize(m.state.moving, len(levels))
	m.state.moving = moving
	if c.Writing() {
		for b := range moving {
			moving[b] = !m.Vel.Blank(int32(b))
		}
	}
	c.Bools(moving, len(levels))
	c.Part("pressure")
	for b, level := range levels {
		c.Float64s(partOf(m, c, m.Press, b), 1<<(3*level), -math.MaxFloat64, math.MaxFloat64)
	}
}

// codeField goes along a field on the cells of each block.
func (m *Blocks) codeField(c *codec.Codec, field []float32, lo, hi float32) {
	for b, level := range m.state.coded {
		c.Float32s(partOf(m, c, field, b), 1<<(3*level), lo, hi)
	}
}

// partOf is what a field has on the cells of a block of the state that is written or read. While it is checked there is none.
func partOf[T any](m *Blocks, c *codec.Codec, field []T, b int) []T {
	if c.Checking() {
		return nil
	}
	return field[m.Grid.Cur.First[b]:][:1<<(3*m.state.coded[b])]
}

// CodeSurvey goes along what the last step found out about the blocks.
func (m *Blocks) CodeSurvey(c *codec.Codec) {
	c.Part("survey")
	i, n := &m.Survey, m.Grid.Bases()
	c.Float32s(i.Speed, n, 0, math.MaxFloat32)
	c.Float32s(i.Fraction, n, 0, 2)
	for b := range uint32(n) {
		wet, band := i.Wet.Contains(b), i.Band.Contains(b)
		c.Bool(&wet)
		c.Bool(&band)
		if c.Reading() {
			Put(i.Wet, int(b), wet)
			Put(i.Band, int(b), band)
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
func (m *Blocks) Resume() {
	m.Vel.GatherIn(m.Pool, &m.Faces, m.state.moving)
	m.Set.Resume()
	m.Foam.Resume()
}

// MostState is more bytes than what Code writes, with a label per cell, can have: a cell takes 40 and half as much again if it's a component of
// its own, a base cell less than a cell more, a marker or a droplet 28.
func (m *Blocks) MostState() int {
	k := m.Set.Markers
	return 64*m.Grid.Bases()*grid.Edge*grid.Edge*grid.Edge + 32*(k.Max+k.Droplets.Max)
}
