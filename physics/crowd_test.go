package physics

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// heap is n boxes made in one place above a floor.
func heap(t testing.TB, n int) (*World, []Body) {
	t.Helper()
	w := NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}})
	floor, err := w.AddBody(BodyDef{})
	if err == nil {
		_, err = floor.AddShape(ShapeDef{Geometry: HalfSpace(r3.Vec{}, r3.Vec{Y: 1})})
	}
	var boxes []Body
	for range n {
		if err != nil {
			t.Fatal(err)
		}
		var b Body
		if b, err = w.AddBody(BodyDef{Kind: Dynamic, Position: r3.Vec{Y: 1}}); err == nil {
			_, err = b.AddShape(ShapeDef{Geometry: Box(Centred(.3, .3, .3)), Density: 500})
			boxes = append(boxes, b)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return w, boxes
}

// Of bodies made in one place, all of which touch each other, a step solves for some contacts of each only; they come apart all the same, and
// come to lie on the floor.
func TestCrowdInOnePlaceComesApart(t *testing.T) {
	const n = 110
	w, boxes := heap(t, n)
	w.Step(1. / 60)
	if s := w.Stats(); s.Pairs > n*maxCrowdContacts/2*3/2 || s.Contacts < n*maxCrowdContacts/4 {
		t.Errorf("%d pairs and %d contacts of %d boxes, want some %d", s.Pairs, s.Contacts, n, n*maxCrowdContacts/2)
	}
	for range 240 {
		w.Step(1. / 60)
	}
	if f := w.Events().Failures; len(f) > 0 {
		t.Error(f)
	}
	for i, b := range boxes {
		at := b.Position()
		if !finiteVec(at) || at.Y < .1 {
			t.Fatalf("box %d is at %v", i, at)
		}
		for _, o := range boxes[i+1:] {
			if d := r3.Norm(r3.Sub(o.Position(), at)); d < .28 { // they touch with .3, side by side
				t.Errorf("two boxes are %g m from each other", d)
			}
		}
	}
}

// What a body that touches few others touches is never left out, were there thousands on a raft.
func TestManyOnOneAreAllSolved(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}, NoSleep: true})
	add := func(def BodyDef, g Geometry) Body {
		b, err := w.AddBody(def)
		if err == nil {
			_, err = b.AddShape(ShapeDef{Geometry: g, Density: 500})
		}
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	add(BodyDef{}, HalfSpace(r3.Vec{}, r3.Vec{Y: 1}))
	add(BodyDef{Kind: Dynamic, Position: r3.Vec{Y: .1}}, Box(Centred(8, .2, 8)))
	const side = 14
	var balls []Body
	for i := range side * side {
		balls = append(balls, add(BodyDef{Kind: Dynamic, Position: r3.Vec{X: float64(i%side)/2 - 3.25, Y: .299, Z: float64(i/side)/2 - 3.25}}, Box(Centred(.2, .2, .2))))
	}
	for range 30 {
		w.Step(1. / 60)
	}
	if s := w.Stats(); s.Contacts != side*side+1 {
		t.Errorf("%d contacts, want %d", s.Contacts, side*side+1)
	}
	for i, b := range balls {
		if y := b.Position().Y; y < .29 || y > .31 {
			t.Errorf("box %d lies at %g m", i, y)
		}
	}
}

// A shape more of a static body wakes what is near it, and nothing else.
func TestShapeOfALevelWakesWhatIsNear(t *testing.T) {
	w := NewWorld(WorldDef{Gravity: r3.Vec{Y: -9.81}})
	level, err := w.AddBody(BodyDef{})
	if err != nil {
		t.Fatal(err)
	}
	tile := func(x float64) {
		if _, err := level.AddShape(ShapeDef{Geometry: Box(Centred(1, .2, 1)), Offset: r3.Vec{X: x, Y: -.1}}); err != nil {
			t.Fatal(err)
		}
	}
	var boxes []Body
	for k := range 2 {
		tile(4 * float64(k))
		b, err := w.AddBody(BodyDef{Kind: Dynamic, Position: r3.Vec{X: 4 * float64(k), Y: .15}})
		if err == nil {
			_, err = b.AddShape(ShapeDef{Geometry: Box(Centred(.3, .3, .3)), Density: 500})
		}
		if err != nil {
			t.Fatal(err)
		}
		boxes = append(boxes, b)
	}
	for range 120 {
		w.Step(1. / 60)
	}
	if boxes[0].Awake() || boxes[1].Awake() {
		t.Fatal("the boxes do not fall asleep")
	}
	tile(4.5)
	if boxes[0].Awake() || !boxes[1].Awake() {
		t.Errorf("awake: %v and %v, want the second", boxes[0].Awake(), boxes[1].Awake())
	}
	for range 120 {
		w.Step(1. / 60)
	}
	for k, b := range boxes {
		if at := b.Position(); r3.Norm(r3.Sub(at, r3.Vec{X: 4 * float64(k), Y: .15})) > .02 {
			t.Errorf("box %d lies at %v", k, at)
		}
	}
}

// Boxes made in one place: the first step, per box.
func BenchmarkCrowdInOnePlace(b *testing.B) {
	for _, n := range []int{100, 200, 400} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				w, _ := heap(b, n)
				w.Step(1. / 60)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/box")
		})
	}
}

// Static bodies, or shapes of one, far from each other, that are made and go: per one.
func BenchmarkLevel(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("%d bodies", n), func(b *testing.B) {
			for range b.N {
				w := NewWorld(WorldDef{})
				all := make([]Body, n)
				for i := range all {
					all[i], _ = w.AddBody(BodyDef{Position: r3.Vec{X: 5 * float64(i%100), Z: 5 * float64(i/100)}})
					if _, err := all[i].AddShape(ShapeDef{Geometry: Box(Centred(.3, .3, .3))}); err != nil {
						b.Fatal(err)
					}
				}
				w.Step(1. / 60)
				for _, body := range all {
					_ = body.Remove()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/body")
		})
		b.Run(fmt.Sprintf("%d shapes", n), func(b *testing.B) {
			for range b.N {
				w := NewWorld(WorldDef{})
				level, _ := w.AddBody(BodyDef{})
				for i := range n {
					if _, err := level.AddShape(ShapeDef{Geometry: Box(Centred(.3, .3, .3)), Offset: r3.Vec{X: 5 * float64(i%100), Z: 5 * float64(i/100)}}); err != nil {
						b.Fatal(err)
					}
				}
				w.Step(1. / 60)
				_ = level.Remove()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/shape")
		})
	}
}
