package fluid_test

import (
	"io"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// call makes the call of a chunk.
func (c *campaign) call() {
	op := c.byte() % 64
	was, world := c.l.Hash(), c.w.Hash()
	speed := testrig.MaxSpeed(c.l)
	switch {
	case op < 22:
		n, dt := 1+int(c.byte()%3), [8]float64{testrig.Frame, testrig.Frame, 1. / 30, 1. / 120, 1. / 240, .1, .0123, 1e-4}[c.byte()%8]
		if c.byte()%4 > 0 { // else as long as a game's, whatever the size
			dt *= math.Sqrt(c.scale)
		}
		c.note("%d × Step(%g)", n, dt)
		c.steps(n, dt)
	case op < 31:
		c.edit(op, was, world)
		c.worked(speed)
	case op < 42:
		c.flow(op, was, world)
	case op < 47:
		c.obstacle(op, was, world)
	case op < 50:
		c.control(op, was, world)
	case op < 56:
		c.body(op)
	case op < 60:
		c.compare(op, was, world)
	default:
		c.set(op, was, world)
	}
}

// edit changes the liquid.
func (c *campaign) edit(op byte, was, world uint64) {
	l := c.l
	switch op {
	case 22, 23, 24:
		s, text := c.shape()
		c.note("Fill(%s)", text)
		c.tried("Fill", was, world, l.Fill(s))
	case 25, 26:
		s, text := c.shape()
		c.note("Drain(%s)", text)
		c.tried("Drain", was, world, l.Drain(s))
	case 27:
		s, text := c.shape()
		u, turn := c.speed(), c.number()
		c.note("SetVelocity(%s, %v + %g x)", text, u, turn)
		c.tried("SetVelocity", was, world, l.SetVelocity(s, func(x r3.Vec) r3.Vec { return r3.Add(u, r3.Scale(turn, x)) }))
	case 28:
		at, r, p := c.at(), c.scale*c.number(), r3.Scale(100*math.Pow(c.scale, 3.5), c.vec())
		c.note("Impulse(%#v, %g, %#v)", at, r, p)
		c.tried("Impulse", was, world, l.Impulse(at, r, p))
	default:
		at, r, p := c.at(), c.scale*c.number(), 100*math.Pow(c.scale, 3.5)*c.number()
		c.note("Explode(%#v, %g, %g)", at, r, p)
		c.tried("Explode", was, world, l.Explode(at, r, p))
	}
}

// some is the ID of one of n that were added, or now and then of none.
func (c *campaign) some(n int) int {
	b := int(c.byte())
	if n == 0 || b > 240 {
		return b - 2
	}
	return b % n
}

// flow adds and changes what brings, takes and drives liquid.
func (c *campaign) flow(op byte, was, world uint64) {
	l, rate := c.l, 50*math.Pow(c.scale, 2.5)
	switch op {
	case 31, 32:
		s, text := c.shape()
		e := fluid.EmitterDef{Shape: s, Velocity: c.speed(), Rate: rate * c.number(), Stopped: c.byte()%8 == 7}
		c.note("AddEmitter(%s, %v, %g, %t)", text, e.Velocity, e.Rate, e.Stopped)
		_, err := l.AddEmitter(e)
		c.pumps(err, r3.Norm(e.Velocity))
		c.tried("AddEmitter", was, world, err)
		if err == nil {
			c.ids.emitters++
		}
	case 33:
		id := fluid.EmitterID(c.some(c.ids.emitters))
		switch k := c.byte() % 5; k {
		case 0:
			s, text := c.shape()
			e := fluid.EmitterDef{Shape: s, Velocity: c.speed(), Rate: rate * c.number()}
			c.note("SetEmitter(%d, %s, %v, %g)", id, text, e.Velocity, e.Rate)
			err := l.SetEmitter(id, e)
			c.pumps(err, r3.Norm(e.Velocity))
			c.tried("SetEmitter", was, world, err)
		case 1:
			x := c.at()
			c.note("MoveEmitter(%d, %v)", id, x)
			c.tried("MoveEmitter", was, world, l.MoveEmitter(id, x, quat.Number{}))
		case 2:
			c.note("StopEmitter(%d)", id)
			c.tried("StopEmitter", was, world, l.StopEmitter(id))
		case 3:
			c.note("StartEmitter(%d)", id)
			c.tried("StartEmitter", was, world, l.StartEmitter(id))
		case 4:
			c.note("RemoveEmitter(%d)", id)
			c.tried("RemoveEmitter", was, world, l.RemoveEmitter(id))
		}
	case 34, 35:
		s, text := c.shape()
		out := rate * c.number()
		c.note("AddSink(%s, %g)", text, out)
		_, err := l.AddSink(s, out)
		c.pumps(err, 0)
		c.tried("AddSink", was, world, err)
		if err == nil {
			c.ids.sinks++
		}
	case 36:
		id := fluid.SinkID(c.some(c.ids.sinks))
		switch c.byte() % 3 {
		case 0:
			s, text := c.shape()
			out := rate * c.number()
			c.note("SetSink(%d, %s, %g)", id, text, out)
			c.tried("SetSink", was, world, l.SetSink(id, s, out))
		case 1:
			x := c.at()
			c.note("MoveSink(%d, %v)", id, x)
			c.tried("MoveSink", was, world, l.MoveSink(id, x, quat.Number{}))
		default:
			c.note("RemoveSink(%d)", id)
			c.tried("RemoveSink", was, world, l.RemoveSink(id))
		}
	case 37, 38:
		f := fluid.Field{Kind: fluid.FieldKind(c.byte() % 5), Centre: c.at(), Axis: c.way(), Radius: c.scale * c.number(), Strength: 20 * c.number()}
		if a := c.speed(); f.Kind == fluid.FuncField {
			f.Func = func(dst, pts []r3.Vec) {
				for i, x := range pts {
					dst[i] = r3.Add(a, r3.Scale(3, x))
				}
			}
		}
		c.field(f, was, world)
	case 39:
		id := fluid.FieldID(c.some(c.ids.fields))
		c.work += c.fall()
		c.note("RemoveField(%d)", id)
		c.tried("RemoveField", was, world, l.RemoveField(id))
	case 40:
		w := fluid.Wind{Velocity: r3.Scale(3, c.vec()), Drag: c.number() / 100}
		c.note("SetWind(%+v)", w)
		err := l.SetWind(w)
		if err == nil {
			c.push(2 * r3.Norm(w.Velocity))
		}
		c.tried("SetWind", was, world, err)
	case 41:
		side, u := fluid.SideIndex(c.byte()%7), fluid.Current{Velocity: 2 * math.Sqrt(c.scale) * (c.number() - .4), Level: c.scale * c.number()}
		c.note("SetCurrent(%v, %+v)", side, u)
		err := l.SetCurrent(side, u)
		c.pumps(err, u.Velocity)
		c.tried("SetCurrent", was, world, err)
	}
}

// field adds a field, or changes one.
func (c *campaign) field(f fluid.Field, was, world uint64) {
	var err error
	if id := fluid.FieldID(c.some(c.ids.fields)); c.byte()%3 > 0 && c.ids.fields > 0 {
		c.note("SetField(%d, %+v)", id, f)
		err = c.l.SetField(id, f)
		c.tried("SetField", was, world, err)
	} else {
		c.note("AddField(%+v)", f)
		if _, err = c.l.AddField(f); err == nil {
			c.ids.fields++
		}
		c.tried("AddField", was, world, err)
	}
	if err == nil {
		c.work += c.fall()
	}
}

// pumps books what drives liquid, m/s, unless it was refused.
func (c *campaign) pumps(err error, speed float64) {
	if err == nil {
		c.pumped = true
		c.push(2 * speed)
	}
}

// obstacle adds, moves and removes obstacles.
func (c *campaign) obstacle(op byte, was, world uint64) {
	l := c.l
	switch op {
	case 42, 43:
		s, text := c.shape()
		c.note("AddObstacle(%s)", text)
		_, err := l.AddObstacle(s)
		c.tried("AddObstacle", was, world, err)
		if err == nil {
			c.ids.obstacles++
			c.solid(c.litres())
			c.pumped = true // what overlaps liquid presses it out
		}
	case 44, 45:
		id := fluid.ObstacleID(c.some(c.ids.obstacles))
		m := fluid.Motion{Translation: r3.Scale(.2, c.at()), Velocity: r3.Scale(.3, c.speed()), AngularVelocity: c.way()}
		if c.byte()%3 == 0 {
			m.Rotation = quat.Number{Real: c.number(), Jmag: c.number()}
		}
		c.note("MoveObstacle(%d, %+v)", id, m)
		err := l.MoveObstacle(id, m)
		c.pumps(err, r3.Norm(m.Velocity))
		c.tried("MoveObstacle", was, world, err)
	default:
		id := fluid.ObstacleID(c.some(c.ids.obstacles))
		c.note("RemoveObstacle(%d)", id)
		c.tried("RemoveObstacle", was, world, l.RemoveObstacle(id))
	}
}

// solid books litres that a solid may take.
func (c *campaign) solid(litres float64) { c.bodies += litres }

// control adds, changes and releases controls.
func (c *campaign) control(op byte, was, world uint64) {
	l := c.l
	if op == 49 && c.ids.controls > 0 {
		id := fluid.ControlID(c.some(c.ids.controls))
		c.note("RemoveControl(%d)", id)
		c.tried("RemoveControl", was, world, l.RemoveControl(id))
		return
	}
	d := c.controlDef()
	if id := fluid.ControlID(c.some(c.ids.controls)); c.ids.controls > 0 && c.byte()%2 == 0 {
		c.note("SetControl(%d, %+v)", id, d)
		err := l.SetControl(id, d)
		c.pumps(err, 3)
		c.tried("SetControl", was, world, err)
		return
	}
	c.note("Control(%+v)", d)
	_, err := l.AddControl(d)
	c.pumps(err, 3)
	c.tried("Control", was, world, err)
	if err == nil {
		c.ids.controls++
	}
}

// controlDef is a control of a ball that sways.
func (c *campaign) controlDef() fluid.ControlDef {
	at, triangles := testrig.BallMesh(1, .2*c.scale)
	centre, sway, rate := c.at(), r3.Scale(.1*c.scale, c.way()), 5*c.size()
	d := fluid.ControlDef{
		Clip: &testrig.Actor{Triangles: triangles, N: len(at), Length: 10 * c.size(), Move: func(t float64, dst []r3.Vec) {
			for i, x := range at {
				dst[i] = r3.Add(r3.Add(x, centre), r3.Scale(math.Sin(rate*t), sway))
			}
		}},
		Strength: c.number(), Refill: control.Refill{Rate: 20 * math.Pow(c.scale, 2.5) * c.size()}, Arrival: control.Arrival(c.byte() % 4),
		Speed: c.number(), Loop: c.byte()%2 == 0, Paused: c.byte()%5 == 0, Fade: c.size() - .1, Pose: control.Pose{Velocity: r3.Scale(c.scale, c.way())},
	}
	if c.byte()%2 == 0 {
		d.Refill.From, _ = c.shape()
	}
	return d
}

// body adds bodies and joints, moves and destroys them.
func (c *campaign) body(op byte) {
	w := c.w
	some := func() (b physics.Body) {
		if n := w.Coupling().Len(); n > 0 {
			b = w.Coupling().Body(int(c.byte()) % n)
		}
		return b
	}
	switch op {
	case 50, 51:
		if w.Coupling().Len() < 6 {
			c.addBody()
		}
	case 52:
		a, b := some(), some()
		d := physics.JointDef{Kind: physics.JointKind(c.byte() % 6), A: a, B: b, Anchor: c.at(), Axis: c.way()}
		if d.Kind == physics.DistanceJoint {
			d.AnchorB = c.at()
		}
		if d.Kind == physics.WheelJoint {
			d.Axle = c.way()
		}
		if c.byte()%3 == 0 {
			d.A = physics.Body{}
		}
		_, err := w.AddJoint(d)
		c.note("AddJoint(%v) // %v", d.Kind, err)
	case 53:
		b, v := some(), c.speed()
		c.push(2 * r3.Norm(v))
		c.note("body %d: SetVelocity(%v)", b.Index(), v)
		_ = b.SetVelocity(v)
		_ = b.SetAngularVelocity(c.way())
	case 54:
		b := some()
		switch c.byte() % 5 {
		case 0:
			at := c.at()
			c.note("body %d: SetPose(%v)", b.Index(), at)
			_ = b.SetPose(at, quat.Number{Real: 1, Kmag: c.number()})
			c.pumped = true
		case 1:
			c.note("body %d: Destroy()", b.Index())
			_ = b.Remove()
		case 2:
			kind := physics.BodyKind(c.byte() % 3)
			c.note("body %d: SetKind(%v)", b.Index(), kind)
			_ = b.SetKind(kind)
		case 3:
			f := r3.Scale(200*math.Pow(c.scale, 3), c.way())
			c.note("body %d: ApplyForce(%v)", b.Index(), f)
			_ = b.ApplyForce(f, b.Position())
			c.pumped = true
		default:
			c.note("body %d: SetLiquidDrag", b.Index())
			_ = b.SetLiquidDrag(physics.Drag{Form: 3 * c.size()})
		}
	case 55:
		if c.l.Coupled() == nil {
			c.note("Couple(w)")
			c.l.Couple(w.Coupling())
		} else {
			c.note("Couple(nil)")
			c.l.Couple(nil)
		}
	}
}

// addBody adds a body of any shape.
func (c *campaign) addBody() {
	m := c.scale
	kind, at, v := physics.BodyKind(c.byte()%3), c.at(), r3.Scale(.5, c.speed())
	size := func() float64 { return m * (.03 + .6*c.size()) }
	var g physics.Geometry
	name := ""
	switch c.byte() % 7 {
	case 0:
		g, name = physics.Sphere(r3.Vec{}, size()), "sphere"
	case 1:
		g, name = physics.Box(physics.Centred(size(), size(), size())), "box"
	case 2:
		radius, height := size()/2, size()
		g, name = physics.Capsule(r3.Vec{Y: radius - height/2}, r3.Vec{Y: height/2 - radius}, radius), "capsule"
	case 3:
		radius, height := size(), size()
		g, name = physics.Cylinder(r3.Vec{Y: -height / 2}, r3.Vec{Y: height / 2}, radius), "cylinder"
	case 4:
		pts := make([]r3.Vec, 8)
		for i := range pts {
			pts[i] = r3.Scale(.2*m, c.way())
		}
		g, name = physics.Hull(pts), "hull"
	case 5:
		g, name = physics.OpenBox(physics.Centred(size()+.1*m, size()+.1*m, size()+.1*m), .02*m+size()/10), "open box"
	default:
		at, triangles := testrig.BallMesh(1, size())
		g, name = physics.Mesh(physics.MeshDef{Vertices: at, Triangles: triangles}), "mesh"
	}
	density := []float64{20, 300, 1000, 3000}[c.byte()%4]
	b, err := c.w.AddBody(physics.BodyDef{Kind: kind, Position: at, Velocity: v, AngularVelocity: c.way()})
	if err != nil {
		return
	}
	if _, err = b.AddShape(physics.ShapeDef{Geometry: g, Density: density}); err != nil {
		_ = b.Remove()
		return
	}
	c.note("AddBody(%v, %v, %v), %s, %g kg/m³", kind, at, v, name, density)
	c.pumped = true
	c.push(2 * r3.Norm(v))
	i := b.Index()
	volume, _, _ := c.w.Coupling().Dimensions(i)
	c.solid(volume / testrig.Litre)
}

// compare copies, saves, rehearses and goes back.
func (c *campaign) compare(op byte, was, world uint64) {
	n, dt := 1+int(c.byte()%2), [4]float64{testrig.Frame, 1. / 30, 1. / 120, testrig.Frame}[c.byte()%4]
	switch op {
	case 56:
		c.note("CopyTo, then %d × Step(%g)", n, dt)
		l, w := c.fork()
		c.alike("a copy", l, w, n, dt)
		if c.byte()%2 == 0 && c.kept == nil {
			c.kept, c.held = l, w
			return
		}
		l.Close()
	case 57:
		snapshot := c.byte()%2 == 0
		c.note("Save (snapshot: %t), %d × Step(%g), Restore", snapshot, n, dt)
		c.redo(snapshot, n, dt)
	case 58:
		if c.kept == nil || (c.l.Coupled() == nil) != (c.kept.Coupled() == nil) {
			return
		}
		c.note("copied back")
		c.held.CopyTo(c.w)
		if err := c.kept.CopyTo(c.l); err != nil {
			c.fail("CopyTo", "back: %v", err)
		}
		if c.l.Hash() != c.kept.Hash() {
			c.fail("what was copied back has another hash", "differs in %s", differing(c.l, c.kept))
		}
		c.alike("what was copied back", c.kept, c.held, n, dt)
	case 59:
		if c.byte()%4 > 0 {
			c.query(was, world)
			return
		}
		c.note("Prewarm, then %d × Step(%g)", n, dt)
		l, w := c.fork()
		c.l.Prewarm()
		c.asked("Prewarm", was, world)
		if c.def.Budget.Work == 0 {
			c.alike("what was rehearsed", l, w, n, dt)
		}
		l.Close()
	}
}

// query asks for all that can be asked.
func (c *campaign) query(was, world uint64) {
	c.note("queries")
	l := c.l
	s, _ := c.shape()
	_, _ = l.VolumeIn(s)
	c.asked("VolumeIn", was, world)
	_, _ = l.DensityIn(s)
	c.asked("DensityIn", was, world)
	var hits [2]fluid.RayHit
	_ = l.RayCast(hits[:], []fluid.Ray{{From: c.at(), Dir: c.way(), Max: c.number()}, {From: c.at(), Dir: c.vec()}})
	var got [2]fluid.Sample
	l.Sample(got[:], []r3.Vec{c.at(), {X: testrig.NaN}})
	_ = l.Surface()
	_ = l.Levels(nil)
	_, _ = l.CutAway(nil, c.at(), c.vec())
	_ = l.Ledger()
	_ = l.Events()
	_ = l.BodyLoadByID(3)
	_ = l.Current(fluid.SideIndex(2))
	c.asked("a query", was, world)
}

// set changes what all steps go by.
func (c *campaign) set(op byte, was, world uint64) {
	l := c.l
	switch op {
	case 60:
		m := fluid.Material{Density: 1000 * c.size() * 4, Viscosity: c.number() / 100, SurfaceTension: c.number() / 5 * c.scale}
		c.work += c.fall()
		c.note("SetMaterial(%+v)", m)
		c.tried("SetMaterial", was, world, l.SetMaterial(m))
	case 61:
		g := r3.Scale(10, c.vec())
		c.work += c.fall()
		c.note("SetGravity(%v)", g)
		c.tried("SetGravity", was, world, l.SetGravity(g))
	case 62:
		var v fluid.View
		for i := range v.View {
			v.View[i] = float32(c.number())
		}
		v.Projection = [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -.2, 0}
		v.Height = int(c.byte())
		c.note("SetView(%+v)", v)
		c.tried("SetView", was, world, l.SetView(v))
	default:
		switch c.byte() % 4 {
		case 0:
			b := fluid.Budget{Work: c.number() / 2}
			c.note("SetBudget(%+v)", b)
			_ = l.SetBudget(b)
		case 1:
			dt := [4]float64{testrig.NaN, 0, -1, testrig.Inf}[c.byte()%4]
			c.note("Step(%g)", dt)
			l.Step(dt)
			c.asked("a refused Step", was, world)
		case 2:
			on := c.byte()%2 == 0
			c.note("TrackMomentum(%t)", on)
			l.TrackMomentum(on)
		default:
			c.note("Restore of rubbish")
			c.tried("Restore", was, world, l.Restore(&rubbish{c.data}))
		}
	}
}

// rubbish is no saved state.
type rubbish struct{ data []byte }

func (r *rubbish) Read(p []byte) (int, error) {
	n := copy(p, r.data)
	r.data = r.data[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
