package physics

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// calling is a world in which a ball lies on a stone, which is a function that calls back.
func calling(t testing.TB) (w *World, ball Body, within *func()) {
	t.Helper()
	within = new(func())
	*within = func() {}
	stone := func(dst []float32, pts []r3.Vec) {
		(*within)()
		for i, p := range pts {
			dst[i] = float32(math.Sqrt(float64(p.X*p.X)+float64(p.Y*p.Y)+float64(p.Z*p.Z)) - .5)
		}
	}
	w = NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	for _, b := range []struct {
		def BodyDef
		g   Geometry
	}{
		{BodyDef{}, SDF(stone, r3.Box{Min: r3.Vec{X: -.5, Y: -.5, Z: -.5}, Max: r3.Vec{X: .5, Y: .5, Z: .5}})},
		{BodyDef{Kind: Dynamic, Position: r3.Vec{Y: .75}}, Sphere(r3.Vec{}, .2)},
	} {
		body, err := w.AddBody(b.def)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = body.AddShape(ShapeDef{Geometry: b.g, Density: 500}); err != nil {
			t.Fatal(err)
		}
		ball = body
	}
	return w, ball, within
}

// message is what f panics with, as a text.
func message(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	f()
	return ""
}

// Calls from a function of SDF within a step, or from another goroutine meanwhile, are told by both their names, and harm nothing.
func TestCallsAtOnceAreTold(t *testing.T) {
	w, ball, within := calling(t)
	other, _, _ := calling(t)
	plain, plainBall, _ := calling(t)
	for range 30 {
		w.Step(1. / 60)
		plain.Step(1. / 60)
	}
	for name, call := range map[string]func(){
		"Step": func() { w.Step(1. / 60) }, "Save": func() { _ = w.Save(new(bytes.Buffer)) }, "Restore": func() { _ = w.Restore(new(bytes.Buffer)) },
		"CopyTo": func() { w.CopyTo(other) }, "AddBody": func() { _, _ = w.AddBody(BodyDef{}) }, "a call that changes a Body": func() { _ = ball.SetVelocity(r3.Vec{}) },
		"RayCast": func() { _, _, _ = w.RayCast(r3.Vec{Y: 3}, r3.Vec{Y: -3}, Query{}) }, "Hash": func() { w.Hash() },
	} {
		for _, elsewhere := range []bool{false, true} {
			calls := 0
			*within = func() {
				calls++
				text := ""
				if done := make(chan struct{}); elsewhere {
					go func() {
						text = message(call)
						close(done)
					}()
					<-done
				} else {
					text = message(call)
				}
				if !strings.HasPrefix(text, "physics: "+name) || !strings.Contains(text, "while Step") {
					t.Errorf("%s within a step panics with %q", name, text)
				}
			}
			w.Step(1. / 60)
			*within = func() {}
			plain.Step(1. / 60)
			if calls == 0 {
				t.Fatal("the stone's function was not asked")
			}
		}
	}
	if ball.Position() != plainBall.Position() || w.Hash() != plain.Hash() {
		t.Error("refused calls changed the world")
	}
}

// A panic in a function of SDF leaves the bodies where they were before the step, and the world goes on.
func TestStepAfterAPanic(t *testing.T) {
	w, ball, within := calling(t)
	plain, plainBall, _ := calling(t)
	for range 10 {
		w.Step(1. / 60)
		plain.Step(1. / 60)
	}
	at, v := ball.Position(), ball.Velocity()
	broken := errors.New("broken")
	for k := range 4 {
		calls := 0
		*within = func() {
			if calls++; calls > k {
				panic(broken)
			}
		}
		if text := message(func() { w.Step(1. / 60) }); text != "" && text != "broken" || k == 0 && text == "" {
			t.Errorf("the step panics with %q", text)
		} else if text == "" {
			plain.Step(1. / 60) // so many calls are not made
			at, v = ball.Position(), ball.Velocity()
		}
		if ball.Position() != at || ball.Velocity() != v {
			t.Errorf("the ball is at %v with %v, was at %v with %v", ball.Position(), ball.Velocity(), at, v)
		}
	}
	*within = func() {}
	for range 120 {
		w.Step(1. / 60)
		plain.Step(1. / 60)
	}
	if off := r3.Norm(r3.Sub(ball.Position(), plainBall.Position())); off > .01 {
		t.Errorf("the ball comes to rest at %v, without panics at %v", ball.Position(), plainBall.Position())
	}
	for call, f := range map[string]func(){
		"RayCast": func() { _, _, _ = w.RayCast(r3.Vec{Y: 3}, r3.Vec{Y: -3}, Query{}) }, "ClosestPoint": func() { _, _, _ = w.ClosestPoint(r3.Vec{Y: .7}, 1, Query{}) },
		"Overlap": func() { _, _ = w.Overlap(nil, Sphere(r3.Vec{}, 1), r3.Vec{}, quat.Number{Real: 1}, Query{}) },
	} {
		*within = func() { panic(broken) }
		message(f)
		*within = func() {}
		if text := message(f); text != "" {
			t.Errorf("%s after one that panicked: %q", call, text)
		}
	}
}

// A world that NewWorld did not make, and nil where none can be meant, are told.
func TestMisuseIsTold(t *testing.T) {
	for name, w := range map[string]*World{"nil": nil, "zero": {}} {
		for call, f := range map[string]func(){
			"Step": func() { w.Step(.1) }, "Save": func() { _ = w.Save(new(bytes.Buffer)) }, "Restore": func() { _ = w.Restore(new(bytes.Buffer)) },
			"AddBody": func() { _, _ = w.AddBody(BodyDef{}) }, "Hash": func() { w.Hash() }, "CopyTo": func() { w.CopyTo(NewWorld(WorldDef{})) },
			"RayCast": func() { _, _, _ = w.RayCast(r3.Vec{}, r3.Vec{Y: 1}, Query{}) },
		} {
			if text := message(f); !strings.HasPrefix(text, "physics: "+call) {
				t.Errorf("%s of a %s World panics with %q", call, name, text)
			}
		}
	}
	w := NewWorld(WorldDef{})
	if text := message(func() { w.CopyTo(nil) }); !strings.HasPrefix(text, "physics: CopyTo") {
		t.Errorf("CopyTo(nil) panics with %q", text)
	}
	for call, err := range map[string]error{"Save": w.Save(nil), "Restore": w.Restore(nil)} {
		if err == nil || !strings.HasPrefix(err.Error(), "physics: "+call) {
			t.Errorf("%s(nil): %v", call, err)
		}
	}
	w.Step(.1)
}
