package sounds

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Kind is the kind of a sound. An event ends with its step; a lasting sound has a [Source.Key].
type Kind uint8

// The kinds. Size is a radius, m.
const (
	// Splash lasts while liquid hits liquid, a wall or a body there. Size is that of a disc with the area of the impact.
	Splash Kind = iota
	// Drop is an event: a droplet, of a spray or too small for the grid, hits the liquid. Size is its radius.
	Drop
	// Rain lasts: droplets that hit the liquid, all together. Size is that of a droplet of the mean volume.
	Rain
	// Tap, Sink and Side last: the flow in through an emitter, out through a sink, and through a side of the domain that is open or has a current.
	// Size is that of a round opening of the same area.
	Tap
	Sink
	Side
	// Bubbles last with a splash, which entrains air. Size is that of the bubbles, Rate their number per second.
	Bubbles
	// PocketFormed, PocketClosed and PocketSurfaced are events of enclosed air that the grid resolves: it is enclosed; it becomes too
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

// GoesOn reports whether a sound lasts from step to step, to be played in a loop by its Key. Otherwise it is an event.
func (k Kind) GoesOn() bool { return k != Drop && k < PocketFormed }

// Source is a sound in a step.
type Source struct {
	Kind Kind
	// Key identifies a lasting sound from step to step: for Tap and Sink it is the EmitterID and SinkID, for Side the SideIndex. Bubbles have that of
	// their Splash. For events it has no meaning.
	Key      uint64
	Starts   bool    // a lasting sound was not in the last steps; true for events
	Position r3.Vec  // m
	Size     float64 // a radius, m: see Kind
	// Spread is the radius of the sounding region, m.
	Spread float64
	// Energy is the energy of the step, J: of a Splash the kinetic energy that it loses; of a Drop and of Rain the droplets' kinetic energy relative to the
	// liquid; of flows ρ Q v²/2 times the step; of Bubbles the work that draws their air in; of a pocket that of ringing by a
	// hundredth of its volume.
	Energy float64
	Power  float64 // W: Energy divided by the step
	// Impulse is the impulse of a body on the liquid in the step beyond its weight, N·s, and Body its ID; 0 without a body.
	Impulse float64
	Body    uint64
	Speed   float64 // m/s: of the impact or the flow
	Litres  float64 // per second: of Tap, Sink, Side and Rain the flow; of Bubbles and pockets the air
	// Rate is the number of droplets or bubbles per second. Of Rain, Area is the area that it falls on, m²: Rate/Area per second and square metre.
	Rate, Area float64
}

const (
	// airPressure, Pa, and airHeat, the ratio of specific heats, are those of air.
	airPressure, airHeat = 101325, 1.4
	// waterDensity is in kg/m³.
	waterDensity = 1000
)

// Minnaert returns the frequency, Hz, at which a bubble of air with a radius, m, rings in water near its surface: 3.26 m/s over the radius.
//
// Source: Minnaert 1933, On musical air-bubbles and the sounds of running water.
func Minnaert(radius float64) float64 {
	return math.Sqrt(3*airHeat*airPressure/waterDensity) / float64(2*math.Pi*radius)
}

// Frequency returns the pitch, Hz: of Bubbles and pockets that of a bubble of their Size; of a Drop and Rain that of bubbles of half
// the radius of their droplets, which they entrain. Other sounds are noise, strongest around the frequency of a bubble of a tenth of their Size.
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
