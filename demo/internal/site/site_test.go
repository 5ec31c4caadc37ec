package site

import (
	"image"
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/raytrace"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

var room = r3.Box{Min: r3.Vec{X: -1, Z: -1}, Max: r3.Vec{X: 1, Y: 1.5, Z: 1}}

// still is the surface of water at rest in room.
func still(t *testing.T) *fluid.Surface {
	t.Helper()
	l, err := fluid.New(fluid.Def{Domain: room, CellSize: .2, Resources: fluid.Resources{Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if err := l.Fill(fluid.Below(1)); err != nil {
		t.Fatal(err)
	}
	return l.Surface()
}

func draw(t *testing.T, p *Site, pose view.Pose) *image.RGBA {
	t.Helper()
	tr, err := raytrace.New(&p.Scene, raytrace.Options{Samples: 4, Photons: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	v := pose.See(42, 1, .1, 100, 48)
	c, err := raytrace.NewCamera(v.View, v.Projection)
	if err != nil {
		t.Fatal(err)
	}
	f, err := tr.Render(c, 48, 48)
	if err != nil {
		t.Fatal(err)
	}
	return f.Image(1)
}

// blue is how much more blue than red a part of a picture is.
func blue(img *image.RGBA, r image.Rectangle) (sum int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := img.RGBAAt(x, y)
			sum += int(c.B) - int(c.R)
		}
	}
	return sum / (r.Dx() * r.Dy())
}

// Water is seen in each kind of basin: from above, and through the sides where they are left out for the eye. Stone is around it.
func TestBasins(t *testing.T) {
	s := still(t)
	above := view.Pose{Eye: r3.Vec{Y: 5, Z: 2}, Target: r3.Vec{Y: 1}}
	aside := view.Pose{Eye: r3.Vec{Y: .7, Z: 4}, Target: r3.Vec{Y: .55}}
	for name, c := range map[string]struct {
		garden bool
		walls  Walls
		pose   view.Pose
	}{
		"in a garden": {true, Walls{}, above}, "from above": {false, Walls{}, above},
		"through a side": {false, Walls{}, aside}, "through glass": {true, Walls{Glass: true}, aside},
	} {
		p := New(s, Water, c.garden)
		p.Basin(room, 1.2, c.walls)
		img := draw(t, p, c.pose)
		if got := blue(img, image.Rect(20, 20, 28, 28)); got < 15 {
			t.Errorf("%s: the middle is bluer than red by %d", name, got)
		}
		if got := blue(img, image.Rect(0, 40, 4, 48)); got > 15 {
			t.Errorf("%s: the corner is bluer than red by %d", name, got)
		}
	}
}

// A body is drawn where it stands, by its shapes.
func TestBody(t *testing.T) {
	w := physics.NewWorld(physics.WorldDef{})
	b, err := w.AddBody(physics.BodyDef{Kind: physics.Dynamic, Position: r3.Vec{X: .4, Y: 3}, Rotation: Along(r3.Vec{X: 1})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(.2, 1.2, .2)), Offset: r3.Vec{Y: .1}}); err != nil {
		t.Fatal(err)
	}
	p := New(&fluid.Surface{}, Water, false)
	p.Body(b, Paint(color.RGBA{255, 0, 0, 255}, 0))
	for shape := range b.Shapes() {
		p.Shape(shape, Brass)
	}
	for i := range p.Meshes {
		m := &p.Meshes[i]
		turn := r3.Rotation(m.Rotation)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, q := range m.Positions {
			x := r3.Add(m.Position, turn.Rotate(q))
			lo, hi = min(lo, x.X), max(hi, x.X)
		}
		if math.Abs(lo+.1) > 1e-6 || math.Abs(hi-1.1) > 1e-6 { // .4 + .1 ± .6
			t.Errorf("mesh %d reaches from %g to %g", i, lo, hi)
		}
	}
}

// Along turns up to where it is told, straight down too; a tube and a rod go from one end to the other.
func TestAlong(t *testing.T) {
	for _, d := range []r3.Vec{{Y: 1}, {Y: -1}, {X: 1}, {Z: -1}, r3.Unit(r3.Vec{X: 1, Y: -2, Z: 3})} {
		if got := r3.Rotation(Along(d)).Rotate(r3.Vec{Y: 1}); r3.Norm(r3.Sub(got, d)) > 1e-9 {
			t.Errorf("along %v: %v", d, got)
		}
	}
	p := New(&fluid.Surface{}, Water, false)
	a, b := r3.Vec{X: 1}, r3.Vec{X: 1, Y: 2, Z: 1}
	p.Pipe(.1, Brass, a, b)
	for _, q := range p.Meshes[0].Positions {
		along := r3.Dot(r3.Sub(q, a), r3.Unit(r3.Sub(b, a)))
		if off := min(math.Abs(along), math.Abs(along-r3.Norm(r3.Sub(b, a)))); off > 1e-9 {
			t.Errorf("a corner of the tube is %g m from its ends", off)
		}
	}
}
