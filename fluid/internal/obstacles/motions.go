package obstacles

import (
	"gonum.org/v1/gonum/num/quat"

	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// identity is the previous pose of an obstacle that has not moved before.
var identity = rigid.Pose{Known: true, Turned: quat.Number{Real: 1}}

// ReadMotions sets the motions of moving obstacles since the surface last moved, and stores their poses. They are the step's solids from
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

// Keep stores the poses of obstacles when the surface moved, for Revert.
func (s *Set) Keep() {
	for _, o := range s.All {
		o.last = o.Seen
	}
}

// Revert restores the poses of the last Keep.
func (s *Set) Revert() {
	for _, o := range s.All {
		if o.Moves {
			o.Seen = o.last
		}
	}
}

// ListWalls fills a set with the thin walls of a step: the static obstacles, and the step's thin solids in the domain.
func (s *Set) ListWalls(set *walls.Set, solids []rigid.Solid) {
	set.Clear()
	if s.hasStatic() {
		set.Add(s.nearest, s.static.Bounds(), &walls.Motion{})
	}
	s.Motions.AddWalls(set, solids)
}
