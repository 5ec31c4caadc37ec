package levelset

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Code goes along what a settled level set remembers beside Phi: markers, droplets, and which blocks thin walls are in.
// Resume comes before it when reading, and the layout is the one that was written.
func (s *LevelSet) Code(c *codec.Codec) {
	c.Part("level set")
	tick, cadence := int64(s.Tick), s.Markers.Cadence
	c.Int64(&tick, 0, math.MaxUint32)
	c.Int(&cadence, 0, math.MaxInt32)
	clips := c.Count(len(s.ClipBlocks), s.g.Bases(), 1)
	if c.Reading() {
		s.Tick, s.Markers.Cadence = uint32(tick), cadence
		s.ClipBlocks = slices.Grow(s.ClipBlocks[:0], clips)[:clips]
	}
	c.Bools(s.ClipBlocks, clips)
	s.Markers.code(c)
	s.Markers.Spray.Code(c)
}

// code goes along the markers. Those that were written are in the order of their base cells, which reading restores.
func (m *Markers) code(c *codec.Codec) {
	c.Part("markers")
	n := c.Count(m.Len(), max(m.Max, 0), 3*8+4)
	if c.Reading() {
		m.resize(n)
	}
	dim := m.s.g.Dim
	below := [3]float64{math.Nextafter(float64(dim[0]), 0), math.Nextafter(float64(dim[1]), 0), math.Nextafter(float64(dim[2]), 0)}
	var none layout.Point
	for i := range n {
		p := &none
		if !c.Checking() {
			p = &m.Position[i]
		}
		c.Float64(&p.X, 0, below[0])
		c.Float64(&p.Y, 0, below[1])
		c.Float64(&p.Z, 0, below[2])
	}
	c.Float32s(m.Radius, n, -math.MaxFloat32, math.MaxFloat32)
	if c.Reading() {
		clear(m.escaped)
		clear(m.strays)
		m.locate()
	}
}
