package stuffed

import (
	"sort"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// baseGrain is how many base cells make a chunk of a loop.
const baseGrain = 2

// findRows numbers the tetrahedra that are awake, in the order of base cells, and fills what the graph has of each.
func (d *Discretiser) findRows() {
	gr, m, bases := d.gr, d.Mesh, d.g.Bases()
	d.Row = arrays.Resize(d.Row, m.Tets())
	d.runs, d.first, d.faces = arrays.Resize(d.runs, bases+1), arrays.Resize(d.first, bases+1), arrays.Resize(d.faces, bases+1)
	for b := range d.runs {
		from := d.l.TetRuns[b]
		d.runs[b] = int32(sort.Search(len(m.Source), func(i int) bool { return m.Source[i] >= from }))
	}
	par.Each(d.pool, bases, baseGrain, d, (*Discretiser).countRows)
	rows := int32(0)
	for b := range bases {
		d.first[b], rows = rows, rows+d.first[b]
	}
	d.first[bases] = rows
	gr.Rows = int(rows)
	gr.Cell, gr.Size, gr.Volume = arrays.Resize(gr.Cell, gr.Rows), arrays.Resize(gr.Size, gr.Rows), arrays.Resize(gr.Volume, gr.Rows)
	gr.Centre = arrays.Resize(gr.Centre, gr.Rows)
	par.Each(d.pool, bases, baseGrain, d, (*Discretiser).placeRows)
	d.findVertexRows()
}

// countRows counts a base cell's rows, and marks them with 0 in Row, others with -1. A tetrahedron that has no way to others or to air is none.
func (d *Discretiser) countRows(_ int, b int32) {
	n := int32(0)
	for t := d.runs[b]; t < d.runs[b+1]; t++ {
		if d.Row[t] = none; !d.Asleep[b] && d.opens(t) {
			d.Row[t] = 0
			n++
		}
	}
	d.first[b] = n
}

func (d *Discretiser) opens(t int32) bool {
	for _, nb := range d.Mesh.Neighbours[t] {
		if nb < 0 && d.owner[^nb] == free || nb >= 0 && !d.Asleep[d.baseOf(nb)] {
			return true
		}
	}
	return false
}

// baseOf is the base cell of a tetrahedron.
func (d *Discretiser) baseOf(t int32) int32 {
	return int32(sort.Search(len(d.runs), func(b int) bool { return d.runs[b] > t })) - 1
}

// placeRows numbers a base cell's rows.
func (d *Discretiser) placeRows(_ int, b int32) {
	gr, m, r := d.gr, d.Mesh, d.first[b]
	size := float32(d.g.CellSize(d.g.Cur.Level[b]))
	for t := d.runs[b]; t < d.runs[b+1]; t++ {
		if d.Row[t] == none {
			continue
		}
		d.Row[t] = r
		gr.Cell[r], gr.Size[r], gr.Volume[r] = t, size, float32(m.Volume(t))
		gr.Centre[r] = d.centre(t)
		r++
	}
}

// centre is where the pressure of a tetrahedron is, m.
func (d *Discretiser) centre(t int32) [3]float64 {
	m := d.Mesh
	if d.Centres == Circumcentres && !m.Standard(t) && d.l.Shapes[m.Source[t]] == bcc.Whole && d.isHalf(t) {
		return d.l.Centres[m.Source[t]]
	}
	return reproducible.Array(m.Centre(t)) // of a whole one the circumcentre
}

// halfway, in edges of the lattice, is how near to a place a vertex counts as being there.
const halfway = 1e-9

// isHalf tells whether a tetrahedron is half of one of the lattice at a wall: its corners are some of that, and the middle of a long edge, and the face opposite of
// the end of that is solid.
func (d *Discretiser) isHalf(t int32) bool {
	m, l := d.Mesh, d.l
	middles, centres := 0, 0
	for k, v := range m.Corners[t] {
		of := m.Origin[v]
		switch {
		case of >= 0 && l.Beyond[of]:
			middles++
		case of >= 0:
			if !d.isAt(&m.Position[v], of) {
				return false
			}
			if l.Cell[of] >= 0 {
				if nb := m.Neighbours[t][k]; nb >= 0 || d.owner[^nb] != fixed {
					return false
				}
				centres++
			}
		default:
			if !d.inMiddle(&m.Position[v], ^of) {
				return false
			}
			middles++
		}
	}
	return middles == 1 && centres == 1
}

// isAt tells whether a place is that of a vertex of the lattice.
func (d *Discretiser) isAt(x *[3]float64, v int32) bool {
	reach := float64(halfway * d.g.CellSize(d.l.Level[v]))
	return geom.Distance2(x, &d.l.Position[v]) <= float64(reach*reach)
}

// inMiddle tells whether a place is in the middle of an edge between two centres.
func (d *Discretiser) inMiddle(x *[3]float64, e int32) bool {
	l := d.l
	p, q := l.Ends[e][0], l.Ends[e][1]
	if l.Cell[p] < 0 || l.Cell[q] < 0 {
		return false
	}
	for a := range x {
		if off := x[a] - float64(.5*(l.Position[p][a]+l.Position[q][a])); off > halfway*l.Dist[e] || -off > halfway*l.Dist[e] {
			return false
		}
	}
	return true
}

// findVertexRows finds the first row at each vertex of the lattice.
func (d *Discretiser) findVertexRows() {
	d.VertexRow = arrays.Resize(d.VertexRow, d.l.Vertices())
	for v := range d.VertexRow {
		d.VertexRow[v] = none
	}
	m := d.Mesh
	for r, t := range d.gr.Cell {
		for _, v := range m.Corners[t] {
			if of := m.Origin[v]; of >= 0 && d.VertexRow[of] == none && !d.l.Beyond[of] {
				d.VertexRow[of] = int32(r)
			}
		}
	}
}

// VertexOf is the vertex of the lattice that a corner of a tetrahedron of the last Fill's mesh is, or -1.
func VertexOf(m *stuffing.Mesh, t int32, corner int) int32 {
	return max(m.Origin[m.Corners[t][corner]], none)
}
