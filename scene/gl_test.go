package scene

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// OpenGL belongs to the thread that made the window, while the testing package runs each
// test on a goroutine of its own: the main one keeps the thread and runs what tests send.
var glWork = make(chan func())

func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	done := make(chan int)
	go func() { done <- m.Run() }()
	for {
		select {
		case f := <-glWork:
			f()
		case code := <-done:
			os.Exit(code)
		}
	}
}

// lab is a window with a renderer, shared by the tests.
type lab struct {
	gs   *gls.GLS
	rend *renderer.Renderer
}

var theLab *lab

// onGL runs f on the thread that owns the window, and skips without a screen.
func onGL(t testing.TB, f func(l *lab)) {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Skip("no DISPLAY: run under xvfb-run -a -s '-screen 0 1280x720x24'")
	}
	var failure any
	done := make(chan struct{})
	glWork <- func() {
		defer close(done)
		defer func() { failure = recover() }()
		if theLab == nil {
			if err := window.Init(1280, 720, "scene test"); err != nil {
				panic(fmt.Sprintf("window: %v", err))
			}
			gs := window.Get().Gls()
			rend := renderer.NewRenderer(gs)
			if err := rend.AddDefaultShaders(); err != nil {
				panic(err)
			}
			theLab = &lab{gs: gs, rend: rend}
		}
		f(theLab)
	}
	<-done
	if failure != nil {
		t.Fatal(failure)
	}
}

// inShort is some in a short run, and else all.
func inShort[T any](some, all T) T {
	if testing.Short() {
		return some
	}
	return all
}

// view is a camera at eye that looks at target.
func view(w, h int, eye, target math32.Vector3) *camera.Camera {
	cam := camera.NewPerspective(float32(w)/float32(h), 0.1, 200, 50, camera.Vertical)
	cam.SetPositionVec(&eye)
	cam.LookAt(&target, &math32.Vector3{Y: 1})
	return cam
}

// shoot draws root in the window's lower left w by h pixels and returns the picture.
// water nil means the game's own Render.
func (l *lab) shoot(t *testing.T, w, h int, root core.INode, water *Liquid, cam *camera.Camera) *image.RGBA {
	t.Helper()
	return l.shootWith(t, w, h, root, water, cam)
}

// shootWith is shoot with any camera.
func (l *lab) shootWith(t *testing.T, w, h int, root core.INode, water *Liquid, cam camera.ICamera) *image.RGBA {
	t.Helper()
	l.gs.Viewport(0, 0, int32(w), int32(h))
	l.gs.ClearColor(1, 0, 1, 1) // magenta: a hole shows
	l.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	var err error
	if water != nil {
		err = water.Draw(l.rend, root, cam)
	} else {
		err = l.rend.Render(root, cam)
	}
	if err != nil {
		t.Error(err)
	}
	return l.grab(w, h)
}

func (l *lab) grab(w, h int) *image.RGBA {
	return adapter.Picture(l.gs.ReadPixels(0, 0, w, h, gls.RGBA, gls.UNSIGNED_BYTE), w, h)
}

// save writes a picture where MENISCUS_PICTURES says, for a person to look at.
func save(t *testing.T, name string, img image.Image) {
	t.Helper()
	dir := os.Getenv("MENISCUS_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	if err := adapter.SavePNG(filepath.Join(dir, name+".png"), img); err != nil {
		t.Error(err)
	}
}

// share counts the pixels of a rectangle that test accepts, as a share.
func share(img *image.RGBA, r image.Rectangle, test func(c color.RGBA) bool) float64 {
	hits := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if test(img.RGBAAt(x, y)) {
				hits++
			}
		}
	}
	return float64(hits) / float64(r.Dx()*r.Dy())
}

func luma(c color.RGBA) float64 {
	return (0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)) / 255
}

// contrast is the standard deviation of a rectangle's luma.
func contrast(img *image.RGBA, r image.Rectangle) (mean, deviation float64) {
	sum, square, n := 0.0, 0.0, float64(r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v := luma(img.RGBAAt(x, y))
			sum += v
			square += v * v
		}
	}
	mean = sum / n
	return mean, math.Sqrt(math.Max(square/n-mean*mean, 0))
}
