package scene

import (
	"errors"
	"image"
	"image/color"
	"testing"

	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// fakeFaces are faces in one place each, whatever the plane.
type fakeFaces struct {
	faces  []fluid.CellFace
	normal r3.Vec // of the last cut
	err    error
}

func (f *fakeFaces) CutAway(dst []fluid.CellFace, _, normal r3.Vec) ([]fluid.CellFace, error) {
	f.normal = normal
	if f.err != nil {
		return dst, f.err
	}
	return append(dst, f.faces...), nil
}

// upright is a face at z from one corner to the other, seen from +z; of three corners where it is a triangle.
func upright(x0, y0, x1, y1, z float64, level, count int, wet bool) fluid.CellFace {
	return fluid.CellFace{Corners: [4]r3.Vec{{X: x0, Y: y0, Z: z}, {X: x1, Y: y0, Z: z}, {X: x1, Y: y1, Z: z}, {X: x0, Y: y1, Z: z}}, Count: count, Level: level, Wet: wet}
}

// Squares and triangles with liquid are filled, those with air have edges alone, and a level beyond the colours has the last one.
func TestCutOverlayCounts(t *testing.T) {
	src := &fakeFaces{faces: []fluid.CellFace{upright(0, 0, 1, 1, 0, 0, 4, true), upright(1, 0, 2, 1, 0, 9, 3, true), upright(2, 0, 3, 1, 0, 1, 4, false)}}
	o := NewCutOverlay(src)
	o.Cut(r3.Vec{}, r3.Vec{Z: 2})
	o.Update()
	if f, e, a := len(o.fill.positions)/9, len(o.edges.positions)/6, len(o.outline.positions)/6; f != 3 || e != 7 || a != 4 || !o.fill.Renderable() || src.normal != (r3.Vec{Z: 2}) {
		t.Errorf("%d triangles, %d edges, %d in the air, cut along %v", f, e, a, src.normal)
	}
	if got := [3]float32(o.fill.colors[:3]); got != levelColors[0] {
		t.Errorf("a face that looks along the normal is %v", got)
	}
	if got := [3]float32(o.fill.colors[18:21]); got != levelColors[3] {
		t.Errorf("a face of level 9 is %v", got)
	}
	if got := [3]float32(o.outline.colors[:3]); got != levelColors[1] {
		t.Errorf("edges in the air are %v", got)
	}
	if n := testing.AllocsPerRun(10, o.Update); n > 0 {
		t.Errorf("Update allocates %g times", n)
	}
	src.err = errors.New("no cells")
	if o.Update(); o.fill.Renderable() || o.edges.Renderable() || o.outline.Renderable() {
		t.Error("what can't be cut is drawn")
	}
}

// In the water and behind its surface a cut shows as it is, and so it does where another face of it is drawn later but lies behind.
func TestCutOverlayPicture(t *testing.T) {
	onGL(t, func(l *lab) {
		water := NewLiquid(pool(0.04, 0, 0), LiquidOptions{})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		src := &fakeFaces{faces: []fluid.CellFace{upright(-.4, .1, .4, .8, .1, 2, 4, true), upright(-1.2, .1, 1.2, .8, 0, 1, 4, true)}}
		o := NewCutOverlay(src)
		water.Add(o)
		o.Cut(r3.Vec{}, r3.Vec{Z: 1})
		o.Update()
		cam := view(640, 360, math32.Vector3{Y: 1.3, Z: 2.4}, math32.Vector3{Y: .45})
		all := image.Rect(0, 0, 640, 360)
		yellow := func(c color.RGBA) bool { return c.R > 200 && c.G > 150 && c.G < 235 && c.B < 100 }
		green := func(c color.RGBA) bool { return c.G > 180 && c.R < 140 && c.B < 140 }
		before := l.shoot(t, 640, 360, root, water, cam)
		o.Toggle()
		img := l.shoot(t, 640, 360, root, water, cam)
		save(t, "cut", img)
		y, g := share(img, all, yellow)-share(before, all, yellow), share(img, all, green)-share(before, all, green)
		if y < .05 || g < .025 || y < 1.4*g || y > 2.6*g {
			t.Errorf("%.3f of the picture is yellow and %.3f green, of which there is half as much", y, g)
		}
	})
}
