package fluid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/physics"
)

func TestZZDebug(t *testing.T) {
	runStick(t, stickCase{g: []physics.Geometry{physics.Capsule(.06, .6)}, density: 300, pos: r3.Vec{X: .8, Y: .82, Z: .8}, turn: turned(1.5707, r3.Vec{Z: 1}), seconds: 4}, func(n int, l *Liquid, b physics.Body) {
		if n%15 != 14 {
			return
		}
		w := &l.graph.Bodies[5]
		r := &l.coupling.rigid[5]
		s := &l.coupling.state[5]
		wt := 9.81 * b.Mass()
		t.Logf("spin %.3v y %.4f frac %.3f whole %.3g (mass/300 %.3g) K %.3f still %.3f aside %.3f W  rows %d share %v grains %d pieces %d facets %d", b.AngularVelocity(), b.Position().Y, s.soaked.under/s.soaked.whole, s.soaked.whole, b.Mass()/300,
			r.Impulse[1]/l.step.dt/wt, w.Still[1]*9810/wt, s.aside[1]/wt, len(w.Row), l.coupling.slender[5].share, len(l.coupling.slender[5].grains), len(l.coupling.slender[5].pieces), len(l.coupling.slender[5].facets))
	})
}

func TestZZBob(t *testing.T) {
	for _, q := range []float64{1} {
		lo, hi := 1e9, -1e9
		n0 := 0
		runStick(t, stickCase{g: []physics.Geometry{physics.Capsule(.04, .6)}, density: 300, pos: r3.Vec{X: .8, Y: .82, Z: .8}, turn: turned(1.5707, r3.Vec{Z: 1}), seconds: 6}, func(n int, l *Liquid, b physics.Body) {
			lo, hi = min(lo, b.Position().Y), max(hi, b.Position().Y)
			if n-n0 == 30 {
				t.Logf("%g: %d y %.4f to %.4f  %.4f", q, n, lo, hi, l.blocksInfo.maxSpeed)
				lo, hi, n0 = 1e9, -1e9, n
			}
		})
	}
}

func TestZZPlate(t *testing.T) {
	runStick(t, stickCase{g: []physics.Geometry{physics.Box(.5, .02, .5)}, density: 700, pos: r3.Vec{X: .8, Y: .82, Z: .8}, seconds: 3}, func(n int, l *Liquid, b physics.Body) {
		if n%10 != 9 {
			return
		}
		w := &l.graph.Bodies[5]
		r := &l.coupling.rigid[5]
		s := &l.coupling.state[5]
		wt := 9.81 * b.Mass()
		p := l.grid.ToPoint(.85, b.Position().Y+.05, .85)
		q := l.grid.ToPoint(.85, b.Position().Y-.05, .85)
		k := 0.
		for _, v := range w.K {
			k += v[1]
		}
		t.Logf("vy %.4f y %.4f frac %.3f K %.3f still %.3f aside %.3f W  rows %d share %v  phi above %.3f below %.3f gaps %.4f %.4f sumK %.4f", b.Velocity().Y, b.Position().Y, s.soaked.under/s.soaked.whole,
			r.Impulse[1]/l.step.dt/wt, w.Still[1]*9810/wt, s.aside[1]/wt, len(w.Row), l.coupling.slender[5].share, l.set.Tiles.At(p), l.set.Tiles.At(q), w.More[1][1], w.Less[1][1], k)
	})
}

func TestZZSpeck(t *testing.T) {
	l, b, _, _ := afloat(t, physics.Box(.05, .05, .05), 700, r3.Vec{X: .76, Y: .9, Z: .71}, 4)
	lo, hi, n0 := 1e9, -1e9, 0
	for n := range 360 {
		l.Step(1. / 60)
		lo, hi = min(lo, b.Position().Y), max(hi, b.Position().Y)
		if n-n0 == 30 {
			t.Logf("%d y %.4f to %.4f spin %.3f %v liquid %.4f", n, lo, hi, b.AngularVelocity(), b.Velocity(), l.blocksInfo.maxSpeed)
			lo, hi, n0 = 1e9, -1e9, n
		}
	}
}

func TestZZSpin(t *testing.T) {
	for _, r := range []float64{.02, .04, .05, .06, .08} {
		started := false
		for _, dt := range []float64{1. / 30, 1. / 60, 1. / 240} {
			started = false
			var at []float64
			runStick(t, stickCase{g: []physics.Geometry{physics.Cylinder(r, .6)}, density: 500, pos: r3.Vec{X: .8, Y: .8, Z: .8}, turn: turned(math.Pi/2, r3.Vec{Z: 1}), seconds: 2, dt: dt}, func(n int, l *Liquid, b physics.Body) {
				if !started {
					started = true
					b.SetAngularVelocity(r3.Vec{X: 5})
				}
				if math.Mod(float64(n+1)*dt, .5) < dt {
					at = append(at, b.AngularVelocity().X)
				}
			})
			t.Logf("r %g dt 1/%.0f: %.3f", r, 1/dt, at)
		}
	}
}

func TestZZLevel(t *testing.T) {
	for _, r := range []float64{.04, .06} {
		runStick(t, stickCase{g: []physics.Geometry{physics.Capsule(r, .6)}, density: 300, pos: r3.Vec{X: .8, Y: .9, Z: .8}, turn: turned(1.5, r3.Vec{X: .3, Y: .1, Z: 1}), seconds: 8}, func(n int, l *Liquid, b physics.Body) {
			if n%60 != 59 {
				return
			}
			w := &l.graph.Bodies[5]
			rr := &l.coupling.rigid[5]
			s := &l.coupling.state[5]
			wt := 9.81 * b.Mass()
			up := b.Rotation()
			t.Logf("y %.4f v %.3v w %.3v frac %.3f K %.3f still %.3f aside %.3f rows %d level %.4f %.4f  q %.3v", b.Position().Y, b.Velocity(), b.AngularVelocity(), s.soaked.under/s.soaked.whole, rr.Impulse[1]/l.step.dt/wt, w.Still[1]*9810/wt, s.aside[1]/wt, len(w.Row), levelAt(l, .25, .25), levelAt(l, 1.35, 1.3), up)
		})
	}
}

func levelAt(l *Liquid, x, z float64) float64 {
	var s [1]Sample
	p := r3.Vec{X: x, Y: .8, Z: z}
	l.Sample([]r3.Vec{p}, s[:])
	return float64(l.set.Tiles.At(l.grid.ToPoint(x, .8, z)))
}

func TestZZRows(t *testing.T) {
	runStick(t, stickCase{g: []physics.Geometry{physics.Capsule(.06, .6)}, density: 300, pos: r3.Vec{X: .8, Y: .9, Z: .8}, turn: turned(1.5, r3.Vec{X: .3, Y: .1, Z: 1}), seconds: 6}, func(n int, l *Liquid, b physics.Body) {
		if n != 350 {
			return
		}
		w := &l.graph.Bodies[5]
		for e, r := range w.Row {
			c := l.graph.Cell[r]
			x := l.graph.Centre[r]
			t.Logf("row at %.2f vol %.3f phi %.4f p %.4f  true depth %.4f K %.5f top u %.4f dist %.4f opens %v", x, l.graph.Volume[r]*1000, l.set.Phi[c], l.step.pi[r]/l.step.dt/9810, .8-x[1], w.K[e][1], l.graph.U[l.graph.Sides[r][3]], l.graph.Dist[l.graph.Sides[r][3]], func() (o [6]float64) {
				for i, f := range l.graph.Sides[r] {
					if f >= 0 {
						o[i] = math.Round(l.graph.Open[f]*1000) / 1000
					} else {
						o[i] = -1
					}
				}
				return
			}())
		}
	})
}
