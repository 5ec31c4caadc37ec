package stuffed

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// farthest, m, and fastest, m/s, are far beyond what a step leaves.
const farthest, fastest = 1e12, 1e15

// Code encodes or decodes mesh and velocity. l is the lattice that the mesh is made of; when checking it tells no more than how many tetrahedra it has.
func (f *Field) Code(c *codec.Codec, l *bcc.Lattice, tets int) {
	c.Part("stuffed mesh")
	m := &f.mesher.Mesh
	n, v := 0, 0
	if f.Known() {
		n, v = m.Tets(), m.Vertices()
	}
	v = c.Count(v, 1<<30, 24)
	n = c.Count(n, 1<<30, 44)
	if c.Reading() {
		m.Position, m.Corners, m.Source = arrays.Resize(m.Position, v), arrays.Resize(m.Corners, n), arrays.Resize(m.Source, n)
		f.Velocity = arrays.Resize(f.Velocity, n)
	}
	for i := range v {
		c.Float64s(f.at(c, m.Position, i), 3, -farthest, farthest)
	}
	for i := range n {
		var corners []int32
		if !c.Checking() {
			corners = m.Corners[i][:]
		}
		c.Int32s(corners, 4, 0, int32(v-1))
	}
	var source []int32
	if !c.Checking() && n > 0 {
		source = m.Source
	}
	c.Int32s(source, n, 0, int32(tets-1))
	for i := range n {
		c.Float64s(f.at(c, f.Velocity, i), 3, -fastest, fastest)
	}
	if !c.Reading() {
		return
	}
	if f.Drop(); n > 0 {
		f.connect(l)
		f.findVertices()
	}
}

// at is a vector that is coded, nil where it is checked.
func (f *Field) at(c *codec.Codec, list [][3]float64, i int) []float64 {
	if c.Checking() {
		return nil
	}
	return list[i][:]
}

// MostPerCell is more bytes than what Code writes can have for each of the finest cells: a cell has 24 tetrahedra, cut ones up to three times as many.
const MostPerCell = 24 * 3 * (44 + 24)
