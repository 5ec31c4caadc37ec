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
	All             []*Obstacle        // in the order in which they were added; read-only
	Motions         walls.Motions      // of the solids of a step
	Regular         shapes.Regularizer // of all solids of the liquid
	domain          r3.Box             // m
	cell            float64            // edge of the finest cells, m
	static          shapes.Group       // the obstacles that do not move
	raw             shapes.Distance    // to the nearest of static, with membranes
	nearest         shapes.Distance    // without membranes
	staticMembranes bool               // static may have membranes
	samples         *samples           // scratch of Largest
	nearests        []nearestScratch   // per worker
}

// Obstacle is a solid of the set.
type Obstacle struct {
	Shape    shapes.SDF
	Moves    bool
	SetAside bool // left out, since its shape returned invalid numbers
	Motion   Motion
	Seen     rigid.Pose // its pose when the surface last moved

	last           rigid.Pose         // Seen at the last Keep
	uncut          bool               // placed since the last step or change of the liquid, which has not been cut by it yet
	origin         *Obstacle          // the obstacle made by Add that this one is a copy of, or itself
	placed         shapes.Transformed // Shape at Motion, if it moves
	inStep         shapes.Transformed // placed, as of AppendMoving
	distanceNow    shapes.Distance    // of placed
	distanceInStep shapes.Distance    // of inStep
	cullBox        shapes.CullBox     // of Shape
	membranes      bool               // Shape may have membranes
}

// New returns an empty set.
//
// domain:  m; obstacles outside of it have no effect.
// cell:    m, the finest cells' edge.
// workers: how many call Nearest at once.
func New(domain r3.Box, cell float64, workers int) *Set {
	s := &Set{domain: domain, cell: cell, samples: new(samples), nearests: make([]nearestScratch, workers)}
	s.Motions = walls.NewMotions(domain, cell)
	s.Regular = shapes.NewRegularizer(cell, float32(1.1*walls.Gap*cell), domain)
	s.raw, s.nearest = s.static.Eval, s.staticDistance
	return s
}

// Add appends a static obstacle. MergeStatic must follow.
func (s *Set) Add(shape shapes.SDF) {
	o := &Obstacle{Shape: shapes.Guard(shape), uncut: true, cullBox: shapes.CullBoxOf(shape), membranes: shapes.HasMembranes(shape)}
	o.origin, o.distanceNow, o.distanceInStep = o, o.placed.Eval, s.movingDistance(o)
	s.All = append(s.All, o)
}

// Move sets an obstacle's motion, which Normalise has accepted. It reports whether the obstacle was a moving one before; if not, MergeStatic must
// follow. left is the old shape if the obstacle jumps: if it moves further than its velocity accounts for. It is nil otherwise, and where the liquid
// was never cut by the old shape.
func (s *Set) Move(at int, m Motion) (left shapes.SDF, moved bool) {
	o := s.All[at]
	moved = o.Moves
	if s.jumps(o, &m) {
		if o.Seen = (rigid.Pose{}); !o.uncut {
			left = o.current()
		}
		if left != nil && moved {
			was := o.placed
			left = &was
		}
		o.uncut = true
	} else if !moved {
		o.Seen = identity
	}
	o.Moves, o.Motion = true, m
	o.place()
	return left, moved
}

// Remove removes an obstacle and returns its shape, or nil if the liquid was never cut by it. MergeStatic must follow.
func (s *Set) Remove(at int) (left shapes.SDF) {
	if o := s.All[at]; !o.uncut {
		left = o.current()
	}
	s.All = slices.Delete(s.All, at, at+1)
	return left
}

// MergeStatic unites the static obstacles in one solid. It returns the solid's distance, and a function that returns the thickness of its thinnest
// wall in a box, m, 0 where that is not known. Both are nil if there are no static obstacles.
func (s *Set) MergeStatic() (distance shapes.Distance, thickness func(box r3.Box) float64) {
	s.static.Clear()
	s.staticMembranes = false
	for _, o := range s.All {
		if !o.Moves && !o.SetAside {
			s.static.Add(o.Shape, o.cullBox)
			s.staticMembranes = s.staticMembranes || o.membranes
		}
	}
	if !s.hasStatic() {
		return nil, nil
	}
	return s.nearest, s.static.ThicknessIn
}

// hasStatic reports whether there are static obstacles.
func (s *Set) hasStatic() bool { return len(s.static.Shapes()) > 0 }

// StaticShapes returns the shapes of the static obstacles, read-only.
func (s *Set) StaticShapes() []shapes.SDF { return s.static.Shapes() }

// staticDistance sets dst to the distances to the nearest static obstacle. There must be one.
func (s *Set) staticDistance(dst []float32, pts []r3.Vec) {
	s.static.Eval(dst, pts)
	if s.staticMembranes {
		s.Regular.Regularize(s.raw, dst, pts)
	}
}

// movingDistance returns the distance function of an obstacle as of AppendMoving, without membranes.
func (s *Set) movingDistance(o *Obstacle) shapes.Distance {
	raw := o.inStep.Eval
	if !o.membranes {
		return raw
	}
	return func(dst []float32, pts []r3.Vec) {
		raw(dst, pts)
		s.Regular.Regularize(raw, dst, pts)
	}
}

// jumps reports whether a motion moves the part of an obstacle in the domain further than its velocity does in a slow frame, and a cell.
func (s *Set) jumps(o *Obstacle, m *Motion) bool {
	box := o.current().Bounds()
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

// place updates placed.
func (o *Obstacle) place() { o.placed = o.at(&o.Motion) }

// at returns the shape in the pose of a motion.
func (o *Obstacle) at(m *Motion) shapes.Transformed {
	return shapes.Place(o.Shape, m.Rotation, m.Translation)
}

// isSeparate reports whether the obstacle is a solid of its own: it is a moving one and not set aside.
func (o *Obstacle) isSeparate() bool { return o.Moves && !o.SetAside }

// current returns the obstacle's shape in its current pose.
func (o *Obstacle) current() shapes.SDF {
	if o.Moves {
		return &o.placed
	}
	return o.Shape
}
