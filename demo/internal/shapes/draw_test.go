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
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// draw is an orthographic picture from a direction, lit from above, red where triangles are seen from behind.
func draw(img *image.RGBA, positions []r3.Vec, triangles [][3]int32, turn, tilt, scale float64, centre r3.Vec) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	depth := make([]float64, w*h)
	for i := range depth {
		depth[i] = math.Inf(-1)
	}
	view := rotation(0, tilt, 0).times(rotation(1, -turn, 0))
	see := func(p r3.Vec) r3.Vec {
		q := view.value.apply(r3.Sub(p, centre))
		return r3.Vec{X: float64(w)/2 + scale*q.X, Y: float64(h)/2 - scale*q.Y, Z: q.Z}
	}
	normals := make([]r3.Vec, len(positions))
	for _, t := range triangles {
		n := r3.Cross(r3.Sub(positions[t[1]], positions[t[0]]), r3.Sub(positions[t[2]], positions[t[0]]))
		for _, v := range t {
			normals[v] = r3.Add(normals[v], n)
		}
	}
	light := r3.Unit(r3.Vec{X: -.5, Y: .7, Z: .6})
	for _, t := range triangles {
		a, b, c := see(positions[t[0]]), see(positions[t[1]]), see(positions[t[2]])
		area := (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X)
		if area == 0 {
			continue
		}
		for y := max(0, int(min(a.Y, b.Y, c.Y))); y <= min(h-1, int(max(a.Y, b.Y, c.Y))); y++ {
			for x := max(0, int(min(a.X, b.X, c.X))); x <= min(w-1, int(max(a.X, b.X, c.X))); x++ {
				px, py := float64(x)+.5, float64(y)+.5
				u := ((px-a.X)*(c.Y-a.Y) - (py-a.Y)*(c.X-a.X)) / area
				v := ((b.X-a.X)*(py-a.Y) - (b.Y-a.Y)*(px-a.X)) / area
				if u < 0 || v < 0 || u+v > 1 {
					continue
				}
				if z := a.Z + u*(b.Z-a.Z) + v*(c.Z-a.Z); z > depth[y*w+x] {
					depth[y*w+x] = z
					n := r3.Add(r3.Scale(1-u-v, normals[t[0]]), r3.Add(r3.Scale(u, normals[t[1]]), r3.Scale(v, normals[t[2]])))
					lit := .25 + .75*max(0, r3.Dot(r3.Unit(n), r3.Unit(view.value.transposed().apply(light))))
					shade := color.RGBA{uint8(120 * lit), uint8(190 * lit), uint8(235 * lit), 255}
					if area > 0 {
						shade = color.RGBA{220, 30, 30, 255}
					}
					if p := r3.Add(r3.Scale(1-u-v, positions[t[0]]), r3.Add(r3.Scale(u, positions[t[1]]), r3.Scale(v, positions[t[2]]))); p.Y < 0 {
						shade.R, shade.G = shade.R/2, shade.G/2+20
					}
					img.SetRGBA(x, y, shade)
				}
			}
		}
	}
}

func (a *mat3) transposed() *mat3 {
	return &mat3{a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]}
}

func ground(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = 245
	}
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
		img := ground(840, 800)
		draw(img, f.Rest.Positions, f.Rest.Triangles, v.turn, v.tilt, 400, r3.Vec{Y: .8})
		sheet.Add(img, i)
	}
	save(t, filepath.Join(dir, "rest.png"), sheet.Image())
	for name, turn := range map[string]float64{"front.png": 0, "side.png": 1.2} {
		sheet := picture.Sheet{Columns: 4, Width: 420}
		for _, at := range []float64{0, 1.2, 2.5, 3.7, 4.4, 5.2, 6, 6.9, 7.7, 8.6, 9.2, 9.9, 10.6, 11.5, 12.5, 13.5} {
			f.At(at, p, nil)
			img := ground(840, 800)
			draw(img, p, f.Rest.Triangles, turn, .15, 300, r3.Vec{Y: .2})
			sheet.Add(img, int(10*at))
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
		img := ground(840, 840)
		draw(img, m.Positions, m.Triangles, .7*float64((i+4)/8%2), .25, 480, r3.Vec{Y: .6})
		sheet.Add(img, i)
	}
	save(t, filepath.Join(dir, "solids.png"), sheet.Image())
}
