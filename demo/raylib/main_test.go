package main

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// shot is what a run of 24 frames leaves: it ends before the first test begins, since a window belongs to the
// process's first thread.
var shot struct {
	path string
	err  error
}

func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "raylib")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shot.path = filepath.Join(dir, "picture.png")
	shot.err = run(24, shot.path)
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// The picture shows sky, lawn, water and crates, each where the camera has it.
func TestPicture(t *testing.T) {
	if shot.err != nil {
		t.Fatal(shot.err)
	}
	f, err := os.Open(shot.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Size() != image.Pt(1280, 720) {
		t.Fatalf("the picture is %v", img.Bounds().Size())
	}
	count := func(is func(r, g, b int) bool) (n int) {
		for y := 40; y < 720; y += 2 {
			for x := 0; x < 1280; x += 2 {
				r, g, b, _ := img.At(x, y).RGBA()
				if is(int(r>>8), int(g>>8), int(b>>8)) {
					n++
				}
			}
		}
		return n
	}
	for what, c := range map[string]struct {
		least int // of 217600 pixels
		is    func(r, g, b int) bool
	}{
		"lawn":   {20000, func(r, g, b int) bool { return g > r+8 && g > b+25 }},
		"water":  {15000, func(r, g, b int) bool { return b > r+20 && g > r+15 && r < 170 }},
		"crates": {2000, func(r, g, b int) bool { return r > g+25 && g > b+15 }},
		"stone":  {15000, func(r, g, b int) bool { return max(r, g, b)-min(r, g, b) < 16 }},
	} {
		if n := count(c.is); n < c.least {
			t.Errorf("%s: %d pixels, want at least %d", what, n, c.least)
		}
	}
}
