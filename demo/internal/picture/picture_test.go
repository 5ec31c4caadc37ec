package picture

import (
	"image"
	"image/color"
	"testing"
)

func flat(w, h int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = [4]uint8{c.R, c.G, c.B, c.A}[i%4]
	}
	return img
}

func TestContactSheet(t *testing.T) {
	s := Sheet{Columns: 3, Width: 80}
	if s.Image() != nil {
		t.Error("a sheet of nothing should be nil")
	}
	colours := []color.RGBA{{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}, {200, 200, 0, 255}, {0, 200, 200, 255}}
	for i, c := range colours {
		s.Add(flat(160, 90, c), 40*i)
	}
	img := s.Image()
	if want := image.Rect(0, 0, gap+3*(80+gap), gap+2*(45+gap)); img.Rect != want {
		t.Fatalf("the sheet is %v, want %v", img.Rect, want)
	}
	for i, want := range colours {
		x, y := gap+i%3*(80+gap)+60, gap+i/3*(45+gap)+30
		if got := img.RGBAAt(x, y); got != want {
			t.Errorf("picture %d has colour %v, want %v", i, got, want)
		}
	}
	if got := img.RGBAAt(img.Rect.Max.X-20, img.Rect.Max.Y-20); got != (color.RGBA{24, 24, 24, 255}) {
		t.Errorf("the empty place has colour %v", got)
	}
	white := 0
	for y := gap; y < gap+20; y++ {
		for x := gap; x < gap+20; x++ {
			if img.RGBAAt(x, y) == (color.RGBA{255, 255, 255, 255}) {
				white++
			}
		}
	}
	if want := 4 * 12; white != want { // the figure 0 has 12 dots of 2×2
		t.Errorf("%d white pixels in the first number, want %d", white, want)
	}
}

func TestShrinkAverages(t *testing.T) {
	img := flat(4, 2, color.RGBA{A: 255})
	for x := range 4 {
		img.SetRGBA(x, 0, color.RGBA{100, 100, 100, 255})
	}
	small := Shrink(img, 2)
	if small.Rect != image.Rect(0, 0, 2, 1) || small.RGBAAt(1, 0) != (color.RGBA{50, 50, 50, 255}) {
		t.Errorf("got %v %v", small.Rect, small.Pix)
	}
}

// Textures are opaque, the same every time, and show something.
func TestTextures(t *testing.T) {
	wood := color.RGBA{190, 140, 80, 255}
	for name, draw := range map[string]func() *image.RGBA{
		"crate":  func() *image.RGBA { return Crate(64, wood, 3) },
		"ball":   func() *image.RGBA { return Ball(64, 6, wood, color.RGBA{255, 255, 255, 255}) },
		"rubber": func() *image.RGBA { return Rubber(64, wood, color.RGBA{40, 40, 40, 255}, wood) },
		"stone":  func() *image.RGBA { return Stone(64, wood, 1) },
		"paving": func() *image.RGBA { return Paving(64, 4, wood, 1) },
	} {
		a, b := draw(), draw()
		seen := map[color.RGBA]bool{}
		for i := 0; i < len(a.Pix); i += 4 {
			c := color.RGBA{a.Pix[i], a.Pix[i+1], a.Pix[i+2], a.Pix[i+3]}
			seen[c] = true
			if c.A != 255 || c.R != b.Pix[i] {
				t.Fatalf("%s: pixel %d is %v, then %v", name, i/4, c, b.Pix[i])
			}
		}
		if len(seen) < 10 {
			t.Errorf("%s has only %d colours", name, len(seen))
		}
	}
}

func TestHaze(t *testing.T) {
	img := Haze(64, color.NRGBA{200, 210, 220, 255}, .1)
	middle, edge, corner := img.RGBAAt(32, 32), img.RGBAAt(63, 32), img.RGBAAt(0, 0)
	if middle.A > 8 || edge.A < 250 || corner.A != 255 || corner.R != 200 {
		t.Errorf("alpha is %d, %d, %d from the middle to the corner", middle.A, edge.A, corner.A)
	}
}

// Each row has its label, in white, at its lower left; more labels than rows are left out.
func TestRowsAreLabelled(t *testing.T) {
	const w, h = 160, 90
	s := Sheet{Columns: 2, Width: w, Rows: []string{"α = 1", "α = 0.5", "no such row"}}
	for i := range 4 {
		s.Add(flat(w, h, color.RGBA{0, 0, 200, 255}), i)
	}
	img := s.Image()
	for row := range 2 {
		white := 0
		for y := gap + row*(h+gap) + h/2; y < (row+1)*(h+gap); y++ {
			for x := gap; x < gap+w; x++ {
				if c := img.RGBAAt(x, y); c.R > 200 && c.G > 200 && c.B > 200 {
					white++
				}
			}
		}
		if white < 10 {
			t.Errorf("row %d has %d white pixels where its label is to be", row, white)
		}
	}
	if width := Write(img, image.Pt(0, 0), "wider", 20, color.RGBA{255, 255, 255, 255}); width <= Write(img, image.Pt(0, 0), "w", 20, color.RGBA{}) {
		t.Errorf("five letters are %d pixels wide", width)
	}
}
