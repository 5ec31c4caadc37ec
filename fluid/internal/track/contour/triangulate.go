package contour

import (
	"math"
	"math/bits"
)

// corner is a vertex of a triangle: which, and where, local to the tile at hand.
type corner struct {
	id   int32
	p, n [3]float32 // n: unit normal
}

// face is a triangle as the search for the closest one wants it: 64 bytes, a cache line.
type face struct {
	a, ab, ac, n     [3]float32 // a corner, local to its tile; from it to the others; unit normal, 0 without area
	abab, abac, acac float32
	radius           float32 // around the middle of its corners, a bit more than needed
}

func newFace(a, b, c [3]float32) (f face) {
	f.a = a
	for k := range 3 {
		f.ab[k], f.ac[k] = b[k]-a[k], c[k]-a[k]
	}
	f.abab, f.abac, f.acac = dot(f.ab, f.ab), dot(f.ab, f.ac), dot(f.ac, f.ac)
	// Three times a corner's distance from their middle is the length of the sum of two edges from it.
	double := float32(2 * f.abac)
	far := max(f.abab+double+f.acac, float32(4*f.abab)-float32(2*double)+f.acac, f.abab-float32(2*double)+float32(4*f.acac))
	f.radius = float32(float32(math.Sqrt(float64(max(0, far))))*(1./3+1e-4)) + 1e-4
	var n [3]float64
	var sum float64
	for k := range 3 {
		u, v := (k+1)%3, (k+2)%3
		n[k] = float64(float64(f.ab[u])*float64(f.ac[v])) - float64(float64(f.ab[v])*float64(f.ac[u]))
		sum += float64(n[k] * n[k])
	}
	if sum > 0 {
		scale := 1 / math.Sqrt(sum)
		for k := range 3 {
			f.n[k] = float32(n[k] * scale)
		}
	}
	return f
}

func dot(p, q [3]float32) float32 {
	return float32(p[0]*q[0]) + float32(p[1]*q[1]) + float32(p[2]*q[2])
}

// bend is what the surface rises over a triangle's edges 01, 02 and 12, in the middle four times and a fourth: half the product of edge and
// difference of the normals at its ends.
type bend [3]float32

func newBend(a, b, c *corner) bend { return bend{rise(a, b), rise(a, c), rise(b, c)} }

func rise(p, q *corner) float32 {
	sum := float32(0)
	for k := range 3 {
		sum += float32((q.p[k] - p.p[k]) * (q.n[k] - p.n[k]))
	}
	return float32(sum * .5)
}

// triangulate makes the triangles of a tile, and notes which of its cells have some.
func (c *Contour) triangulate(worker int, i int32) {
	l := c.now
	t, p, w := &l.tiles[i], &l.pieces[i], &c.work[worker]
	p.first, p.triangles, p.faces, p.bends, p.middles = p.first[:0], p.triangles[:0], p.faces[:0], p.bends[:0], p.middles[:0]
	n := t.n
	signs := l.sign[t.rows:]
	for z := range n {
		for y := range n {
			s := signs[y+(n+1)*z:]
			s00, s10, s01, s11 := s[0], s[1], s[n+1], s[n+2]
			row := t.cellRows + y + n*z
			l.cellRank[row] = int32(len(p.first))
			beside := l.besideFiner(t, y, z)
			has := uint64(0)
			for m := l.cells[row] | beside; m != 0; m &= m - 1 {
				x := int32(bits.TrailingZeros64(m))
				before := int32(len(p.triangles))
				signs := s00>>x&3 | s10>>x&3<<2 | s01>>x&3<<4 | s11>>x&3<<6
				k := &patterns[signs]
				if k.ambiguous || beside>>x&1 != 0 {
					l.triangulateCell(t, p, w, [3]int32{x, y, z})
				} else {
					l.emit(t, p, k, x, y, z)
				}
				if int32(len(p.triangles)) > before {
					has |= 1 << x
					p.first = append(p.first, before)
				}
			}
			l.cells[row] = has
		}
	}
	p.first = append(p.first, int32(len(p.triangles)))
}

// emit adds the triangles of a pattern to a tile.
func (l *layer) emit(t *tile, p *piece, k *pattern, x, y, z int32) {
	var corners [12]corner
	var known uint
	for _, tri := range k.triangles[:k.count] {
		var q [3]*corner
		for i, e := range tri {
			q[i] = &corners[e]
			if known>>e&1 == 0 {
				known |= 1 << e
				*q[i] = l.vertexOn(t, int(e), x, y, z)
			}
		}
		p.add(q[0], q[1], q[2])
	}
}

func (p *piece) add(a, b, c *corner) {
	p.triangles = append(p.triangles, triangle{a.id, b.id, c.id})
	p.faces = append(p.faces, newFace(a.p, b.p, c.p))
	p.bends = append(p.bends, newBend(a, b, c))
}

// edgeCorner is the corner of a cell that an edge begins at.
var edgeCorner = func() (all [12][3]int32) {
	for e := range all {
		a, k := e/4, int32(e%4)
		all[e][(a+1)%3], all[e][(a+2)%3] = k&1, k>>1
	}
	return all
}()

// vertexOn is the vertex on an edge of a cell.
func (l *layer) vertexOn(t *tile, edge int, x, y, z int32) corner {
	o := &edgeCorner[edge]
	node := [3]int32{x + o[0], y + o[1], z + o[2]}
	axis := edge / 4
	px, py, pz := part(node[0], t.n), part(node[1], t.n), part(node[2], t.n)
	switch axis {
	case 0:
		px = 1
	case 1:
		py = 1
	default:
		pz = 1
	}
	r := px + 3*py + 9*pz
	if r == 13 {
		return l.vertexAt(t, axis, node, [3]float32{})
	}
	owner := &l.tiles[t.owner[axis][r]]
	var shift [3]float32
	for a := range 3 {
		d := owner.coords[a] - t.coords[a]
		node[a] -= d * t.n
		shift[a] = float32(d * l.c.edge)
	}
	return l.vertexAt(owner, axis, node, shift)
}

// vertexAt is a tile's own vertex, moved by shift.
func (l *layer) vertexAt(t *tile, axis int, node [3]int32, shift [3]float32) corner {
	row := t.rows + node[1] + (t.n+1)*node[2]
	id := t.first + l.rank[axis][row] + int32(bits.OnesCount64(l.crossed[axis][row]&(1<<node[0]-1)))
	q, n := l.position[3*id:][:3], l.normal[3*id:][:3]
	return corner{id, [3]float32{q[0] + shift[0], q[1] + shift[1], q[2] + shift[2]}, [3]float32{n[0], n[1], n[2]}}
}
