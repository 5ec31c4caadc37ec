package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

// Change replaces the distance in boxes, m, of whole blocks. change is given the distances at points there, m, and writes what they are to be: of the
// right sign, and right near the new surface. Where it leaves them the surface stays to the bit. It is called from several workers.
//
// Only points near the surface are asked about, but in base cells around whose middles appears tells that liquid or air may appear away from it.
func (c *Contour) Change(within []r3.Box, appears func(x r3.Vec) bool, change func(dst []float32, at []r3.Vec)) {
	if !c.now.ready {
		c.propagate()
	}
	c.from = c.begin()
	c.seedFrom(c.from)
	n := c.g.Bases()
	c.changing, c.anew = arrays.Resize(c.changing, n), arrays.Resize(c.anew, n)
	clear(c.changing)
	for i := range within {
		c.markChanging(&within[i])
	}
	tiles := c.tiles()
	for b, changing := range c.changing {
		c.anew[b] = changing && appears(tiles.Centre(int32(b)))
		if c.anew[b] && c.now.slot[b] == none {
			c.now.addTile(int32(b))
		}
	}
	c.edit = edit{shape: change}
	c.sample((*Contour).changeTile, nil)
	c.edit = edit{}
}

// tiles are the base cells.
func (c *Contour) tiles() boxes.Tiles {
	return boxes.Tiles{Origin: c.g.Origin, Edge: c.g.H * layout.Edge, Dim: c.g.Dim}
}

// markChanging marks the base cells whose middles are in a box, and those around them, which share samples with them.
func (c *Contour) markChanging(box *r3.Box) {
	tiles := c.tiles()
	tiles.Each(*box, func(b int32) {
		if !boxes.Contains(*box, tiles.Centre(b)) {
			return
		}
		for _, nb := range c.g.Nearby(b) {
			if nb != layout.None {
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
	c.listChanging(w, t, f)
	w.value = append(w.value[:0], w.was...)
	c.edit.shape(w.value, w.at)
	far, scale := float32(farCells)*float32(t.cell), float32(1/c.unit)
	for i, v := range w.value {
		if v == v && v != w.was[i] {
			f[w.changing[i]] = max(-far, min(float32(v*scale), far))
		}
	}
}

// listChanging lists the samples of a tile that may change, where they are and their distances, m.
func (c *Contour) listChanging(w *workspace, t *tile, f []float32) {
	w.changing, w.at, w.was = w.changing[:0], w.at[:0], w.was[:0]
	anew, k := c.anew[t.base], int32(-1)
	for z := range t.n + 1 {
		for y := range t.n + 1 {
			for x := range t.n + 1 {
				k++
				d := f[k]
				if !t.knows(d) && !anew {
					continue
				}
				p := t.global(c.edge, x, y, z)
				if !t.knows(d) {
					d = float32(math.Copysign(float64(max(abs32(d), c.from.farAt(p[0], p[1], p[2]))), float64(d)))
				}
				w.changing, w.at, w.was = append(w.changing, k), append(w.at, c.metres(p[0], p[1], p[2])), append(w.was, float32(float64(d)*c.unit))
			}
		}
	}
}
