package adapter

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

// newWorld is a floor with a box of 1 m on it, turned by 30°, and a ball that hangs.
func newWorld(t *testing.T) (w *physics.World, box, ball physics.Body) {
	t.Helper()
	w = physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})
	make := func(d physics.BodyDef, g physics.Geometry) physics.Body {
		b, err := w.AddBody(d)
		if err == nil {
			_, err = b.AddShape(physics.ShapeDef{Geometry: g})
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	make(physics.BodyDef{}, physics.HalfSpace(r3.Vec{}, r3.Vec{Y: 1}))
	sin, cos := math.Sincos(math.Pi / 12)
	box = make(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{Y: 0.5}, Rotation: quat.Number{Real: cos, Jmag: sin}}, physics.Box(physics.Centred(1, 1, 1)))
	ball = make(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 2, Y: 2}}, physics.Sphere(r3.Vec{}, 0.4))
	if _, err := w.AddJoint(physics.JointDef{Kind: physics.BallJoint, B: ball, Anchor: r3.Vec{X: 2, Y: 3}}); err != nil {
		t.Fatal(err)
	}
	return w, box, ball
}

// A hand takes the box in front of the floor, lifts it to where the ray goes and lets it fall.
func TestHandDrags(t *testing.T) {
	w, box, _ := newWorld(t)
	var h Grabber
	eye := r3.Vec{Y: 1.5, Z: 6}
	look := func(at r3.Vec) r3.Vec { return r3.Unit(r3.Sub(at, eye)) }
	if h.Grab(w, eye, look(r3.Vec{X: -3, Y: 0})) || h.Holding() {
		t.Error("a hand holds the floor")
	}
	if h.Grab(w, eye, r3.Vec{Y: 1}) {
		t.Error("a hand holds the sky")
	}
	bodies := w.Coupling().Len()
	if !h.Grab(w, eye, look(r3.Vec{Y: 0.9})) || h.Held() != box {
		t.Fatal("the box was not grabbed")
	}
	for range 120 {
		if err := h.Move(eye, look(r3.Vec{Y: 2.5}), 1./60); err != nil {
			t.Fatal(err)
		}
		w.Step(1. / 60)
	}
	if y := box.CentreOfMass().Y; y < 1.5 {
		t.Errorf("the box hangs at %g m", y)
	}
	h.Release()
	if h.Holding() || w.Coupling().Len() != bodies || w.Coupling().Joints() != 1 {
		t.Error("the hand left something in the world")
	}
	for range 120 {
		w.Step(1. / 60)
	}
	if y := box.CentreOfMass().Y; y > 0.9 {
		t.Errorf("the box stays at %g m", y)
	}
	if err := h.Move(eye, look(r3.Vec{}), 1./60); err != nil {
		t.Errorf("an empty hand: %v", err)
	}
}

// From inside a wall one reaches what is behind it; a body that is gone is not held.
func TestHandReachesThroughTheNearWall(t *testing.T) {
	w, _, ball := newWorld(t)
	wall, err := w.AddBody(physics.BodyDef{Position: r3.Vec{Z: 3}})
	if err == nil {
		_, err = wall.AddShape(physics.ShapeDef{Geometry: physics.HalfSpace(r3.Vec{}, r3.Vec{Z: -1})})
	}
	if err != nil {
		t.Fatal(err)
	}
	var h Grabber
	if !h.Grab(w, r3.Vec{X: 2, Y: 2, Z: 8}, r3.Vec{Z: -1}) || h.Held() != ball {
		t.Fatal("the ball was not grabbed")
	}
	if err := ball.Remove(); err != nil {
		t.Fatal(err)
	}
	if h.Holding() || h.Move(r3.Vec{}, r3.Vec{X: 1}, 1./60) != nil {
		t.Error("the hand holds a body that is gone")
	}
	h.Release()
}

// A room that stands between the eye and a body stops a hand, unless its category is left out or its wall holds the eye.
func TestHandReachesIntoARoom(t *testing.T) {
	const walls = 1 << 5
	eye, dir := r3.Vec{Y: .5, Z: 6}, r3.Vec{Z: -1}
	for name, c := range map[string]struct {
		room  physics.RoomDef
		query physics.Query
		want  bool
	}{
		"thin walls":             {want: false},
		"a category left out":    {physics.RoomDef{Filter: physics.Filter{Category: walls}}, physics.Query{Filter: physics.Filter{Mask: ^uint64(walls)}}, true},
		"walls that hold an eye": {physics.RoomDef{Thickness: 9}, physics.Query{}, true},
	} {
		w, box, _ := newWorld(t)
		c.room.Inside = r3.Box{Min: r3.Vec{X: -3, Z: -3}, Max: r3.Vec{X: 3, Y: 4, Z: 3}}
		if _, err := w.AddRoom(c.room); err != nil {
			t.Fatal(err)
		}
		h := Grabber{Query: c.query}
		for range 2 { // it keeps its query when it lets go
			if got := h.Grab(w, eye, dir); got != c.want || got && h.Held() != box {
				t.Errorf("%s: grabbed: %v", name, got)
			}
			h.Release()
		}
	}
}
