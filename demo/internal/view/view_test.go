package view

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// transform is m·(p, 1), column-major.
func transform(m [16]float32, p [4]float64) (out [4]float64) {
	for row := range 4 {
		for col := range 4 {
			out[row] += float64(m[4*col+row]) * p[col]
		}
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-5 }

func TestLookAt(t *testing.T) {
	p := Pose{Eye: r3.Vec{X: 3, Y: 2, Z: 4}, Target: r3.Vec{X: 1, Y: 1, Z: -1}}
	m := p.LookAt()
	eye := transform(m, [4]float64{3, 2, 4, 1})
	at := transform(m, [4]float64{1, 1, -1, 1})
	up := transform(m, [4]float64{1, 2, -1, 1})
	if !near(eye[0], 0) || !near(eye[1], 0) || !near(eye[2], 0) {
		t.Errorf("the eye is at %v, want the origin", eye)
	}
	if want := -r3.Norm(r3.Sub(p.Target, p.Eye)); !near(at[0], 0) || !near(at[1], 0) || !near(at[2], want) {
		t.Errorf("the target is at %v, want (0, 0, %g)", at, want)
	}
	if up[1] <= 0 || !near(up[0], 0) {
		t.Errorf("above the target is %v, want above", up)
	}
}

func TestLookAtOddPoses(t *testing.T) {
	for _, p := range []Pose{{}, {Eye: r3.Vec{Y: 5}}, {Eye: r3.Vec{Y: -5}}} {
		for _, v := range p.LookAt() {
			if v != v {
				t.Errorf("%v: not finite", p)
			}
		}
	}
}

func TestPerspective(t *testing.T) {
	m := Perspective(60, 2, .1, 100)
	edge := .5 * math.Tan(math.Pi/6)
	c := transform(m, [4]float64{2 * edge, edge, -.5, 1})
	if !near(c[0]/c[3], 1) || !near(c[1]/c[3], 1) {
		t.Errorf("the corner is at %g, %g, want 1, 1", c[0]/c[3], c[1]/c[3])
	}
	for z, want := range map[float64]float64{-.1: -1, -100: 1} {
		if c := transform(m, [4]float64{0, 0, z, 1}); math.Abs(c[2]/c[3]-want) > 1e-4 {
			t.Errorf("depth at %g is %g, want %g", z, c[2]/c[3], want)
		}
	}
}

// The liquid must take these matrices.
func TestLiquidAccepts(t *testing.T) {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, CellSize: .1})
	if err != nil {
		t.Fatal(err)
	}
	defer liq.Close()
	pose := Orbit{Radius: 3, Height: 1, Period: 10}.At(2)
	if err := liq.SetView(fluid.View{View: pose.LookAt(), Projection: Perspective(60, AspectOf(80, 60), .1, 100), Height: 720}); err != nil {
		t.Error(err)
	}
}

func TestOrbit(t *testing.T) {
	o := Orbit{Centre: r3.Vec{X: 1, Y: 1}, Radius: 2, Height: 1, Period: 8}
	for tm, want := range map[float64]r3.Vec{0: {X: 1, Y: 2, Z: 2}, 2: {X: 3, Y: 2}, 8: {X: 1, Y: 2, Z: 2}} {
		if got := o.At(tm); r3.Norm(r3.Sub(got.Eye, want)) > 1e-9 || got.Target != o.Centre {
			t.Errorf("at %g s: %v, want %v", tm, got, want)
		}
	}
}

func TestChase(t *testing.T) {
	c := Chase{Offset: r3.Vec{Y: 1}, Lag: .5}
	if p := c.Follow(r3.Vec{X: 1}, 1./60); p.Target != (r3.Vec{X: 1}) || p.Eye != (r3.Vec{X: 1, Y: 1}) {
		t.Errorf("the first pose is %v", p)
	}
	var p Pose
	for range 30 { // half a second: 37 % is left
		p = c.Follow(r3.Vec{X: 2}, 1./60)
	}
	if math.Abs(2-p.Target.X-math.Exp(-1)) > 1e-9 {
		t.Errorf("after one lag %g is left, want %g", 2-p.Target.X, math.Exp(-1))
	}
	c.Within = &r3.Box{Max: r3.Vec{X: 1.2, Y: 3, Z: 3}}
	if p = c.Follow(r3.Vec{X: 9, Z: -1}, 9); p.Eye.X != 1.2 || p.Eye.Z != 0 || p.Target.X < 8.9 {
		t.Errorf("an eye that stays within 1.2 m is at %v, and looks at %v", p.Eye, p.Target)
	}
}

func TestPath(t *testing.T) {
	p := Path{Duration: 2, Poses: []Pose{{Eye: r3.Vec{X: 0}}, {Eye: r3.Vec{X: 1}}, {Eye: r3.Vec{X: 3}}}}
	for tm, want := range map[float64]float64{-1: 0, 0: 0, 1: 1, 2: 3, 9: 3} {
		if got := p.At(tm).Eye.X; !near(got, want) {
			t.Errorf("at %g s: %g, want %g", tm, got, want)
		}
	}
	for tm := 0.; tm < 2; tm += .01 {
		if step := p.At(tm+.01).Eye.X - p.At(tm).Eye.X; step < 0 || step > .05 {
			t.Errorf("at %g s the path moves by %g", tm, step)
		}
	}
}

// A camera that the mouse takes over stays where it is until it is turned, and never turns over or goes through its target.
func TestFree(t *testing.T) {
	for _, p := range []Pose{
		{Eye: r3.Vec{X: 3, Y: 2, Z: 4}, Target: r3.Vec{X: 1, Y: 1, Z: -1}},
		{Eye: r3.Vec{X: -3, Y: -2, Z: -.5}, Target: r3.Vec{}},
	} {
		f := FreeFrom(p)
		if got := f.Pose(); r3.Norm(r3.Sub(got.Eye, p.Eye)) > 1e-9 || got.Target != p.Target {
			t.Errorf("%+v became %+v", p, got)
		}
		for range 100 {
			f.Turn(.3, .4)
			f.Zoom(.7)
			arm := r3.Sub(f.Pose().Eye, p.Target)
			if d := r3.Norm(arm); !(d > nearest/2) || !(math.Hypot(arm.X, arm.Z) > .01*d) {
				t.Fatalf("the eye is %v from its target", arm)
			}
		}
		for range 100 {
			f.Zoom(2)
		}
		if d := r3.Norm(r3.Sub(f.Pose().Eye, p.Target)); !(d < 2*furthest) {
			t.Errorf("the eye is %g m away", d)
		}
	}
}
