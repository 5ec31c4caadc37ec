package main

import (
	"image"
	"image/draw"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/g3n/engine/app"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/scene"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// The window belongs to the thread that makes it.
func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	if os.Getenv(againVar) != "" {
		os.Args = []string{"hello", "-headless"}
		main()
		return
	}
	done := make(chan int)
	go func() { done <- m.Run() }()
	for {
		select {
		case f := <-onMain:
			f()
		case code := <-done:
			os.Exit(code)
		}
	}
}

// againVar has the test's program be the game without a window to play in.
const againVar = "MENISCUS_HELLO_HEADLESS"

// With -headless the game writes a picture of the window's size, with the crate in it.
func TestHeadless(t *testing.T) {
	if os.Getenv("DISPLAY") == "" || testing.Short() {
		t.Skip("no DISPLAY: run under .ci/with-display; or a short run: forty large pictures")
	}
	run := exec.Command(os.Args[0])
	run.Dir, run.Env = t.TempDir(), append(os.Environ(), againVar+"=1")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := picture.ReadPNG(filepath.Join(run.Dir, "hello.png"))
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewRGBA(got.Bounds())
	draw.Draw(img, img.Rect, got, image.Point{}, draw.Src)
	if wood, _ := crate(img); img.Rect != image.Rect(0, 0, 1280, 720) || wood < img.Rect.Dx() {
		t.Errorf("a picture of %v with %d pixels of the crate", img.Rect, wood)
	}
}

var onMain = make(chan func())

// The game runs for some frames, pours when the space bar is pressed, lets its crate be dragged, and
// draws a picture with sky, tiles, water and crate.
func TestHello(t *testing.T) {
	if os.Getenv("DISPLAY") == "" {
		t.Skip("no DISPLAY: run under .ci/with-display")
	}
	done := make(chan *image.RGBA)
	onMain <- func() {
		img, dragged, err := play()
		if err != nil {
			t.Error(err)
		}
		go func() { done <- img; done <- dragged }()
	}
	img, dragged := <-done, <-done
	if img == nil || dragged == nil {
		return
	}
	if file := os.Getenv("MENISCUS_HELLO"); file != "" {
		if err := adapter.SavePNG(file, img); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		at   image.Rectangle
		want func(r, g, b int) bool
	}{
		"sky":       {image.Rect(150, 1, 170, 10), func(r, g, b int) bool { return b > r && b > 150 }},
		"the water": {image.Rect(140, 125, 180, 140), func(r, g, b int) bool { return b > r+20 && g > r+20 }},
		"ground":    {image.Rect(2, 165, 15, 178), func(r, g, b int) bool { return r >= b && r > 80 }},
	} {
		k := img.Rect.Dx() / 320
		r, g, b := mean(img, image.Rect(k*c.at.Min.X, k*c.at.Min.Y, k*c.at.Max.X, k*c.at.Max.Y))
		if !c.want(r, g, b) {
			t.Errorf("%s is of colour %d %d %d", name, r, g, b)
		}
	}
	wood, where := crate(img)
	if wood < img.Rect.Dx() {
		t.Errorf("%d pixels of the crate are seen", wood)
	}
	if _, is := crate(dragged); is-where < float64(img.Rect.Dx())/20 {
		t.Errorf("the mouse drags the crate from %g to %g pixels", where, is)
	}
}

// crate is how much of a picture is wood, pixels, and how far right it is.
func crate(img *image.RGBA) (n int, x float64) {
	for i := 0; i < len(img.Pix); i += 4 {
		if r, g, b := int(img.Pix[i]), int(img.Pix[i+1]), int(img.Pix[i+2]); r > g+20 && g > b+10 {
			n++
			x += float64(i % img.Stride / 4)
		}
	}
	return n, x / float64(n)
}

// play plays for a second, drags the crate for half a second, and returns the last pictures.
func play() (played, dragged *image.RGBA, err error) {
	os.Setenv("ALSOFT_DRIVERS", "null") // no sound card is no news
	width, height, frames := 320, 180, 40
	if os.Getenv("MENISCUS_HELLO") != "" {
		width, height, frames = 1280, 720, 75
	}
	a := app.App(width, height, "hello test")
	frame := hello(a)
	for n := range frames {
		if n == 5 {
			a.Dispatch(window.OnKeyDown, &window.KeyEvent{Key: window.KeySpace})
		}
		frame(a.Renderer(), time.Second/60)
	}
	if played, err = scene.Picture(a.Gls()); err != nil {
		return nil, nil, err
	}
	at := func(share float32) float32 { return share * float32(width) }
	a.Dispatch(window.OnMouseDown, &window.MouseEvent{Xpos: at(.42), Ypos: at(.26), Button: window.MouseButtonLeft})
	a.Dispatch(window.OnCursor, &window.CursorEvent{Xpos: at(.55), Ypos: at(.22)})
	for range 30 {
		frame(a.Renderer(), time.Second/60)
	}
	dragged, err = scene.Picture(a.Gls())
	return played, dragged, err
}

func mean(img *image.RGBA, at image.Rectangle) (r, g, b int) {
	n := at.Dx() * at.Dy()
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			c := img.RGBAAt(x, y)
			r, g, b = r+int(c.R), g+int(c.G), b+int(c.B)
		}
	}
	return r / n, g / n, b / n
}

// The program is one file of 90 lines at most that uses nothing internal, and what the README shows of it is in it.
func TestREADMEShowsHello(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), "\n"); n > 90 || strings.Contains(string(source), "internal") {
		t.Errorf("it has %d lines, or uses what is internal", n)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(readme), "## A first scene")
	part, _, _ = strings.Cut(part, "## ")
	blocks := strings.Split(part, "```go\n")
	if len(blocks) != 3 {
		t.Fatalf("the README shows %d blocks of a first scene; want what builds it and what draws it", len(blocks)-1)
	}
	for _, block := range blocks[1:] {
		block, _, _ = strings.Cut(block, "```")
		if !strings.Contains(flat(string(source)), flat(block)) {
			t.Errorf("not in main.go:\n%s", block)
		}
	}
}

// flat is a text without the indentation of its lines.
func flat(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}
	return b.String()
}
