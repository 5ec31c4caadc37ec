package adapter

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// What is read from the bottom up comes out the right way up and opaque, and a file of it is the same picture.
func TestPicture(t *testing.T) {
	raw := []byte{ // the lower row first
		1, 2, 3, 0, 4, 5, 6, 0,
		7, 8, 9, 0, 10, 11, 12, 0,
	}
	img := Picture(raw, 2, 2)
	path := filepath.Join(t.TempDir(), "new", "a.png")
	if err := SavePNG(path, img); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[image.Point]color.RGBA{{}: {7, 8, 9, 255}, {X: 1, Y: 1}: {4, 5, 6, 255}} {
		if got, back := img.RGBAAt(at.X, at.Y), color.RGBAModel.Convert(read.At(at.X, at.Y)); got != want || back != want {
			t.Errorf("%v is %v, and %v in the file; want %v", at, got, back, want)
		}
	}
	if SavePNG(t.TempDir(), img) == nil || SavePNG(filepath.Join(path, "under-a-file.png"), img) == nil {
		t.Error("a folder is written over, or made below a file")
	}
	defer func() {
		if recover() == nil {
			t.Error("too few bytes make a picture")
		}
	}()
	Picture(raw, 3, 2)
}
