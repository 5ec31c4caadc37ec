package main

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	rl "github.com/gen2brain/raylib-go/raylib"
)

// calls are run on the process's first thread, to which windows belong.
var calls = make(chan func())

func init() { runtime.LockOSThread() }

// TestMain opens one window for all tests: a virtual screen may not take another at once when its last one has closed.
func TestMain(m *testing.M) {
	if err := openWindow(width, height); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := 0
	go func() {
		code = m.Run()
		close(calls)
	}()
	for f := range calls {
		f()
	}
	rl.CloseWindow()
	os.Exit(code)
}

// onScreen runs f there.
func onScreen(f func()) {
	done := make(chan struct{})
	calls <- func() {
		defer close(done)
		f()
	}
	<-done
}

// The picture shows sky, lawn, water, crates and white water, each where the camera has it.
func TestPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "picture.png")
	var err error
	onScreen(func() { err = play(24, path) })
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Size() != image.Pt(width, height) {
		t.Fatalf("the picture is %v", img.Bounds().Size())
	}
	count := func(is func(r, g, b int) bool) (n int) {
		for y := 30; y < height; y++ {
			for x := range width {
				r, g, b, _ := img.At(x, y).RGBA()
				if is(int(r>>8), int(g>>8), int(b>>8)) {
					n++
				}
			}
		}
		return n
	}
	for what, c := range map[string]struct {
		least int // of 115200 pixels
		is    func(r, g, b int) bool
	}{
		"lawn":   {15000, func(r, g, b int) bool { return g > r+8 && g > b+25 }},
		"water":  {10000, func(r, g, b int) bool { return b > r+20 && g > r+15 && r < 170 }},
		"crates": {2000, func(r, g, b int) bool { return r > g+25 && g > b+15 }},
		"stone":  {25000, func(r, g, b int) bool { return max(r, g, b)-min(r, g, b) < 24 }},
	} {
		n := count(c.is)
		t.Logf("%s: %d pixels", what, n)
		if n < c.least {
			t.Errorf("%s: %d pixels, want at least %d", what, n, c.least)
		}
	}
}
