package tets

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// cutaway lists the faces near a plane, to find those that have a tetrahedron on either side of it. It is scratch.
type cutaway struct {
	lattice *graded
	grid    *layout.Grid
	plane   query.Plane
	domain  r3.Box
	phi     []float32 // per cell of the layout
	faces   []halfFace
}

// halfFace is a face as one of its two tetrahedra has it.
type halfFace struct {
	corners [3]int32 // in ascending order
	tet     int32
	without int8 // the tetrahedron's corner that the face lacks
	kept    bool // the tetrahedron is behind the plane
}

// faceCorners are those of the face of a tetrahedron that lacks a corner, counter-clockwise seen from outside.
var faceCorners = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// AppendCutAway appends the faces of the settled lattice that a cut lays bare: those between a tetrahedron whose centroid is on the plane or behind it
// and one whose centroid is in front of it. Both centroids are in the domain.
func (m *Lattice) AppendCutAway(dst []query.CellFace, plane query.Plane) []query.CellFace {
	c := &m.cutaway
	c.lattice, c.grid, c.plane, c.domain, c.phi = m.settled, m.Grid, plane, m.Domain, m.Set.Phi
	return c.append(dst)
}

func (c *cutaway) append(dst []query.CellFace) []query.CellFace {
	c.faces = c.faces[:0]
	edge := float64(c.grid.H * layout.Edge)
	for b := range int32(c.grid.Bases()) {
		if d := c.plane.Distance(c.grid.Middle(b)); d < 3*edge && d > -3*edge { // its tetrahedra reach less than an edge beyond it, and they are no longer than 1.5
			c.listBase(b)
		}
	}
	slices.SortFunc(c.faces, func(a, b halfFace) int {
		for i := range a.corners {
			if by := cmp.Compare(a.corners[i], b.corners[i]); by != 0 {
				return by
			}
		}
		return cmp.Compare(a.tet, b.tet)
	})
	for i := 1; i < len(c.faces); i++ {
		a, b := &c.faces[i-1], &c.faces[i]
		if a.corners != b.corners || a.kept == b.kept {
			continue
		}
		if b.kept {
			a = b
		}
		dst = append(dst, c.face(a))
	}
	return dst
}

// listBase lists the faces of a base cell's tetrahedra that may lie between two on either side of the plane. Where the middle of a face is farther from the
// plane than a fourth of the longest edge of a tetrahedron, that one's centroid is on the same side as the middle.
func (c *cutaway) listBase(b int32) {
	l := c.lattice
	lo, hi := l.TetRuns.Of(b)
	for t := lo; t < hi; t++ {
		var d [4]float64
		for i, v := range l.Corners[t] {
			d[i] = c.plane.Distance(reproducible.Vector(l.Position[v]))
		}
		middle := (d[0] + d[1] + d[2] + d[3]) / 4
		kept := middle <= 0
		long := c.longest(t)
		if middle > long || middle < -long || !boxes.Contains(c.domain, c.centroid(t)) {
			continue
		}
		for i, d := range d {
			at := (float64(4*middle) - d) / 3 // the middle of the face that lacks the corner
			if kept && (at > long/4 || at < -long/2) || !kept && (at < -long/4 || at > long/2) {
				continue // the other tetrahedron's edges are twice as long at most
			}
			f := halfFace{tet: t, without: int8(i), kept: kept}
			for k, j := range faceCorners[i] {
				f.corners[k] = l.Corners[t][j]
			}
			slices.Sort(f.corners[:])
			c.faces = append(c.faces, f)
		}
	}
}

// corner is one of a tetrahedron, m.
func (c *cutaway) corner(tet int32, i int) r3.Vec {
	return reproducible.Vector(c.lattice.Position[c.lattice.Corners[tet][i]])
}

// longest is how long the longest edge of a tetrahedron is, m.
func (c *cutaway) longest(tet int32) (long float64) {
	for i := range 4 {
		for j := range i {
			long = max(long, reproducible.Norm(r3.Sub(c.corner(tet, i), c.corner(tet, j))))
		}
	}
	return long
}

// centroid is that of a tetrahedron, m.
func (c *cutaway) centroid(tet int32) (x r3.Vec) {
	for i := range 4 {
		x = r3.Add(x, reproducible.Scale(.25, c.corner(tet, i)))
	}
	return x
}

// face is a half face for an overlay.
func (c *cutaway) face(h *halfFace) query.CellFace {
	f := query.CellFace{Count: 3, Level: c.level(h.tet), Wet: c.distance(h.tet) < 0}
	for k, i := range faceCorners[h.without] {
		f.Corners[k] = c.corner(h.tet, i)
	}
	return f
}

// level is that of the tetrahedron of the uniform lattice, a twelfth of a cell, whose volume is nearest to a tetrahedron's.
func (c *cutaway) level(tet int32) (level int) {
	a := c.corner(tet, 0)
	six := reproducible.Dot(reproducible.Cross(r3.Sub(c.corner(tet, 1), a), r3.Sub(c.corner(tet, 2), a)), r3.Sub(c.corner(tet, 3), a))
	h := c.grid.H
	const next = 2.83 // √8
	for v := float64(2*six) / (h * h * h); v > next && level < layout.MaxLevel; v /= 8 {
		level++
	}
	return level
}

// distance is that of the surface at a tetrahedron's centroid, m, as linear in it as the corners have it.
func (c *cutaway) distance(tet int32) (sum float64) {
	l := c.lattice
	for _, v := range l.Corners[tet] {
		switch cell := l.Cell[v]; {
		case cell >= 0:
			sum += float64(c.phi[cell])
		case l.Beyond[v]:
			sum += c.grid.H
		default:
			sum += l.stencils[v].at(c.phi)
		}
	}
	return sum / 4
}
