package forces

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// nearby is how far the middles of faces are from the nearest solid, m, negative inside, and which that is, per face slot. It is known
// in and around blocks that solids cut.
type nearby struct {
	distance [3][]float32
	solid    [3][]int32
	cut      []bool // per base cell: a solid shuts some of a face there, or the grid ends
	work     []nearWork
}

// nearWork is what one worker asks for distances with.
type nearWork struct {
	at       [][3]float64
	distance []float64
	solid    []int32
}

// farAway is the distance where it isn't known.
const farAway = math.MaxFloat32

// onSurface, in cells, is how near to a solid's surface a face lies in it: less than what rounding shifts walls by that lie on faces.
const onSurface = 1e-3

func (v *Viscosity) initNear() {
	n := &v.near
	v.g.OnGrow(func(cells int) {
		for a := range 3 {
			n.distance[a], n.solid[a] = arrays.Lengthen(n.distance[a], cells), arrays.Lengthen(n.solid[a], cells)
		}
	})
	n.cut, n.work = make([]bool, v.g.Bases()), make([]nearWork, v.pool.Workers())
	const most = 3 * layout.Edge * layout.Edge * layout.Edge
	for i := range n.work {
		n.work[i] = nearWork{make([][3]float64, 0, most), make([]float64, most), make([]int32, most)}
	}
}

// measureNear finds how near solids are.
func (v *Viscosity) measureNear() {
	par.Each(v.pool, v.g.Bases(), visBlocks, v, (*Viscosity).findCut)
	par.Each(v.pool, v.g.Bases(), 1, v, (*Viscosity).measureBlock)
}

// findCut tells whether a solid cuts faces of a block.
func (v *Viscosity) findCut(_ int, b int32) {
	cut := &v.near.cut[b]
	*cut = false
	for _, nb := range v.g.Neighbour[b] {
		*cut = *cut || nb == layout.None
	}
	for f := v.gr.Parts[b].Face; f < v.gr.Parts[b+1].Face && !*cut; f++ {
		*cut = v.gr.Open[f] < 1
	}
	first, n := int(v.g.Cur.First[b]), 1<<(3*v.g.Cur.Level[b])
	for a := range 3 {
		for _, s := range v.state[a][first:][:n] {
			*cut = *cut || s == shut
		}
	}
}

// measureBlock finds how near solids are to the faces of a block.
func (v *Viscosity) measureBlock(worker int, b int32) {
	n := &v.near
	first, cells := int(v.g.Cur.First[b]), 1<<(3*v.g.Cur.Level[b])
	for a := range 3 {
		d := n.distance[a][first:][:cells]
		for i := range d {
			d[i] = farAway
		}
	}
	if v.Solids == nil || v.Solids.Near == nil || !v.wetAround(b) {
		return
	}
	w := &n.work[worker]
	w.at = w.at[:0]
	level, lo := v.g.Cur.Level[b], v.g.Corner(b)
	h, e := v.g.CellSize(level), 1<<level
	for a := range 3 {
		for i := range cells {
			x := [3]float64{float64(i&(e-1)) + .5, float64(i>>level&(e-1)) + .5, float64(i>>(2*level)) + .5}
			x[a] -= .5
			for d := range x {
				x[d] = lo[d] + float64(x[d]*h)
			}
			w.at = append(w.at, x)
		}
	}
	w.distance, w.solid = arrays.Resize(w.distance, len(w.at)), arrays.Resize(w.solid, len(w.at))
	v.Solids.Near(worker, 2*h, w.at, w.distance, w.solid)
	for a := range 3 {
		copy(n.solid[a][first:], w.solid[a*cells:][:cells])
		for i, d := range w.distance[a*cells:][:cells] {
			n.distance[a][first+i] = float32(d)
		}
	}
}

// wetAround tells whether there are faces in or around a block, and a solid that cuts some.
func (v *Viscosity) wetAround(b int32) bool {
	wet, cut := false, false
	for _, nb := range v.g.Nearby(b) {
		if nb != layout.None {
			wet, cut = wet || v.gr.Parts[nb].Face != v.gr.Parts[nb+1].Face, cut || v.near.cut[nb]
		}
	}
	return wet && cut
}

// inSolid tells whether the middle of a face lies in a solid, for cells of edge h.
func (n *nearby) inSolid(a, slot int, h float64) bool {
	return float64(n.distance[a][slot]) <= onSurface*h
}
