package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Range is two thresholds: what is below From counts for nothing, what is above To in full, and in between it grows linearly.
type Range struct{ From, To float64 }

// share is where a value is in the range, 0 to 1.
func (r Range) share(v float64) float64 { return max(0, min(1, (v-r.From)/(r.To-r.From))) }

// Tuning is what makes white water and how it moves. All of it is in physical units.
type Tuning struct {
	// Speed is the liquid's, m/s, whose squares are the thresholds of the energy per mass. Default 1 to 4: a metre per second is the inception speed of
	// plunging jets (see Entrained), and the height of 5 cm from which liquid falls to have it.
	Speed Range
	// Entrained is by how much parts of the liquid must approach each other to trap air, m/s. Default 0.8 to 3.2. A jet of water draws air into a
	// pool from 0.8 to 1 m/s on (Biń 1993, "Gas entrainment by plunging liquid jets").
	Entrained Range
	// Unbroken is the rate of convergence of waves that do not break, 1/s: over the width at which it is measured it is added to both of Entrained. The
	// surface of a wave of frequency ω and steepness s converges at ωs; a second's wave breaks at s = 0.4, with 2.5/s. Default 2.5.
	Unbroken float64
	// Torn is the acceleration, m/s², of a crest along its own bend: its curvature times the square of its speed along its normal. Default 4 to 20. A
	// standing wave's crest comes to g, a travelling one's to 0.39 g = 3.8 m/s² (Longuet-Higgins 1963, of the limiting wave), and neither is torn.
	Torn Range
	// Along is the least cosine between a crest's normal and its velocity. Default 0.6, as in the paper.
	Along float64
	// Fill is how long it takes, s, until a surface that makes all that it can has Density particles. Default 0.015.
	Fill float64
	// Life is how long particles live, s. Default 1.5 to 4.
	Life Range
	// AirTime is how long air takes to stop spray to 1/e, s. Default 0.66: drops of 2 mm fall at 6.5 m/s (Gunn, Kinzer 1949).
	AirTime float64
	// BubbleTime is likewise for bubbles in the liquid, s. Default 0.0127. Buoyancy accelerates a bubble by twice gravity, as half the liquid's mass that
	// it displaces goes with it, so that it rises at 0.25 m/s, as bubbles of 1 to 15 mm do (Clift, Grace, Weber 1978).
	BubbleTime float64
}

// DefaultTuning is for water.
var DefaultTuning = Tuning{
	Speed: Range{1, 4}, Entrained: Range{.8, 3.2}, Unbroken: 2.5, Torn: Range{4, 20}, Along: .6,
	Fill: .015, Life: Range{1.5, 4}, AirTime: .66, BubbleTime: .0127,
}

// Width is over how many cells Source.Squeeze is measured.
const Width = 2

// energy is how far a speed, of which this is the square, is enough for white water, 0 to 1.
func (t *Tuning) energy(speed2 float64) float64 {
	return Range{float64(t.Speed.From * t.Speed.From), float64(t.Speed.To * t.Speed.To)}.share(speed2)
}

// potentials are how far a source traps air and how far it is torn, 0 to 1 each, as its energy allows.
func (t *Tuning) potentials(s *Source) (trapped, torn float64) {
	speed2 := reproducible.Norm2(s.Velocity)
	energy := t.energy(speed2)
	if energy == 0 {
		return 0, 0
	}
	usual := float64(t.Unbroken * Width * s.Edge)
	trapped = Range{t.Entrained.From + usual, t.Entrained.To + usual}.share(s.Squeeze)
	if along := reproducible.Dot(s.Normal, s.Velocity); along > float64(t.Along*math.Sqrt(speed2)) {
		torn = t.Torn.share(float64(s.Bend * along * along))
	}
	return energy * trapped, energy * torn
}

// density is how many particles there are on a square metre of a surface that is white all over, if there are most in all: as many as there are when that
// surface is as large as the domain's volume to the power of ⅔.
func density(most int, domain r3.Box) float64 {
	size := r3.Sub(domain.Max, domain.Min)
	edge := reproducible.Cbrt(size.X * size.Y * size.Z)
	return float64(most) / (edge * edge)
}

// Radii of particles, m, are a share of how far they are from each other at Density, within limits: of what is seen of a bubble, and of a patch of foam.
const (
	radiusShare = .3
	leastRadius = 5e-4
	mostRadius  = 3e-2
)

// radius is that of the largest particles, m.
func radius(density float64) float64 {
	return max(leastRadius, min(mostRadius, radiusShare/math.Sqrt(density)))
}
