package cubes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
)

// A film on a wall that is just less than half a cell thick has no rows, but for a small part that is thicker. When all of it comes to be more than that, it is to
// hold what it does, and not what the small part did, which another component would swell to make up for; and when it has no rows again that component is to
// hold what it did.
func TestFilmKeepsItsVolume(t *testing.T) {
	const h = .05
	pool := par.New(2)
	t.Cleanup(pool.Close)
	m := New(Config{CellSize: h, Domain: r3.Box{Max: r3.Vec{X: 1.2, Y: .4, Z: .4}}, Dim: [3]int{3, 1, 1}, Coarsest: layout.MaxLevel},
		pool, &graph.Graph{}, &graph.Components{})
	m.Dt, m.Drift = 1./60, 1./60
	m.Track(contour.NewTracker(m.Grid, m.Pool, 1, false))
	m.Start()
	film := func(thickness, to float64) shapes.SDF {
		return shapes.Box(r3.Box{Min: r3.Vec{X: -1, Y: -1, Z: -1}, Max: r3.Vec{X: thickness * h, Y: to, Z: 1}})
	}
	m.Surface.union(shapes.Sphere(r3.Vec{X: .9, Y: .2, Z: .2}, .16), 0)
	m.Surface.union(film(.45, 1), 0)
	m.Surface.union(film(.6, .1), 0)
	m.ThinWalls.Mark()
	m.Settle()
	m.Survey.Measure()
	a := &components.Account{Ledger: &components.Ledger{}, Before: &components.Ledger{}}
	a.FilledL = m.Volumes.Held() / components.Litre
	step := func() []float64 {
		keepVolume(m, a)
		return m.Volumes.Targets.Target
	}
	small := append([]float64(nil), step()...)
	if len(small) != 2 {
		t.Fatalf("%d components, want the ball and the part of the film that is thick", len(small))
	}
	held := m.Volumes.Held()
	m.Surface.union(film(.6, 1), 0)
	m.Survey.Measure()
	a.EmittedL += (m.Volumes.Held() - held) / components.Litre
	large := append([]float64(nil), step()...)
	if want := .6 * h * .16; len(large) != 2 || math.Abs(large[0]-want) > .05*want || math.Abs(large[1]-small[1]) > .02*small[1] {
		t.Errorf("thick: targets %v m³, want %g of the film and %g of the ball", large, want, small[1])
	}
	held = m.Volumes.Held()
	m.Surface.subtract(shapes.Box(r3.Box{Min: r3.Vec{X: .45 * h, Y: .1, Z: -1}, Max: r3.Vec{X: 2 * h, Y: 1, Z: 1}}))
	m.Survey.Measure()
	a.DrainedL += (held - m.Volumes.Held()) / components.Litre
	if thin := step(); len(thin) != 2 || math.Abs(thin[0]-small[0]) > .25*small[0] || math.Abs(thin[1]-small[1]) > .02*small[1] {
		t.Errorf("thin again: targets %v m³, want %v", thin, small)
	}
}
