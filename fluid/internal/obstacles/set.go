package obstacles

import (
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Set is a liquid's obstacles.
type Set struct {
	All      []*Obstacle        // in the order in which they were added; for reading
	Motions  walls.Motions      // of the solids of a step
	Regular  shapes.Regularizer // of all solids of the liquid
	domain   r3.Box             // m
	cell     float64            // edge of the finest cells, m
	static   shapes.Group       // the obstacles that do not move
	raw      shapes.Distance    // to the nearest of static, as its shapes tell it,
	nearest  shapes.Distance    // and without membranes,
	sheets   bool               // of which it may have some
	samples  *samples           // scratch of Largest
	nearests []nearestScratch   // per worker
}

// Obstacle is one of a set.
type Obstacle struct {
	Shape    shapes.SDF
	Moves    bool
	SetAside bool // it is left out: its distance is none
	Motion   Motion
	Seen     rigid.Pose // where it was when the surface was moved last,

	last      rigid.Pose         // and the time before
	come      bool               // to where it is since the last step or change of the liquid, which knows nothing of it
	origin    *Obstacle          // what Add made, of which this may be a copy
	placed    shapes.Transformed // Shape at Motion, if it moves
	taken     shapes.Transformed // placed, as the step takes it
	here      shapes.Distance    // placed's
	distance  shapes.Distance    // taken's
	far       shapes.CullBox     // of Shape,
	membranes bool               // which may have membranes
}

// New makes an empty set.
//
// domain:  m, outside of which nothing is asked about.
// cell:    m, the finest cells' edge.
// workers: how many ask for Nearest at once.
func New(domain r3.Box, cell float64, workers int) *Set {
	s := &Set{domain: domain, cell: cell, samples: new(samples), nearests: make([]nearestScratch, workers)}
	s.Motions = walls.NewMotions(domain, cell)
	s.Regular = shapes.NewRegularizer(cell, float32(1.1*walls.Gap*cell), domain)
	s.raw, s.nearest = s.static.Eval, s.staticDistance
	return s
}

// Add appends an obstacle that stands still. StackStatic must follow.
func (s *Set) Add(shape shapes.SDF) {
	o := &Obstacle{Shape: shapes.Guard(shape), come: true, far: shapes.CullBoxOf(shape), membranes: shapes.HasMembranes(shape)}
	o.origin, o.here, o.distance = o, o.placed.Eval, s.movingDistance(o)
	s.All = append(s.All, o)
}

// Move puts an obstacle where a motion, which Normalise has passed, says. It tells whether the obstacle moved before; if not, StackStatic must
// follow. If it comes further at once than its velocity accounts for, left is the shape where it was, but nil if the liquid knows nothing of that.
func (s *Set) Move(at int, m Motion) (left shapes.SDF, moved bool) {
	o := s.All[at]
	moved = o.Moves
	if s.jumps(o, &m) {
		if o.Seen = (rigid.Pose{}); !o.come {
			left = o.inPlace()
		}
		if left != nil && moved {
			was := o.placed
			left = &was
		}
		o.come = true
	} else if !moved {
		o.Seen = stood
	}
	o.Moves, o.Motion = true, m
	o.place()
	return left, moved
}

// Remove takes an obstacle out of the set and returns its shape where it was, or nil if the liquid knows nothing of it. StackStatic must follow.
func (s *Set) Remove(at int) (left shapes.SDF) {
	if o := s.All[at]; !o.come {
		left = o.inPlace()
	}
	s.All = slices.Delete(s.All, at, at+1)
	return left
}

// StackStatic makes one solid of the obstacles that stand still. It returns its distance, and how thick the thinnest of its walls in a box are,
// m, 0 where that is not known; nil if there are none.
func (s *Set) StackStatic() (distance shapes.Distance, thickness func(box r3.Box) float64) {
	s.static.Clear()
	s.sheets = false
	for _, o := range s.All {
		if !o.Moves && !o.SetAside {
			s.static.Add(o.Shape, o.far)
			s.sheets = s.sheets || o.membranes
		}
	}
	if !s.hasStatic() {
		return nil, nil
	}
	return s.nearest, s.static.ThicknessIn
}

// hasStatic tells whether some obstacles stand still.
func (s *Set) hasStatic() bool { return len(s.static.Shapes()) > 0 }

// StaticShapes are the shapes of the obstacles that stand still, for reading.
func (s *Set) StaticShapes() []shapes.SDF { return s.static.Shapes() }

// staticDistance is the distance to the nearest of the obstacles that stand still, of which there must be some.
func (s *Set) staticDistance(dst []float32, pts []r3.Vec) {
	s.static.Eval(dst, pts)
	if s.sheets {
		s.Regular.Regularize(s.raw, dst, pts)
	}
}

// movingDistance is the distance to an obstacle as the step takes it.
func (s *Set) movingDistance(o *Obstacle) shapes.Distance {
	raw := o.taken.Eval
	if !o.membranes {
		return raw
	}
	return func(dst []float32, pts []r3.Vec) {
		raw(dst, pts)
		s.Regular.Regularize(raw, dst, pts)
	}
}

// jumps tells whether a motion takes what of an obstacle is in the domain further than it moves in a slow frame, and a cell.
func (s *Set) jumps(o *Obstacle, m *Motion) bool {
	box := o.inPlace().Bounds()
	if !boxes.Overlap(box, s.domain) {
		return false
	}
	from, to := o.at(&Motion{Rotation: quat.Number{Real: 1}}), o.at(m)
	if o.Moves {
		from = o.placed
	}
	box = boxes.Intersection(box, s.domain)
	for c := range 8 {
		x := boxes.Corner(&box, c)
		speed := reproducible.Norm(r3.Add(m.Velocity, reproducible.Cross(m.AngularVelocity, r3.Sub(x, m.Translation))))
		if reproducible.Norm(r3.Sub(to.Outer(from.Local(x)), x)) > s.cell+float64(speed*walls.SlowFrame) {
			return true
		}
	}
	return false
}

// place puts the shape where the motion says.
func (o *Obstacle) place() { o.placed = o.at(&o.Motion) }

// at is the shape where a motion says.
func (o *Obstacle) at(m *Motion) shapes.Transformed {
	return shapes.Place(o.Shape, m.Rotation, m.Translation)
}

// apart tells whether the obstacle is a solid of its own: it moves and is not set aside.
func (o *Obstacle) apart() bool { return o.Moves && !o.SetAside }

// inPlace is the obstacle's shape where it is now.
func (o *Obstacle) inPlace() shapes.SDF {
	if o.Moves {
		return &o.placed
	}
	return o.Shape
}
