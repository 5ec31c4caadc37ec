package mesh

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// state is the settled mesh: its vertices and triangles alone, from which all else follows.
type state struct {
	position []r3.Vec // m
	triangle [][3]int32
	label    []int32 // per triangle
	upkeep   int     // see upkeep

	numbers []float64 // scratch of Code
	indices []int32
	labels  []int32
	sides   [][3]int32
}

// upkeep is when the mesh is joined, separated and improved: in every n-th substep.
type upkeep struct {
	interval int // n; 0 stands for 1
	since    int // substeps that have rested since the last
}

// mostUpkeep bounds the interval in files.
const mostUpkeep = 1 << 10

// rests tells whether the substep that begins rests.
func (u *upkeep) rests() bool {
	if u.since+1 < u.interval {
		u.since++
		return true
	}
	u.since = 0
	return false
}

// setUpkeepInterval has the mesh joined, separated and improved in every n-th substep.
func (t *Tracker) setUpkeepInterval(n int) { t.upkeep.interval = n }

// Settle keeps the mesh, with the tree that a mesh gets which is decoded.
func (t *Tracker) Settle() {
	m := &t.track.Mesh
	if t.rebuilt {
		t.improveRebuilt()
	}
	m.Compact()
	m.ForgetChanges()
	t.moved = false
	t.settled.position = append(t.settled.position[:0], m.Position...)
	t.settled.triangle = append(t.settled.triangle[:0], m.Triangle...)
	t.settled.label = append(t.settled.label[:0], m.Label...)
	t.settled.upkeep = t.upkeep.since
}

// Revert makes the mesh what it was.
func (t *Tracker) Revert() {
	t.track.Mesh.SetLabelled(t.settled.position, t.settled.triangle, t.settled.label)
	t.track.Mesh.ForgetChanges()
	t.change.labelBoxes = t.change.labelBoxes[:0]
	t.upkeep.since, t.moved, t.rebuilt = t.settled.upkeep, false, false
}

// mostVertices is the most vertices of a mesh that is saved.
const mostVertices = 1 << 22

// Code encodes or decodes the settled mesh.
func (t *Tracker) Code(c *codec.Codec) {
	c.Part("surface mesh")
	s := &t.settled
	c.Int(&s.upkeep, 0, mostUpkeep)
	vertices, triangles := c.Count(len(s.position), mostVertices, 24), c.Count(len(s.triangle), 2*mostVertices, 12)
	s.numbers, s.indices = arrays.Resize(s.numbers, 3*vertices), arrays.Resize(s.indices, 3*triangles)
	if c.Writing() {
		for i, x := range s.position {
			s.numbers[3*i], s.numbers[3*i+1], s.numbers[3*i+2] = x.X, x.Y, x.Z
		}
		for i, v := range s.triangle {
			copy(s.indices[3*i:], v[:])
		}
	}
	c.Float64s(s.numbers, 3*vertices, -1e6, 1e6)
	c.DraftInt32s(s.indices, 0, int32(vertices)-1)
	s.codeLabels(c, triangles)
	if c.Failed() {
		return
	}
	if c.Checking() && !s.closed() {
		c.Fail("its triangles are not closed")
	}
	if c.Reading() {
		s.read()
		t.Revert()
	}
}

// codeLabels encodes or decodes the labels of so many triangles. Before them is whether there are any but 0; else they are left out.
func (s *state) codeLabels(c *codec.Codec, triangles int) {
	labelled := 0
	for _, label := range s.label {
		labelled = max(labelled, min(1, int(label)))
	}
	if c.Version() < 10 {
		labelled = 0
	} else {
		labelled = c.Count(labelled, 1, 0)
	}
	s.labels = arrays.Resize(s.labels, triangles)
	clear(s.labels)
	if labelled > 0 {
		copy(s.labels, s.label)
		c.DraftInt32s(s.labels, 0, track.MostLabel)
	}
}

// closed tells whether each side of a triangle that was coded has one of the same label that runs the other way.
func (s *state) closed() bool {
	s.sides = s.sides[:0]
	for i := 0; i < len(s.indices); i += 3 {
		for k := range 3 {
			a, b := s.indices[i+k], s.indices[i+(k+1)%3]
			if a == b {
				return false
			}
			s.sides = append(s.sides, [3]int32{a, b, s.labels[i/3]})
		}
	}
	order := func(x, y [3]int32) int {
		return cmp.Or(cmp.Compare(min(x[0], x[1]), min(y[0], y[1])), cmp.Compare(max(x[0], x[1]), max(y[0], y[1])), cmp.Compare(x[2], y[2]))
	}
	slices.SortFunc(s.sides, order)
	balance := 0
	for i, side := range s.sides {
		if balance++; side[0] > side[1] {
			balance -= 2
		}
		if last := i+1 == len(s.sides) || order(side, s.sides[i+1]) != 0; last && balance != 0 {
			return false
		}
	}
	return true
}

// read makes the mesh that was decoded the settled one.
func (s *state) read() {
	s.position, s.triangle, s.label = s.position[:0], s.triangle[:0], append(s.label[:0], s.labels...)
	for i := 0; i < len(s.numbers); i += 3 {
		s.position = append(s.position, r3.Vec{X: s.numbers[i], Y: s.numbers[i+1], Z: s.numbers[i+2]})
	}
	for i := 0; i < len(s.indices); i += 3 {
		s.triangle = append(s.triangle, [3]int32(s.indices[i:]))
	}
}

// Most is more bytes than what Code writes of any mesh.
func (t *Tracker) Most() int { return 1<<10 + mostVertices*(24+2*16) }
