package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/exact"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
)

// What a call that adds something returns, to name it in later calls.
type (
	// EmitterID names an emitter.
	EmitterID int
	// SinkID names a sink.
	SinkID int
	// ObstacleID names an obstacle.
	ObstacleID int
	// FieldID names a force field.
	FieldID int
)

// EmitterDef is a tap: liquid appears in Shape with Velocity, Rate litres per second.
type EmitterDef struct {
	Shape    SDF
	Velocity r3.Vec  // m/s
	Rate     float64 // litres/s, > 0
	Stopped  bool    // starts shut
}

// FieldKind chooses a force field's shape.
type FieldKind uint8

// The force fields.
const (
	UniformField FieldKind = iota // Strength along Axis
	RadialField                   // Strength away from Centre (negative: towards it)
	VortexField                   // Strength around Axis through Centre
)

// Field is an acceleration that acts on the liquid within Radius of Centre, fading to its rim; a UniformField without a Radius adds to
// gravity. Bodies feel it by what the liquid does to them.
type Field struct {
	Kind         FieldKind
	Centre, Axis r3.Vec
	Radius       float64 // m; 0 means everywhere
	Strength     float64 // m/s²
}

// Motion is where a kinematic obstacle is and how it moves: its shape turned by Rotation about
// its own origin, then shifted by Translation, with the velocity of that origin and a spin.
type Motion struct {
	Translation r3.Vec      // m
	Rotation    quat.Number // the zero value means none
	Velocity    r3.Vec      // m/s
	Spin        r3.Vec      // rad/s
}

// maxMotion, m/s or rad/s, bounds what moves an obstacle or leaves a tap: three times the speed of
// sound, of which no step follows more than the CFL number allows.
const maxMotion = 1e3

// surroundings is all that acts on the liquid beside bodies. Removed entries stay as holes, so
// that an id never names something else.
type surroundings struct {
	emitters  []*emitter
	sinks     []*sink
	before    []float32 // scratch of fillOpen and leaveAir: φ before, m
	fields    []*Field
	gravity   r3.Vec  // Def.Gravity and the fields that are the same everywhere, m/s²
	strongest float64 // bound of what gravity and all fields accelerate liquid by, m/s²
	obstacles []*obstacle
	static    groupSDF // the obstacles that do not move
	pts       []r3.Vec
	dist      []float32
	fine      fineCell // of the cell at hand
	crowding  crowding
	mouth     []mouthCell     // of the tap or drain at hand
	rows      []int32         // that it reaches
	distance  blocks.Distance // to the nearest of static
	staticRaw blocks.Distance // as its shapes tell it
	regular   regularizer
	filmy     bool // static may have membranes
	shut      func(body int32, axis uint8, slot int32, x r3.Vec)
	store     func(b int32)
}

type emitter struct {
	EmitterDef
	running bool
	debt    float64 // m³ that the tap owes
	push    float64 // m³/s to be pressed out in this substep, because the mouth is under the surface
	grow    float64 // m by which the mouth is larger than Shape, for the grid to see it
}

type sink struct {
	shape SDF
	rate  float64 // litres/s
	debt  float64 // m³ that the drain owes
}

type obstacle struct {
	shape    SDF
	origin   *obstacle // what AddObstacle made, of which this may be a copy
	moves    bool
	aside    bool // it is left out: its distance is none
	motion   Motion
	placed   transformSDF    // shape at motion, if it moves
	taken    transformSDF    // placed, as the step takes it
	distance blocks.Distance // taken's
	seen     pose            // when the surface was moved last,
	last     pose            // and the time before
}

// place puts the shape where the motion says.
func (o *obstacle) place() { o.placed = o.by(&o.motion) }

// by is the shape where a motion says.
func (o *obstacle) by(m *Motion) transformSDF {
	return transformSDF{inner: o.shape, rotation: m.Rotation, translation: m.Translation, rows: rotationRows(m.Rotation)}
}

func (w *surroundings) init(l *Liquid) {
	w.shut, w.store = l.shut, l.store
	w.regular = newRegularizer(l.def.CellSize, l.def.Domain)
	w.staticRaw, w.distance = w.static.Eval, w.staticDistance
}

// AddObstacle puts a solid into the domain. Liquid that was there is lost from the ledger's held
// volume only as far as the solid displaces it; nothing is drained. One wholly outside of the domain, which may
// be moved in, is named in the next report.
func (l *Liquid) AddObstacle(s SDF) (ObstacleID, error) {
	if err := validateSDF(s); err != nil {
		return 0, fmt.Errorf("fluid: AddObstacle: %w", err)
	}
	o := &obstacle{shape: guard(s)}
	l.outside("AddObstacle", fmt.Sprintf("obstacle %d", len(l.world.obstacles)), s.Bounds())
	o.origin, o.distance = o, l.world.movingDistance(o)
	l.world.obstacles = append(l.world.obstacles, o)
	l.restack()
	return ObstacleID(len(l.world.obstacles) - 1), nil
}

// MoveObstacle makes an obstacle kinematic: from the next step on it is where the motion says, and
// keeps moving with the motion's velocity and spin until told otherwise. Where one that comes further at once than its velocity
// accounts for was is air, as where one was taken away.
func (l *Liquid) MoveObstacle(id ObstacleID, m Motion) error {
	o, err := l.obstacle("MoveObstacle", id)
	if err != nil {
		return err
	}
	if err := m.normalise(); err != nil {
		return fmt.Errorf("fluid: MoveObstacle: %w", err)
	}
	l.calm = calm{}
	var old *obstacle // if it jumps
	moved := o.moves
	if l.jumps(o, &m) {
		was := *o
		old, o.seen = &was, pose{}
	} else if !moved {
		o.seen = stood
	}
	o.moves, o.motion = true, m
	o.place()
	if !moved {
		l.restack()
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
func (l *Liquid) jumps(o *obstacle, m *Motion) bool {
	box, d := o.inPlace().Bounds(), l.def.Domain
	if !overlaps(box, d) {
		return false
	}
	from, to := o.by(&Motion{Rotation: quat.Number{Real: 1}}), o.by(m)
	if o.moves {
		from = o.placed
	}
	ends := [2]r3.Vec{maxVec(box.Min, d.Min), minVec(box.Max, d.Max)}
	for c := range 8 {
		x := r3.Vec{X: ends[c&1].X, Y: ends[c>>1&1].Y, Z: ends[c>>2].Z}
		speed := exact.Norm(r3.Add(m.Velocity, exact.Cross(m.Spin, r3.Sub(x, m.Translation))))
		if exact.Norm(r3.Sub(to.outer(from.local(x)), x)) > l.def.CellSize+float64(speed*slowFrame) {
			return true
		}
	}
	return false
}

// normalise makes the rotation a unit, or reports a field beyond its limits.
func (m *Motion) normalise() error {
	switch {
	case !(exact.Norm(m.Translation) <= maxShapeCoord):
		return fmt.Errorf("Translation %v m; must be finite and at most %g long", m.Translation, maxShapeCoord)
	case !(exact.Norm(m.Velocity) <= maxMotion):
		return fmt.Errorf("Velocity %v m/s; must be finite and at most %g long", m.Velocity, maxMotion)
	case !(exact.Norm(m.Spin) <= maxMotion):
		return fmt.Errorf("Spin %v rad/s; must be finite and at most %g long", m.Spin, maxMotion)
	}
	if m.Rotation == (quat.Number{}) {
		m.Rotation.Real = 1
	}
	n := exact.QuatAbs(m.Rotation)
	if !(n > 1e-150 && n < 1e150) { // their squares are finite and not zero
		return fmt.Errorf("Rotation %v; must be finite and not zero", m.Rotation)
	}
	m.Rotation = exact.QuatScale(1/n, m.Rotation)
	return nil
}

// RemoveObstacle takes an obstacle away. Where it was is air, which the liquid around then fills; of a wall thinner than a cell
// nothing is left, and what it has pressed out only just now is there again.
func (l *Liquid) RemoveObstacle(id ObstacleID) error {
	o, err := l.obstacle("RemoveObstacle", id)
	if err != nil {
		return err
	}
	l.world.obstacles[id] = nil
	l.restack()
	l.vacate(o)
	return nil
}

// vacate leaves air where an obstacle was, unless it is thinner than a cell.
func (l *Liquid) vacate(o *obstacle) {
	gone := o.inPlace()
	if t := thicknessOf(gone); t == 0 || t >= l.def.CellSize { // 0: it isn't known
		l.leaveAir(gone)
	}
}

// inPlace is the obstacle's shape where it is now.
func (o *obstacle) inPlace() SDF {
	if o.moves {
		return &o.placed
	}
	return o.shape
}

func (l *Liquid) obstacle(call string, id ObstacleID) (*obstacle, error) {
	if id < 0 || int(id) >= len(l.world.obstacles) || l.world.obstacles[id] == nil {
		return nil, fmt.Errorf("fluid: %s: there is no obstacle %d", call, id)
	}
	return l.world.obstacles[id], nil
}

// staticDistance is that to the nearest of the obstacles that do not move.
func (w *surroundings) staticDistance(dst []float32, pts []r3.Vec) {
	w.static.Eval(dst, pts)
	if w.filmy {
		w.regular.regularize(w.staticRaw, dst, pts)
	}
}

// movingDistance is that to an obstacle as the step takes it.
func (w *surroundings) movingDistance(o *obstacle) blocks.Distance {
	raw := o.taken.Eval
	if !membranes(o.shape) {
		return raw
	}
	return func(dst []float32, pts []r3.Vec) {
		raw(dst, pts)
		w.regular.regularize(raw, dst, pts)
	}
}

// restack hands the static obstacles to the discretiser.
func (l *Liquid) restack() {
	l.disturb()
	l.displace()
	w := &l.world
	w.static.shapes, w.filmy = w.static.shapes[:0], false
	for _, o := range w.obstacles {
		if o != nil && !o.moves && !o.aside {
			w.static.shapes, w.filmy = append(w.static.shapes, o.shape), w.filmy || membranes(o.shape)
		}
	}
	if len(w.static.shapes) == 0 {
		l.solids.SetStatic(nil, nil)
		return
	}
	l.solids.SetStatic(w.distance, w.thicknessIn)
}

// thicknessIn is how thick the thinnest wall of the obstacles in a box that do not move is, m; 0 if that isn't known.
func (w *surroundings) thicknessIn(box r3.Box) float64 {
	least := math.Inf(1)
	for _, s := range w.static.shapes {
		if overlaps(s.Bounds(), box) {
			least = min(least, thicknessOf(s))
		}
	}
	return least
}

// AddEmitter opens a tap.
func (l *Liquid) AddEmitter(e EmitterDef) (EmitterID, error) {
	if err := validateSDF(e.Shape); err != nil {
		return 0, fmt.Errorf("fluid: AddEmitter: Shape: %w", err)
	}
	if b := e.Shape.Bounds(); !finiteVec(b.Min) || !finiteVec(b.Max) {
		return 0, fmt.Errorf("fluid: AddEmitter: Shape must be bounded")
	}
	if !(exact.Norm(e.Velocity) <= maxMotion) {
		return 0, fmt.Errorf("fluid: AddEmitter: Velocity %v m/s; must be finite and at most %g long", e.Velocity, maxMotion)
	}
	if !(e.Rate > 0 && e.Rate <= 1e6) {
		return 0, fmt.Errorf("fluid: AddEmitter: Rate %v litres/s; must be > 0 and at most 1e6", e.Rate)
	}
	e.Shape = l.mouthShape("EmitterDef.Shape", "emitter", len(l.world.emitters), e.Shape)
	l.world.emitters = append(l.world.emitters, &emitter{EmitterDef: e, running: !e.Stopped})
	return EmitterID(len(l.world.emitters) - 1), nil
}

// StartEmitter opens a tap again.
func (l *Liquid) StartEmitter(id EmitterID) error { return l.runEmitter("StartEmitter", id, true) }

// StopEmitter shuts a tap.
func (l *Liquid) StopEmitter(id EmitterID) error { return l.runEmitter("StopEmitter", id, false) }

// RemoveEmitter takes a tap away.
func (l *Liquid) RemoveEmitter(id EmitterID) error {
	if err := l.runEmitter("RemoveEmitter", id, false); err != nil {
		return err
	}
	l.world.emitters[id] = nil
	return nil
}

func (l *Liquid) runEmitter(call string, id EmitterID, run bool) error {
	if id < 0 || int(id) >= len(l.world.emitters) || l.world.emitters[id] == nil {
		return fmt.Errorf("fluid: %s: there is no emitter %d", call, id)
	}
	e := l.world.emitters[id]
	e.running, e.debt = run, 0
	return nil
}

// AddSink drains what liquid is in a shape, so many litres per second at most.
func (l *Liquid) AddSink(s SDF, litresPerSecond float64) (SinkID, error) {
	if err := validateSDF(s); err != nil {
		return 0, fmt.Errorf("fluid: AddSink: %w", err)
	}
	if !(litresPerSecond > 0 && litresPerSecond <= 1e6) {
		return 0, fmt.Errorf("fluid: AddSink: %v litres/s; must be > 0 and at most 1e6", litresPerSecond)
	}
	s = l.mouthShape("AddSink", "sink", len(l.world.sinks), s)
	l.world.sinks = append(l.world.sinks, &sink{shape: s, rate: litresPerSecond})
	return SinkID(len(l.world.sinks) - 1), nil
}

// RemoveSink stops a sink.
func (l *Liquid) RemoveSink(id SinkID) error {
	if id < 0 || int(id) >= len(l.world.sinks) || l.world.sinks[id] == nil {
		return fmt.Errorf("fluid: RemoveSink: there is no sink %d", id)
	}
	l.world.sinks[id] = nil
	return nil
}

// AddField adds a force field.
func (l *Liquid) AddField(f Field) (FieldID, error) {
	switch {
	case f.Kind > VortexField:
		return 0, fmt.Errorf("fluid: AddField: Kind %d; use UniformField, RadialField or VortexField", f.Kind)
	case !finiteVec(f.Centre):
		return 0, fmt.Errorf("fluid: AddField: Centre %v is not finite", f.Centre)
	case !(f.Radius >= 0) || math.IsInf(f.Radius, 0):
		return 0, fmt.Errorf("fluid: AddField: Radius %v m; must be finite and ≥ 0", f.Radius)
	case !(math.Abs(f.Strength) <= 1e4):
		return 0, fmt.Errorf("fluid: AddField: Strength %v m/s²; must be finite and at most 1e4", f.Strength)
	}
	if f.Kind != RadialField {
		n := exact.Norm(f.Axis)
		if !(n > 0) || math.IsInf(n, 0) {
			return 0, fmt.Errorf("fluid: AddField: Axis %v; must be finite and not zero", f.Axis)
		}
		f.Axis = exact.Scale(1/n, f.Axis)
	}
	l.fieldOutside(len(l.world.fields), &f)
	l.world.fields = append(l.world.fields, &f)
	l.regravitate()
	l.disturb()
	return FieldID(len(l.world.fields) - 1), nil
}

// RemoveField removes a force field.
func (l *Liquid) RemoveField(id FieldID) error {
	if id < 0 || int(id) >= len(l.world.fields) || l.world.fields[id] == nil {
		return fmt.Errorf("fluid: RemoveField: there is no field %d", id)
	}
	l.world.fields[id] = nil
	l.regravitate()
	l.disturb()
	return nil
}

// at is the field's acceleration at a point, m/s².
func (f *Field) at(x r3.Vec) r3.Vec {
	arm := r3.Sub(x, f.Centre)
	fade := 1.
	if f.Kind == VortexField {
		arm = r3.Sub(arm, exact.Scale(exact.Dot(arm, f.Axis), f.Axis))
	}
	dist := exact.Norm(arm)
	if f.Radius > 0 {
		fade = max(0, 1-dist/f.Radius)
	}
	switch {
	case f.Kind == UniformField:
		return exact.Scale(fade*f.Strength, f.Axis)
	case dist == 0:
		return r3.Vec{}
	case f.Kind == RadialField:
		return exact.Scale(fade*f.Strength/dist, arm)
	}
	return exact.Scale(fade*f.Strength/dist, exact.Cross(f.Axis, arm))
}

// appendMoving adds the kinematic obstacles to the step's solids, behind the bodies.
func (w *surroundings) appendMoving(c *coupling) {
	for _, o := range w.obstacles {
		if o == nil || !o.moves {
			continue
		}
		m := &o.motion
		o.taken = o.placed
		bounds := o.taken.Bounds()
		if o.aside {
			bounds = r3.Box{Min: far, Max: far}
		}
		c.solid = append(c.solid, blocks.Body{Distance: o.distance, Bounds: bounds, Centre: m.Translation, Thin: true})
		c.rigid = append(c.rigid, pressure.Body{V: twist(m.Velocity, m.Spin)})
		c.moved = append(c.moved, twist(m.Velocity, m.Spin))
	}
}

func (w *surroundings) appendRegions(dst *[]sizing.Region, margin float64) {
	for _, o := range w.obstacles {
		if o != nil && o.moves && !o.aside {
			*dst = append(*dst, sizing.Region{Box: o.placed.Bounds(), Margin: margin, Size: leastEdge(o.shape.Bounds())})
		}
	}
}

func leastEdge(b r3.Box) float64 {
	size := b.Size()
	return min(size.X, size.Y, size.Z)
}

// appendMouths lists where taps run, and where drains are to let air in: in the middle of what of them is in the domain.
func (w *surroundings) appendMouths(dst []r3.Box, def *Def) []r3.Box {
	for _, e := range w.emitters {
		if e != nil && e.running {
			dst = append(dst, e.Shape.Bounds())
		}
	}
	for _, s := range w.sinks {
		if s != nil && s.debt > 0 {
			b := s.shape.Bounds()
			middle := exact.Scale(.5, r3.Add(maxVec(b.Min, def.Domain.Min), minVec(b.Max, def.Domain.Max)))
			dst = append(dst, grown(r3.Box{Min: middle, Max: middle}, float64(bubble*def.CellSize)))
		}
	}
	return dst
}

// advance moves the kinematic obstacles on.
func (w *surroundings) advance(dt float64) {
	for _, o := range w.obstacles {
		if o == nil || !o.moves {
			continue
		}
		m := &o.motion
		if m.Velocity == (r3.Vec{}) && m.Spin == (r3.Vec{}) {
			continue
		}
		m.goOn(dt)
		o.place()
	}
}

// goOn moves on by dt seconds.
func (m *Motion) goOn(dt float64) {
	m.Translation = r3.Add(m.Translation, exact.Scale(dt, m.Velocity))
	m.Rotation = turnedOn(m.Rotation, m.Spin, dt)
}

// turnedOn is an orientation after dt seconds of a spin, rad/s.
func turnedOn(q quat.Number, spin r3.Vec, dt float64) quat.Number {
	angle := exact.Norm(spin) * dt
	if !(angle > 0) && !(angle < 0) {
		return q
	}
	sin, cos := exact.Sincos(angle / 2)
	axis := exact.Scale(sin*dt/angle, spin)
	q = exact.QuatMul(quat.Number{Real: cos, Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}, q)
	return exact.QuatScale(1/exact.QuatAbs(q), q)
}

// shut gives the faces that a solid shuts the solid's velocity there.
func (l *Liquid) shut(body int32, axis uint8, slot int32, x r3.Vec) {
	r := &l.coupling.rigid[body]
	arm := r3.Sub(x, l.coupling.solid[body].Centre)
	v := r3.Add(r3.Vec{X: r.V[0], Y: r.V[1], Z: r.V[2]}, exact.Cross(r3.Vec{X: r.V[3], Y: r.V[4], Z: r.V[5]}, arm))
	l.faces[axis][slot] = float32(array(v)[axis])
}
