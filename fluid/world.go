package fluid

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// What a call that adds something returns, to name it in later calls: 0 for the first of its kind. What names something that was removed
// never names anything else.
type (
	// EmitterID names an emitter.
	EmitterID int64
	// SinkID names a sink.
	SinkID int64
	// ObstacleID names an obstacle.
	ObstacleID int64
	// FieldID names a force field.
	FieldID int64
)

// Motion is where a kinematic obstacle is and how it moves: its shape turned by Rotation about
// its own origin, then shifted by Translation, with the velocity of that origin and a spin.
type Motion struct {
	Translation     r3.Vec      // m
	Rotation        quat.Number // the zero value means none
	Velocity        r3.Vec      // m/s
	AngularVelocity r3.Vec      // rad/s
}

// maxMotion, m/s or rad/s, bounds what moves an obstacle or leaves an emitter: three times the speed of
// sound, of which no step follows more than the CFL number allows.
const maxMotion = 1e3

// surroundings is all that acts on the liquid beside bodies. Each list is in the order in which things were added.
type surroundings struct {
	fields       fields.Set
	wind         Wind
	traction     func(speed float64) float64 // wind's
	ids          struct{ emitters, sinks, fields, obstacles idTable }
	obstacles    []*obstacle
	static       shapes.Group // the obstacles that do not move
	crowding     crowding
	openings     []r3.Box        // scratch of resize and nearLiquid: where emitters and sinks act
	swept        []query.Swept   // scratch of nearLiquid
	jets         []r3.Box        // scratch of resize
	disturbed    []r3.Box        // scratch of updateSleep
	distance     shapes.Distance // to the nearest of static
	staticRaw    shapes.Distance // as its shapes tell it
	regular      shapes.Regularizer
	membranes    bool                              // static may have some
	motions      []walls.Motion                    // of each solid since the surface was moved last
	wallVelocity func(body int32, x r3.Vec) r3.Vec // Liquid's
}

type obstacle struct {
	shape     shapes.SDF
	origin    *obstacle // what AddObstacle made, of which this may be a copy
	moves     bool
	setAside  bool // it is left out: its distance is none
	motion    Motion
	placed    shapes.Transformed // shape at motion, if it moves
	taken     shapes.Transformed // placed, as the step takes it
	distance  shapes.Distance    // taken's
	far       shapes.CullBox     // of shape,
	membranes bool               // which may have membranes
	seen      rigid.Pose         // when the surface was moved last,
	last      rigid.Pose         // and the time before
}

// place puts the shape where the motion says.
func (o *obstacle) place() { o.placed = o.by(&o.motion) }

// by is the shape where a motion says.
func (o *obstacle) by(m *Motion) shapes.Transformed {
	return shapes.Place(o.shape, m.Rotation, m.Translation)
}

func (w *surroundings) init(l *simulation) {
	w.wallVelocity, w.traction = l.wallVelocity, w.wind.traction
	w.fields.Tiles, w.fields.Warn = l.disc.Tiles(), l.warn
	w.regular = shapes.NewRegularizer(l.def.CellSize, float32(1.1*walls.Gap*l.def.CellSize), l.def.Domain)
	w.staticRaw, w.distance = w.static.Eval, w.staticDistance
}

// AddObstacle puts a solid into the domain. Liquid that was there is lost from the ledger's held
// volume only as far as the solid displaces it; nothing is drained. One wholly outside of the domain, which may
// be moved in, is named in the next report.
func (l *Liquid) AddObstacle(s SDF) (ObstacleID, error) {
	defer l.enter(&inAddObstacle).leave()
	if err := CheckSDF(s); err != nil {
		return 0, fmt.Errorf("fluid: AddObstacle: %w", err)
	}
	own := inner(s)
	o := &obstacle{shape: shapes.Guard(own), far: shapes.CullBoxOf(own), membranes: shapes.HasMembranes(own)}
	o.origin, o.distance = o, l.world.movingDistance(o)
	l.world.obstacles = append(l.world.obstacles, o)
	id := ObstacleID(l.world.ids.obstacles.add())
	l.outside("AddObstacle", fmt.Sprintf("obstacle %d", id), s.Bounds())
	l.updateStaticObstacles()
	return id, nil
}

// MoveObstacle makes an obstacle kinematic: from the next step on it is where the motion says, and
// keeps moving with the motion's velocity and spin until told otherwise. Where one that comes further at once than its velocity
// accounts for was is air, as where one was taken away.
func (l *Liquid) MoveObstacle(id ObstacleID, m Motion) error {
	defer l.enter(&inMoveObstacle).leave()
	o, err := l.obstacle("MoveObstacle", id)
	if err != nil {
		return err
	}
	if err := m.normalise(); err != nil {
		return fmt.Errorf("fluid: MoveObstacle: %w", err)
	}
	l.sleep.wake()
	var old *obstacle // if it jumps
	moved := o.moves
	if l.jumps(o, &m) {
		was := *o
		old, o.seen = &was, rigid.Pose{}
	} else if !moved {
		o.seen = stood
	}
	o.moves, o.motion = true, m
	o.place()
	if !moved {
		l.updateStaticObstacles()
	}
	if old != nil {
		if moved { // the grid knows it where it was
			l.rereadSolids()
		}
		l.vacate(old)
	}
	return nil
}

// slowFrame, s, is as long as games take between two calls for an obstacle that moves.
const slowFrame = 1. / 30

// jumps tells whether a motion takes what of an obstacle is in the domain further than it moves in a slow frame, and a cell.
func (l *simulation) jumps(o *obstacle, m *Motion) bool {
	box, d := o.inPlace().Bounds(), l.def.Domain
	if !boxes.Overlap(box, d) {
		return false
	}
	from, to := o.by(&Motion{Rotation: quat.Number{Real: 1}}), o.by(m)
	if o.moves {
		from = o.placed
	}
	ends := [2]r3.Vec{boxes.Max(box.Min, d.Min), boxes.Min(box.Max, d.Max)}
	for c := range 8 {
		x := r3.Vec{X: ends[c&1].X, Y: ends[c>>1&1].Y, Z: ends[c>>2].Z}
		speed := reproducible.Norm(r3.Add(m.Velocity, reproducible.Cross(m.AngularVelocity, r3.Sub(x, m.Translation))))
		if reproducible.Norm(r3.Sub(to.Outer(from.Local(x)), x)) > l.def.CellSize+float64(speed*slowFrame) {
			return true
		}
	}
	return false
}

// normalise makes the rotation a unit, or reports a field beyond its limits.
func (m *Motion) normalise() error {
	switch {
	case !(reproducible.Norm(m.Translation) <= shapes.MaxCoord):
		return fmt.Errorf("Translation %v m; must be finite and at most %g long", m.Translation, shapes.MaxCoord)
	case !(reproducible.Norm(m.Velocity) <= maxMotion):
		return fmt.Errorf("Velocity %v m/s; must be finite and at most %g long", m.Velocity, maxMotion)
	case !(reproducible.Norm(m.AngularVelocity) <= maxMotion):
		return fmt.Errorf("AngularVelocity %v rad/s; must be finite and at most %g long", m.AngularVelocity, maxMotion)
	}
	if m.Rotation == (quat.Number{}) {
		m.Rotation.Real = 1
	}
	n := reproducible.QuatAbs(m.Rotation)
	if !(n > 1e-150 && n < 1e150) { // their squares are finite and not zero
		return fmt.Errorf("Rotation %v; must be finite and not zero", m.Rotation)
	}
	m.Rotation = reproducible.QuatScale(1/n, m.Rotation)
	return nil
}

// RemoveObstacle takes an obstacle away. Where it was is air, which the liquid around then fills; of a wall thinner than a cell
// nothing is left, and what it has pressed out only just now is there again.
func (l *Liquid) RemoveObstacle(id ObstacleID) error {
	defer l.enter(&inRemoveObstacle).leave()
	w := &l.world
	at, err := w.ids.obstacles.find("RemoveObstacle", "obstacle", int64(id))
	if err != nil {
		return err
	}
	o := w.obstacles[at]
	w.obstacles = slices.Delete(w.obstacles, at, at+1)
	w.ids.obstacles.remove(at)
	l.updateStaticObstacles()
	l.vacate(o)
	return nil
}

// vacate leaves air where an obstacle was, unless it is thinner than a cell.
func (l *simulation) vacate(o *obstacle) {
	gone := o.inPlace()
	if t := shapes.ThicknessOf(gone); t == 0 || t >= l.def.CellSize { // 0: it isn't known
		l.leaveAir(gone)
	}
}

// inPlace is the obstacle's shape where it is now.
func (o *obstacle) inPlace() shapes.SDF {
	if o.moves {
		return &o.placed
	}
	return o.shape
}

func (l *simulation) obstacle(call string, id ObstacleID) (*obstacle, error) {
	at, err := l.world.ids.obstacles.find(call, "obstacle", int64(id))
	if err != nil {
		return nil, err
	}
	return l.world.obstacles[at], nil
}

// staticDistance is the distance to the nearest of the obstacles that do not move.
func (w *surroundings) staticDistance(dst []float32, pts []r3.Vec) {
	w.static.Eval(dst, pts)
	if w.membranes {
		w.regular.Regularize(w.staticRaw, dst, pts)
	}
}

// movingDistance is the distance to an obstacle as the step takes it.
func (w *surroundings) movingDistance(o *obstacle) shapes.Distance {
	raw := o.taken.Eval
	if !o.membranes {
		return raw
	}
	return func(dst []float32, pts []r3.Vec) {
		raw(dst, pts)
		w.regular.Regularize(raw, dst, pts)
	}
}

// updateStaticObstacles hands the static obstacles to the discretiser.
func (l *simulation) updateStaticObstacles() {
	l.wakeAll()
	l.adoptTargets()
	w := &l.world
	w.static.Clear()
	w.membranes = false
	for _, o := range w.obstacles {
		if !o.moves && !o.setAside {
			w.static.Add(o.shape, o.far)
			w.membranes = w.membranes || o.membranes
		}
	}
	if len(w.static.Shapes()) == 0 {
		l.disc.SetStatic(nil, nil)
		return
	}
	l.disc.SetStatic(w.distance, w.static.ThicknessIn)
}

// appendMoving adds the kinematic obstacles to the step's solids, behind the bodies.
func (w *surroundings) appendMoving(c *bodies.Coupling) {
	for _, o := range w.obstacles {
		if !o.moves {
			continue
		}
		m := &o.motion
		o.taken = o.placed
		bounds := o.taken.Bounds()
		if o.setAside {
			bounds = boxes.Nowhere()
		}
		c.Solids = append(c.Solids, rigid.Solid{Distance: o.distance, Bounds: bounds, Centre: m.Translation, Thin: true})
		c.Rigid = append(c.Rigid, rigid.Body{V: rigid.Twist(m.Velocity, m.AngularVelocity)})
		c.Moved = append(c.Moved, rigid.Twist(m.Velocity, m.AngularVelocity))
	}
}

func (w *surroundings) appendRegions(dst *[]sizing.Region, margin float64) {
	for _, o := range w.obstacles {
		if o.moves && !o.setAside {
			*dst = append(*dst, sizing.Region{Box: o.placed.Bounds(), Margin: margin, Size: boxes.LeastEdge(o.shape.Bounds())})
		}
	}
}

// advance moves the kinematic obstacles on.
func (w *surroundings) advance(dt float64) {
	for _, o := range w.obstacles {
		if !o.moves {
			continue
		}
		m := &o.motion
		if m.Velocity == (r3.Vec{}) && m.AngularVelocity == (r3.Vec{}) {
			continue
		}
		m.goOn(dt)
		o.place()
	}
}

// goOn moves on by dt seconds.
func (m *Motion) goOn(dt float64) {
	m.Translation = r3.Add(m.Translation, reproducible.Scale(dt, m.Velocity))
	m.Rotation = rigid.Turned(m.Rotation, m.AngularVelocity, dt)
}

// wallVelocity is the velocity of a solid of the step at a place, m/s.
func (l *simulation) wallVelocity(body int32, x r3.Vec) r3.Vec {
	r := &l.coupling.Rigid[body]
	arm := r3.Sub(x, l.coupling.Solids[body].Centre)
	return r3.Add(r3.Vec{X: r.V[0], Y: r.V[1], Z: r.V[2]}, reproducible.Cross(r3.Vec{X: r.V[3], Y: r.V[4], Z: r.V[5]}, arm))
}
