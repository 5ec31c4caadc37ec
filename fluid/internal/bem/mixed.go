package bem

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Mixed solves for the harmonic function whose values are given at some vertices, and whose normal derivative on the faces that have none of these at all their corners.
//
// Unknown are the derivative on every face that is not fixed, and the value at every vertex all of whose faces are. A free face has the equation of Solver; a vertex with an unknown value has a third of those of
// all its faces.
type Mixed struct {
	Layers

	fixed  []bool  // by panel
	column []int32 // of each panel's derivative, and behind of each vertex's value: among the unknown, or -1 less that among the given
	given  []float64
	matrix []float64 // of the unknown
	known  []float64 // of the given, with as many rows
	rows   []float64 // equations of all panels: see assemble
	b      []float64
	pivot  []int32
}

// Set makes the layers of a surface and factors the equations. fixed says of each face whether its normal derivative will be given. It returns the errors of [Layers.Set], or ErrSingular if all are: the
// function is then known up to a constant.
func (m *Mixed) Set(at []r3.Vec, triangles [][3]int32, fixed []bool) error {
	if len(fixed) != len(triangles) {
		panic(fmt.Sprintf("bem: %d conditions for %d faces", len(fixed), len(triangles)))
	}
	if len(triangles) > directFaces {
		return fmt.Errorf("%w: %d, at most %d", ErrTooMany, len(triangles), directFaces)
	}
	if err := m.Layers.Set(at, triangles); err != nil {
		return err
	}
	n, given := m.number(fixed)
	m.matrix, m.known = arrays.Resize(m.matrix, n*n), arrays.Resize(m.known, n*given)
	m.b, m.pivot, m.given = arrays.Resize(m.b, n), arrays.Resize(m.pivot, n), arrays.Resize(m.given, given)
	m.assemble()
	clear(m.matrix)
	clear(m.known)
	for i := range m.panels {
		if !m.fixed[i] {
			m.enter(i, m.column[i], 1)
			continue
		}
		for _, v := range m.corners[i] {
			if row := m.column[len(m.panels)+int(v)]; row >= 0 {
				m.enter(i, row, 1./3)
			}
		}
	}
	if k := dense.FactorLU(m.matrix, m.pivot, leastPivot); k < n {
		return fmt.Errorf("%w: at row %d of %d", ErrSingular, k, n)
	}
	return nil
}

// number gives each number its column, and returns how many are unknown and how many given.
func (m *Mixed) number(fixed []bool) (unknown, given int) {
	faces := len(m.panels)
	m.fixed, m.column = arrays.Resize(m.fixed, faces), arrays.Resize(m.column, faces+m.vertices)
	vertex := m.column[faces:]
	for v := range vertex {
		vertex[v] = -1
	}
	for i, f := range m.face {
		m.fixed[i] = fixed[f]
		for _, v := range m.corners[i] {
			vertex[v] = 0
		}
	}
	for i := range m.panels {
		if !m.fixed[i] {
			for _, v := range m.corners[i] {
				vertex[v] = -1
			}
		}
	}
	for c := range m.column {
		if c < faces && m.fixed[c] || c >= faces && m.column[c] < 0 {
			given++
			m.column[c] = int32(-given)
		} else {
			m.column[c] = int32(unknown)
			unknown++
		}
	}
	return unknown, given
}

// assemble makes the equations of all panels, each a row: the coefficients of the derivatives on all, and then of the values at all vertices.
func (m *Mixed) assemble() {
	faces := len(m.panels)
	width := faces + m.vertices
	m.rows = arrays.Resize(m.rows, faces*width)
	clear(m.rows)
	for i := range m.panels {
		self := m.panels[i].self()
		if m.panels[i].area == 0 {
			self = 1
		}
		m.rows[i*width+i] += self
	}
	for k := range m.near {
		p := &m.near[k]
		m.pair(p.i, p.j, p.single, &p.ij, &p.ji)
	}
	for k := range m.far {
		f := &m.far[k]
		ij, ji := m.farDouble(f)
		m.pair(f.i, f.j, f.single, &ij, &ji)
	}
}

// pair adds what two panels do to each other.
func (m *Mixed) pair(i, j int32, single float64, ij, ji *[3]float64) {
	faces := len(m.panels)
	width := faces + m.vertices
	ofI, ofJ := m.rows[int(i)*width:][:width], m.rows[int(j)*width:][:width]
	ofI[j] += single
	ofJ[i] += single
	ci, cj := m.corners[i], m.corners[j]
	toI, toJ := (ij[0]+ij[1]+ij[2])/3, (ji[0]+ji[1]+ji[2])/3
	for k := range 3 {
		ofI[faces+int(cj[k])] += ij[k]
		ofI[faces+int(ci[k])] -= toI
		ofJ[faces+int(ci[k])] += ji[k]
		ofJ[faces+int(cj[k])] -= toJ
	}
}

// enter adds a panel's equation, with a weight, to a row of the system.
func (m *Mixed) enter(i int, row int32, weight float64) {
	n, given, width := len(m.b), len(m.given), len(m.column)
	unknown, known := m.matrix[int(row)*n:][:n], m.known[int(row)*given:][:given]
	for number, value := range m.rows[i*width:][:width] {
		if c := m.column[number]; c >= 0 {
			unknown[c] += float64(weight * value)
		} else {
			known[-1-c] += float64(weight * value)
		}
	}
}

// farDouble returns what ij and ji of a nearPair would be, of panels that are far.
func (l *Layers) farDouble(f *farPair) (ij, ji [3]float64) {
	p, q := &l.panels[f.i], &l.panels[f.j]
	e, inv2 := offset(p, q)
	toJ, toI := reproducible.Dot(q.normal, f.field)/3, reproducible.Dot(p.normal, f.field)/3
	for k := range ij {
		ij[k] = toJ + float64(f.inv3*farTilt(q.normal, l.tilt[f.j][k], e, inv2))
		ji[k] = float64(f.inv3*farTilt(p.normal, l.tilt[f.i][k], e, inv2)) - toI
	}
	return ij, ji
}

// Solve finds the harmonic function. phi has its values at vertices, q its normal derivatives on faces: what is given, and after what is found.
func (m *Mixed) Solve(phi, q []float64) error {
	if len(q) != len(m.panels) || len(phi) != m.vertices {
		panic(fmt.Sprintf("bem: %d derivatives for %d faces, %d values for %d vertices", len(q), len(m.panels), len(phi), m.vertices))
	}
	faces := len(m.panels)
	for c, column := range m.column {
		if column >= 0 {
			continue
		}
		v := 0.
		if c < faces {
			v = q[m.face[c]]
		} else {
			v = phi[c-faces]
		}
		if !(math.Abs(v) <= math.MaxFloat64) {
			return fmt.Errorf("%w: %g is given", ErrNotFinite, v)
		}
		m.given[-1-column] = v
	}
	for row := range m.b {
		m.b[row] = -dense.Dot(m.given, m.known[row*len(m.given):])
	}
	dense.SolveLU(m.matrix, m.pivot, m.b)
	for i, f := range m.face {
		if c := m.column[i]; c >= 0 {
			q[f] = m.b[c]
		}
	}
	for v := range phi {
		if c := m.column[faces+v]; c >= 0 {
			phi[v] = m.b[c]
		}
	}
	return nil
}
