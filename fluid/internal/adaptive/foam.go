package adaptive

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SplashFoam has the next AdvanceFoam lay foam within a radius, m, of a place: as white as if the liquid there had changed its speed by so much, m/s.
func (m *Blocks) SplashFoam(x r3.Vec, radius, speed float64) {
	m.Foam.Splash(reproducible.Array(x), radius, m.Foam.Tuning.Hit*speed)
}

// AdvanceFoam carries the foam along with the settled velocity, fades it, and adds what the surface makes, over dt seconds.
func (m *Blocks) AdvanceFoam(dt float64) { m.Foam.Advance(m.Set.Phi, m.Vel, dt) }

// HasFoam tells whether there is foam.
func (m *Blocks) HasFoam() bool { return m.Foam.Some() }

// FadeFoam is AdvanceFoam for a settled state that no step goes on from.
func (m *Blocks) FadeFoam(dt float64) {
	m.AdvanceFoam(dt)
	m.Foam.Publish()
}
