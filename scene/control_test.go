package scene

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/g3n/engine/core"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// controlled is a liquid that keeps what it is told of its only control.
type controlled struct {
	*fakeLiquid
	defs     []fluid.ControlDef // by step
	last     fluid.ControlDef
	told     int // SetControl has been called
	released int
	refuses  error
	reports  [1]fluid.ControlReport
}

func newControlled() *controlled {
	src := pool(0, 0, 0)
	src.cells = 4
	return &controlled{fakeLiquid: src, defs: make([]fluid.ControlDef, 0, 4096)}
}

func (s *controlled) AddControl(d fluid.ControlDef) (fluid.ControlID, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	s.last = d
	return 7, nil
}

func (s *controlled) SetControl(id fluid.ControlID, d fluid.ControlDef) error {
	s.told++
	if id != 7 {
		return errors.New("another control")
	}
	if s.refuses != nil {
		return s.refuses
	}
	s.last = d
	return nil
}

func (s *controlled) RemoveControl(fluid.ControlID) error { s.released++; return nil }

func (s *controlled) Step(dt float64) *fluid.Report {
	s.defs = append(s.defs, s.last)
	r := s.fakeLiquid.Step(dt)
	s.reports[0] = fluid.ControlReport{ID: 7, Time: s.time, Strength: s.last.Strength, HeldL: 8, WantedL: 10}
	r.Controls = s.reports[:]
	return r
}

// cuboid is a source whose surface is a box about the origin, with a velocity along x.
type cuboid struct {
	half     r3.Vec
	velocity float64
}

var cuboidTriangles = [][3]int32{{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}}

func (c *cuboid) At(t float64, m *control.Mesh) {
	m.Positions, m.Velocities = m.Positions[:0], m.Velocities[:0]
	for i := range 8 {
		p := c.half
		if i&1 == 0 {
			p.X = -p.X
		}
		if i&2 == 0 {
			p.Y = -p.Y
		}
		if i&4 == 0 {
			p.Z = -p.Z
		}
		p.X += c.velocity * t
		m.Positions, m.Velocities = append(m.Positions, p), append(m.Velocities, r3.Vec{X: c.velocity})
	}
	m.Triangles, m.Revision = cuboidTriangles, 1
}

func (c *cuboid) Duration() float64 { return 0 }

func box() *cuboid { return &cuboid{half: r3.Vec{X: .3, Y: .4, Z: .5}} }

// A node that moves and turns evenly gives even velocities whatever the frames take, and each step begins where the one before ended.
func TestControlFollowsANode(t *testing.T) {
	for name, frames := range map[string][]time.Duration{
		"slow":   {33 * time.Millisecond},
		"fast":   {7 * time.Millisecond},
		"uneven": {5 * time.Millisecond, 23 * time.Millisecond, 11 * time.Millisecond},
	} {
		for _, async := range []bool{false, true} {
			src := newControlled()
			water := NewLiquid(src, LiquidOptions{Async: async})
			arm, hand := core.NewNode(), core.NewNode()
			arm.Add(hand)
			hand.SetPosition(1, 0, 0)
			hand.SetScale(2, 2, 2)
			c, err := NewControl(water, fluid.ControlDef{Clip: box(), Strength: .8}, hand)
			if err != nil {
				t.Fatal(err)
			}
			const speed, spin = 1.2, 2.0 // m/s, rad/s
			var now time.Duration
			for i := range 200 {
				dt := frames[i%len(frames)]
				now += dt
				arm.SetPosition(float32(speed*now.Seconds()), 0, 0)
				hand.SetRotation(0, float32(spin*now.Seconds()), 0)
				water.Update(dt)
				water.Wait()
			}
			const h = 1. / 60
			for i, d := range src.defs[1:] {
				p, before := d.Pose, src.defs[i].Pose
				if math.Abs(p.Velocity.X-speed) > 1e-3 || math.Abs(p.AngularVelocity.Y-spin) > 1e-3 || r3.Norm(p.Velocity)+r3.Norm(p.AngularVelocity) > speed+spin+2e-3 {
					t.Fatalf("%s, async %v: step %d: %v m/s, %v rad/s; want %v along x and %v about y", name, async, i+1, p.Velocity, p.AngularVelocity, speed, spin)
				}
				if async {
					continue // a batch of steps is told once
				}
				if d := p.Position.X - before.Position.X - h*before.Velocity.X; math.Abs(d) > 1e-6 {
					t.Fatalf("%s: step %d begins %g m from where the one before ended", name, i+1, d)
				}
			}
			if p := src.defs[0].Pose; p.Position.X != 1 || p.Rotation.Real != 1 {
				t.Errorf("%s: it begins at %v, %v", name, p.Position, p.Rotation)
			}
			if err := c.Err(); err != nil {
				t.Error(err)
			}
			water.Dispose()
		}
	}
}

// What stands still is told no more, so that the liquid may sleep; what has come to rest is told so once.
func TestControlAtRest(t *testing.T) {
	src := newControlled()
	water := NewLiquid(src, LiquidOptions{})
	defer water.Dispose()
	c, err := NewControl(water, fluid.ControlDef{Clip: box(), Strength: .5, Pose: control.Pose{Position: r3.Vec{Y: 3}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	steps := func(n int) {
		for range n {
			water.Update(time.Second / 60)
		}
	}
	steps(3)
	if src.told != 0 || src.last.Pose.Position.Y != 3 {
		t.Errorf("told %d times of what stands still, at %v", src.told, src.last.Pose.Position)
	}
	c.MoveTo(r3.Vec{Y: 3.1}, quat.Number{})
	steps(1)
	if v := src.last.Pose.Velocity.Y; math.Abs(v-6) > 1e-5 || src.last.Pose.Position.Y != 3 {
		t.Errorf("from %v it moves at %v m/s", src.last.Pose.Position, v)
	}
	steps(5)
	if p := src.last.Pose; src.told != 2 || p.Velocity != (r3.Vec{}) || p.Position.Y != 3.1 {
		t.Errorf("told %d times; it rests at %v with %v m/s", src.told, p.Position, p.Velocity)
	}
	c.Place(r3.Vec{X: 9}, quat.Number{})
	steps(2)
	if p := src.last.Pose; src.told != 3 || p.Velocity != (r3.Vec{}) || p.Position.X != 9 {
		t.Errorf("told %d times; it was put to %v with %v m/s", src.told, p.Position, p.Velocity)
	}
	far := core.NewNode()
	far.SetPosition(-5, 0, 0)
	c.Follow(far)
	steps(2)
	if p := src.last.Pose; src.told != 4 || p.Velocity != (r3.Vec{}) || p.Position.X != -5 {
		t.Errorf("told %d times; it follows from %v with %v m/s", src.told, p.Position, p.Velocity)
	}
	c.Follow(nil)
	far.SetPosition(0, 0, 0)
	steps(2)
	if p := src.last.Pose; p.Position.X != -5 {
		t.Errorf("let go by its node it went to %v", p.Position)
	}
}

func TestControlChanges(t *testing.T) {
	src := newControlled()
	water := NewLiquid(src, LiquidOptions{Async: true})
	c, err := NewControl(water, fluid.ControlDef{Clip: box(), Strength: .5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []float64{-.1, 1.1, math.NaN()} {
		if err := c.SetStrength(bad); err == nil || !strings.Contains(err.Error(), "Strength") {
			t.Errorf("Strength %v: %v", bad, err)
		}
	}
	if err := c.SetStrength(.25); err != nil {
		t.Error(err)
	}
	water.Update(time.Second / 60)
	water.Wait()
	water.Update(0)
	if d := src.defs[0]; d.Strength != .25 || c.Report().Strength != .25 || c.Report().HeldL != 8 {
		t.Errorf("the step has strength %v, the report %+v", d.Strength, c.Report())
	}
	other := fluid.ControlDef{Clip: box(), Strength: 1, Fade: .5, Start: 3, Pose: control.Pose{Position: r3.Vec{X: 99}}}
	if err := c.Set(other); err != nil || src.last.Fade != .5 || src.last.Clip != other.Clip || src.last.Pose.Position.X != 0 {
		t.Errorf("%v: %+v", err, src.last)
	}
	src.refuses = errors.New("no")
	other.Strength = .75
	if err := c.Set(other); !errors.Is(err, src.refuses) || c.Def().Strength != 1 {
		t.Errorf("refused: %v; the strength is %v", err, c.Def().Strength)
	}
	src.refuses = nil
	c.Release()
	c.Release()
	if !c.Released() || src.released != 1 {
		t.Errorf("released %d times", src.released)
	}
	told := src.told
	water.Update(time.Second / 60)
	c.Toggle()
	c.Dispose()
	water.Dispose()
	if src.told != told || src.released != 1 {
		t.Errorf("after its release the control was told of %d times and released %d times", src.told-told, src.released)
	}
}

// The control ends with its node, and with the Liquid node, even while steps run beside the frames.
func TestControlEndsWithItsNode(t *testing.T) {
	for _, whole := range []bool{false, true} {
		src := newControlled()
		water := NewLiquid(src, LiquidOptions{Async: true})
		c, err := NewControl(water, fluid.ControlDef{Clip: box(), Strength: .5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		water.Update(time.Second / 60)
		if !whole {
			if !water.Remove(c) {
				t.Error("the control is not of the Liquid node")
			}
			c.Dispose()
			if src.released != 1 {
				t.Errorf("disposed of, the control was released %d times", src.released)
			}
		}
		water.Dispose()
		if src.released != 1 || !c.Released() {
			t.Errorf("released %d times", src.released)
		}
	}
}

func TestControlRefusals(t *testing.T) {
	plain := pool(0, 0, 0)
	plain.cells = 4
	water := NewLiquid(plain, LiquidOptions{})
	defer water.Dispose()
	if _, err := NewControl(water, fluid.ControlDef{Clip: box()}, nil); err == nil || !strings.Contains(err.Error(), "not Controllable") {
		t.Error(err)
	}
	other := NewLiquid(newControlled(), LiquidOptions{})
	defer other.Dispose()
	if _, err := NewControl(other, fluid.ControlDef{Clip: box(), Strength: 2}, nil); err == nil || !strings.HasPrefix(err.Error(), "scene: NewControl: ") || len(other.controls) > 0 {
		t.Error(err)
	}
}

// The surface that is shown is where the liquid's is shown, at the same moment: between steps, and behind those that run beside the frame.
func TestControlOverlay(t *testing.T) {
	for _, async := range []bool{false, true} {
		src := newControlled()
		clip := &cuboid{half: r3.Vec{X: .3, Y: .4, Z: .5}, velocity: .5}
		water := NewLiquid(src, LiquidOptions{Async: async})
		node := core.NewNode()
		c, err := NewControl(water, fluid.ControlDef{Clip: clip, Strength: 1, Speed: 2, Weights: []float32{0, 1, .5, 1, 1, 1, 1, 1}}, node)
		if err != nil {
			t.Fatal(err)
		}
		if c.Visible() || c.Renderable() {
			t.Error("it shows before Toggle")
		}
		c.Toggle()
		const speed = 1.5
		var now time.Duration
		var f Frame
		for range 20 {
			now += 23 * time.Millisecond
			node.SetPosition(0, float32(speed*now.Seconds()), 0)
			f = water.Update(23 * time.Millisecond)
			water.Wait()
		}
		// The fake's clock is its clip's.
		shown := c.Report().Time - water.stepper.Lag()
		x, y := -.3+.5*(c.Report().Time-2*water.stepper.Lag()), -.4+speed*shown
		if p := c.wire.numbers[0]; math.Abs(float64(p[0])-x) > 1e-5 || math.Abs(float64(p[1])-y) > 1e-4 || len(p) != 24 {
			t.Errorf("async %v, alpha %v: vertex 0 is at %v, %v; want %.4f, %.4f", async, f.Alpha, p[0], p[1], x, y)
		}
		if len(c.wire.edges) != 36 || !c.Renderable() {
			t.Errorf("%d indices of 18 edges; renderable: %v", len(c.wire.edges), c.Renderable())
		}
		for i, want := range map[int][3]float32{0: controlColors[0], 1: controlColors[2], 2: controlColors[1]} {
			if got := [3]float32(c.wire.numbers[2][3*i:]); got != want {
				t.Errorf("vertex %d has colour %v; want %v", i, got, want)
			}
		}
		water.Dispose()
	}
}

func TestControlAllocatesNothing(t *testing.T) {
	src := newControlled()
	water := NewLiquid(src, LiquidOptions{})
	defer water.Dispose()
	node := core.NewNode()
	c, err := NewControl(water, fluid.ControlDef{Clip: box(), Strength: 1}, node)
	if err != nil {
		t.Fatal(err)
	}
	c.Toggle()
	x := float32(0)
	frame := func() {
		x += .01
		node.SetPosition(x, 0, 0)
		node.SetRotation(0, x, 0)
		water.Update(time.Second / 60)
	}
	frame()
	if n := testing.AllocsPerRun(50, frame); n > 0 {
		t.Errorf("%v allocations per frame", n)
	}
}

// A real liquid follows a control that follows a node, and tells how well.
func TestControlOfARealLiquid(t *testing.T) {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Min: r3.Vec{X: -.8, Y: 0, Z: -.4}, Max: r3.Vec{X: .8, Y: .8, Z: .4}}, CellSize: .1, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.2)); err != nil {
		t.Fatal(err)
	}
	water := NewLiquid(liq, LiquidOptions{Async: true})
	defer water.Dispose()
	node := core.NewNode()
	node.SetPosition(0, .4, 0)
	c, err := NewControl(water, fluid.ControlDef{Clip: &cuboid{half: r3.Vec{X: .2, Y: .2, Z: .2}}, Strength: 1, Arrival: control.Appear}, node)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		node.SetPosition(.01*float32(i), .4, 0)
		water.Update(time.Second / 60)
		water.Wait()
	}
	water.Update(0)
	r := c.Report()
	if math.Abs(r.WantedL-64) > 1 || r.HeldL < 48 || r.Force.Y < 300 || c.Err() != nil {
		t.Errorf("%+v, %v; want some 64 L, held against their weight", r, c.Err())
	}
	c.Release()
	water.Update(time.Second / 60)
	water.Wait()
	if f := water.Update(0); len(f.Report.Controls) != 0 {
		t.Errorf("after the release there are %d controls", len(f.Report.Controls))
	}
}

func TestControlLine(t *testing.T) {
	got := controlLine(&fluid.ControlReport{Strength: .7, HeldL: 12.34, WantedL: 1500, Error: .0123, Force: r3.Vec{Y: 120.4}})
	if want := "α 0.70  12.3 of 1.5k L  off 1.2 cm  120 N"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
	h := NewHUD(HUDOptions{})
	defer h.Dispose()
	var r fluid.Report
	for n, high := range []int{panelHeight, panelHeight + lineHeight, panelHeight + 2*lineHeight} {
		r.Controls = make([]fluid.ControlReport, n)
		h.Record(&r)
		h.Tick(&Frame{}, time.Second)
		if got := h.Panel().Rect.Dy(); got != high {
			t.Errorf("with %d controls the panel is %d pixels high; want %d", n, got, high)
		}
	}
	r.Controls[1].HeldL = 5
	if h.controls[1].HeldL != 0 {
		t.Error("the HUD keeps what is valid until the next step only")
	}
}
