package obstacles

import (
	"gonum.org/v1/gonum/num/quat"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// stood is the pose of what never moved.
var stood = rigid.Pose{Known: true, Turned: quat.Number{Real: 1}}

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
	if s.hasStatic() {
		set.Add(s.nearest, s.static.Bounds(), &walls.Motion{})
	}
	s.Motions.AddWalls(set, solids)
}
