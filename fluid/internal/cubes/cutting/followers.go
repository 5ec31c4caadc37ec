package cutting

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// A follower is a cell that is mostly in a static solid or outside of the domain. Extend takes its φ from its leaders,
// the cells beside it that are mostly open. If the surface of the leaders did not move by what flows through that of the follower, volume
// would not be conserved: liquid would fall in the follower for ever. So the surfaces of a leader and its followers move with their mean
// velocity. A follower whose leaders have no surface on the same side has none either.

// surfacePair is the surface of a leader, and that of one of its followers.
type surfacePair struct {
	leader, follower int32   // faces
	area             float64 // the follower's, or what of it is this leader's, m²
}

// followers finds the surfaces of the graph that move together.
type followers struct {
	d     *Discretiser
	pairs []surfacePair // by leader
}

// leaders are cells that a follower follows.
type leaders struct {
	cell [6]int32
	n    int
}

// read looks at the faces of a block along an axis that are the surface of followers: it drops those that no leader
// has its surface beside, and notes the others. wet tells of the cells below. Followers beside a body are treated as other cells: since the body
// moves, liquid falls there for a step or two only.
func (fs *followers) read(k *block, a int, wet, below *mask) {
	d := fs.d
	p, own := &d.patterns[k.b], &d.masks[k.b].static
	for i, m := range &p.faces[a] {
		m &= p.rows[i]&^wet[i]&own[i] | wet[i]&^p.rows[i]&below[i]
		for ; m != 0; m &= m - 1 {
			c := i<<6 + bits.TrailingZeros64(m)
			at, out := fs.rowAt(k, a, c)
			list, any := fs.leadersOf(&at, out)
			switch {
			case list.n > 0:
				p.followers[a].set(c)
			case any:
				p.faces[a].drop(c)
			default:
				continue
			}
			p.in[a].drop(c)
		}
	}
}

// spot is a cell of a block.
type spot struct {
	block
	at [3]int
}

// rowAt is the cell with a row beside a face between two cells of the block's size, one of which has none, and the side that the face is
// on.
func (fs *followers) rowAt(k *block, a, c int) (p spot, out int) {
	d := fs.d
	p = spot{*k, k.place(c)}
	if d.patterns[k.b].rows.has(c) {
		return p, 2 * a
	}
	if p.at[a]--; p.at[a] < 0 {
		p.block = d.block(d.g.Neighbour[k.b][2*a])
		p.at[a] = p.n - 1
	}
	return p, 2*a + 1
}

// leadersOf lists the leaders of a cell that have their surface on a side, too, and tells whether there are any leaders. One in a corner may
// have none: only followers are beside it.
func (fs *followers) leadersOf(p *spot, out int) (list leaders, any bool) {
	for side := range 6 {
		q, ok := fs.besideOpen(p, side)
		if !ok || !mostly(fs.d.Volume[q.cell()], q.h) {
			continue
		}
		any = true
		if q.bits == p.bits && fs.surfaceOn(&q, out) {
			list.cell[list.n] = q.cell()
			list.n++
		}
	}
	return list, any
}

func (p *spot) cell() int32 { return p.first + int32(p.index(p.at)) }

// besideOpen is the cell beside one on a side, if it is a row and liquid can pass.
func (fs *followers) besideOpen(p *spot, side int) (q spot, ok bool) {
	d := fs.d
	if !d.opens(&p.block, side, p.at) {
		return q, false
	}
	cell, _ := d.next(&p.block, side, p.at)
	if cell < 0 || d.Row[cell] < 0 {
		return q, false
	}
	q = spot{p.block, p.at}
	q.at[side/2] += side&1*2 - 1
	if u := q.at[side/2]; u < 0 || u >= p.n {
		q.block = d.block(d.g.Neighbour[p.b][side])
		q.at = q.place(int(cell - q.first))
	}
	return q, true
}

// surfaceOn tells whether a row has air across an open face on a side, of its own size.
func (fs *followers) surfaceOn(p *spot, side int) bool {
	d := fs.d
	if !d.opens(&p.block, side, p.at) {
		return false
	}
	cell, h := d.next(&p.block, side, p.at)
	return cell >= 0 && d.Row[cell] < 0 && h == p.h
}

// listPairs lists the surfaces of the graph that move together.
func (fs *followers) listPairs() {
	d := fs.d
	fs.pairs = fs.pairs[:0]
	for b := range d.patterns {
		for a := range 3 {
			faces := &d.patterns[b].followers[a]
			if *faces == (mask{}) {
				continue
			}
			k := d.block(int32(b))
			for i, m := range faces {
				for ; m != 0; m &= m - 1 {
					fs.addPairs(&k, a, i<<6+bits.TrailingZeros64(m))
				}
			}
		}
	}
	slices.SortStableFunc(fs.pairs, func(p, q surfacePair) int { return cmp.Compare(p.leader, q.leader) })
}

// addPairs lists a follower's surface with those of its leaders.
func (fs *followers) addPairs(k *block, a, c int) {
	d := fs.d
	p, out := fs.rowAt(k, a, c)
	list, _ := fs.leadersOf(&p, out)
	own := d.gr.Cubes.Sides[d.Row[p.cell()]][out]
	area := d.Open[a][int(k.first)+c] * k.h * k.h / float64(list.n)
	for _, cell := range list.cell[:list.n] {
		if f := d.gr.Cubes.Sides[d.Row[cell]][out]; f >= 0 && own >= 0 {
			fs.pairs = append(fs.pairs, surfacePair{f, own, area})
		}
	}
}

// JoinSurfaces gives the surfaces that move together, of gr, the graph of the last Fill, their mean velocity. The velocity of
// followers is not used afterwards.
func (d *Discretiser) JoinSurfaces(gr *graph.Graph) {
	pairs := d.followers.pairs
	for i := 0; i < len(pairs); {
		f := pairs[i].leader
		area := gr.Area[f] * gr.Open[f]
		flux := area * gr.U[f]
		for ; i < len(pairs) && pairs[i].leader == f; i++ {
			area += pairs[i].area
			flux += float64(pairs[i].area * gr.U[pairs[i].follower])
		}
		gr.U[f] = flux / area
	}
}
