package levelset

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/droplets"

	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"gonum.org/v1/gonum/spatial/r3"
)

func TestSeedsLieUnderTheSurface(t *testing.T) {
	q := newTrial(t, [3]int{4, 4, 4}, 1./32, 3, 2)
	c := r3.Vec{X: .5, Y: .5, Z: .5}
	q.s.Set(ball(c, .3))
	q.s.Publish()
	h := 1. / 32
	m := q.s.Markers
	for i, p := range m.Position {
		x, y, z := q.g.ToMetres(p)
		d := r3.Norm(r3.Sub(r3.Vec{X: x, Y: y, Z: z}, c)) - .3
		if d > 0 || d < -1.1*h || m.Radius[i] >= 0 || float64(-m.Radius[i]) > math.Max(-d, .1*h)+.1*h {
			t.Fatalf("marker %d: distance %g h, radius %g h", i, d/h, float64(m.Radius[i])/h)
		}
	}
	shell := 4 * math.Pi * .3 * .3 * h / (h * h * h) // cells in the outer cell of the ball
	if per := float64(m.Len()) / shell; per < 2 || per > 6 {
		t.Errorf("%.1f markers per cell", per)
	}
	for range 8 { // reseeding settles
		q.s.Publish()
	}
	n := m.Len()
	q.s.Publish()
	if m.Len() > n+n/50 {
		t.Errorf("markers grow from %d to %d at rest", n, m.Len())
	}
}

func TestMaxMarkers(t *testing.T) {
	q := newTrial(t, [3]int{4, 4, 4}, 1./32, 3, 2)
	q.s.Markers.Max = 1000
	q.s.Set(ball(r3.Vec{X: .5, Y: .5, Z: .5}, .3))
	q.s.Publish()
	if q.s.Markers.Len() != 1000 || q.s.Markers.Refused == 0 {
		t.Errorf("%d markers, %d refused", q.s.Markers.Len(), q.s.Markers.Refused)
	}
}

// turn is a Tick at which the block that holds a place is due even where nothing moves.
func (t *trial) turn(p layout.Point) uint32 {
	b, _, _, _ := t.g.Locate(p)
	return longestPeriod - uint32(b)%longestPeriod
}

// A marker in the air close to the liquid pulls the surface out to itself.
func TestEscapedMarkerCorrects(t *testing.T) {
	q := newTrial(t, [3]int{3, 3, 3}, 1./24, 3, 1)
	q.s.Markers.PerCell = 0
	q.s.Set(halfSpace(r3.Vec{Y: 1}, .5))
	q.s.Publish()
	q.flow(func(r3.Vec) r3.Vec { return r3.Vec{} })
	h := 1. / 24
	at := q.g.ToPoint(.5+.5*h, .5+.55*h, .5+.5*h)
	m := q.s.Markers
	m.Load([]layout.Point{at}, []float32{float32(-.45 * h)})
	before := q.s.Tiles.At(at)
	q.s.Tick = q.turn(at)
	q.step(.01)
	if after := q.s.Tiles.At(at); after > before-.4*float32(h) {
		t.Errorf("φ at the marker went from %g h to %g h", before/float32(h), after/float32(h))
	}
}

// A marker away from liquid becomes a droplet that falls as in vacuum, and comes back.
func TestDropletFliesAndMerges(t *testing.T) {
	q := newTrial(t, [3]int{3, 4, 3}, 1./24, 3, 1)
	q.s.Markers.PerCell = 0
	q.s.Set(halfSpace(r3.Vec{Y: 1}, .3))
	q.s.Publish()
	q.flow(func(r3.Vec) r3.Vec { return r3.Vec{X: .2, Y: .5} })
	m, d := q.s.Markers, q.s.Markers.Spray
	d.Gravity = [3]float64{0, -9.81, 0}
	r := float32(.3 / 24)
	m.Load([]layout.Point{q.g.ToPoint(.4, 1, .5)}, []float32{-r})
	q.s.Tick = q.turn(m.Position[0])
	q.s.Advance(q.v, 1e-9)
	q.s.Publish()
	if m.Len() != 0 || d.Len() != 1 || math.Abs(d.Volume/droplets.SphereVolume(r)-1) > 1e-6 || d.Born != d.Volume {
		t.Fatalf("markers %d, droplets %d of %g m³", m.Len(), d.Len(), d.Volume)
	}
	q.flow(func(r3.Vec) r3.Vec { return r3.Vec{} })
	for range 20 {
		q.step(.01)
	}
	// Half a step on, where it began too.
	want := 1 + .5*(.2+.005) - .5*9.81*.04
	if y := float64(d.Position[1] + .005*d.Velocity[1]); math.Abs(y-want) > 1e-4 {
		t.Errorf("height %g, want %g", y, want)
	}
	merged, momentum := 0., 0.
	for i := 0; i < 50 && d.Len() > 0; i++ {
		q.step(.01)
		merged += d.Merged
		momentum += d.Momentum[0]
	}
	if math.Abs(merged/droplets.SphereVolume(r)-1) > 1e-6 || math.Abs(momentum/(.2*merged)-1) > 1e-4 || d.Volume != 0 {
		t.Errorf("merged %g of %g m³, momentum %g, left %g", merged, droplets.SphereVolume(r), momentum, d.Volume)
	}
}
