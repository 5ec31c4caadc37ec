package advect

import (
	"math/bits"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// load takes the known faces of an axis in a block and beside it, and where there are none those before it along the axis. It tells whether there
// are any.
func (t *tile) load(e *Extrapolation, b int32, a int) bool {
	t.n = 1 << e.g.Cur.Level[b]
	w := t.n + 2
	clear(t.u[:w*w*w])
	clear(t.one[:w*w*w])
	t.known, t.rim = [layout.Edge]uint64{}, [layout.Edge]uint64{}
	if e.has[e.round][a][b] != none {
		t.loadOwn(e, b, a)
	}
	for side, nb := range &e.g.Neighbour[b] {
		if side != 2*a && e.knownBeside(a, b, side) && t.hasUnknown(side) {
			t.loadSide(e, nb, a, side/2, side&1)
		}
	}
	if t.hasKnown() {
		return true
	}
	if !e.knownBeside(a, b, 2*a) {
		return false
	}
	t.loadSide(e, e.g.Neighbour[b][2*a], a, a, 0)
	return t.hasKnown()
}

// hasKnown tells whether any place is known in the block or next to it.
func (t *tile) hasKnown() bool {
	any := uint64(0)
	for z := range t.n {
		any |= t.known[z] | t.rim[z]
	}
	return any != 0
}

// hasUnknown tells whether any of the block's places along a side is not known.
func (t *tile) hasUnknown(side int) bool {
	n := t.n
	last := side & 1 * (n - 1)
	at := [2]uint64{sides[n].low << last, (1<<n - 1) << (layout.Edge * last)}
	if side/2 == 2 {
		return t.known[last] != sides[n].all
	}
	for _, known := range t.known[:n] {
		if m := at[side/2]; known&m != m {
			return true
		}
	}
	return false
}

func (t *tile) loadOwn(e *Extrapolation, b int32, a int) {
	n, first := t.n, e.g.Cur.First[b]
	faces, state := e.faces[a][first:][:n*n*n], e.state[a][first:][:n*n*n]
	t.all = 0
	for z := range n {
		t.known[z] = loadRows(t, faces[n*n*z:], state[n*n*z:], t.place(0, 0, z), n+2, n)
	}
}

// place is that of a face in the tile.
func (t *tile) place(x, y, z int) int {
	e := t.n + 2
	return x + 1 + e*(y+1+e*(z+1))
}

// loadSide takes the known faces of a neighbour, which lies beside the block on a side along axis x.
func (t *tile) loadSide(e *Extrapolation, nb int32, a, x, side int) {
	t.all = 0
	if e.has[e.round][a][nb] == every {
		t.all = -1
	}
	first, level, own := int(e.g.Cur.First[nb]), int(e.g.Cur.Level[nb]), bits.TrailingZeros(uint(t.n))
	_, plain := e.g.FacePlane(nb, a, 0)
	plain = plain || x == a
	if plain && x != 0 && level == own {
		t.loadPlane(e, first, a, x, side)
		return
	}
	n, p, q := t.n, (x+1)%3, (x+2)%3
	faces, state := e.faces[a], e.state[a]
	// Steps in the tile, in the neighbour, and among the bits and planes of the block's places.
	to, from := [3]int{1, n + 2, (n + 2) * (n + 2)}, [3]int{1, 1 << level, 1 << (2 * level)}
	bit, plane := [3]int{1, layout.Edge, 0}, [3]int{0, 0, 1}
	last := side * (n - 1)
	first += from[x] * ((n - 1 - last) << level >> own)
	for j := range n {
		v := j << level >> own
		row, k := first+v*from[q], t.place(0, 0, 0)+(last+2*side-1)*to[x]+j*to[q]
		rim, at := last*plane[x]+j*plane[q], last*bit[x]+j*bit[q]
		for i := range n {
			u := i << level >> own
			c := row + u*from[p]
			if !plain && (a == p && u == 0 || a == q && v == 0) {
				var in [3]int
				in[x], in[p], in[q] = (n-1-last)<<level>>own, u, v
				c = e.g.FaceCell(nb, a, in)
			}
			if t.all != 0 || state[c] != 0 {
				t.u[k], t.one[k] = faces[c], 1
				t.rim[rim&7] |= 1 << at
			}
			k, rim, at = k+to[p], rim+plane[p], at+bit[p]
		}
	}
}

// loadPlane takes the rows of a neighbour of the same level, which lies along y or z and whose cells begin at first.
func (t *tile) loadPlane(e *Extrapolation, first, a, x, side int) {
	n, line := t.n, t.n+2
	last := side * (n - 1)
	first += (n - 1 - last) * [3]int{1, n, n * n}[x]
	faces, state := e.faces[a][first:], e.state[a][first:]
	if x == 2 {
		t.rim[last] |= loadRows(t, faces, state, t.place(0, 0, side*(n+1)-1), line, n)
		return
	}
	known := loadRows(t, faces, state, t.place(0, side*(n+1)-1, 0), line*line, n*n)
	for z := range n {
		t.rim[z] |= known >> (layout.Edge * z) & (1<<layout.Edge - 1) << (layout.Edge * last)
	}
}
