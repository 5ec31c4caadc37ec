package pressure

import (
	"github.com/meniscus3d/meniscus/fluid/internal/amg"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// face is what the rows on a face need of it.
type face struct {
	a, b int32
	coef float64 // A w / (ρ d)
	flux float64 // A w u, m³/s
}

// assemble makes L and the right-hand side without the bodies' part.
func (s *Solver) assemble() {
	g, m := s.gr, &s.matrix
	s.face = arrays.Resize(s.face, g.Faces())
	par.For(s.pool, g.Faces(), grain, s, (*Solver).coefficients)
	s.rhs, m.Diag, m.Red = arrays.Resize(s.rhs, g.Rows), arrays.Resize(m.Diag, g.Rows), arrays.Resize(m.Red, g.Rows)
	parts := par.Chunks(g.Rows, amg.PartRows)
	for cap(m.Part) < parts {
		m.Part = append(m.Part[:cap(m.Part)], amg.Rows{})
	}
	m.Part = m.Part[:parts]
	if g.Cubic() {
		par.For(s.pool, g.Rows, amg.PartRows, s, (*Solver).assembleRows)
	} else {
		par.For(s.pool, g.Rows, amg.PartRows, s, (*Solver).assembleListed)
	}
}

// nonzeros counts the entries of L's diagonal and upper triangle.
func (s *Solver) nonzeros() int {
	n := 0
	for i := range s.matrix.Part {
		n += len(s.matrix.Part[i].Col)
	}
	return s.gr.Rows + n/2
}

func (s *Solver) coefficients(_, lo, hi int) {
	g, faces := s.gr, s.face[lo:hi]
	n := len(faces)
	a, b, area, open, dist, u := g.A[lo:hi][:n], g.B[lo:hi][:n], g.Area[lo:hi][:n], g.Open[lo:hi][:n], g.Dist[lo:hi][:n], g.U[lo:hi][:n]
	for f := range faces {
		free := area[f] * open[f]
		faces[f] = face{a[f], b[f], free / (s.rho * dist[f]), free * u[f]}
	}
	if len(g.Held) > 0 {
		for f, held := range g.Held[lo:hi] {
			if held {
				faces[f].coef = 0
			}
		}
	}
}

// assembleRows writes a part of L and of the right-hand side.
func (s *Solver) assembleRows(_, lo, hi int) {
	m, sides, rows := &s.matrix, s.gr.Sides[lo:hi], &s.matrix.Part[lo/amg.PartRows]
	diag, rhs, source, reds, red := m.Diag[lo:hi], s.rhs[lo:hi], s.source[lo:hi], m.Red[lo:hi], s.gr.Red[lo:hi]
	diag, rhs, source, reds, red = diag[:len(sides)], rhs[:len(sides)], source[:len(sides)], reds[:len(sides)], red[:len(sides)]
	rows.Ptr = arrays.Resize(rows.Ptr, len(sides)+1)
	ptr := rows.Ptr[1:]
	ptr = ptr[:len(sides)]
	rows.Ptr[0] = 0
	l := lines{faces: s.face, col: rows.Col[:cap(rows.Col)], val: rows.Val[:cap(rows.Val)]}
	for k := range sides {
		if l.at+longest > len(l.col) {
			l.grow()
		}
		l.row, l.diag, l.rhs, l.red = int32(lo+k), 0, source[k], red[k]
		if side := &sides[k]; !l.inner(side) {
			for i, f := range side {
				if f < 0 {
					continue
				}
				if face := &l.faces[f]; face.a|face.b >= 0 {
					l.join(face, i)
				} else {
					s.addFace(&l, f, i)
				}
			}
		}
		ptr[k] = int32(l.at)
		diag[k], rhs[k], reds[k] = l.diag, l.rhs, l.red
	}
	rows.Col, rows.Val = l.col[:l.at], l.val[:l.at]
}

// lines is what assembleRows writes: entries of L, the next of them at, and the row at hand, which has the colour of its cell
// but for some on composite faces.
type lines struct {
	faces     []face
	col       []int32
	val       []float64
	at        int
	row       int32
	diag, rhs float64
	red       bool
}

// longest is the entries of a row at most: per side three of the same composite face and four beyond.
const longest = 6 * (3 + 4)

// grow makes room for a row and more.
func (l *lines) grow() {
	n := len(l.col) + len(l.col)/4 + 8*amg.PartRows
	l.col, l.val = append(make([]int32, 0, n), l.col...)[:n], append(make([]float64, 0, n), l.val...)[:n]
}

// inner writes a row that has six faces to six rows, as most have; otherwise it returns false.
func (l *lines) inner(side *[6]int32) bool {
	if side[0]|side[1]|side[2]|side[3]|side[4]|side[5] < 0 {
		return false
	}
	f0, f1, f2 := &l.faces[side[0]], &l.faces[side[1]], &l.faces[side[2]]
	f3, f4, f5 := &l.faces[side[3]], &l.faces[side[4]], &l.faces[side[5]]
	if f0.a|f1.b|f2.a|f3.b|f4.a|f5.b|f0.b|f1.a|f2.b|f3.a|f4.b|f5.a < 0 {
		return false
	}
	col, val := (*[6]int32)(l.col[l.at:]), (*[6]float64)(l.val[l.at:])
	col[0], col[1], col[2], col[3], col[4], col[5] = f0.a, f1.b, f2.a, f3.b, f4.a, f5.b
	val[0], val[1], val[2], val[3], val[4], val[5] = -f0.coef, -f1.coef, -f2.coef, -f3.coef, -f4.coef, -f5.coef
	l.diag = f0.coef + f1.coef + f2.coef + f3.coef + f4.coef + f5.coef
	l.rhs = l.rhs + f0.flux - f1.flux + f2.flux - f3.flux + f4.flux - f5.flux
	l.at += 6
	return true
}

// add adds an entry.
func (l *lines) add(col int32, val float64) {
	l.col[l.at], l.val[l.at] = col, val
	l.at++
}

// join adds a face to another row, on a side of the row.
func (l *lines) join(f *face, side int) {
	other, flux := f.b, f.flux
	if side&1 == 0 {
		other, flux = f.a, -flux
	}
	l.add(other, -f.coef)
	l.diag += f.coef
	l.rhs -= flux
}

// tie is the conductance between the four fine cells of a regularised composite face, as a part of their
// own share in it. A composite face sees their mean alone: where solids shut their other
// faces, pressures of opposite sign would go unseen and the matrix be singular.
const tie = .05

// addFace adds face i, on a side of the row and composite or to the air, to the row. Of the rows on a composite face,
// which are all joined, one stays red: of the first two of the four, which lie side by side, that of a red cell.
func (s *Solver) addFace(l *lines, i int32, side int) {
	g, f := s.gr, &s.face[i]
	mine, other, flux := f.a, f.b, f.flux
	if side&1 == 0 {
		mine, other, flux = other, mine, -flux
	}
	air, lean := g.Jump[i]*s.dt, g.HydrostaticOffset(mine)-g.HydrostaticOffset(other)
	c := f.coef
	if mine >= 0 {
		l.diag += c
		l.red = l.red && other == graph.Air
	} else {
		c, flux = s.addQuad(l, ^mine, c, flux, air)
	}
	switch {
	case other >= 0:
		l.add(other, -c)
	case other == graph.Air:
		l.rhs += float64(c * air)
	default:
		shares := &g.Shares[^other]
		for k, q := range g.Quads[^other] {
			if part := float64(c * shares[k]); q == graph.Air {
				l.rhs += float64(part * air)
			} else {
				l.add(q, -part)
			}
		}
	}
	if lean != 0 {
		l.rhs += float64(c * lean * s.dt)
	}
	l.rhs -= flux
}

// addQuad adds the row's own side of a composite face, quad q, and returns its part of the face's coefficient and flux.
func (s *Solver) addQuad(l *lines, q int32, c, flux, air float64) (part, partFlux float64) {
	g := s.gr
	rows, shares, still := &g.Quads[q], &g.Shares[q], &g.Still[q]
	own := 0
	for k, r := range rows {
		if r == l.row {
			own = k
		}
	}
	t := 0.
	if g.Regularised[q] {
		t = tie * (c / 4)
	}
	part, partFlux = c*shares[own], flux*shares[own]
	for k, r := range rows {
		switch {
		case k == own:
			l.diag += float64(part * shares[k])
			l.red = l.red && k < 2
		case r != graph.Air:
			l.add(r, float64(part*shares[k])-t)
			l.diag += t
			if t > 0 {
				l.rhs += float64(t * (still[own] - still[k]) * s.dt)
			}
		default:
			l.rhs -= float64(float64(part*shares[k]) * air)
		}
	}
	return part, partFlux
}
