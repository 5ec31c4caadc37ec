package surface
import ("testing";"gonum.org/v1/gonum/spatial/r3";"math")
func TestTwo(t *testing.T) {
	for _, band := range []float64{3,4, 6} { for _, dead := range []float32{.1,.4,100} {
		tuneDead, tuneStencil = dead, 10
		q := newTrial(t, [3]int{8, 4, 4}, 1./32, 3, 1)
		q.s.Markers.PerCell=0
		q.s.Band=band
		q.s.Clear()
		q.s.Set(ball(r3.Vec{X: .4, Y: .5, Z: .5}, .2)); q.s.Publish()
		q.flow(func(r3.Vec) r3.Vec { return r3.Vec{X: 1} })
		v0 := q.volume()
		for i:= range 80 { q.step(.0125) 
		if i%8==7 { worst,sum,n := 0.,0.,0.
		x0:=.4+float64(i+1)*.0125
		q.eachCell(func(_ int32, i int, x r3.Vec, h float64) {
			if d := r3.Norm(r3.Sub(x, r3.Vec{X: x0, Y: .5, Z: .5})) - .2; math.Abs(d) < h { worst = max(worst, math.Abs(d-float64(q.s.Phi[i]))/h); sum+=(float64(q.s.Phi[i])-d)/h;n++ }
		})
		t.Logf("band %g dead %g step %d vol %.3g %% worst %.3g mean %.3g", band,dead,i+1,100*(q.volume()/v0-1),worst,sum/n) }}
	}}
}
