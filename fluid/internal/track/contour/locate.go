package contour

import (
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
	"gonum.org/v1/gonum/spatial/r3"
)

// place is where a point is, moved into the grid: its base cell, and the point in local units.
func (c *Contour) place(x, y, z float64) (b int32, p [3]float32) {
	var at [3]int
	e, inverse := float64(c.edge), 1/float64(c.edge) // a power of two
	for a, v := range [3]float64{x, y, z} {
		if most := float64(float64(c.g.Dim[a]) * e); v > most {
			v = most
		} else if !(v > 0) { // not a number either
			v = 0
		}
		at[a] = min(int(float64(v*inverse)), c.g.Dim[a]-1)
		p[a] = float32(v - float64(e*float64(at[a])))
	}
	return c.g.BaseAt(at[0], at[1], at[2]), p
}

// near is the signed distance to the mesh at global units; exact tells that it is less than farCells there. Where it is not, only the sign counts.
func (l *layer) near(x, y, z float64) (d float32, exact bool) {
	best, liquid, level := l.closestTo(x, y, z)
	return l.signed(&best, liquid, level), best.in != nil
}

// signed is the distance from what closestTo has found.
func (l *layer) signed(best *closest, liquid bool, level uint8) float32 {
	if best.in == nil {
		return l.beyond(liquid, level)
	}
	d := best.root
	if liquid {
		d = -d
	}
	return d - best.risen()
}

// spot is a place in a tile of a layer.
type spot struct {
	t      *tile // nil where no surface is near
	cell   [3]int32
	p      [3]float32 // local
	far    proximity
	active bool // the tile has samples
	liquid bool // what the cell's low corner is in
	level  uint8
}

// proximity is how far from a place the closest cell that the surface passes is.
type proximity uint8

const (
	occupied  proximity = iota // it is in one
	adjacent                   // beside one
	reachable                  // within reach
	distant
)

// locate finds where a place in global units is.
func (l *layer) locate(x, y, z float64) (at spot) {
	b, p := l.c.place(x, y, z)
	at.far, at.liquid, at.level = distant, l.liquid[b], l.level[b]
	s := l.slot[b]
	if s == none {
		return at
	}
	t := &l.tiles[s]
	cell := t.cellOf(p)
	row := t.cellRows + cell[1] + t.n*cell[2]
	if at.active = int(s) < l.active; at.active {
		at.liquid = l.sign[t.rows+cell[1]+(t.n+1)*cell[2]]>>cell[0]&1 != 0
	}
	switch bit := uint64(1) << cell[0]; {
	case l.nearby[row]&bit == 0:
		return at
	case at.active && l.cells[row]&bit != 0:
		at.far = occupied
	case l.beside[row]&bit != 0:
		at.far = adjacent
	default:
		at.far = reachable
	}
	at.t, at.cell, at.p = t, cell, p
	return at
}

// closestTo finds the closest triangle within farCells to a place in global units, in which there may be none, and whether the place is in the liquid.
func (l *layer) closestTo(x, y, z float64) (best closest, liquid bool, level uint8) {
	at := l.locate(x, y, z)
	best = l.closestAt(&at, nil)
	return best, at.liquid, at.level
}

// closestAt is closestTo at a known place, of which it corrects the side. hint may be what was closest to a place nearby.
func (l *layer) closestAt(at *spot, hint *closest) (best closest) {
	if at.far == distant {
		return best
	}
	best = within(float32(farCells * float32(at.t.cell)))
	if hint != nil && hint.in != nil {
		l.tryFace(at, hint.of, hint.index, &best)
	}
	l.search(at.t, at.cell, at.p, &best)
	if best.in != nil && at.far == occupied {
		at.liquid = best.side < 0
	}
	return best
}

// tryFace compares a triangle of a tile.
func (l *layer) tryFace(at *spot, o *tile, index int, best *closest) {
	q := at.p
	for a := range 3 {
		q[a] -= float32((o.coords[a] - at.t.coords[a]) * l.c.edge)
	}
	k := &l.pieces[l.slot[o.base]]
	f := &k.faces[index]
	ap := [3]float32{q[0] - f.a[0], q[1] - f.a[1], q[2] - f.a[2]}
	best.try(o, k, index, ap, dot(f.n, ap))
}

// empty tells that no place in a box of global units is near the surface, as far as this is known, and if so whether they are in the liquid.
func (l *layer) empty(lo, hi [3]float64) (empty, liquid bool) {
	b, p := l.c.place(lo[0], lo[1], lo[2])
	other, q := l.c.place(hi[0], hi[1], hi[2])
	if b != other {
		return false, false
	}
	s := l.slot[b]
	if s == none {
		return true, l.liquid[b]
	}
	t := &l.tiles[s]
	from, to := t.cellOf(p), t.cellOf(q)
	mask := (uint64(2)<<to[0] - 1) >> from[0] << from[0]
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			if l.nearby[t.cellRows+y+t.n*z]&mask != 0 {
				return false, false
			}
		}
	}
	if int(s) >= l.active {
		return true, l.liquid[b]
	}
	return true, l.sign[t.rows+from[1]+(t.n+1)*from[2]]>>from[0]&1 != 0
}

// point is the closest one, in global units.
func (q *closest) point(edge int32) r3.Vec {
	f := &q.in.faces[q.index]
	v, w := q.v, q.w
	var at [3]float64
	for k := range 3 {
		at[k] = float64(q.of.coords[k]*edge) + float64(f.a[k]) + float64(v*f.ab[k]) + float64(w*f.ac[k])
	}
	return reproducible.Vector(at)
}

// farCells is how far from the surface samples are exact, cells; it stands for what is further away. Normals want √2: where an edge along an
// axis is cut, the samples beside its ends are no more than the sum of two components of a unit vector away. Second differences want up to 2, but
// where an edge is along the normal there are none.
const farCells = 1.8

// knownCells is what samples of less know more than their side.
const knownCells = .99 * farCells

// beyond is ±farCells of a level.
func (l *layer) beyond(liquid bool, level uint8) float32 {
	d := float32(farCells * float32(int32(1)<<(layout.MaxLevel-level)))
	if liquid {
		return -d
	}
	return d
}

// cellOf is the cell of a tile that a local place is in.
func (t *tile) cellOf(p [3]float32) (cell [3]int32) {
	for a := range 3 {
		cell[a] = min(int32(p[a])/t.cell, t.n-1)
	}
	return cell
}
