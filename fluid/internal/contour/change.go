package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"gonum.org/v1/gonum/spatial/r3"
)

// Change replaces the distance in boxes, m, of whole blocks. become is given the distances at points there, as Distance tells them, and writes what they
// are to be, m: of the right sign, and right near the new surface. Where it leaves them, whatever they are, the surface stays to the bit. It is called
// from several workers.
func (c *Contour) Change(within []r3.Box, become func(dst []float32, at []r3.Vec)) {
	if !c.now.ready {
		c.propagate()
	}
	c.from = c.begin()
	c.seedFrom(c.from)
	c.changing = arrays.Resize(c.changing, c.g.Bases())
	clear(c.changing)
	for i := range within {
		c.markChanging(&within[i])
	}
	for b, changing := range c.changing {
		if changing && c.now.slot[b] == none {
			c.now.addTile(int32(b))
		}
	}
	c.edit = edit{shape: become}
	c.sample((*Contour).changeTile, nil)
	c.edit = edit{}
}

// markChanging marks the base cells whose middles are in a box, and those around them, which share samples with them.
func (c *Contour) markChanging(box *r3.Box) {
	tiles := boxes.Tiles{Origin: c.g.Origin, Edge: c.g.H * grid.Edge, Dim: c.g.Dim}
	tiles.Each(*box, func(b int32) {
		if !boxes.Contains(*box, tiles.Centre(b)) {
			return
		}
		for _, nb := range c.g.Nearby(b) {
			if nb != grid.None && (nb == b || c.now.slot[nb] != none) {
				c.changing[nb] = true
			}
		}
	})
}

// changeTile writes the samples of a tile as they were, or as they are to be.
func (c *Contour) changeTile(worker int, i int32) {
	c.resampleTile(worker, i)
	l, w := c.now, &c.work[worker]
	t := &l.tiles[i]
	if !c.changing[t.base] {
		return
	}
	f := l.samples(t)
	w.at, w.value = arrays.Resize(w.at, len(f)), arrays.Resize(w.value, len(f))
	k := 0
	for z := range t.n + 1 {
		for y := range t.n + 1 {
			for x := range t.n + 1 {
				p := t.global(c.edge, x, y, z)
				w.at[k], w.value[k] = c.metres(p[0], p[1], p[2]), probe
				k++
			}
		}
	}
	c.edit.shape(w.value, w.at)
	n := c.listChanged(w)
	at, value := w.at[:n], w.value[:n]
	c.edit.shape(value, at)
	far, scale := float32(farCells)*float32(t.cell), float32(1/c.unit)
	for i, v := range value {
		if v == v {
			f[w.changed[i]] = max(-far, min(float32(v*scale), far))
		}
	}
}

// probe stands for the distance where it is only asked whether that is changed: distances take their time.
const probe = math.MaxFloat32

// listChanged lists the points whose value has changed from probe, and brings them to the front, with their distances for values. It returns how many there are.
func (c *Contour) listChanged(w *workspace) (n int) {
	w.changed = w.changed[:0]
	scale := 1 / c.unit
	for i, v := range w.value {
		if v == probe {
			continue
		}
		x := w.at[i]
		w.changed = append(w.changed, int32(i))
		d := c.from.distanceAt(float64((x.X-c.g.Origin[0])*scale), float64((x.Y-c.g.Origin[1])*scale), float64((x.Z-c.g.Origin[2])*scale))
		w.at[n], w.value[n] = x, float32(float64(d)*c.unit)
		n++
	}
	return n
}
