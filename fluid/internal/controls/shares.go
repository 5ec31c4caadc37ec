package controls

import "github.com/meniscus3d/meniscus/fluid/internal/graph"

// Where shapes overlap they are one: only the surface around all of them is held, and a surface within another shape is not: held there, it would press
// what the shapes are to hold twice out between them. Where several surfaces are at a face they share it by their weights, and so do shapes share
// the liquid in several of them.

// owners tell whose the rows are.
type owners struct {
	owner   []int16 // per row: the first control whose shape it is in, counted from 1, or 0
	also    []int32 // per row: the last of members of further ones, counted from 1, or 0
	members []member
}

// member is a control that has a row which another one has, too.
type member struct {
	control int16 // counted from 1
	next    int32 // of the row's, counted from 1; 0 after the last
}

// add has a control, counted from 1, have a row.
func (s *owners) add(row int32, control int16) {
	if s.owner[row] == 0 {
		s.owner[row] = control
		return
	}
	s.members = append(s.members, member{control, s.also[row]})
	s.also[row] = int32(len(s.members))
}

// has tells whether a control, counted from 1, has a row, or nothing for air.
func (s *owners) has(control int16, row int32) bool {
	if row < 0 {
		return false
	}
	if s.owner[row] == control {
		return true
	}
	for k := s.also[row]; k > 0; k = s.members[k-1].next {
		if s.members[k-1].control == control {
			return true
		}
	}
	return false
}

// isShared tells whether several controls have a row.
func (s *owners) isShared(row int32) bool { return row >= 0 && s.also[row] > 0 }

// eachOwner calls visit for the controls, counted from 1, that have one of two rows, or nothing for air, once each.
func (s *owners) eachOwner(a, b int32, visit func(control int16)) {
	for side, row := range [2]int32{a, b} {
		if row < 0 || s.owner[row] == 0 {
			continue
		}
		if o := s.owner[row]; side == 0 || !s.has(o, a) {
			visit(o)
		}
		for k := s.also[row]; k > 0; k = s.members[k-1].next {
			if o := s.members[k-1].control; side == 0 || !s.has(o, a) {
				visit(o)
			}
		}
	}
}

// shareOfRow is a control's part of a row that it has.
func (c *Control) shareOfRow(s *Set, row int32) float64 {
	all := 0.
	s.eachOwner(row, -1, func(control int16) { all += s.All[control-1].Strength })
	return c.Strength / all
}

// addShared adds a face between two rows, or one and air, that are in different shapes, if one of their surfaces is held there.
func (s *Set) addShared(gr *graph.Graph, f int32) {
	a, b := gr.A[f], gr.B[f]
	var all face
	weights, speeds, pulls, within := 0., 0., 0., false
	s.eachOwner(a, b, func(control int16) {
		inA, inB := s.has(control, a), s.has(control, b)
		if within = within || inA && inB; within {
			return
		}
		outward := 1.
		if inB {
			outward = -1
		}
		one, ok := s.faceOf(gr, f, control-1, outward)
		if !ok {
			return
		}
		weights += one.blend
		speeds += float64(one.blend * one.speed)
		pulls += float64(one.blend * one.pull)
		if one.blend > all.blend {
			all = one
		}
	})
	if within || !(all.blend > 0) {
		return
	}
	all.speed, all.pull = speeds/weights, pulls/weights
	s.cut[f] = true
	s.faces = append(s.faces, all)
}

// findOverlaps lists the other controls whose shapes a control's may overlap.
func (c *Control) findOverlaps(s *Set) {
	s.overlaps = s.overlaps[:0]
	for _, d := range s.All {
		if d != c && d.acts() && d.reaches(c) {
			s.overlaps = append(s.overlaps, d)
		}
	}
}

// reaches tells whether the lattice of a control overlaps that of another.
func (c *Control) reaches(other *Control) bool {
	for a := range 3 {
		lo, hi := c.raster.Origin[a], c.raster.Origin[a]+float64(float64(c.raster.Dim[a])*c.raster.H)
		if hi <= other.raster.Origin[a] || lo >= other.raster.Origin[a]+float64(float64(other.raster.Dim[a])*other.raster.H) {
			return false
		}
	}
	return true
}

// shareAt is a control's part of what is at a place that is in its shape or beside it, among those that findOverlaps has listed: of those whose shape
// it is in, or if it is in none of those that it is beside.
func (c *Control) shareAt(s *Set, x *[3]float64) float64 {
	in, beside := 0., c.Strength
	for _, d := range s.overlaps {
		switch i := d.index(d.lattice(x)); {
		case i >= 0 && d.raster.Inside[i]:
			in += d.Strength
		case i >= 0 && d.isBeside(i):
			beside += d.Strength
		}
	}
	switch i := c.index(c.lattice(x)); {
	case i >= 0 && c.raster.Inside[i]:
		return c.Strength / (c.Strength + in)
	case in > 0:
		return 0
	}
	return c.Strength / beside
}

// isBeside tells whether a cell of the lattice has one in the shape beside it.
func (c *Control) isBeside(i int) bool {
	at := c.cell(i)
	for a := range at {
		for _, way := range [2]int{-1, 1} {
			next := at
			next[a] += way
			if k := c.index(next); k >= 0 && c.raster.Inside[k] {
				return true
			}
		}
	}
	return false
}
