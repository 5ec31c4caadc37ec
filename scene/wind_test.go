package scene

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/g3n/engine/math32"
)

// The wind's waves have the mean square slope that is asked for, move by the dispersion of waves on deep water, and are after windLoop as before.
func TestRipples(t *testing.T) {
	wind := math32.Vector2{X: 1.2, Y: -.9}
	const dt = .01
	a, b, c := ripples(wind, 100), ripples(wind, 100+dt), ripples(wind, 100+windLoop)
	sum, ahead := 0., 0.
	for i, w := range a {
		k := math.Hypot(float64(w[0]), float64(w[1]))
		sum += .5 * float64(w[2]*w[2])
		ahead += float64(w[0]*wind.X+w[1]*wind.Y) / k / 1.5
		if length := 2 * math.Pi / k; length < shortWave || length > longWave {
			t.Errorf("wave %d is %v m long", i, length)
		}
		turned := math.Remainder(float64(b[i][3]-w[3]), 2*math.Pi) / dt
		if want := math.Sqrt(9.81*k + .0728/998.2*k*k*k); math.Abs(turned-want) > .01*want+.002 {
			t.Errorf("a wave of %.3f m turns at %.3f/s, want %.3f", 2*math.Pi/k, turned, want)
		}
		if off := math.Remainder(float64(c[i][3]-w[3]), 2*math.Pi); math.Abs(off) > 1e-4 {
			t.Errorf("wave %d is off %v after an hour", i, off)
		}
	}
	if want := .00512 * 1.5; math.Abs(sum/want-1) > 1e-3 || ahead < .5*windWaves {
		t.Errorf("the mean square slope is %v, want %v; the waves go %.2f with the wind", sum, want, ahead/windWaves)
	}
}

// Water at rest is the same picture at any time; the air that is hardly felt moves it from one frame to the next by less than .2 of 255.
func TestWindRipplesStillWater(t *testing.T) {
	onGL(t, func(l *lab) {
		const w, h = 240, 135
		src := pool(0, 0, 0)
		water := NewLiquid(src, LiquidOptions{})
		defer water.Dispose()
		clear(src.surface.Velocities)
		root := stageSet(water, false)
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		cam := view(w, h, shots[0].eye, shots[0].aim)
		differ := func() (mean float64) {
			water.Refresh(1, 0)
			a := l.shoot(t, w, h, root, water, cam)
			water.Refresh(1, time.Second/60)
			b := l.shoot(t, w, h, root, water, cam)
			for i := range a.Pix {
				mean += math.Abs(float64(a.Pix[i])-float64(b.Pix[i])) / float64(len(a.Pix))
			}
			save(t, "wind", b)
			return mean
		}
		water.Refresh(1, 0)
		calm := l.shoot(t, w, h, root, water, cam)
		if d := differ(); d != 0 {
			t.Errorf("calm water changes by %.3f of 255 from frame to frame", d)
		}
		water.SetLook(Look{Wind: math32.Vector2{X: .09, Y: .03}})
		d := differ()
		t.Logf("a wind of .1 m/s changes the picture by %.2f of 255 from frame to frame", d)
		if d < .05 || d > .2 {
			t.Errorf("a wind of .1 m/s changes the picture by %.2f of 255 from frame to frame", d)
		}
		water.SetLook(Look{})
		if img := l.shoot(t, w, h, root, water, cam); !slices.Equal(img.Pix, calm.Pix) {
			t.Error("the wind leaves something")
		}
	})
}
