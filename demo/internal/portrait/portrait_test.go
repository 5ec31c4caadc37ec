package portrait

import (
	"image"
	"image/color"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/shapes"
)

var (
	blue = color.RGBA{B: 255, A: 255}
	red  = color.RGBA{R: 255, A: 255}
)

func drawn(v View, m shapes.Mesh) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 120, 120))
	v.Draw(img, image.Rect(10, 10, 110, 110), m.Positions, m.Triangles)
	return img
}

// A ball covers a disc of its size in the frame's middle, lit from the upper left, and shows its outside alone.
func TestBall(t *testing.T) {
	img := drawn(View{Scale: 40, Colour: blue, Inner: red}, shapes.Sphere(1, 4))
	n := 0
	for y := range 120 {
		for x := range 120 {
			c := img.RGBAAt(x, y)
			if c.A > 0 {
				n++
			}
			if c.R > 0 {
				t.Fatalf("at %d, %d one sees the inside", x, y)
			}
		}
	}
	if want := 5027; n < want-60 || n > want+60 { // π 40²
		t.Errorf("the ball covers %d pixels, want %d", n, want)
	}
	if bright, dark := img.RGBAAt(45, 45).B, img.RGBAAt(80, 85).B; bright < 2*dark || dark == 0 {
		t.Errorf("%d towards the light, %d away from it", bright, dark)
	}
}

// What lies behind is hidden, in whatever order the triangles come; a centre moves what is seen; a frame is not left.
func TestHidden(t *testing.T) {
	near, far := shapes.Sphere(.5, 3).Deformed(shapes.Translate(r3.Vec{Z: 2})), shapes.Sphere(.9, 3)
	view := View{Back: r3.Vec{Z: 1}, Scale: 40, Colour: blue}
	for _, order := range [2][2]shapes.Mesh{{near, far}, {far, near}} {
		img := image.NewRGBA(image.Rect(0, 0, 120, 120))
		m := order[0]
		n := int32(len(m.Positions))
		positions := append(append([]r3.Vec{}, m.Positions...), order[1].Positions...)
		triangles := append([][3]int32{}, m.Triangles...)
		for _, t := range order[1].Triangles {
			triangles = append(triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
		view.Draw(img, img.Rect, positions, triangles)
		alone := image.NewRGBA(img.Rect)
		view.Draw(alone, img.Rect, near.Positions, near.Triangles)
		if got, want := img.RGBAAt(60, 45), alone.RGBAAt(60, 45); got != want {
			t.Errorf("in front of the far ball the near one is %v, alone %v", got, want)
		}
	}
	aside := view
	aside.Centre = r3.Vec{X: 2}
	img := drawn(aside, far)
	for y := range 120 {
		for x := range 120 {
			if img.RGBAAt(x, y).A > 0 && (x < 10 || x > 30) {
				t.Fatalf("at %d, %d there is something of a ball whose middle is 80 pixels to the left", x, y)
			}
		}
	}
}

// Edges are darker lines; a hole shows the inside.
func TestEdgesAndHoles(t *testing.T) {
	m := shapes.Sphere(1, 1)
	plain, wired := drawn(View{Scale: 40, Colour: blue}, m), drawn(View{Scale: 40, Colour: blue, Edges: true}, m)
	darker := 0
	for i := 2; i < len(plain.Pix); i += 4 {
		if wired.Pix[i] > plain.Pix[i] {
			t.Fatal("an edge is brighter than the face")
		}
		if wired.Pix[i] < plain.Pix[i] {
			darker++
		}
	}
	if darker < 400 || darker > 3000 {
		t.Errorf("%d pixels of edges", darker)
	}
	open := shapes.Mesh{Positions: m.Positions}
	for _, f := range m.Triangles {
		if m.Positions[f[0]].Z+m.Positions[f[1]].Z+m.Positions[f[2]].Z < 1 {
			open.Triangles = append(open.Triangles, f)
		}
	}
	if c := drawn(View{Back: r3.Vec{Z: 1}, Scale: 40, Colour: blue, Inner: red}, open).RGBAAt(60, 60); c.R == 0 || c.B > 0 {
		t.Errorf("through the hole one sees %v", c)
	}
}
