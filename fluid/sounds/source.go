package sounds

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Kind says what sounds. An event is over with its step; what goes on has a [Source.Key].
type Kind uint8

// The kinds. Size is a radius, m.
const (
	// Splash goes on for as long as liquid meets liquid, a wall or a body there. Size is that of a disc as large as what meets.
	Splash Kind = iota
	// Drop is an event: a droplet, of a spray or too small for the grid, meets the liquid. Size is its radius.
	Drop
	// Rain goes on: droplets that meet the liquid, all together. Size is that of a droplet of the mean volume.
	Rain
	// Tap, Sink and Side go on: what flows in through an emitter, out through a sink, and through a side of the domain that is open or has a current.
	// Size is that of a round opening as large.
	Tap
	Sink
	Side
	// Bubbles go on with a splash, which draws air into the liquid. Size is that of the bubbles, Rate how many per second.
	Bubbles
	// PocketFormed, PocketClosed and PocketSurfaced are events of air that the liquid encloses and the grid resolves: it is enclosed; it becomes too
	// small to be seen; it opens to the air outside. Size is that of a sphere of its volume.
	PocketFormed
	PocketClosed
	PocketSurfaced
	kinds
)

var kindNames = [kinds]string{"Splash", "Drop", "Rain", "Tap", "Sink", "Side", "Bubbles", "PocketFormed", "PocketClosed", "PocketSurfaced"}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "Unknown"
}

// GoesOn tells whether what sounds goes on from step to step: play it in a loop, by its Key. Else it is an event.
func (k Kind) GoesOn() bool { return k != Drop && k < PocketFormed }

// Source is something that sounds in a step.
type Source struct {
	Kind Kind
	// Key is the same in each step for the same source that goes on: for Tap and Sink the EmitterID and SinkID, for Side the SideIndex. Bubbles have that of
	// their Splash. Of events it says nothing.
	Key      uint64
	Starts   bool    // of what goes on: it was not heard in the last steps; true for events
	Position r3.Vec  // m
	Size     float64 // m: a radius, as the Kind says
	// Spread is how far from Position it reaches, m.
	Spread float64
	// Energy is what is set free in the step, J: of a Splash what kinetic energy it loses, of a Drop and of Rain what the droplets have against the liquid
	// that they meet, of what flows ρ Q v²/2 times the step, of Bubbles the work that draws their air in, of a pocket that of ringing by a
	// hundredth of its volume.
	Energy float64
	Power  float64 // W: Energy divided by the step
	// Impulse is what a body gave the liquid in the step beyond its weight, N·s, and Body its ID; 0 where there was none.
	Impulse float64
	Body    uint64
	Speed   float64 // m/s: at which things meet, or that of the flow
	Litres  float64 // per second: of Tap, Sink, Side and Rain what flows; of Bubbles and pockets the air
	// Rate is how many droplets or bubbles there are per second. Of Rain, Area is what it falls on, m²: Rate/Area per second and square metre.
	Rate, Area float64
}

const (
	// airPressure, Pa, and airHeat, the ratio of specific heats, are those of air.
	airPressure, airHeat = 101325, 1.4
	// waterDensity is in kg/m³.
	waterDensity = 1000
)

// Minnaert is the frequency, Hz, at which a bubble of air rings in water near its surface: 3.26 m/s over its radius, m.
//
// Source: Minnaert 1933, On musical air-bubbles and the sounds of running water.
func Minnaert(radius float64) float64 {
	return math.Sqrt(3*airHeat*airPressure/waterDensity) / float64(2*math.Pi*radius)
}

// Frequency is the pitch of what rings, Hz: of Bubbles and pockets that of a bubble of their Size. A Drop and Rain draw in bubbles of about half
// the radius of their droplets. Others make noise, with most around the frequency of a bubble a tenth of their Size.
func (s *Source) Frequency() float64 {
	switch {
	case !(s.Size > 0):
		return 0
	case s.Kind == Drop || s.Kind == Rain:
		return Minnaert(s.Size / 2)
	case s.Kind >= Bubbles:
		return Minnaert(s.Size)
	}
	return Minnaert(s.Size / 10)
}
