package droplets

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// Keep stores the drops for Restore.
func (d *Drops) Keep() { d.kept = append(d.kept[:0], d.All...) }

// Restore restores the drops of the last Keep.
func (d *Drops) Restore() {
	d.All = append(d.All[:0], d.kept...)
	d.sumVolume()
}

// Code encodes and decodes the drops, which are within a box, m.
func (d *Drops) Code(c *codec.Codec, within r3.Box) {
	const most = math.MaxFloat64
	c.Part("drops of emitters")
	n := c.Count(len(d.All), MaxDrops, 7*8)
	if c.Reading() {
		d.All = arrays.Resize(d.All, n)
	}
	var none Drop
	for i := range n {
		p := &none
		if !c.Checking() {
			p = &d.All[i]
		}
		c.Float64(&p.X.X, within.Min.X, within.Max.X)
		c.Float64(&p.X.Y, within.Min.Y, within.Max.Y)
		c.Float64(&p.X.Z, within.Min.Z, within.Max.Z)
		c.Float64(&p.V.X, -d.MaxSpeed, d.MaxSpeed)
		c.Float64(&p.V.Y, -d.MaxSpeed, d.MaxSpeed)
		c.Float64(&p.V.Z, -d.MaxSpeed, d.MaxSpeed)
		c.Float64(&p.Volume, 0, most)
	}
	c.Float64(&d.Volume, 0, most)
}
