package shapes

import (
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/portrait"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// drawn is a picture from a direction, in which triangles that are seen from behind are red.
func drawn(height int, positions []r3.Vec, triangles [][3]int32, turn, tilt, scale float64, centre r3.Vec) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 840, height))
	for i := range img.Pix {
		img.Pix[i] = 245
	}
	v := portrait.View{
		Back:   r3.Vec{X: math.Sin(turn) * math.Cos(tilt), Y: math.Sin(tilt), Z: math.Cos(turn) * math.Cos(tilt)},
		Centre: centre, Scale: scale, Colour: color.RGBA{120, 190, 235, 255}, Inner: color.RGBA{220, 30, 30, 255},
	}
	v.Draw(img, img.Rect, positions, triangles)
	return img
}

// pictures is the folder that pictures are drawn into, or "".
func pictures(t *testing.T) string {
	dir := os.Getenv("MENISCUS_SHAPES")
	if dir == "" {
		t.Skip("MENISCUS_SHAPES names no folder to draw pictures into")
	}
	return dir
}

func TestDrawFigure(t *testing.T) {
	dir := pictures(t)
	f := NewFigure()
	p := make([]r3.Vec, len(f.Rest.Positions))
	views := []struct{ turn, tilt float64 }{{0, .1}, {.8, .25}, {math.Pi / 2, .1}}
	sheet := picture.Sheet{Columns: len(views), Width: 420}
	for i, v := range views {
		sheet.Add(drawn(800, f.Rest.Positions, f.Rest.Triangles, v.turn, v.tilt, 400, r3.Vec{Y: .8}), i)
	}
	save(t, filepath.Join(dir, "rest.png"), sheet.Image())
	for name, turn := range map[string]float64{"front.png": 0, "side.png": 1.2} {
		sheet := picture.Sheet{Columns: 4, Width: 420}
		for _, at := range []float64{0, 1.2, 2.5, 3.7, 4.4, 5.2, 6, 6.9, 7.7, 8.6, 9.2, 9.9, 10.6, 11.5, 12.5, 13.5} {
			f.At(at, p, nil)
			sheet.Add(drawn(800, p, f.Rest.Triangles, turn, .15, 300, r3.Vec{Y: .2}), int(10*at))
		}
		save(t, filepath.Join(dir, name), sheet.Image())
	}
}

func save(t *testing.T, path string, img image.Image) {
	t.Helper()
	if err := adapter.SavePNG(path, img); err != nil {
		t.Fatal(err)
	}
}

func TestDrawSolids(t *testing.T) {
	dir := pictures(t)
	lying, upright := Bars()
	middle := lying.Deformed()
	for i := range middle.Positions {
		middle.Positions[i] = r3.Scale(.5, r3.Add(lying.Positions[i], upright.Positions[i]))
	}
	rabbit := Rabbit(1)
	up := Translate(r3.Vec{Y: .5})
	sheet := picture.Sheet{Columns: 4, Width: 420}
	for i, m := range []Mesh{
		Sphere(.5, 3).Deformed(up), Torus(.5, .15, 64, 24).Deformed(up), rabbit, rabbit.Deformed(Twist(170*degree, 0, 1)),
		rabbit.Deformed(Stretch(1.5)), rabbit.Deformed(Squash(1.6)), rabbit.Deformed(Twist(90*degree, 0, 1)), rabbit.Deformed(Turn(2)),
		lying.Deformed(up), middle.Deformed(up), upright.Deformed(up),
	} {
		sheet.Add(drawn(840, m.Positions, m.Triangles, .7*float64((i+4)/8%2), .25, 480, r3.Vec{Y: .6}), i)
	}
	save(t, filepath.Join(dir, "solids.png"), sheet.Image())
	angel := Angel(1)
	sheet = picture.Sheet{Columns: 4, Width: 420}
	for i, turn := range []float64{0, .7, math.Pi / 2, math.Pi} {
		sheet.Add(drawn(840, angel.Positions, angel.Triangles, turn, .2, 640, r3.Vec{Y: .5}), i)
	}
	save(t, filepath.Join(dir, "angel.png"), sheet.Image())
}

func TestDrawFace(t *testing.T) {
	dir := pictures(t)
	h := NewFace(1)
	p := make([]r3.Vec, len(h.Rest.Positions))
	sheet := picture.Sheet{Columns: 3, Width: 420}
	for i, mood := range []float64{-1, 0, 1} {
		h.At(mood, p)
		sheet.Add(drawn(800, p, h.Rest.Triangles, .3, .1, 600, r3.Vec{}), i)
	}
	save(t, filepath.Join(dir, "face.png"), sheet.Image())
}
