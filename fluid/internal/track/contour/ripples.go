package contour

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/track/ripples"
)

// rippleFilter holds the ripples of the settled surface that are shorter than what the cells see, of which Advance takes a part away.
type rippleFilter struct {
	fairing   ripples.Fairing
	positions []r3.Vec // global units: of the vertices, and then of the tiles' middles
	triangles [][3]int32
	height    []float64 // units: what of each ripple goes
	goes      []float32 // per position: by how much the surface moves out
	middles   []int32   // per tile: where its middles begin
	some      bool
}

// find finds what the share takes of the ripples of a layer.
func (r *rippleFilter) find(l *layer, share float64) {
	c := l.c
	if r.some = share > 0 && c.detail > 1; !r.some {
		return
	}
	r.positions, r.triangles, r.middles = r.positions[:0], r.triangles[:0], r.middles[:0]
	for i := range l.active {
		t := &l.tiles[i]
		r.place(t, c.edge, l.position[3*t.first:3*(t.first+t.vertices)])
	}
	for i := range l.active {
		k := &l.pieces[i]
		first := int32(len(r.positions))
		r.middles = append(r.middles, first)
		r.place(&l.tiles[i], c.edge, k.middles)
		for _, t := range k.triangles {
			r.triangles = append(r.triangles, [3]int32{numbered(t[0], first), numbered(t[1], first), numbered(t[2], first)})
		}
	}
	n := len(r.positions)
	r.height, r.goes = arrays.Resize(r.height, n), arrays.Resize(r.goes, n)
	r.fairing.Passes = ripples.PassesFor(c.detail)
	r.fairing.Ripples(r.height, c.pool, r.positions, r.triangles)
	for v, h := range r.height {
		r.goes[v] = float32(-share * h)
	}
}

// numbered is the number of a vertex among all; a tile's middles begin at first.
func numbered(v, first int32) int32 {
	if v < 0 {
		return first - 1 - v
	}
	return v
}

// place adds positions in a tile.
func (r *rippleFilter) place(t *tile, edge int32, local []float32) {
	for k := 0; k < len(local); k += 3 {
		r.positions = append(r.positions, r3.Vec{
			X: float64(t.coords[0]*edge) + float64(local[k]), Y: float64(t.coords[1]*edge) + float64(local[k+1]), Z: float64(t.coords[2]*edge) + float64(local[k+2])})
	}
}

// at is by how much the surface moves out at what closestTo has found, units.
func (r *rippleFilter) at(l *layer, q *closest) float32 {
	t := q.in.triangles[q.index]
	first := int32(0)
	if min(t[0], t[1], t[2]) < 0 {
		first = r.middles[l.slot[q.of.base]]
	}
	a, b, c := r.goes[numbered(t[0], first)], r.goes[numbered(t[1], first)], r.goes[numbered(t[2], first)]
	return a + float32(q.v*(b-a)) + float32(q.w*(c-a))
}

// signed is the distance from a layer, at what closestAt has found, without what goes of its ripples.
func (r *rippleFilter) signed(l *layer, q *closest, at *spot) float32 {
	d := l.signed(q, at.liquid, at.level)
	if r.some && q.in != nil {
		d -= r.at(l, q)
	}
	return d
}
