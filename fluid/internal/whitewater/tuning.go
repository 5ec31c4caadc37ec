package whitewater

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Range is a pair of thresholds: the share of a value is 0 below From, 1 above To, and linear in between.
type Range struct{ From, To float64 }

// share returns the share of a value in the range, 0 to 1.
func (r Range) share(v float64) float64 { return max(0, min(1, (v-r.From)/(r.To-r.From))) }

// Tuning is the parameters of generation and motion, in physical units.
type Tuning struct {
	// Speed bounds the liquid's speed, m/s; the squares are the thresholds of the energy per mass. Default 1 to 4: a metre per second is the inception speed of
	// plunging jets (see Entrained), and that of liquid which falls from a height of 5 cm.
	Speed Range
	// Entrained bounds the speed at which parts of the liquid approach each other to trap air, m/s. Default 0.8 to 3.2. A jet of water entrains air into a
	// pool from 0.8 to 1 m/s on (Biń 1993, "Gas entrainment by plunging liquid jets").
	Entrained Range
	// Unbroken is the rate of convergence of waves that do not break, 1/s. Times the width over which convergence is measured it is added to both of
	// Entrained. The surface of a wave of angular frequency ω and steepness s converges at ωs; a wave of one second breaks at s = 0.4, with 2.5/s.
	// Default 2.5.
	Unbroken float64
	// Torn bounds the acceleration of a crest, m/s²: its curvature times the square of its speed along its normal. Default 4 to 20. A
	// standing wave's crest reaches g, a travelling one's 0.39 g = 3.8 m/s² (Longuet-Higgins 1963, for the limiting wave), and neither is torn.
	Torn Range
	// Along is the least cosine between a crest's normal and its velocity. Default 0.6, as in the paper.
	Along float64
	// Fill is the time, s, in which a surface that generates all it can gets Density particles. Default 0.015.
	Fill float64
	// Life is how long particles live, s. Default 1.5 to 4.
	Life Range
	// AirTime is the time constant of air drag on spray, s. Default 0.66: drops of 2 mm fall at 6.5 m/s (Gunn, Kinzer 1949).
	AirTime float64
	// BubbleTime is the time constant of drag on bubbles, s. Default 0.0127. Buoyancy accelerates a bubble by twice gravity, since its added mass is
	// half of the liquid that it displaces; it then rises at 0.25 m/s, as bubbles of 1 to 15 mm do (Clift, Grace, Weber 1978).
	BubbleTime float64
}

// DefaultTuning is the tuning for water.
var DefaultTuning = Tuning{
	Speed: Range{1, 4}, Entrained: Range{.8, 3.2}, Unbroken: 2.5, Torn: Range{4, 20}, Along: .6,
	Fill: .015, Life: Range{1.5, 4}, AirTime: .66, BubbleTime: .0127,
}

// Width is the number of cells over which Source.Squeeze is measured.
const Width = 2

// energy returns the share of a squared speed in the range of Speed's squares, 0 to 1.
func (t *Tuning) energy(speed2 float64) float64 {
	return Range{float64(t.Speed.From * t.Speed.From), float64(t.Speed.To * t.Speed.To)}.share(speed2)
}

// potentials returns the potentials of a source to trap air and to be torn, 0 to 1 each, scaled by its energy.
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

// density returns the number of particles per square metre of an all-white surface, for most in all: as many as fill such a
// surface with the area of the domain's volume to the power of ⅔.
func density(most int, domain r3.Box) float64 {
	size := r3.Sub(domain.Max, domain.Min)
	edge := reproducible.Cbrt(size.X * size.Y * size.Z)
	return float64(most) / (edge * edge)
}

// Radii of particles, m, are a share of their spacing at Density, within limits: the sizes of visible bubbles and of patches of foam.
const (
	radiusShare = .3
	leastRadius = 5e-4
	mostRadius  = 3e-2
)

// radius returns the radius of the largest particles, m.
func radius(density float64) float64 {
	return max(leastRadius, min(mostRadius, radiusShare/math.Sqrt(density)))
}
