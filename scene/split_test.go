package scene

import (
	"slices"
	"testing"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/gls"
)

// Two cameras that draw into two parts of the window of different sizes, each frame one after the other, give each the picture that it gives alone, and
// no render target changes its size once both are drawn.
func TestTwoViewports(t *testing.T) {
	onGL(t, func(l *lab) {
		src := pool(.05, 1, 50)
		src.cells = 40
		water := NewLiquid(src, LiquidOptions{Quality: DrawHigh, Sky: sunless})
		defer water.Dispose()
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		type part struct {
			x, y, w, h int
			cam        *camera.Camera
		}
		parts := []part{{0, 0, 128, 72, view(128, 72, shots[1].eye, shots[0].aim)}, {128, 20, 72, 96, view(72, 96, shots[2].eye, shots[2].aim)}}
		draw := func(p part) {
			l.gs.Viewport(int32(p.x), int32(p.y), int32(p.w), int32(p.h))
			if err := water.Draw(l.rend, root, p.cam); err != nil {
				t.Error(err)
			}
		}
		grab := func(p part) []uint8 {
			return slices.Clone(l.gs.ReadPixels(p.x, p.y, p.w, p.h, gls.RGBA, gls.UNSIGNED_BYTE)[:4*p.w*p.h])
		}
		var alone [][]uint8
		for _, p := range parts {
			draw(p)
			alone = append(alone, grab(p))
		}
		names := func() (n []uint32) {
			for _, p := range parts {
				draw(p)
				for i := range water.stage.targets {
					n = append(n, water.stage.targets[i].framebuffer)
				}
			}
			return n
		}
		var before, after gls.Stats
		first := names()
		for i, spec := range targetSpecs {
			if spec.size == nil && first[i] == first[len(targetSpecs)+i] {
				t.Errorf("target %s has one size for both viewports", spec.name)
			}
		}
		l.gs.Stats(&before)
		if !slices.Equal(names(), first) {
			t.Error("render targets are made anew")
		}
		l.gs.Stats(&after)
		if before.Textures != after.Textures || before.Fbos != after.Fbos {
			t.Errorf("before %+v, after %+v", before, after)
		}
		for i, p := range parts {
			if !slices.Equal(grab(p), alone[i]) {
				t.Errorf("picture %d is another beside the other one", i)
			}
		}
		for i := range water.stage.targets {
			d := &water.stage.targets[i]
			if err := d.resize(l.gs, d.width, d.height, water.stage.turn+keptTurns+1); err != nil || len(d.kept) > 0 {
				t.Errorf("target %s keeps %d sizes that are not drawn: %v", d.spec.name, len(d.kept), err)
			}
		}
	})
}
