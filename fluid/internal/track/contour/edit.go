package contour

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

// edit is a change of the samples.
type edit struct {
	kind  editKind
	shape func(dst []float32, at []r3.Vec)
}

type editKind uint8

const (
	united editKind = iota
	subtracted
)

// Set makes the liquid that of a shape.
//
// distance: signed distances, m, at points in m; negative inside, 1-Lipschitz; called from several workers.
func (c *Contour) Set(distance func(dst []float32, at []r3.Vec)) {
	c.begin()
	for b := range c.now.liquid {
		c.now.liquid[b] = false
	}
	c.from = nil
	c.combine(edit{kind: united, shape: distance})
}

// Union adds a shape's inside to the liquid. distance is as for Set.
func (c *Contour) Union(distance func(dst []float32, at []r3.Vec)) {
	c.from = c.begin()
	c.combine(edit{kind: united, shape: distance})
}

// Subtract takes a shape's inside from the liquid. distance is as for Set.
func (c *Contour) Subtract(distance func(dst []float32, at []r3.Vec)) {
	c.from = c.begin()
	c.combine(edit{kind: subtracted, shape: distance})
}

// combine makes tiles of the blocks with the surface and of those that a shape's surface may pass, fills what is inside of the shape
// whole, and samples.
func (c *Contour) combine(e edit) {
	c.edit = e
	l := c.now
	if c.from != nil {
		c.seedFrom(c.from)
	}
	n := c.g.Bases()
	c.points, c.result = arrays.Resize(c.points, n), arrays.Resize(c.result, n)
	par.For(c.pool, n, 256, c, (*Contour).probeBlocks)
	half := float32(c.edge) / 2
	reach := float32(float32(math.Sqrt(3))*half) + float32(farCells*8)
	for b, d := range c.result {
		switch d /= float32(c.unit); {
		case d > reach || d != d:
		case d >= -reach:
			if l.slot[b] == none {
				l.addTile(int32(b))
			}
		case l.slot[b] == none:
			l.liquid[b] = e.kind == united
		}
	}
	c.sample((*Contour).editTile, nil)
	c.edit = edit{}
}

// probeBlocks asks the shape for its distance from the middles of blocks.
func (c *Contour) probeBlocks(_, lo, hi int) {
	half := float64(float64(c.edge) / 2)
	for b := lo; b < hi; b++ {
		at := c.g.BaseCoords(int32(b))
		e := float64(c.edge)
		c.points[b] = c.metres(float64(float64(at[0])*e)+half, float64(float64(at[1])*e)+half, float64(float64(at[2])*e)+half)
	}
	c.edit.shape(c.result[lo:hi], c.points[lo:hi])
}

// editTile writes the samples of a tile as an edit changes those before.
func (c *Contour) editTile(worker int, i int32) {
	l, w := c.now, &c.work[worker]
	t := &l.tiles[i]
	f := l.samples(t)
	w.at, w.value = arrays.Resize(w.at, len(f)), arrays.Resize(w.value, len(f))
	k := 0
	for z := range t.n + 1 {
		for y := range t.n + 1 {
			for x := range t.n + 1 {
				p := t.global(c.edge, x, y, z)
				w.at[k] = c.metres(p[0], p[1], p[2])
				k++
			}
		}
	}
	if c.from == nil {
		for k := range f {
			f[k] = float32(math.MaxFloat32)
		}
	} else {
		c.resampleTile(worker, i)
	}
	c.edit.apply(f, w.value, w.at, c.unit, float32(farCells)*float32(t.cell))
}

// apply changes samples, units, at points, m. far: beyond it distances are as far, units.
func (e *edit) apply(f, value []float32, at []r3.Vec, unit float64, far float32) {
	e.shape(value, at)
	scale := float32(1 / unit)
	for k, v := range value {
		v = float32(v * scale)
		switch {
		case v != v:
		case e.kind == united:
			f[k] = max(-far, min(f[k], v, far))
		case e.kind == subtracted:
			f[k] = min(far, max(f[k], -v, -far))
		}
	}
}
