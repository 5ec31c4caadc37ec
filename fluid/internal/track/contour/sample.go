package contour

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"gonum.org/v1/gonum/spatial/r3"
)

// sample fills the tiles of now by a stage that writes one's samples, makes tiles of the blocks that the surface leads into, fills
// these, and so on; then it contours. arrive, if there is one, is called once when the first tiles are filled and may add some.
func (c *Contour) sample(stage func(c *Contour, worker int, i int32), arrive func(c *Contour)) {
	l := c.now
	for from := 0; from < len(l.tiles); {
		c.todo = c.todo[:0]
		for i := from; i < len(l.tiles); i++ {
			c.todo = append(c.todo, int32(i))
		}
		to := len(l.tiles)
		c.forTodo(stage)
		if from == 0 && arrive != nil {
			arrive(c)
		}
		for i := from; i < to; i++ {
			l.follow(int32(i))
		}
		from = to
	}
	l.finish()
}

// forTodo runs a stage over the tiles of todo.
func (c *Contour) forTodo(stage func(c *Contour, worker int, i int32)) {
	c.stage = stage
	par.Each(c.pool, len(c.todo), 1, c, (*Contour).runTodo)
	c.stage = nil
}

func (c *Contour) runTodo(worker int, k int32) { c.stage(c, worker, c.todo[k]) }

// follow makes tiles of the blocks beside a tile that are not of the sign that the samples on their common border have.
func (l *layer) follow(i int32) {
	for r, b := range l.c.g.Nearby(l.tiles[i].base) {
		if b == layout.None || l.slot[b] != none {
			continue
		}
		if t := &l.tiles[i]; l.borderHas(t, r, !l.liquid[b]) {
			l.addTile(b)
		}
	}
}

// borderHas tells whether a tile has a sample of a sign on a part of its border.
func (l *layer) borderHas(t *tile, r int, liquid bool) bool {
	var lo, hi [3]int32
	for a, d := range [3]int{r % 3, r / 3 % 3, r / 9} {
		switch d {
		case 1:
			hi[a] = t.n
		case 2:
			lo[a], hi[a] = t.n, t.n
		}
	}
	f, n := l.samples(t), t.n+1
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				if (f[x+n*(y+n*z)] < 0) == liquid {
					return true
				}
			}
		}
	}
	return false
}

// Advance moves the surface of the last Settle through a velocity for dt, in the levels that the grid has now.
//
// velocity: m/s, at points in m, as the flow was before the step; called from several workers.
// dt: s.
func (c *Contour) Advance(velocity func(dst, at []r3.Vec), dt float64) {
	c.now = c.old
	c.begin()
	c.velocity, c.dt = velocity, dt
	c.ripples.find(c.old, c.Fairing)
	c.seed()
	c.sample((*Contour).traceTile, (*Contour).arrive)
	if c.Thickening {
		c.findThin()
	}
	c.velocity = nil
}

// Resize samples the surface anew where blocks have other levels than when it was sampled.
func (c *Contour) Resize() {
	changed := false
	for b, lv := range c.g.Cur.Level {
		changed = changed || lv != c.now.level[b]
	}
	if !changed {
		return
	}
	c.from = c.begin()
	c.seedFrom(c.from)
	c.sample((*Contour).resampleTile, nil)
}

// seed makes tiles of the blocks that had some.
func (c *Contour) seed() {
	c.from = c.old
	c.seedFrom(c.old)
}

func (c *Contour) seedFrom(from *layer) {
	for i := range from.active {
		c.now.addTile(from.tiles[i].base)
	}
	c.moved = arrays.Resize(c.moved, len(c.now.tiles))
}

// arrive makes tiles of the blocks that the surface may have moved into: a drop may have left its block whole.
func (c *Contour) arrive() {
	from, l := c.from, c.now
	for i := range from.active {
		t := &from.tiles[i]
		lo, hi := from.occupiedBox(t)
		moved := c.moved[i] + float32(2*t.cell)
		for r, b := range c.g.Nearby(t.base) {
			if b == layout.None || l.slot[b] != none {
				continue
			}
			meets := true
			for a, d := range [3]int{r % 3, r / 3 % 3, r / 9} {
				meets = meets && (d == 1 || d == 0 && float32(lo[a]*t.cell) < moved || d == 2 && float32((t.n-hi[a])*t.cell) < moved)
			}
			if meets {
				l.addTile(b)
			}
		}
	}
}

// occupiedBox is the range of cells of a tile that the surface passes.
func (l *layer) occupiedBox(t *tile) (lo, hi [3]int32) {
	lo = [3]int32{t.n, t.n, t.n}
	var any uint64
	for z := range t.n {
		for y := range t.n {
			m := l.cells[t.cellRows+y+t.n*z]
			if m == 0 {
				continue
			}
			any |= m
			lo[1], hi[1] = min(lo[1], y), max(hi[1], y+1)
			lo[2], hi[2] = min(lo[2], z), max(hi[2], z+1)
		}
	}
	if any != 0 {
		lo[0], hi[0] = int32(bits.TrailingZeros64(any)), int32(64-bits.LeadingZeros64(any))
	}
	return lo, hi
}

// resampleTile writes the samples of a tile from the surface before: as they were in a block that has kept its level.
func (c *Contour) resampleTile(_ int, i int32) {
	l, from := c.now, c.from
	t := &l.tiles[i]
	f := l.samples(t)
	if s := from.slot[t.base]; s != none && int(s) < from.active && from.level[t.base] == t.level {
		copy(f, from.samples(&from.tiles[s]))
		return
	}
	at := 0
	for z := range t.n + 1 {
		for y := range t.n + 1 {
			for x := range t.n + 1 {
				p := t.global(c.edge, x, y, z)
				f[at], _ = from.near(p[0], p[1], p[2])
				at++
			}
		}
	}
}

// global is a node of a tile in global units.
func (t *tile) global(edge, x, y, z int32) [3]float64 {
	return [3]float64{float64(t.coords[0]*edge + x*t.cell), float64(t.coords[1]*edge + y*t.cell), float64(t.coords[2]*edge + z*t.cell)}
}
