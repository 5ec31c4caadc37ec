package levelset

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Code encodes or decodes what a settled field remembers beside Phi, with the interval of upkeep that whoever has it keeps: how often it has moved, and
// which blocks thin walls are in. When it decodes, Publish comes before it, and the layout is the one that was encoded.
func (s *Field) Code(c *codec.Codec, interval *int) {
	c.Part("level set")
	tick, cadence := int64(s.Tick), *interval
	c.Int64(&tick, 0, math.MaxUint32)
	c.Int(&cadence, 0, math.MaxInt32)
	clips := c.Count(len(s.ClipBlocks), s.g.Bases(), 1)
	if c.Reading() {
		s.Tick, *interval = uint32(tick), cadence
		s.ClipBlocks = slices.Grow(s.ClipBlocks[:0], clips)[:clips]
	}
	c.Bools(s.ClipBlocks, clips)
}

// CodeNoMarkers encodes or decodes that there are no markers.
func CodeNoMarkers(c *codec.Codec) {
	c.Part("markers")
	c.Count(0, 0, markerBytes)
}

// markerBytes is what a marker takes when it is encoded.
const markerBytes = 3*8 + 4

// code encodes or decodes the markers. Those that are encoded are in the order of their base cells, which decoding restores.
func (m *Markers) code(c *codec.Codec) {
	c.Part("markers")
	n := c.Count(m.Len(), max(m.Max, 0), markerBytes)
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
