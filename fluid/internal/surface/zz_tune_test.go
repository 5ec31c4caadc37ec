package surface
import ("testing";"gonum.org/v1/gonum/spatial/r3";"math")
func TestTune(t *testing.T) {
	for _, dead := range []float32{0.02,.05,.1, .2,.4} {
	for _, slack := range []float32{1.5,2,2.5,3.5} {
		tuneDead, tuneStencil = dead, slack
		q := newTrial(t, [3]int{8, 4, 4}, 1./32, 3, 1)
		q.s.Markers.PerCell=0
		q.s.Set(ball(r3.Vec{X: .4, Y: .5, Z: .5}, .2)); q.s.Publish()
		q.flow(func(r3.Vec) r3.Vec { return r3.Vec{X: 1} })
		v0 := q.volume()
		for range 80 { q.step(.0125) }
		v1, worst := q.volume(), 0.
		q.eachCell(func(_ int32, i int, x r3.Vec, h float64) {
			if d := r3.Norm(r3.Sub(x, r3.Vec{X: 1.4, Y: .5, Z: .5})) - .2; math.Abs(d) < h { worst = max(worst, math.Abs(d-float64(q.s.Phi[i]))/h) }
		})
		n := 48
		q = newTrial(t, [3]int{n / 8, n / 8, n / 8}, 1/float64(n), 3, 1)
		q.s.Markers.PerCell=0
		spin := func(float64) func(r3.Vec) r3.Vec { return func(x r3.Vec) r3.Vec { return r3.Vec{X: math.Pi / 3.14 * (.5 - x.Y), Y: math.Pi / 3.14 * (x.X - .5)} } }
		steps := 628 * n / 100
		z := runRotation(t, q, zalesak, steps, 6.28/float64(steps), spin, true)
		t.Logf("dead %g stencil %g: sphere volume %.3g %%, worst φ %.3g h;  Z %v", dead, slack, 100*(v1/v0-1), worst, z)
	}}
}
