package levelset

import (
	"math"
	"sort"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// A surface in the flow of a standing wave, which is as high as four of its cells, stays where that carries it, and its volume what
// it is: redistancing pulls it to neither side. Particles in the surface tell where it should be.
func TestStandingWaveCarriesTheSurface(t *testing.T) {
	const h, dt, seconds, cells, depth, high = .108, 1. / 120, 8, 32, 14.5 * .108, 4 * .108
	q := newTrial(t, [3]int{cells / 8, 4, 1}, h, 3, 2)
	k := math.Pi / (cells * h)
	omega := math.Sqrt(4 * k * math.Tanh(k*depth))
	q.s.Set(halfSpace(r3.Vec{Y: 1}, depth))
	q.s.Publish()
	filled := q.volume()
	flow := func(x r3.Vec, speed float64) r3.Vec {
		speed /= math.Sinh(k * depth)
		return r3.Vec{X: -speed * math.Sin(k*x.X) * math.Cosh(k*x.Y), Y: speed * math.Cos(k*x.X) * math.Sinh(k*x.Y)}
	}
	var particles []r3.Vec
	for i := range 10*cells + 1 {
		particles = append(particles, r3.Vec{X: h / 10 * float64(i), Y: depth})
	}
	for n := range int(seconds / dt) {
		speed := high * omega * math.Cos(omega*(float64(n)+.5)*dt)
		q.flow(func(x r3.Vec) r3.Vec { return flow(x, speed) })
		q.step(dt)
		for i, x := range particles {
			half := r3.Add(x, r3.Scale(dt/2, flow(x, speed)))
			particles[i] = r3.Add(x, r3.Scale(dt, flow(half, speed)))
		}
	}
	var phi [cells][32]float64
	q.eachCell(func(_ int32, c int, x r3.Vec, _ float64) { phi[int(x.X/h)][int(x.Y/h)] = float64(q.s.Phi[c]) })
	worst := 0.
	for i := range phi {
		column := &phi[i]
		top := sort.Search(len(column), func(j int) bool { return column[j] >= 0 })
		at := h * (float64(top) - .5 + column[top-1]/(column[top-1]-column[top]))
		x := (float64(i) + .5) * h
		n := sort.Search(len(particles), func(j int) bool { return particles[j].X >= x })
		a, b := particles[n-1], particles[n]
		worst = max(worst, math.Abs(at-(a.Y+(b.Y-a.Y)*(x-a.X)/(b.X-a.X)))/h)
	}
	grown := q.volume()/filled - 1
	t.Logf("volume %+.4f, off by %.2f cells at most", grown, worst)
	if math.Abs(grown) > .015 || worst > .6 {
		t.Errorf("volume %+.4f, off by %.2f cells at most; want 0 and 0", grown, worst)
	}
}
