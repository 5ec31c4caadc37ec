package physics

import (
	"bytes"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// script reads numbers from a fuzzer's bytes; what is past their end is zero.
type script struct{ data []byte }

func (s *script) byte() int {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return int(b)
}

// number is within ±2, in steps of 1/64.
func (s *script) number() float64 { return float64(s.byte()-128) / 64 }

func (s *script) vec() r3.Vec { return r3.Vec{X: s.number(), Y: s.number(), Z: s.number()} }

// joint is a def of any kind between two bodies of w or the world, most of them valid.
func (s *script) joint(w *World) JointDef {
	body := func() Body {
		if k := s.byte() % (w.Coupling().Len() + 1); k < w.Coupling().Len() {
			return w.Coupling().Body(k)
		}
		return Body{}
	}
	d := JointDef{Kind: JointKind(s.byte() % 6), A: body(), B: body(), Anchor: s.vec(), CollideConnected: s.byte()%2 == 0}
	if d.Kind != FixedJoint && d.Kind != DistanceJoint {
		d.Axis = s.vec()
	}
	mix := s.byte()
	if mix&1 != 0 {
		d.Limits = Limits{s.number(), s.number()}
	}
	switch d.Kind {
	case DistanceJoint:
		d.AnchorB = s.vec()
	case WheelJoint:
		d.Axle, d.Steering = s.vec(), Spring{s.number(), s.number(), s.number()}
	case BallJoint:
		d.Cone = s.number()
	}
	if mix&2 != 0 {
		d.Motor = Motor{10 * s.number(), 100 * s.number()}
	}
	if mix&4 != 0 {
		d.Spring = Spring{10 * s.number(), s.number(), s.number()}
	}
	if mix&8 != 0 {
		d.Soft = Spring{20 * s.number(), s.number(), 0}
	}
	if mix&16 != 0 {
		d.BreakForce, d.BreakTorque = 1000*s.number(), 1000*s.number()
	}
	return d
}

// act does one thing to the world. What it is refused does not matter.
func (s *script) act(w *World) {
	pick := func() Body { return w.Coupling().Body(s.byte() % w.Coupling().Len()) }
	held := func() Joint {
		if w.Coupling().Joints() == 0 {
			return Joint{}
		}
		return w.Coupling().Joint(s.byte() % w.Coupling().Joints())
	}
	switch op := s.byte() % 17; op {
	case 0, 1:
		_, _ = w.AddJoint(s.joint(w))
	case 2:
		b := add(w, BodyDef{Kind: BodyKind(s.byte() % 3), Position: s.vec(), Bullet: s.byte()%2 == 0})
		for range s.byte() % 3 {
			_, _ = b.AddShape(s.shape())
		}
	case 3:
		if w.Coupling().Len() > 1 {
			_ = pick().Remove()
		}
	case 4:
		_ = held().Remove()
	case 5:
		_ = held().SetMotor(Motor{10 * s.number(), 100 * s.number()})
	case 6:
		_ = held().SetLimits(Limits{s.number(), s.number()})
	case 7:
		_ = held().SetSpring(Spring{10 * s.number(), s.number(), s.number()})
	case 8:
		_ = pick().SetPose(s.vec(), identity)
	case 9:
		_ = pick().SetVelocity(r3.Scale(10, s.vec()))
	case 10:
		_ = pick().SetLock(Locks{Axes{s.byte()%2 == 0, s.byte()%2 == 0, false}, Axes{s.byte()%2 == 0, s.byte()%2 == 0, s.byte()%2 == 0}})
	case 11:
		_ = pick().SetKind(BodyKind(s.byte() % 3))
	case 12:
		_ = pick().SetAwake(s.byte()%2 == 0)
	case 13:
		w.Coupling().PredictedVelocity(s.byte()%w.Coupling().Len(), tick)
	case 14, 15, 16:
		b := pick().state()
		if len(b.shapes) == 0 {
			return
		}
		switch shape := w.shape(b.shapes[s.byte()%len(b.shapes)]); op {
		case 14:
			_ = shape.SetFilter(Filter{Category: uint64(s.byte() % 4), Mask: uint64(s.byte() % 4), Group: s.byte()%3 - 1})
		case 15:
			_ = shape.Remove()
		default:
			_ = shape.SetMaterial(Material{SurfaceVelocity: s.vec()})
		}
	}
}

// fuzzShapes are what bodies are made of: all that there are, seldom one that suits them not.
var fuzzShapes = func() (all []Geometry) {
	for _, name := range solids {
		all = append(all, convexShapes[name])
	}
	return append(all, OpenBox(Centred(1, 0.5, 1), 0.1), Mesh(boxMesh(r3.Vec{X: 1, Y: 0.2, Z: 1})), HalfSpace(r3.Vec{}, r3.Vec{X: 1, Y: 2}),
		field(8, 0.5, func(x, z float64) float64 { return 0.1 * x * z }).Geometry)
}()

func (s *script) shape() ShapeDef {
	d := ShapeDef{Geometry: fuzzShapes[s.byte()%len(fuzzShapes)], Offset: s.vec()}
	mix := s.byte()
	d.Sensor = mix&7 == 0
	if mix&8 != 0 {
		d.Material.RollingResistance = 0.1
	}
	if mix&16 != 0 {
		d.Material.Restitution = 0.5
	}
	return d
}

// checkContacts looks for what must hold after a step of the shapes, their tree and their pairs.
func checkContacts(t *testing.T, w *World) {
	t.Helper()
	shapes := 0
	for i := range w.shapes {
		if w.shapes[i].live {
			shapes++
		}
	}
	if w.tree.size != shapes || shapes > 0 && checkTree(t, &w.tree, w.tree.root) != shapes {
		t.Fatalf("a tree of %d leaves for %d shapes", w.tree.size, shapes)
	}
	for i, p := range w.pairs {
		if i > 0 && w.pairs[i-1].key >= p.key {
			t.Fatal("pairs out of order")
		}
		c := &w.contacts[p.contact]
		a, b := &w.shapes[c.shapeA], &w.shapes[c.shapeB]
		if c.key != p.key || !a.live || !b.live || a.body != c.bodyA || b.body != c.bodyB {
			t.Fatalf("pair %x is contact %x of shapes %v and %v", p.key, c.key, a.live, b.live)
		}
		broke := len(w.Events().Broken) > 0 // what broke in this step meets in the next
		if !broke && !w.mayMeet(a, b) {
			t.Fatalf("contact of bodies %d and %d, which must not meet", c.bodyA, c.bodyB)
		}
	}
}

// checkJoints looks for what must hold between steps.
func checkJoints(t *testing.T, w *World) {
	t.Helper()
	for i := range w.Coupling().Len() {
		b := w.Coupling().Body(i)
		if s := b.state(); !s.finiteState() || !finiteVec(s.x) {
			t.Fatalf("body %d: %v %v %v", i, s.x, s.v, s.w)
		}
		for j := range b.Joints() {
			if d := j.Def(); !j.Valid() || d.A != b && d.B != b {
				t.Fatalf("body %d lists a joint that it is not in", i)
			}
		}
	}
	for i, slot := range w.joints.order {
		j := &w.joints.slots[slot]
		if !j.live || int(j.index) != i {
			t.Fatalf("joint %d: live %v, index %d", i, j.live, j.index)
		}
		for _, s := range [2]int32{j.a, j.b} {
			if s >= 0 && (!w.bodies[s].live || !slices.Contains(w.bodies[s].joints, slot)) {
				t.Fatalf("joint %d: body %d does not know it", i, s)
			}
		}
		if !finiteVec(j.force) || !finiteVec(j.torque) || !finite(j.angle) {
			t.Fatalf("joint %d: force %v, torque %v, angle %v", i, j.force, j.torque, j.angle)
		}
		var rows [6][12]float64
		_, _, n := w.Coupling().JointRows(i, &rows)
		for _, row := range rows[:n] {
			for _, v := range row {
				if !finite(v) {
					t.Fatalf("joint %d: row %v", i, row)
				}
			}
		}
	}
}

func FuzzWorld(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x02\x02\x80\x90\x70\x01\x00\x01\x01\x02\x80\x80\x80\x01\x90\x40\x20\x1f\x60\xa0\x99\x9a\x90\x91\x92\x93"))
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 512 {
			return
		}
		s := script{data}
		w := NewWorld(WorldDef{Gravity: down})
		floor(w)
		copied := NewWorld(WorldDef{})
		rope(w, 3, r3.Vec{X: 0.6, Y: -0.8})
		for len(s.data) > 0 && w.Coupling().Len() < 32 {
			s.act(w)
			checkJoints(t, w)
			w.CopyTo(copied)
			w.Step(tick)
			checkJoints(t, w)
			checkContacts(t, w)
			if copied.Step(tick); copied.Hash() != w.Hash() {
				t.Fatal("a copy goes another way")
			}
			for _, slot := range w.joints.order {
				j := &w.joints.slots[slot]
				if a, b := w.bodyOrWorld(j.a), w.bodyOrWorld(j.b); a.kind == Dynamic && b.kind == Dynamic && a.awake != b.awake {
					t.Fatal("one of two joined bodies sleeps")
				}
			}
		}
		var file bytes.Buffer
		check(t, w.Save(&file))
		check(t, copied.Restore(&file))
		w.Step(tick)
		if copied.Step(tick); copied.Hash() != w.Hash() {
			t.Fatal("what is loaded goes another way")
		}
	})
}
