package graph

import "github.com/meniscus3d/meniscus/fluid/internal/arrays"

// assembleCubes is Assemble of cubes.
func (g *Graph) assembleCubes(e *Equations, lo, hi int, rows *Entries) {
	sides := g.Cubes.Sides[lo:hi]
	diag, rhs, source, reds, red := e.Diag[lo:hi], e.RHS[lo:hi], e.Source[lo:hi], e.Red[lo:hi], g.Cubes.Red[lo:hi]
	diag, rhs, source, reds, red = diag[:len(sides)], rhs[:len(sides)], source[:len(sides)], reds[:len(sides)], red[:len(sides)]
	rows.Ptr = arrays.Resize(rows.Ptr, len(sides)+1)
	ptr := rows.Ptr[1:]
	ptr = ptr[:len(sides)]
	rows.Ptr[0] = 0
	l := lines{a: g.A, b: g.B[:len(g.A)], terms: e.Terms[:len(g.A)], col: rows.Col[:cap(rows.Col)], val: rows.Val[:cap(rows.Val)]}
	for k := range sides {
		if l.at+longest > len(l.col) {
			l.grow(usual * (len(sides) - k))
		}
		l.row, l.diag, l.rhs, l.red = int32(lo+k), 0, source[k], red[k]
		if side := &sides[k]; !l.inner(side) {
			for i, f := range side {
				if f < 0 {
					continue
				}
				if l.a[f]|l.b[f] >= 0 {
					l.join(f, i)
				} else {
					g.addTerm(&l, e, f, i)
				}
			}
		}
		ptr[k] = int32(l.at)
		diag[k], rhs[k], reds[k] = l.diag, l.rhs, l.red
	}
	rows.Col, rows.Val = l.col[:l.at], l.val[:l.at]
}

// lines is what assembleCubes writes: entries of L, the next of them at, and the row at hand, which has the colour of its cell
// but for some on composite faces.
type lines struct {
	a, b      []int32 // per face, as in Graph
	terms     []Term
	col       []int32
	val       []float64
	at        int
	row       int32
	diag, rhs float64
	red       bool
}

// longest is the entries of a row at most: per side three of the same composite face and four beyond.
const longest = 6 * (3 + 4)

// usual is the entries of most rows.
const usual = 6

// grow makes room for a row, and for so many entries more.
func (l *lines) grow(more int) {
	n := l.at + longest + more + len(l.col)/8
	l.col, l.val = append(make([]int32, 0, n), l.col...)[:n], append(make([]float64, 0, n), l.val...)[:n]
}

// inner writes a row that has six faces to six rows, as most have; otherwise it returns false.
func (l *lines) inner(side *[6]int32) bool {
	if side[0]|side[1]|side[2]|side[3]|side[4]|side[5] < 0 {
		return false
	}
	s0, s1, s2, s3, s4, s5 := side[0], side[1], side[2], side[3], side[4], side[5]
	a, b, terms := l.a, l.b, l.terms
	b, terms = b[:len(a)], terms[:len(a)]
	c0, c1, c2, c3, c4, c5 := a[s0], b[s1], a[s2], b[s3], a[s4], b[s5]
	if c0|c1|c2|c3|c4|c5|b[s0]|a[s1]|b[s2]|a[s3]|b[s4]|a[s5] < 0 {
		return false
	}
	f0, f1, f2, f3, f4, f5 := &terms[s0], &terms[s1], &terms[s2], &terms[s3], &terms[s4], &terms[s5]
	col, val := (*[6]int32)(l.col[l.at:]), (*[6]float64)(l.val[l.at:])
	col[0], col[1], col[2], col[3], col[4], col[5] = c0, c1, c2, c3, c4, c5
	val[0], val[1], val[2], val[3], val[4], val[5] = -f0.Coef, -f1.Coef, -f2.Coef, -f3.Coef, -f4.Coef, -f5.Coef
	l.diag = f0.Coef + f1.Coef + f2.Coef + f3.Coef + f4.Coef + f5.Coef
	l.rhs = l.rhs + f0.Flux - f1.Flux + f2.Flux - f3.Flux + f4.Flux - f5.Flux
	l.at += 6
	return true
}

// add adds an entry.
func (l *lines) add(col int32, val float64) {
	l.col[l.at], l.val[l.at] = col, val
	l.at++
}

// join adds a face to another row, on a side of the row.
func (l *lines) join(f int32, side int) {
	term := &l.terms[f]
	other, flux := l.b[f], term.Flux
	if side&1 == 0 {
		other, flux = l.a[f], -flux
	}
	l.add(other, -term.Coef)
	l.diag += term.Coef
	l.rhs -= flux
}

// tie is the conductance between the four fine cells of a regularised composite face, as a part of their
// own share in it. A composite face sees their mean alone: where solids shut their other
// faces, pressures of opposite sign would go unseen and the matrix be singular.
const tie = .05

// addTerm adds face i, on a side of the row and composite or to the air, to the row. Of the rows on a composite face,
// which are all joined, one stays red: of the first two of the four, which lie side by side, that of a red cell.
func (g *Graph) addTerm(l *lines, e *Equations, i int32, side int) {
	f := &l.terms[i]
	mine, other, flux := l.a[i], l.b[i], f.Flux
	if side&1 == 0 {
		mine, other, flux = other, mine, -flux
	}
	air, lean := g.Jump[i]*e.Dt, g.HydrostaticOffset(mine)-g.HydrostaticOffset(other)
	c := f.Coef
	if mine >= 0 {
		l.diag += c
		l.red = l.red && other == Air
	} else {
		c, flux = g.addQuad(l, e, ^mine, c, flux, air)
	}
	switch {
	case other >= 0:
		l.add(other, -c)
	case other == Air:
		l.rhs += float64(c * air)
	default:
		shares := &g.Cubes.Shares[^other]
		for k, q := range g.Cubes.Quads[^other] {
			if part := float64(c * shares[k]); q == Air {
				l.rhs += float64(part * air)
			} else {
				l.add(q, -part)
			}
		}
	}
	if lean != 0 {
		l.rhs += float64(c * lean * e.Dt)
	}
	l.rhs -= flux
}

// addQuad adds the row's own side of a composite face, quad q, and returns its part of the face's coefficient and flux.
func (g *Graph) addQuad(l *lines, e *Equations, q int32, c, flux, air float64) (part, partFlux float64) {
	rows, shares, still := &g.Cubes.Quads[q], &g.Cubes.Shares[q], &g.Cubes.Still[q]
	own := 0
	for k, r := range rows {
		if r == l.row {
			own = k
		}
	}
	t := 0.
	if g.Cubes.Regularised[q] {
		t = tie * (c / 4)
	}
	part, partFlux = c*shares[own], flux*shares[own]
	for k, r := range rows {
		switch {
		case k == own:
			l.diag += float64(part * shares[k])
			l.red = l.red && k < 2
		case r != Air:
			l.add(r, float64(part*shares[k])-t)
			l.diag += t
			if t > 0 {
				l.rhs += float64(t * (still[own] - still[k]) * e.Dt)
			}
		default:
			l.rhs -= float64(float64(part*shares[k]) * air)
		}
	}
	return part, partFlux
}
