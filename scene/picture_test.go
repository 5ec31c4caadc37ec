package scene

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/g3n/engine/core"
)

// A picture that is saved is what was drawn, as large as the viewport, wherever that is.
func TestSavePicture(t *testing.T) {
	onGL(t, func(l *lab) {
		root := core.NewNode()
		defer root.Dispose()
		w := NewLiquid(basin(0, .04), LiquidOptions{})
		root.Add(w)
		root.Add(NewDaylight(SkyOptions{}))
		drawn := l.shoot(t, 160, 90, root, w, view(160, 90, at(0, 4, 4), at(0, 0, 0)))
		path := filepath.Join(t.TempDir(), "shots", "first.png")
		if err := SavePicture(path, l.gs); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds() != drawn.Bounds() {
			t.Fatalf("%v, %v", err, img)
		}
		for y := range 90 {
			for x := range 160 {
				r, g, b, a := img.At(x, y).RGBA()
				if p := drawn.RGBAAt(x, y); uint8(r>>8) != p.R || uint8(g>>8) != p.G || uint8(b>>8) != p.B || uint8(a>>8) != 255 {
					t.Fatalf("pixel %d, %d is %v, was %v", x, y, img.At(x, y), p)
				}
			}
		}
		l.gs.Viewport(20, 10, 100, 60)
		part, err := Picture(l.gs)
		if err != nil || part.RGBAAt(0, 59) != drawn.RGBAAt(20, 89-10) {
			t.Errorf("%v: the lower left of a part is %v, want %v", err, part.RGBAAt(0, 59), drawn.RGBAAt(20, 79))
		}
		l.gs.Viewport(0, 0, 0, 0)
		if _, err := Picture(l.gs); err == nil {
			t.Error("a viewport without a size has a picture")
		}
		l.gs.Viewport(0, 0, 160, 90)
		if SavePicture(t.TempDir(), l.gs) == nil {
			t.Error("a folder is written over")
		}
	})
}
