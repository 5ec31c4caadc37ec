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
	l := lines{g: g, density: e.Density, col: rows.Col[:cap(rows.Col)], val: rows.Val[:cap(rows.Val)]}
	held := len(g.Held) > 0
	for k := range sides {
		if l.at+longest > len(l.col) {
			l.grow(usual * (len(sides) - k))
		}
		l.row, l.diag, l.rhs, l.red = int32(lo+k), 0, source[k], red[k]
		if side := &sides[k]; held || !l.inner(side) {
			for i, f := range side {
				if f < 0 {
					continue
				}
				if g.A[f]|g.B[f] >= 0 {
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
	g         *Graph
	density   float64
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

// inner writes a row that has six faces to six rows, as most have; otherwise it returns false. No face may keep its velocity.
func (l *lines) inner(side *[6]int32) bool {
	if side[0]|side[1]|side[2]|side[3]|side[4]|side[5] < 0 {
		return false
	}
	g, rho := l.g, l.density
	a, s0, s1, s2, s3, s4, s5 := g.A, side[0], side[1], side[2], side[3], side[4], side[5]
	b, area, open, dist, u := g.B[:len(a)], g.Area[:len(a)], g.Open[:len(a)], g.Dist[:len(a)], g.U[:len(a)]
	c0, c1, c2, c3, c4, c5 := a[s0], b[s1], a[s2], b[s3], a[s4], b[s5]
	if c0|c1|c2|c3|c4|c5|b[s0]|a[s1]|b[s2]|a[s3]|b[s4]|a[s5] < 0 {
		return false
	}
	f0, f1, f2 := area[s0]*open[s0], area[s1]*open[s1], area[s2]*open[s2]
	f3, f4, f5 := area[s3]*open[s3], area[s4]*open[s4], area[s5]*open[s5]
	k0, k1, k2 := f0/(rho*dist[s0]), f1/(rho*dist[s1]), f2/(rho*dist[s2])
	k3, k4, k5 := f3/(rho*dist[s3]), f4/(rho*dist[s4]), f5/(rho*dist[s5])
	col, val := (*[6]int32)(l.col[l.at:]), (*[6]float64)(l.val[l.at:])
	col[0], col[1], col[2], col[3], col[4], col[5] = c0, c1, c2, c3, c4, c5
	val[0], val[1], val[2], val[3], val[4], val[5] = -k0, -k1, -k2, -k3, -k4, -k5
	l.diag = k0 + k1 + k2 + k3 + k4 + k5
	l.rhs = l.rhs + float64(f0*u[s0]) - float64(f1*u[s1]) + float64(f2*u[s2]) - float64(f3*u[s3]) + float64(f4*u[s4]) - float64(f5*u[s5])
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
	coef, flux := l.g.Term(f, l.density)
	other := l.g.B[f]
	if side&1 == 0 {
		other, flux = l.g.A[f], -flux
	}
	l.add(other, -coef)
	l.diag += coef
	l.rhs -= flux
}

// tie is the conductance between the four fine cells of a regularised composite face, as a part of their
// own share in it. A composite face sees their mean alone: where solids shut their other
// faces, pressures of opposite sign would go unseen and the matrix be singular.
const tie = .05

// addTerm adds face i, on a side of the row and composite or to the air, to the row. Of the rows on a composite face,
// which are all joined, one stays red: of the first two of the four, which lie side by side, that of a red cell.
func (g *Graph) addTerm(l *lines, e *Equations, i int32, side int) {
	c, flux := g.Term(i, e.Density)
	mine, other := g.A[i], g.B[i]
	if side&1 == 0 {
		mine, other, flux = other, mine, -flux
	}
	air, lean := g.Jump[i]*e.Dt, g.HydrostaticOffset(mine)-g.HydrostaticOffset(other)
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
