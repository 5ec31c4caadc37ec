package scene

import (
	"math"
	"testing"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/math32"
	"gonum.org/v1/gonum/spatial/r3"
)

// A ball's normals are right to 1° and its distance to .1 %, from outside and from within.
func TestFrontOfABall(t *testing.T) {
	onGL(t, func(l *lab) {
		centre := r3.Vec{X: .1, Y: 1, Z: -.2}
		src := balls([4]float64{centre.X, centre.Y, centre.Z, .8})
		water := NewLiquid(src, LiquidOptions{Caustics: -1})
		defer water.Dispose()
		root := core.NewNode()
		defer root.Dispose()
		root.Add(water)
		defer root.Remove(water)
		const w, h = 320, 180
		for name, c := range map[string]struct {
			eye  math32.Vector3
			turn float64 // the normal is towards the eye
		}{"outside": {at(.3, 1.3, 2), 1}, "within": {at(0, 1.2, .1), -1}} {
			cam := view(w, h, c.eye, at(.1, 1, -.2))
			l.shoot(t, w, h, root, water, cam)
			v, _, _ := pixels(water, "front")
			seen, worst := 0, 0.0
			for y := 0; y < h; y += 3 {
				for x := 0; x < w; x += 3 {
					p := v[4*(y*w+x):]
					eye, way := throughPixel(cam, x, y, w, h)
					ways, _ := waysThrough(&src.surface, eye, way)
					first := math.Inf(1)
					for _, d := range ways {
						first = min(first, d)
					}
					if len(ways) == 0 {
						if p[3] != 0 {
							t.Errorf("%s: pixel %d, %d beside the ball is %v m away", name, x, y, p[3])
						}
						continue
					}
					n := r3.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
					want := r3.Scale(c.turn, r3.Unit(r3.Sub(r3.Add(eye, r3.Scale(first, way)), centre)))
					angle := 180 / math.Pi * math.Acos(min(1, r3.Dot(n, want)/r3.Norm(n)))
					if off := math.Abs(float64(p[3])/first - 1); angle > 1 || off > 1e-3 {
						t.Errorf("%s: pixel %d, %d: the normal is off %.2f°, the distance %.2g", name, x, y, angle, off)
					}
					seen, worst = seen+1, max(worst, angle)
				}
			}
			t.Logf("%s: normals at %d pixels are off %.2f° at most", name, seen, worst)
			if seen < 500 {
				t.Errorf("%s: only %d pixels see the ball", name, seen)
			}
		}
	})
}
