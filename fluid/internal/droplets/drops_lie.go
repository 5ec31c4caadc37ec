package droplets

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// puddleEdge, in finest cells, is the edge of a cube with the least volume that the grid takes from lying drops; puddleReach, in cells, is the radius
// around a drop in which these may lie.
const puddleEdge, puddleReach = .95, 1.5

// puddle returns the least volume that the grid takes, m³.
func (d *Drops) puddle() float64 {
	least := puddleEdge * d.CellSize
	return float64(least * least * least)
}

// mayLie reports whether a drop is slow enough to lie on something.
func (p *Drop) mayLie() bool { return reproducible.Norm(p.V) < 2*lyingSpeed }

// AppendPuddles appends a box, m, in each region where enough drops lie for the grid to take them.
func (d *Drops) AppendPuddles(dst []r3.Box) []r3.Box {
	least := d.puddle()
	if !(d.Volume >= least) {
		return dst
	}
	d.lyingVolume = arrays.Resize(d.lyingVolume, d.count())
	clear(d.lyingVolume)
	for i := range d.All {
		if p := &d.All[i]; p.mayLie() {
			d.lyingVolume[d.regionAt(p.X)] += p.Volume
		}
	}
	for i := range d.All {
		if p := &d.All[i]; p.mayLie() && d.lyingVolume[d.regionAt(p.X)] >= least {
			d.lyingVolume[d.regionAt(p.X)] = 0 // once per region: a box makes all of its region fine
			dst = append(dst, boxes.Grown(r3.Box{Min: p.X, Max: p.X}, d.CellSize))
		}
	}
	return dst
}

// Settle merges the drops that the last Fall has left lying, and turns them into liquid on the grid where they are enough.
func (d *Drops) Settle(s Surroundings) {
	d.merge()
	d.formPuddles(s)
	d.removeEmpty()
	d.sumVolume()
}

// merge merges drops that lie within a cell of each other, in one region, unless the result is larger than a drop from an emitter may be.
func (d *Drops) merge() {
	if len(d.lying) == 0 {
		return
	}
	d.chainLying()
	near, edge := d.CellSize, dropEdge*d.CellSize
	for k, i := range d.lying {
		p := &d.All[i]
		for at := d.next[k]; at >= 0; at = d.next[at] {
			q := &d.All[d.lying[at]]
			if sum := p.Volume + q.Volume; q.Volume > 0 && sum <= float64(edge*edge*edge) && reproducible.Norm(r3.Sub(p.X, q.X)) < near {
				q.X = r3.Add(q.X, reproducible.Scale(p.Volume/sum, r3.Sub(p.X, q.X)))
				q.Volume, p.Volume = sum, 0
				break
			}
		}
	}
}

// chainLying lists the lying drops per region.
func (d *Drops) chainLying() {
	d.head, d.next = arrays.Resize(d.head, d.count()), arrays.Resize(d.next, len(d.lying))
	for b := range d.head {
		d.head[b] = -1
	}
	for k, i := range d.lying {
		b := d.regionAt(d.All[i].X)
		d.next[k], d.head[b] = d.head[b], int32(k)
	}
}

// formPuddles turns lying drops into liquid on the grid where enough of them lie close to each other.
func (d *Drops) formPuddles(s Surroundings) {
	least := d.puddle()
	if len(d.lying) == 0 || !(d.Volume >= least) {
		return
	}
	d.chainLying()
	for _, head := range d.head {
		sum := 0.
		for at := head; at >= 0; at = d.next[at] {
			sum += d.All[d.lying[at]].Volume
		}
		for at := head; at >= 0 && sum >= least; at = d.next[at] {
			sum -= d.formPuddle(head, d.All[d.lying[at]].X, s)
		}
	}
}

// formPuddle turns the drops of a chain around a place into liquid on the grid, if they are enough, and returns the volume, m³.
func (d *Drops) formPuddle(head int32, x r3.Vec, s Surroundings) (took float64) {
	near, sum := puddleReach*d.CellSize, 0.
	for at := head; at >= 0; at = d.next[at] {
		if p := &d.All[d.lying[at]]; reproducible.Norm(r3.Sub(p.X, x)) < near {
			sum += p.Volume
		}
	}
	if sum < d.puddle() {
		return 0
	}
	if took = s.Fill(x, sum); took <= 0 {
		return 0
	}
	rest := took
	for at := head; at >= 0; at = d.next[at] {
		if p := &d.All[d.lying[at]]; reproducible.Norm(r3.Sub(p.X, x)) < near {
			part := min(rest, p.Volume)
			p.Volume -= part
			rest -= part
		}
	}
	return took
}
