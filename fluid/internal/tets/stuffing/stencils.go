package stuffing

// A tetrahedron's code has three bits for each corner: its sign, and whether it is the centre of a leaf.
const (
	codeBits = 3
	codeMask = 1<<codeBits - 1
	codes    = 1 << (4 * codeBits)
)

// What becomes of a tetrahedron by its code.
const (
	dropped = iota
	kept
	flat         // all corners are on the surface: fillFlat decides
	firstStencil // the first stencil's number
)

// stencil is how a tetrahedron that the surface cuts is divided: into up to three, whose corners stand where those of the whole one stood, or have
// moved from there along an edge. So they are oriented as it is.
type stencil struct {
	tets [3][4]slot
	n    uint8
	// Where the surface leaves the ends a and b of a long edge and cuts those from both to the corner c, that face's diagonal is chosen by parity: if the
	// number of coordinates that c's are less than a's in is even for corners of leaves, or odd for centres, the stencil is the next one.
	byParity bool
	a, c     uint8
}

// slot is a corner, or where the edge from one corner to another is cut.
type slot struct{ from, to uint8 }

func (s slot) whole() bool { return s.from == s.to }

// stencilOf is what becomes of a tetrahedron by its code, and stencils are those that the numbers from firstStencil on mean.
var stencilOf, stencils = makeStencils()

func makeStencils() (of [codes]uint16, list []stencil) {
	for code := range of {
		var by [3][]uint8 // corners by sign
		var centre [4]bool
		centres, valid := 0, true
		for i := range uint8(4) {
			bits := code >> (codeBits * i) & codeMask
			if centre[i] = bits&centred != 0; centre[i] {
				centres++
			}
			if sign := bits & signMask; sign <= inside {
				by[sign] = append(by[sign], i)
			} else {
				valid = false
			}
		}
		switch {
		case valid && len(by[surface]) == 4:
			of[code] = flat
		case !valid || len(by[inside]) == 0:
		case len(by[outside]) == 0:
			of[code] = kept
		case centres == 2: // any other is of a transition, which is never cut
			of[code] = uint16(firstStencil + len(list))
			list = append(list, divide(by[inside], by[surface], by[outside], &centre)...)
		}
	}
	return of, list
}

// divide is the stencil of a tetrahedron by the signs of its corners, or the two that parity chooses from. Of a tetrahedron of the uniform lattice
// two corners are centres, and edges between two of a kind are long.
func divide(in, on, out []uint8, centre *[4]bool) []stencil {
	switch {
	case len(in) == 1:
		s := stencil{n: 1, tets: [3][4]slot{uncut()}}
		for _, o := range out {
			s.tets[0][o] = slot{in[0], o}
		}
		return []stencil{s}
	case len(in) == 3:
		return divideThree(in, out[0], centre)
	case len(on) == 1:
		return dividePyramid(in[0], in[1], slot{on[0], on[0]}, out[0], centre)
	case centre[in[0]] == centre[in[1]]:
		return divideLong(in[0], in[1], out[0], out[1])
	}
	a, b, c, d := in[0], in[1], out[0], out[1]
	if centre[a] != centre[c] {
		c, d = d, c
	}
	return []stencil{{n: 3, tets: [3][4]slot{
		uncut().with(b, slot{b, d}).with(c, slot{a, c}).with(d, slot{a, d}),
		uncut().with(c, slot{a, c}).with(d, slot{b, d}),
		uncut().with(a, slot{a, c}).with(c, slot{b, c}).with(d, slot{b, d}),
	}}}
}

type corners [4]slot

func uncut() corners { return corners{{0, 0}, {1, 1}, {2, 2}, {3, 3}} }

func (c corners) with(at uint8, s slot) corners {
	c[at] = s
	return c
}

// divideThree is for three corners inside: the corner outside o has a long edge to m and short ones to p and q. A tetrahedron without o and a pyramid,
// whose apex is the cut of the long edge.
func divideThree(in []uint8, o uint8, centre *[4]bool) []stencil {
	m, p, q := in[0], in[1], in[2]
	for centre[m] != centre[o] {
		m, p, q = p, q, m
	}
	list := dividePyramid(p, q, slot{m, o}, o, centre)
	for i := range list {
		list[i].tets[2], list[i].n = uncut().with(o, slot{m, o}), 3
	}
	return list
}

// dividePyramid is for two corners p and q inside and one, o, outside: the quadrilateral p, q, and the cuts of q-o and p-o, with an apex that stands where
// the fourth corner stands. A diagonal of it meets the cut of the long edge, if that is cut, and is chosen by parity otherwise.
func dividePyramid(p, q uint8, apex slot, o uint8, centre *[4]bool) []stencil {
	at := 6 - p - q - o
	// fromCut is the one whose diagonal goes from the cut of the edge from p to o.
	fromCut := func(p, q uint8) stencil {
		return stencil{n: 2, tets: [3][4]slot{
			uncut().with(at, apex).with(o, slot{p, o}),
			uncut().with(at, apex).with(p, slot{p, o}).with(o, slot{q, o}),
		}}
	}
	switch {
	case centre[p] == centre[o]:
		return []stencil{fromCut(p, q)}
	case centre[q] == centre[o]:
		return []stencil{fromCut(q, p)}
	}
	first, second := fromCut(q, p), fromCut(p, q) // the diagonal from p, and that from q
	first.byParity, first.a, first.c = true, p, o
	return []stencil{first, second}
}

// divideLong is for the ends a and b of a long edge inside and the others outside. The diagonals of the faces a, b, c and a, b, d go from different
// ends of the long edge, by parity, so that the prism can be divided.
func divideLong(a, b, c, d uint8) []stencil {
	// from is the one whose diagonal goes from a to the cut of b-c, and from b to that of a-d.
	from := func(a, b, c, d uint8) stencil {
		return stencil{n: 3, tets: [3][4]slot{
			uncut().with(b, slot{b, c}).with(c, slot{a, c}).with(d, slot{a, d}),
			uncut().with(c, slot{b, c}).with(d, slot{a, d}),
			uncut().with(a, slot{a, d}).with(c, slot{b, c}).with(d, slot{b, d}),
		}}
	}
	first, second := from(a, b, c, d), from(b, a, c, d)
	first.byParity, first.a, first.c = true, a, c
	return []stencil{first, second}
}

// odd tells whether the number of coordinates is odd in which a is greater than c.
func odd(a, c *[3]float64) bool {
	return (a[0] > c[0]) != (a[1] > c[1]) != (a[2] > c[2])
}
