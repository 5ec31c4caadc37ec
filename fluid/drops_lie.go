package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// puddle is the least volume that the grid may take on, m³.
func puddle(cell float64) float64 {
	least := puddleEdge * cell
	return float64(least * least * least)
}

// mayLie tells whether a drop may lie on something.
func (p *tapDrop) mayLie() bool { return reproducible.Norm(p.v) < 2*lyingSpeed }

// appendPuddles lists where so many drops lie in a base cell that the grid may take them on.
func (l *Liquid) appendPuddles(dst []r3.Box) []r3.Box {
	d, cell := &l.world.drops, l.def.CellSize
	if !(d.volume >= puddle(cell)) {
		return dst
	}
	d.heap = arrays.Resize(d.heap, l.m.Grid.Bases())
	clear(d.heap)
	for i := range d.all {
		if p := &d.all[i]; p.mayLie() {
			d.heap[l.m.BaseOf(p.x)] += p.volume
		}
	}
	for i := range d.all {
		if p := &d.all[i]; p.mayLie() && d.heap[l.m.BaseOf(p.x)] >= puddle(cell) {
			d.heap[l.m.BaseOf(p.x)] = 0 // once is enough: what is listed makes all of its base cell fine
			dst = append(dst, boxes.Grown(r3.Box{Min: p.x, Max: p.x}, cell))
		}
	}
	return dst
}

// runTogether makes one of drops that lie within a cell of each other, in one base cell, unless it were larger than those that leave taps.
func (l *Liquid) runTogether() {
	d := &l.world.drops
	if len(d.lying) == 0 {
		return
	}
	l.chainLying()
	near, edge := l.def.CellSize, dropEdge*l.def.CellSize
	for k, i := range d.lying {
		p := &d.all[i]
		for at := d.next[k]; at >= 0; at = d.next[at] {
			q := &d.all[d.lying[at]]
			if sum := p.volume + q.volume; q.volume > 0 && sum <= float64(edge*edge*edge) && reproducible.Norm(r3.Sub(p.x, q.x)) < near {
				q.x = r3.Add(q.x, reproducible.Scale(p.volume/sum, r3.Sub(p.x, q.x)))
				q.volume, p.volume = sum, 0
				break
			}
		}
	}
}

// chainLying links the drops that lie in a base cell.
func (l *Liquid) chainLying() {
	d := &l.world.drops
	d.head, d.next = arrays.Resize(d.head, l.m.Grid.Bases()), arrays.Resize(d.next, len(d.lying))
	for b := range d.head {
		d.head[b] = -1
	}
	for k, i := range d.lying {
		b := l.m.BaseOf(d.all[i].x)
		d.next[k], d.head[b] = d.head[b], int32(k)
	}
}

// sweep takes out the drops without volume.
func (d *drops) sweep() {
	n := 0
	for i := range d.all {
		if d.all[i].volume > 0 {
			d.all[n] = d.all[i]
			n++
		}
	}
	d.all = d.all[:n]
}

// poolDrops has the grid take on drops where enough of them lie close to each other.
func (l *Liquid) poolDrops() {
	d, least := &l.world.drops, puddle(l.def.CellSize)
	if len(d.lying) == 0 || !(d.volume >= least) {
		return
	}
	l.chainLying()
	for b := range d.head {
		sum := 0.
		for at := d.head[b]; at >= 0; at = d.next[at] {
			sum += d.all[d.lying[at]].volume
		}
		for at := d.head[b]; at >= 0 && sum >= least; at = d.next[at] {
			sum -= l.poolAround(d.head[b], d.all[d.lying[at]].x)
		}
	}
}

// poolAround has the grid take on the drops of a chain around a place, if they are enough, and returns how much it took, m³.
func (l *Liquid) poolAround(head int32, x r3.Vec) (took float64) {
	d, near, sum := &l.world.drops, puddleReach*l.def.CellSize, 0.
	for at := head; at >= 0; at = d.next[at] {
		if p := &d.all[d.lying[at]]; reproducible.Norm(r3.Sub(p.x, x)) < near {
			sum += p.volume
		}
	}
	if sum < puddle(l.def.CellSize) {
		return 0
	}
	d.spot = shapes.Ball{Centre: x, Radius: .01 * l.def.CellSize}
	deep, ok := l.readMouth(&d.spot)
	if !ok {
		return 0
	}
	all := filling{max(0, deep.depth(mouthDepth)), math.Inf(1)}
	took, _ = l.pourInto(&d.spot, &deep, all, sum, 0)
	if took <= 0 {
		return 0
	}
	l.m.Volumes.Gain(deep.cell, took)
	rest := took
	for at := head; at >= 0; at = d.next[at] {
		if p := &d.all[d.lying[at]]; reproducible.Norm(r3.Sub(p.x, x)) < near {
			part := min(rest, p.volume)
			p.volume -= part
			rest -= part
		}
	}
	return took
}

// leaveFilm leaves what the ledger misses lying in drops where liquid was a step ago, if the grid holds none any more: it has spread to a film
// that no cell can tell.
func (l *Liquid) leaveFilm() {
	d := &l.world.drops
	missing := -l.account().DriftL * litre
	if !(missing >= leastDrop) {
		return
	}
	whole, count := 0., 0
	l.m.EachFormerCell(func(room float64, _ r3.Vec) { whole, count = whole+room, count+1 })
	if count == 0 || len(d.all)+count > maxDrops {
		return
	}
	l.m.EachFormerCell(func(room float64, x r3.Vec) { d.add(x, r3.Vec{}, missing*room/whole) })
	l.ledger.HeldL += missing / litre
}
