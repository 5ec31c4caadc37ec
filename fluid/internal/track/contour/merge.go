package contour

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// Where the surface passes close to a sample, it cuts several edges close to that: the triangles between these places are needles. They become one
// vertex, where that leaves the surface a surface.

// mergePart is how close to a sample such places are, parts of an edge. overhang is how far a triangle may reach out of its cell: the mean of two or more
// such places is no further from the sample along any axis.
const (
	mergePart = .2
	overhang  = mergePart / 2
)

// leastEven is how long the mean of the normals is at least where vertices merge: on rims and crests it would take liquid away.
const leastEven = .98

// place is a vertex close to a node.
type place struct {
	tile int32 // that owns it, and has the node
	node [3]int32
	axis int32 // of the edge that it is on,
	step int32 // and on which side of the node: 1 or -1
	id   int32
	key  [3]int32 // the node, global units
}

// mergeVertices merges what is close to the nodes within a tile, and lists what is close to those on its border.
func (c *Contour) mergeVertices(worker int, i int32) {
	l, w := c.now, &c.work[worker]
	p := &l.pieces[i]
	w.close, p.close, p.dirty = w.close[:0], p.close[:0], false
	l.findClose(i, w, p)
	l.mergeGroups(w, w.close)
}

// mergeBorders merges what is close to the nodes on tiles' borders, and drops what triangles have become edges.
func (c *Contour) mergeBorders() {
	l, w := c.now, &c.work[0]
	w.close = w.close[:0]
	for i := range l.active {
		w.close = append(w.close, l.pieces[i].close...)
	}
	l.mergeGroups(w, w.close)
	c.forTiles(l.active, 4, (*Contour).dropFlat)
}

// mergeGroups merges those of some places that are close to the same nodes.
func (l *layer) mergeGroups(w *workspace, all []place) {
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.key[2], b.key[2]), cmp.Compare(a.key[1], b.key[1]), cmp.Compare(a.key[0], b.key[0]), cmp.Compare(a.id, b.id))
	})
	for len(all) > 1 {
		k := 1
		for k < len(all) && all[k].key == all[0].key {
			k++
		}
		if group := all[:k]; k > 1 && l.mergeable(group) && l.findStar(w, group) {
			l.merge(w, group)
		}
		all = all[k:]
	}
}

// findClose lists the vertices of a tile that are close to a node: to one within it, or on its border.
func (l *layer) findClose(i int32, w *workspace, p *piece) {
	t := &l.tiles[i]
	n := t.n
	for z := range n + 1 {
		for y := range n + 1 {
			row := t.rows + y + (n+1)*z
			for a := range int32(3) {
				id := t.first + l.rank[a][row]
				for m := l.crossed[a][row]; m != 0; m &= m - 1 {
					k := place{tile: i, node: [3]int32{int32(bits.TrailingZeros64(m)), y, z}, axis: a, step: 1, id: id}
					u := l.position[3*id+a]/float32(t.cell) - float32(k.node[a])
					if id++; u > 1-mergePart {
						k.node[a]++
						k.step = -1
					} else if u > mergePart {
						continue
					}
					for b := range 3 {
						k.key[b] = t.coords[b]*l.c.edge + k.node[b]*t.cell
					}
					switch {
					case min(k.node[0], k.node[1], k.node[2]) > 0 && max(k.node[0], k.node[1], k.node[2]) < n:
						w.close = append(w.close, k)
					case !t.mixed:
						p.close = append(p.close, k)
					}
				}
			}
		}
	}
}

// mergeable tells whether there is one surface only near a node: of the two edges along an axis no more than one is cut.
func (l *layer) mergeable(all []place) bool {
	for i := range all {
		k := &all[i]
		x := k.node
		x[k.axis] -= k.step
		if l.side(k.tile, x) != l.side(k.tile, k.node) {
			return false
		}
	}
	return true
}

// partner is the base cell and the tile, or none, of a cell or node of a tile or beside it, and where it is in there. most: the last coordinate in a tile.
func (l *layer) partner(s int32, x [3]int32, most int32) (b, tile int32, at [3]int32) {
	t := &l.tiles[s]
	q := int32(0)
	for a, step := range [3]int32{1, 3, 9} {
		switch {
		case x[a] < 0:
			x[a] += t.n
		case x[a] > most:
			x[a] -= t.n
			q += 2 * step
		default:
			q += step
		}
	}
	return l.c.g.Nearby(t.base)[q], t.around[q], x
}

// side tells whether a node of a tile or beside it is in liquid. Beyond the domain's sides none is.
func (l *layer) side(s int32, x [3]int32) bool {
	b, o, x := l.partner(s, x, l.tiles[s].n)
	switch {
	case b == layout.None:
		return false
	case o == none || int(o) >= l.active:
		return l.liquid[b]
	}
	t := &l.tiles[o]
	return l.sign[t.rows+x[1]+(t.n+1)*x[2]]>>x[0]&1 != 0
}

// shiftOf is where one tile begins in another, units.
func (l *layer) shiftOf(from, to int32) (d [3]float32) {
	for a := range d {
		d[a] = float32((l.tiles[from].coords[a] - l.tiles[to].coords[a]) * l.c.edge)
	}
	return d
}

// ray is a triangle of a star: of a tile.
type ray struct{ tile, triangle int32 }

// merge makes one vertex of some around a node, in their middle, if the surface is even there and none of the triangles around them turns over.
func (l *layer) merge(w *workspace, all []place) {
	own := all[0].tile
	var at, normal [3]float32
	for i := range all {
		d := l.shiftOf(all[i].tile, own)
		for a := range 3 {
			at[a] += l.position[3*all[i].id+int32(a)] + d[a]
			normal[a] += l.normal[3*all[i].id+int32(a)]
		}
	}
	length := float32(math.Sqrt(float64(dot(normal, normal))))
	if length < float32(leastEven*float32(len(all))) {
		return
	}
	for a := range 3 {
		at[a], normal[a] = at[a]/float32(len(all)), normal[a]/length
	}
	w.faces = w.faces[:0]
	for _, s := range w.star {
		p := &l.pieces[s.tile]
		q, f := p.triangles[s.triangle], p.faces[s.triangle]
		if merging(q, all) == 1 {
			k := 0
			for !isOneOf(q[k], all) {
				k++
			}
			c := [3][3]float32{f.a, sum(f.a, f.ab), sum(f.a, f.ac)}
			c[k] = sum(at, l.shiftOf(own, s.tile))
			turned := newFace(c[0], c[1], c[2])
			if !(dot(turned.n, f.n) > 0) {
				return
			}
			f = turned
		}
		w.faces = append(w.faces, f)
	}
	id := all[0].id
	copy(l.position[3*id:], at[:])
	copy(l.normal[3*id:], normal[:])
	for j, s := range w.star {
		p := &l.pieces[s.tile]
		q := &p.triangles[s.triangle]
		p.faces[s.triangle] = w.faces[j]
		for k := range q {
			if isOneOf(q[k], all) {
				q[k] = id
			}
		}
		if q.flat() {
			p.dirty = true
		} else {
			p.bends[s.triangle] = l.bendOf(*q, &p.faces[s.triangle])
		}
	}
}

// findStar lists the triangles with some of the vertices close to a node, which are in the cells around it. It tells whether what bounds them is one loop.
func (l *layer) findStar(w *workspace, all []place) bool {
	w.star, w.link = w.star[:0], w.link[:0]
	k := &all[0]
	for i := range int32(8) {
		_, o, x := l.partner(k.tile, [3]int32{k.node[0] - i&1, k.node[1] - i>>1&1, k.node[2] - i>>2}, l.tiles[k.tile].n-1)
		if o == none || int(o) >= l.active {
			continue
		}
		t := &l.tiles[o]
		row := t.cellRows + x[1] + t.n*x[2]
		if l.cells[row]>>x[0]&1 == 0 {
			continue
		}
		rank := l.cellRank[row] + int32(bits.OnesCount64(l.cells[row]&(1<<x[0]-1)))
		p := &l.pieces[o]
		for i := p.first[rank]; i < p.first[rank+1]; i++ {
			q := p.triangles[i]
			count := merging(q, all)
			if count == 0 || q.flat() {
				continue
			}
			if min(q[0], q[1], q[2]) < 0 {
				return false // middles of cells have no normals of their own
			}
			w.star = append(w.star, ray{o, i})
			for k := 0; count == 1 && k < 3; k++ {
				if isOneOf(q[k], all) {
					w.link = append(w.link, [2]int32{q[(k+1)%3], q[(k+2)%3]})
				}
			}
		}
	}
	return isLoop(w.link)
}

// isLoop tells whether edges are one loop of three or more.
func isLoop(edges [][2]int32) bool {
	if len(edges) < 3 {
		return false
	}
	at := edges[0][1]
	for count := 1; ; count++ {
		next, found := at, 0
		for _, e := range edges {
			if e[0] == at {
				next = e[1]
				found++
			}
		}
		if found != 1 || count > len(edges) {
			return false
		}
		if at == edges[0][0] {
			return count == len(edges)
		}
		at = next
	}
}

// dropFlat takes triangles of a tile away that have become edges.
func (c *Contour) dropFlat(_ int, i int32) {
	p := &c.now.pieces[i]
	if !p.dirty {
		return
	}
	n, from := int32(0), int32(0)
	for k := 1; k < len(p.first); k++ {
		for i := from; i < p.first[k]; i++ {
			if q := p.triangles[i]; !q.flat() {
				p.triangles[n], p.faces[n], p.bends[n] = q, p.faces[i], p.bends[i]
				n++
			}
		}
		from, p.first[k] = p.first[k], n
	}
	p.triangles, p.faces, p.bends = p.triangles[:n], p.faces[:n], p.bends[:n]
}

// bendOf is the bend of a triangle of vertices.
func (l *layer) bendOf(q triangle, f *face) bend {
	var c [3]corner
	for k, p := range [3][3]float32{f.a, sum(f.a, f.ab), sum(f.a, f.ac)} {
		c[k].p = p
		copy(c[k].n[:], l.normal[3*q[k]:])
	}
	return newBend(&c[0], &c[1], &c[2])
}

// triangle is a triangle's vertices.
type triangle [3]int32

func (q triangle) flat() bool { return q[0] == q[1] || q[1] == q[2] || q[2] == q[0] }

// merging is how many of a triangle's vertices are among some.
func merging(q triangle, all []place) (n int) {
	for _, v := range q {
		if isOneOf(v, all) {
			n++
		}
	}
	return n
}

func isOneOf(v int32, all []place) bool {
	for i := range all {
		if all[i].id == v {
			return true
		}
	}
	return false
}

func sum(a, b [3]float32) [3]float32 { return [3]float32{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
