package scene

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
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

// Normals of a box are square to its faces, of a ball radial; a mesh is indexed in full.
func TestNewGeometry(t *testing.T) {
	for name, c := range map[string]struct {
		g    physics.Geometry
		good func(p, n r3.Vec) bool
	}{
		"box": {physics.Box(physics.Centred(1, 2, 3)), func(_, n r3.Vec) bool { return max(math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)) > 0.9999 }},
		"sphere": {physics.Sphere(r3.Vec{}, 0.5), func(p, n r3.Vec) bool {
			return r3.Norm(r3.Sub(r3.Unit(p), n)) < 0.03
		}},
	} {
		geom := NewGeometry(c.g)
		var pos, norm math32.ArrayF32
		for _, v := range geom.VBOs() {
			switch {
			case v.Attrib(gls.VertexPosition) != nil:
				pos = *v.Buffer()
			case v.Attrib(gls.VertexNormal) != nil:
				norm = *v.Buffer()
			}
		}
		if len(pos) == 0 || len(pos) != len(norm) || len(geom.Indices()) != len(pos)/3 {
			t.Fatalf("%s: %d coordinates, %d of normals, %d indices", name, len(pos), len(norm), len(geom.Indices()))
		}
		at := func(a math32.ArrayF32, i int) r3.Vec {
			return r3.Vec{X: float64(a[i]), Y: float64(a[i+1]), Z: float64(a[i+2])}
		}
		for i := 0; i < len(pos); i += 3 {
			if p, n := at(pos, i), at(norm, i); !c.good(p, n) {
				t.Fatalf("%s: normal %v at %v", name, n, p)
			}
		}
	}
}

// The meshes of a body whose centre of mass is not its origin stand where its shapes are.
func TestNewBodyFollows(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: 5}, Rotation: quat.Number{Real: math.Sqrt2 / 2, Kmag: math.Sqrt2 / 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []physics.ShapeDef{{Geometry: physics.Sphere(r3.Vec{}, 0.5)}, {Geometry: physics.Box(physics.Centred(1, 1, 1)), Offset: r3.Vec{X: 2}, Density: 3000}} {
		if _, err := b.AddShape(d); err != nil {
			t.Fatal(err)
		}
	}
	var binder Binder
	node := NewBody(b, material.NewStandard(&math32.Color{}))
	binder.Bind(w.Coupling(), 0, node)
	root := core.NewNode()
	root.Add(node)
	root.UpdateMatrixWorld()
	i := 0
	for s := range b.Shapes() {
		var got math32.Vector3
		node.Children()[i].GetNode().WorldPosition(&got)
		if want, _ := s.Pose(); math.Hypot(math.Hypot(float64(got.X)-want.X, float64(got.Y)-want.Y), float64(got.Z)-want.Z) > 1e-5 {
			t.Errorf("shape %d is drawn at %v, is at %v", i, got, want)
		}
		i++
	}
	if i != 2 || len(node.Children()) != 2 {
		t.Errorf("%d shapes, %d meshes", i, len(node.Children()))
	}
}

func TestWires(t *testing.T) {
	if got := len(wires(physics.Box(physics.Centred(1, 1, 1)))) / 2; got != 12 {
		t.Errorf("a box has %d edges", got)
	}
	if got := len(wires(physics.OpenBox(physics.Centred(1, 1, 1), 0.1))) / 2; got != 24 {
		t.Errorf("an open box has %d edges", got)
	}
}

// Colours tell who is awake; contacts and joints are there.
func TestBodyOverlay(t *testing.T) {
	w, box, _ := newWorld(t)
	o := NewBodyOverlay(w)
	count := func(want [3]float32) (n int) {
		for i := 0; i < len(o.colors); i += 6 {
			if [3]float32(o.colors[i:i+3]) == want {
				n++
			}
		}
		return n
	}
	for range 10 {
		w.Step(1. / 60)
	}
	o.Update()
	awake := count(awakeColor)
	if awake == 0 || count(contactColor) != 4 || count(jointColor) != 2 || count(asleepColor) != 0 {
		t.Errorf("%d lines awake, %d asleep, %d of contacts, %d of joints", awake, count(asleepColor), count(contactColor), count(jointColor))
	}
	for range 120 {
		w.Step(1. / 60)
	}
	o.Update()
	if box.Awake() || count(asleepColor) == 0 || count(contactColor) != 4 {
		t.Errorf("after rest: %d lines asleep, %d of contacts", count(asleepColor), count(contactColor))
	}
	if n := testing.AllocsPerRun(10, o.Update); n > 0 {
		t.Errorf("Update allocates %g times", n)
	}
}

// The ray of a camera's own target goes there, from any pixel to what it sees.
func TestCursorRay(t *testing.T) {
	cam := view(640, 360, math32.Vector3{X: 3, Y: 2, Z: 5}, math32.Vector3{X: 1})
	from, dir := CursorRay(cam, 320, 180, 640, 360)
	want := r3.Unit(r3.Vec{X: -2, Y: -2, Z: -5})
	if r3.Norm(r3.Sub(dir, want)) > 1e-4 {
		t.Errorf("the middle looks to %v, want %v", dir, want)
	}
	if d := r3.Norm(r3.Sub(from, r3.Vec{X: 3, Y: 2, Z: 5})); math.Abs(d-0.1) > 1e-3 {
		t.Errorf("the ray starts %g m from the eye, want the near plane's 0.1", d)
	}
	_, up := CursorRay(cam, 320, 10, 640, 360)
	_, right := CursorRay(cam, 630, 180, 640, 360)
	if up.Y <= dir.Y || right.X <= dir.X {
		t.Errorf("up is %v and right %v of %v", up, right, dir)
	}
}

// The overlay is seen on top of the bodies it is about.
func TestBodiesAreDrawn(t *testing.T) {
	onGL(t, func(l *lab) {
		w, _, _ := newWorld(t)
		root := stageSet(nil, true)
		defer root.Dispose()
		var binder Binder
		mat := material.NewStandard(&math32.Color{R: 0.2, G: 0.2, B: 0.8})
		for b := range w.Bodies() {
			if b.Kind() == physics.Dynamic {
				node := NewBody(b, mat)
				root.Add(node)
				binder.Bind(w.Coupling(), b.Index(), node)
			}
		}
		o := NewBodyOverlay(w)
		root.Add(o)
		w.Step(1. / 60)
		o.Update()
		cam := view(640, 360, math32.Vector3{X: 2, Y: 2, Z: 6}, math32.Vector3{X: 1, Y: 1})
		yellow := func(c color.RGBA) bool { return c.R > 180 && c.G > 140 && c.B < 120 }
		all := image.Rect(0, 0, 640, 360)
		before := share(l.shoot(t, 640, 360, root, nil, cam), all, yellow)
		o.Toggle()
		img := l.shoot(t, 640, 360, root, nil, cam)
		save(t, "bodies", img)
		if s := share(img, all, yellow) - before; s < 0.002 || s > 0.05 {
			t.Errorf("the overlay covers %g of the picture", s)
		}
	})
}
