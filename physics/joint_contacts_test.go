package physics

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// draped is a chain over a drum along z, and how deep its links lie if they touch it.
type draped struct {
	w      *World
	links  []Body
	joints []Joint
	radius float64 // of the drum and half a link, m
	half   float64 // of a link's length, m
}

// drape lays n links over a smooth drum and hangs a ball of a mass, if any, from each end. The
// links begin as chords: their middles are in the drum by a little.
func drape(n int, pitch, radius, thick float64, link, drum Geometry, weight float64) draped {
	d := draped{w: NewWorld(WorldDef{Gravity: down, NoSleep: true}), radius: radius + thick, half: pitch / 2}
	add(d.w, BodyDef{Rotation: about(r3.Vec{X: 1}, math.Pi/2)}, ShapeDef{Geometry: drum, Material: Material{Friction: Frictionless}})
	length := float64(n) * pitch
	at := func(s float64) r3.Vec { // along the chain from its middle
		side, quarter := math.Copysign(1, s), math.Pi/2*d.radius
		if s = math.Abs(s); s > quarter {
			return r3.Vec{X: side * d.radius, Y: quarter - s}
		}
		return r3.Vec{X: side * d.radius * math.Sin(s/d.radius), Y: d.radius * math.Cos(s/d.radius)}
	}
	var last Body
	join := func(b Body, p r3.Vec) {
		if last.Valid() {
			d.joints = append(d.joints, must(d.w.AddJoint(JointDef{Kind: BallJoint, A: last, B: b, Anchor: p})))
		}
		last = b
	}
	hang := func(p r3.Vec) Body {
		return add(d.w, BodyDef{Kind: Dynamic, Position: r3.Sub(p, r3.Vec{Y: 0.1})}, ShapeDef{Geometry: Sphere(r3.Vec{}, 0.1), Density: weight / (4. / 3 * math.Pi * 1e-3), Filter: Filter{Group: -1}})
	}
	if weight > 0 {
		last = hang(at(-length / 2))
	}
	for i := range n {
		p, q := at(float64(i)*pitch-length/2), at(float64(i+1)*pitch-length/2)
		b := add(d.w, BodyDef{Kind: Dynamic, Position: r3.Scale(0.5, r3.Add(p, q)), Rotation: about(r3.Vec{Z: 1}, math.Atan2(p.X-q.X, q.Y-p.Y))},
			ShapeDef{Geometry: link, Material: Material{Friction: Frictionless}, Filter: Filter{Group: -1}})
		join(b, p)
		d.links = append(d.links, b)
	}
	if weight > 0 {
		join(hang(at(length/2)), at(length/2))
	}
	return d
}

// sunk is how deep the middle of a link is in the drum, m.
func (d *draped) sunk() (deep float64) {
	for _, b := range d.links {
		p, u := b.Position(), r3.Scale(d.half, rotate(b.Rotation(), r3.Vec{Y: 1}))
		for k := -1.0; k <= 1; k += 0.25 {
			q := r3.Add(p, r3.Scale(k, u))
			deep = max(deep, d.radius-math.Hypot(q.X, q.Y))
		}
	}
	return deep
}

// TestTautChainsLieOnDrums lets chains hang over drums: no link sinks in deeper than it began, and
// soon all are within a millimetre or two, and still.
func TestTautChainsLieOnDrums(t *testing.T) {
	for _, c := range []struct {
		name string
		d    draped
	}{
		{"40 links", drape(40, 0.1, 0.5, 0.03, Capsule(r3.Vec{Y: -0.0495}, r3.Vec{Y: 0.0495}, 0.03), Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), 0)},
		{"40 links and 10 kg", drape(40, 0.1, 0.5, 0.03, Capsule(r3.Vec{Y: -0.0495}, r3.Vec{Y: 0.0495}, 0.03), Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), 10)},
		{"80 links", drape(80, 0.1, 0.5, 0.03, Capsule(r3.Vec{Y: -0.0495}, r3.Vec{Y: 0.0495}, 0.03), Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), 0)},
		{"10 links and 50 kg", drape(10, 0.2, 0.5, 0.05, Capsule(r3.Vec{Y: -0.0995}, r3.Vec{Y: 0.0995}, 0.05), Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), 50)},
		{"on a capsule", drape(40, 0.1, 0.8, 0.03, Capsule(r3.Vec{Y: -0.0495}, r3.Vec{Y: 0.0495}, 0.03), Capsule(r3.Vec{Y: -1.2}, r3.Vec{Y: 1.2}, 0.8), 5)},
		{"boxes", drape(30, 0.1, 0.5, 0.025, Box(Centred(0.05, 0.095, 0.05)), Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.5), 10)},
	} {
		first, worst, torn := c.d.sunk(), 0.0, 0.0
		for range 90 {
			c.d.w.Step(tick)
			worst, torn = max(worst, c.d.sunk()), max(torn, gap(c.d.joints...))
		}
		fastest := 0.0
		for _, b := range c.d.links {
			fastest = max(fastest, r3.Norm(b.Velocity()))
		}
		near1(t, c.name+": deepest, m", worst, first, 2e-3)
		near1(t, c.name+": at the end, m", c.d.sunk(), 0, 2.5e-3)
		near1(t, c.name+": joints, m", torn, 0, 3e-3)
		near1(t, c.name+": fastest, m/s", fastest, 0, 0.15)
		if len(c.d.w.jointContacts.all) == 0 {
			t.Error(c.name + ": not taut")
		}
	}
}

// TestTautIsDeterministic steps a chain that has fallen on a drum from a snapshot, without
// allocating.
func TestTautIsDeterministic(t *testing.T) {
	d := drape(24, 0.1, 0.4, 0.03, Capsule(r3.Vec{Y: -0.0495}, r3.Vec{Y: 0.0495}, 0.03), Cylinder(r3.Vec{Y: -1}, r3.Vec{Y: 1}, 0.4), 20)
	steps(d.w, 40)
	var file bytes.Buffer
	check(t, d.w.Save(&file))
	other := NewWorld(WorldDef{})
	check(t, other.Restore(&file))
	for i := range 40 {
		d.w.Step(tick)
		if other.Step(tick); d.w.Hash() != other.Hash() {
			t.Fatalf("step %d goes another way", i)
		}
	}
	if n := testing.AllocsPerRun(20, func() { d.w.Step(tick) }); n != 0 {
		t.Errorf("%v allocations in a step", n)
	}
}

// TestPressesChoose compares the impulses of small systems with what defines them.
func TestPressesChoose(t *testing.T) {
	for n := 1; n <= 12; n++ {
		var p jointContacts
		points := cloud(uint64(n), n+3, false)
		p.c, p.f = make([][]float64, n), make([][]float64, n)
		p.rhs, p.impulse, p.isActive = make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range n {
			p.c[i], p.f[i] = make([]float64, n), make([]float64, n)
			for k := range n {
				p.c[i][k] = r3.Dot(points[i], points[k])
				if i == k {
					p.c[i][k] += 0.1
				}
			}
			p.rhs[i], p.isActive[i] = points[(i+1)%(n+3)].X, i%2 == 0
		}
		p.solveComplementarity()
		for i, x := range p.impulse {
			if v := p.residual(i); x < 0 || v < -1e-6 || x*v > 1e-6 {
				t.Errorf("%d points: impulse %g leaves %g m/s", n, x, v)
			}
		}
	}
}

// TestWhirlingChainsKeepTheirEnergy lets rods swing for a minute: nothing brakes them.
func TestWhirlingChainsKeepTheirEnergy(t *testing.T) {
	for _, c := range []struct {
		kind          JointKind
		rods          int
		length, angle float64 // m, rad from hanging
	}{{BallJoint, 2, 0.5, math.Pi / 2}, {HingeJoint, 2, 0.5, 2.5}, {BallJoint, 2, 1, 1}, {HingeJoint, 2, 0.3, 2}, {BallJoint, 3, 0.5, math.Pi / 2}, {BallJoint, 4, 1, 2}} {
		w := NewWorld(WorldDef{Gravity: down, NoSleep: true})
		dir := r3.Vec{X: math.Sin(c.angle), Y: -math.Cos(c.angle)}
		var last Body
		low := 0.0
		for i := range c.rods {
			b := massive(w, r3.Scale(c.length*(float64(i)+0.5), dir), rod(c.length))
			check(t, b.SetPose(b.Position(), about(r3.Vec{Z: 1}, c.angle)))
			d := JointDef{Kind: c.kind, A: last, B: b, Anchor: r3.Scale(c.length*float64(i), dir)}
			if c.kind == HingeJoint {
				d.Axis = r3.Vec{Z: 1}
			}
			must(w.AddJoint(d))
			last, low = b, low-9.81*c.length*(float64(i)+0.5)
		}
		first, worst := energy(w)-low, 0.0
		for range 60 {
			steps(w, 60)
			if e := (energy(w)-low)/first - 1; math.Abs(e) > math.Abs(worst) {
				worst = e
			}
		}
		near1(t, fmt.Sprintf("%d rods of %g m from %.2f rad: energy gained", c.rods, c.length, c.angle), worst, 0, 0.03)
	}
}
