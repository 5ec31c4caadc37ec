package obstacles

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// Liquid is kept on its side of a thin wall by tracing it in the wall's frame. That needs the wall's motion from where it was
// when the surface was last moved to where it is now. A body's velocity does not tell it: a game sets that for the step to come,
// and contacts change it within one. So poses are remembered.

// Motions is how each solid of a step has moved since the surface was.
type Motions struct {
	domain r3.Box // m
	cell   float64
	of     []walls.Motion
	swept  []query.Swept
}

// stood is the pose of what never moved.
var stood = rigid.Pose{Known: true, Turned: quat.Number{Real: 1}}

// Clear has none of so many solids moved: the surface has not moved either.
func (m *Motions) Clear(solids int) {
	m.of = arrays.Resize(m.of, solids)
	clear(m.of)
}

// Read finds how solid i has moved from one pose to another.
func (m *Motions) Read(i int, solid *rigid.Solid, from, to *rigid.Pose) {
	m.of[i] = m.between(solid, from, to)
}

// between is how a solid has moved from one pose to another. One that was put elsewhere has not moved.
func (m *Motions) between(solid *rigid.Solid, from, to *rigid.Pose) (moved walls.Motion) {
	if !from.Known || !to.Known || solid.Fixed || !boxes.Overlap(solid.Bounds, m.domain) {
		return moved
	}
	moved = walls.Between(from.Centre, from.Turned, to.Centre, to.Turned)
	if moved.Moves() {
		box := boxes.Intersection(solid.Bounds, m.domain)
		speed := max(walls.MaxSpeedIn(box, to.Centre, &to.Twist), walls.MaxSpeedIn(box, to.Centre, &from.Twist))
		if !(moved.Farthest(box) <= m.cell+float64(speed*slowFrame)) {
			return walls.Motion{}
		}
	}
	return moved
}

// Swept lists the boxes that thin walls have moved in: liquid that one passes over comes as far as the wall. It is valid until the next call.
func (m *Motions) Swept(solids []rigid.Solid) []query.Swept {
	m.swept = m.swept[:0]
	for i := range solids {
		if s := &solids[i]; s.Thin && m.of[i].Moves() {
			box := boxes.Intersection(s.Bounds, m.domain)
			m.swept = append(m.swept, query.Swept{Box: box, Distance: m.of[i].Farthest(box)})
		}
	}
	return m.swept
}

// ReadMotions finds how the obstacles that move have moved since the surface was, and remembers where they are. They are the step's solids from
// first on.
func (s *Set) ReadMotions(solids []rigid.Solid, first int) {
	i := first
	for _, o := range s.All {
		if o.Moves {
			now := o.Motion.pose()
			s.Motions.Read(i, &solids[i], &o.Seen, &now)
			o.last, o.Seen = o.Seen, now
			i++
		}
	}
}

// Keep notes where obstacles were when the surface was moved, for Revert to return to.
func (s *Set) Keep() {
	for _, o := range s.All {
		o.last = o.Seen
	}
}

// Revert takes the memory of where obstacles were back by a substep that is undone.
func (s *Set) Revert() {
	for _, o := range s.All {
		if o.Moves {
			o.Seen = o.last
		}
	}
}

// ListWalls makes a set of the thin walls of a step: the obstacles that stand still, and the step's thin solids in the domain.
func (s *Set) ListWalls(set *walls.Set, solids []rigid.Solid) {
	set.Clear()
	if s.HasStatic() {
		set.Add(s.nearest, s.static.Bounds(), &walls.Motion{})
	}
	for i := range solids {
		if o := &solids[i]; o.Thin && boxes.Overlap(o.Bounds, s.domain) {
			set.Add(o.Distance, o.Bounds, &s.Motions.of[i])
		}
	}
}
