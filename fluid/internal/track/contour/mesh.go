package contour

import (
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// mesh is the surface's, as it is handed out.
type mesh struct {
	c         *Contour
	positions []r3.Vec
	triangles [][3]int32
	middles   []int32 // per tile: its first middle's vertex
	ring      []int32
	nodes     map[[3]int32]int32 // vertices at nodes on the domain's sides, by global units
}

// Mesh is the surface: vertices, m, and triangles, counter-clockwise seen from the air. It is closed: behind the first free triangles are those
// along the sides of the domain. It is valid until the next call.
func (c *Contour) Mesh() (positions []r3.Vec, triangles [][3]int32, free int) {
	l, o := c.now, &c.output
	n, m := int32(0), 0
	for i := range l.active {
		n += l.tiles[i].vertices
		m += len(l.pieces[i].triangles)
	}
	o.middles = arrays.Resize(o.middles, l.active+1)
	for i := range l.active {
		o.middles[i] = n
		n += int32(len(l.pieces[i].middles) / 3)
	}
	o.positions, o.triangles = arrays.Resize(o.positions, int(n)), arrays.Resize(o.triangles, m)[:0]
	for i := range l.active {
		t, p := &l.tiles[i], &l.pieces[i]
		o.place3(o.positions[t.first:t.first+t.vertices], t, l.position[3*t.first:])
		o.place3(o.positions[o.middles[i]:][:len(p.middles)/3], t, p.middles)
		for _, tri := range p.triangles {
			for k, v := range tri {
				if v < 0 {
					tri[k] = o.middles[i] - 1 - v
				}
			}
			o.triangles = append(o.triangles, tri)
		}
	}
	o.addPanes()
	return o.positions, o.triangles, m
}

// addPanes closes the mesh along the sides of the domain.
func (o *mesh) addPanes() {
	c, l := o.c, o.c.now
	if o.nodes == nil {
		o.nodes = map[[3]int32]int32{}
	}
	clear(o.nodes)
	for b := range int32(c.g.Bases()) {
		for side, other := range c.g.Neighbour[b] {
			if other != layout.None {
				continue
			}
			t, size := l.newTile(b), c.edge
			if s := l.slot[b]; s != none {
				t = l.tiles[s]
			} else {
				for r := range t.around {
					t.around[r] = none
				}
			}
			if t.f != none {
				size = t.cell
			} else if !l.liquid[b] {
				continue
			}
			t.cell = size
			o.addPanesOf(&t, side/2, side%2 == 1)
		}
	}
}

// addPanesOf closes it along one side of a tile.
func (o *mesh) addPanesOf(t *tile, axis int, high bool) {
	c := o.c
	u, v := (axis+1)%3, (axis+2)%3
	var low [3]int32
	if high {
		low[axis] = c.edge
	}
	for low[v] = 0; low[v] < c.edge; low[v] += t.cell {
		for low[u] = 0; low[u] < c.edge; low[u] += t.cell {
			o.addPane(t, axis, low, high)
		}
	}
}

// addPane closes it along the side of a cell.
func (o *mesh) addPane(t *tile, axis int, low [3]int32, high bool) {
	l, w := o.c.now, &o.c.work[0]
	joined := l.walkFace(t, w, axis, low, t.cell, true)
	ring := w.ring
	n := len(ring)
	start := 0
	for start < n && !ring[start].enters {
		start++
	}
	o.ring = o.ring[:0]
	for i := range n {
		k := &ring[(start+i)%n]
		o.ring = append(o.ring, o.paneVertex(t, k))
		if k.leaves && !joined {
			o.fillPane(high)
		}
	}
	o.fillPane(high)
}

// paneVertex is the vertex of a place on the border of a pane.
func (o *mesh) paneVertex(t *tile, k *crossing) int32 {
	c := o.c
	if k.enters || k.leaves {
		return k.id
	}
	at := k.node
	for a := range 3 {
		at[a] += t.coords[a] * c.edge
	}
	id, known := o.nodes[at]
	if !known {
		id = int32(len(o.positions))
		o.nodes[at] = id
		o.positions = append(o.positions, c.metres(float64(at[0]), float64(at[1]), float64(at[2])))
	}
	return id
}

// fillPane makes triangles of the polygon in ring, around its middle where that has more than four corners: some may be in line.
func (o *mesh) fillPane(high bool) {
	if !high {
		slices.Reverse(o.ring)
	}
	switch n := len(o.ring); {
	case n < 3:
	case n <= 4:
		for k := 1; k < n-1; k++ {
			o.triangles = append(o.triangles, [3]int32{o.ring[0], o.ring[k], o.ring[k+1]})
		}
	default:
		var sum r3.Vec
		within := r3.Box{Min: o.positions[o.ring[0]], Max: o.positions[o.ring[0]]}
		for _, v := range o.ring {
			x := o.positions[v]
			sum = r3.Add(sum, x)
			within.Min, within.Max = boxes.Min(within.Min, x), boxes.Max(within.Max, x)
		}
		middle := int32(len(o.positions))
		// Rounding would put it beside the side.
		o.positions = append(o.positions, boxes.Max(within.Min, boxes.Min(within.Max, reproducible.Scale(1/float64(n), sum))))
		for k, v := range o.ring {
			o.triangles = append(o.triangles, [3]int32{middle, v, o.ring[(k+1)%n]})
		}
	}
	o.ring = o.ring[:0]
}

// place3 writes places, m, of local ones.
func (o *mesh) place3(dst []r3.Vec, t *tile, local []float32) {
	for i := range dst {
		p := t.global(o.c.edge, 0, 0, 0)
		dst[i] = o.c.metres(p[0]+float64(local[3*i]), p[1]+float64(local[3*i+1]), p[2]+float64(local[3*i+2]))
	}
}

// Triangles is how many the surface has.
func (c *Contour) Triangles() int {
	n := 0
	for i := range c.now.active {
		n += len(c.now.pieces[i].triangles)
	}
	return n
}
