package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// What a block is full of, in a file.
const (
	codeAir uint8 = iota
	codeLiquid
	codeSamples
)

// Code encodes or decodes a settled surface: the samples, from which the mesh follows. When reading, the grid is in the layout that was written.
func (c *Contour) Code(f *codec.Codec) {
	f.Part("contour")
	f.Same("the samples along a cell's edge", uint64(c.detail))
	n, l := c.g.Bases(), c.old
	c.fill, c.levels = arrays.Resize(c.fill, n), arrays.Resize(c.levels, n)
	clear(c.fill)
	clear(c.levels)
	if f.Writing() {
		copy(c.levels, l.level)
		for b := range c.fill {
			switch s := l.slot[b]; {
			case s != none && int(s) < l.active:
				c.fill[b] = codeSamples
			case l.liquid[b]:
				c.fill[b] = codeLiquid
			}
		}
	}
	f.Draft(c.levels, 0, layout.MaxLevel)
	f.Draft(c.fill, codeAir, codeSamples)
	if f.Failed() {
		return
	}
	if f.Reading() {
		c.now = l
		copy(l.level, c.levels)
		l.clear()
	}
	for b, what := range c.fill {
		if what != codeSamples {
			if f.Reading() {
				l.liquid[b] = what == codeLiquid
			}
			continue
		}
		m := c.detail<<c.levels[b] + 1
		var samples []float32
		switch {
		case f.Reading():
			samples = l.samples(&l.tiles[l.addTile(int32(b))])
		case f.Writing():
			samples = l.samples(&l.tiles[l.slot[b]])
		}
		f.Float32s(samples, m*m*m, -math.MaxFloat32, math.MaxFloat32)
	}
	if f.Reading() {
		l.resume()
		c.thick.particles = c.thick.particles[:0]
	}
}
