package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// SplashFoam has the next AdvanceFoam lay foam within a radius, m, of a place: as white as if the liquid there had changed its speed by so much, m/s.
func (s *Surface) SplashFoam(x r3.Vec, radius, speed float64) {
	s.foam.Splash(reproducible.Array(x), radius, s.foam.Tuning.Hit*speed)
}

// AdvanceFoam carries the foam along with the settled velocity, fades it, and adds what the surface makes, over dt seconds.
func (s *Surface) AdvanceFoam(dt float64) { s.foam.Advance(s.m.Set.Phi, s.m.Vel, dt) }

// HasFoam tells whether there is foam.
func (s *Surface) HasFoam() bool { return s.foam.Some() }

// FadeFoam is AdvanceFoam for a settled state that no step goes on from.
func (s *Surface) FadeFoam(dt float64) {
	s.AdvanceFoam(dt)
	s.foam.Publish()
}
