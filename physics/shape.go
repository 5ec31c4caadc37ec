package physics

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Shape is a handle of a shape of a body: its world and its ID. Handles are comparable; the zero Shape is stale.
// Getters of a stale handle return zero values, setters ErrStale.
type Shape struct {
	world *World
	slot  int32
	gen   uint32
}

type shape struct {
	gen   uint32
	live  bool
	body  int32
	def   ShapeDef
	parts []part

	offset   r3.Vec      // of the geometry's axes in the body, m
	rotation quat.Number // likewise
	placed               // in the world
	bounds   r3.Box      // world
	leaf     int32       // in World.tree
	moved    bool        // in World.movedShapes
	fat      r3.Box      // what it may touch within a step
}

// AddShape gives the body another shape and updates its mass. The error is def.Validate's,
// or ErrKind if the geometry does not suit the kind of body.
func (b Body) AddShape(def ShapeDef) (Shape, error) {
	s := b.state()
	if s == nil {
		return Shape{}, ErrStale
	}
	defer b.world.enter(&inBody).leave()
	if err := def.Validate(); err != nil {
		return Shape{}, err
	}
	if err := def.Geometry.suits(s.kind, s.override); err != nil {
		return Shape{}, err
	}
	def = def.withDefaults()
	w := b.world
	if full(w.shapes, w.freeShapes) {
		return Shape{}, ErrFull
	}
	sum := w.shapeMass(s)
	if s.kind == Dynamic && !s.override && !def.Sensor {
		// The sum is checked before anything changes.
		sum = combine(sum, def.mass())
		if err := sum.Validate(); err != nil {
			return Shape{}, fmt.Errorf("%w: the mass of the body with this shape", err)
		}
	}
	slot := take(&w.shapes, &w.freeShapes)
	sh := &w.shapes[slot]
	*sh = shape{
		gen: sh.gen + 1, live: true, body: b.slot, def: def, parts: sh.parts,
		leaf: none, moved: sh.moved,
	}
	sh.form()
	s.shapes = append(s.shapes, slot)
	w.revise(s)
	if !s.override {
		w.setMass(b.slot, sum)
	}
	if s.kind == Static { // the others stay where they are: many make a level
		s.poseChanged = true
		w.updateShape(slot, s)
		w.wakeNearShape(slot)
		return w.shape(slot), nil
	}
	w.updateShapes(b.slot)
	w.wakeNear(b.slot)
	return w.shape(slot), nil
}

// suits is nil if a body of a kind, with a given mass or that of its shapes, may have the geometry, and an ErrKind otherwise.
func (g *Geometry) suits(kind BodyKind, massSet bool) error {
	switch {
	case g.kind == halfSpaceGeometry && kind != Static:
		return fmt.Errorf("%w: a HalfSpace needs a static body", ErrKind)
	case g.kind == meshGeometry && kind == Dynamic:
		return fmt.Errorf("%w: a Mesh or HeightField needs a static or kinematic body", ErrKind)
	case g.kind == sdfGeometry && kind == Dynamic && !massSet:
		return fmt.Errorf("%w: an SDF on a dynamic body needs SetMassProperties first", ErrKind)
	}
	return nil
}

// mass of the shape in the body's axes; a sensor has none.
func (d *ShapeDef) mass() MassProperties {
	if d.Sensor {
		return MassProperties{}
	}
	offset, rotation := d.Geometry.pose(d.Offset, d.Rotation)
	rot := rotationMatrix(rotation)
	return d.Geometry.mass(d.Density).placed(offset, &rot)
}

// shapeMass is the sum of the masses of a dynamic body's shapes.
func (w *World) shapeMass(b *body) (sum MassProperties) {
	if b.kind != Dynamic {
		return sum
	}
	for _, s := range b.shapes {
		sum = combine(sum, w.shapes[s].def.mass())
	}
	return sum
}

// setMass gives a dynamic body the mass m, keeping its origin and the motion of its material.
func (w *World) setMass(slot int32, m MassProperties) {
	b := &w.bodies[slot]
	if b.kind != Dynamic {
		return
	}
	x := r3.Add(b.origin(), rotate(b.q, m.Centre))
	b.v = r3.Add(b.v, reproducible.Cross(b.w, r3.Sub(x, b.x)))
	b.x = x
	b.applyMass(m)
	b.v, b.w = b.lock.Linear.clear(b.v), b.lock.Angular.clear(b.w)
	w.updateShapes(slot)
	w.revise(b)
}

// applyMass sets the mass m about the centre of mass, zero for none, and its inverses.
func (b *body) applyMass(m MassProperties) {
	b.mass, b.invMass, b.mobility, b.invLocal, b.gyroscopic = m, 0, r3.Vec{}, mat3{}, false
	if m.Mass == 0 {
		return
	}
	b.invMass = 1 / m.Mass
	b.mobility = b.lock.Linear.clear(r3.Vec{X: b.invMass, Y: b.invMass, Z: b.invMass})
	if all := (Axes{true, true, true}); b.lock.Angular != all {
		b.invLocal = inverse(&m.Inertia)
		i := m.Inertia
		b.gyroscopic = b.lock.Angular == Axes{} && i != mat3{{i[0][0], 0, 0}, {0, i[0][0], 0}, {0, 0, i[0][0]}}
	}
}

// updateShapes updates a body's rotation and its shapes after its pose changed.
func (w *World) updateShapes(slot int32) {
	b := &w.bodies[slot]
	b.poseChanged = true
	b.updateRotation()
	for _, s := range b.shapes {
		w.updateShape(s, b)
	}
}

// updateShape updates a shape's pose, bounds and leaf.
func (w *World) updateShape(slot int32, b *body) {
	sh := &w.shapes[slot]
	sh.updatePose(b)
	sh.bounds = sh.def.Geometry.worldBounds(sh.pos, &sh.rot)
	w.updateLeaf(slot, &sh.bounds)
}

// form computes the parts, the extents and the pose in the body from the definition.
func (s *shape) form() {
	g := &s.def.Geometry
	s.parts, s.placed = g.appendParts(s.parts[:0]), g.extents()
	s.offset, s.rotation = g.pose(s.def.Offset, s.def.Rotation)
}

// place is the world place of a point in the body's axes.
func (b *body) place(p r3.Vec) r3.Vec { return r3.Add(b.x, mulVec(&b.rot, r3.Sub(p, b.mass.Centre))) }

// updatePose sets the world pose of the shape's geometry from its body's.
func (s *shape) updatePose(b *body) {
	if s.rot = b.rot; s.rotation != identity {
		local := rotationMatrix(s.rotation)
		s.rot = mulMat(&b.rot, &local)
	}
	s.pos = b.place(s.offset)
}

// Body is the shape's body.
func (s Shape) Body() Body {
	if sh := s.state(); sh != nil {
		return s.world.body(sh.body)
	}
	return Body{}
}

// Def describes the shape as it is now, defaults filled in: Body.AddShape makes an equal one of it.
func (s Shape) Def() ShapeDef {
	if sh := s.state(); sh != nil {
		return sh.def.explicit()
	}
	return ShapeDef{}
}

// Pose is the shape's world position, m, and rotation.
func (s Shape) Pose() (r3.Vec, quat.Number) {
	if sh := s.state(); sh != nil {
		b := &s.world.bodies[sh.body]
		return b.place(sh.def.Offset), reproducible.QuatMul(b.q, sh.def.Rotation)
	}
	return r3.Vec{}, quat.Number{}
}

// SetMaterial changes the material and wakes what is near. The error is m.Validate's.
func (s Shape) SetMaterial(m Material) error {
	return s.change(func(d *ShapeDef) { d.Material = m })
}

// SetFilter changes what the shape meets, from the next step on, and wakes what is near.
func (s Shape) SetFilter(f Filter) error {
	err := s.change(func(d *ShapeDef) { d.Filter = f })
	if err == nil {
		s.world.markMoved(s.slot)
	}
	return err
}

// change applies f to the definition if the result is valid, and wakes what is near.
func (s Shape) change(f func(d *ShapeDef)) error {
	sh := s.state()
	if sh == nil {
		return ErrStale
	}
	defer s.world.enter(&inShape).leave()
	def := sh.def.explicit()
	f(&def)
	if err := def.Validate(); err != nil {
		return err
	}
	sh.def = def.withDefaults()
	s.world.wakeNear(sh.body)
	return nil
}

// Remove removes the shape from its body, updates the body's mass and wakes what touched it.
func (s Shape) Remove() error {
	sh := s.state()
	if sh == nil {
		return ErrStale
	}
	w, slot := s.world, sh.body
	defer w.enter(&inShape).leave()
	w.removeShape(s.slot)
	if b := &w.bodies[slot]; !b.override {
		w.setMass(slot, w.shapeMass(b))
	}
	w.wake(slot)
	return nil
}

// removeShape frees the slot of a live shape, its contacts and its leaf.
func (w *World) removeShape(slot int32) {
	sh := &w.shapes[slot]
	w.dropContacts(slot)
	w.tree.remove(sh.leaf)
	sh.live, sh.def = false, ShapeDef{}
	w.freeShapes = append(w.freeShapes, slot)
	b := &w.bodies[sh.body]
	for i, s := range b.shapes {
		if s == slot {
			b.shapes = append(b.shapes[:i], b.shapes[i+1:]...)
			break
		}
	}
	w.revise(b)
}
