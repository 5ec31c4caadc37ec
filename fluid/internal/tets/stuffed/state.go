package stuffed

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
)

// farthest, m, and fastest, m/s, are far beyond what a step leaves.
const farthest, fastest = 1e12, 1e15

// Code encodes or decodes mesh and velocity. l is the lattice that the mesh is made of. A mesh that is damaged is refused when it is checked.
func (f *Field) Code(c *codec.Codec, l *bcc.Lattice) {
	c.Part("stuffed mesh")
	m := &f.mesher.Mesh
	n, v := 0, 0
	if f.Known() {
		n, v = m.Tets(), m.Vertices()
	}
	v = c.Count(v, 1<<30, 24)
	n = c.Count(n, 1<<30, 44)
	if c.Checking() {
		m = new(stuffing.Mesh)
	}
	if !c.Writing() {
		m.Position, m.Corners, m.Source = arrays.Resize(m.Position, v), arrays.Resize(m.Corners, n), arrays.Resize(m.Source, n)
	}
	if c.Reading() {
		f.Velocity = arrays.Resize(f.Velocity, n)
	}
	for i := range v {
		c.DraftFloat64s(m.Position[i][:], -farthest, farthest)
	}
	for i := range n {
		c.DraftInt32s(m.Corners[i][:], 0, int32(v-1))
	}
	c.DraftInt32s(m.Source[:n], 0, int32(l.Tets()-1))
	for i := range n {
		var u []float64
		if !c.Checking() {
			u = f.Velocity[i][:]
		}
		c.Float64s(u, 3, -fastest, fastest)
	}
	if c.Checking() && !c.Failed() {
		if err := check(m, l); err != nil {
			c.Fail("%v", err)
		}
	}
	if !c.Reading() {
		return
	}
	if f.Drop(); n > 0 {
		f.connect(l)
		f.findVertices()
	}
}

// flattest is the least volume of a tetrahedron that doesn't count as flat, as a part of the cube of its longest edge. Meshes of noise have .0016 and more.
const flattest = 1e-5

// check tells what is wrong with a mesh's vertices and tetrahedra, if anything: their order is that of the lattice's, each is the right way out, not flat, and where the
// one of the lattice is that it is part of: a vertex is moved by less than an edge.
func check(m *stuffing.Mesh, l *bcc.Lattice) error {
	if !slices.IsSorted(m.Source) {
		return errors.New("its tetrahedra are not in the order of the lattice's")
	}
	for t, c := range m.Corners {
		x := [4]*[3]float64{&m.Position[c[0]], &m.Position[c[1]], &m.Position[c[2]], &m.Position[c[3]]}
		if long := longest(&x); !(geom.SixfoldOf(x[0], x[1], x[2], x[3]) > 6*flattest*long*long*long) {
			return fmt.Errorf("tetrahedron %d of %d is flat or inside out", t, len(m.Corners))
		}
		of := &l.Corners[m.Source[t]]
		around := [4]*[3]float64{&l.Position[of[0]], &l.Position[of[1]], &l.Position[of[2]], &l.Position[of[3]]}
		if reach := longest(&around); !within(&x, &around, reach) {
			return fmt.Errorf("tetrahedron %d of %d is far from that of the lattice that it is part of", t, len(m.Corners))
		}
	}
	return nil
}

// longest is the longest edge of a tetrahedron, m.
func longest(x *[4]*[3]float64) float64 {
	most := 0.
	for i := range x {
		for k := range i {
			most = max(most, geom.Distance2(x[i], x[k]))
		}
	}
	return math.Sqrt(most)
}

// within tells whether points are in the box around others that is larger by reach, m, on every side.
func within(x, others *[4]*[3]float64, reach float64) bool {
	for a := range 3 {
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range others {
			low, high = min(low, p[a]-reach), max(high, p[a]+reach)
		}
		for _, p := range x {
			if p[a] < low || p[a] > high {
				return false
			}
		}
	}
	return true
}

// MostPerCell is more bytes than what Code writes can have for each of the finest cells: a cell has 24 tetrahedra, cut ones up to three times as many.
const MostPerCell = 24 * 3 * (44 + 24)
