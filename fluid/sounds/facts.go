package sounds

import "gonum.org/v1/gonum/spatial/r3"

// LeastSpeed is the speed, m/s, from which what is slowed down makes a splash.
const LeastSpeed = .25

// Step is what an Ear is told of a step: plain facts. A game whose liquid is another may fill it itself.
type Step struct {
	Dt       float64 // s, > 0
	CellSize float64 // m: what is nearer together is heard as one
	Density  float64 // kg/m³
	Tension  float64 // N/m; 0 means that of water
	Up       r3.Vec  // against gravity, of length 1; zero where there is none
	Impacts  []Impact
	Drops    []Droplet
	Flows    []Flow
	// Pockets are those there are at the step's end; Asleep says that nothing was looked at and they are as before.
	Pockets []Pocket
	Asleep  bool
}

// Impact is where liquid met something within a part of space.
type Impact struct {
	Position r3.Vec  // m
	Energy   float64 // J, that was lost
	Speed    float64 // m/s, at which it met
	Area     float64 // m², of what met
	Impulse  float64 // N·s, that a body lost, and its ID; 0 where there was none
	Body     uint64
}

// Droplet is one that met the liquid.
type Droplet struct {
	Position r3.Vec  // m
	Speed    float64 // m/s, against the liquid
	Radius   float64 // m
}

// Flow is what flowed through an opening.
type Flow struct {
	Kind     Kind // Tap, Sink or Side
	Key      uint64
	Position r3.Vec  // m
	Volume   float64 // m³, in the step; of a Side either way
	Speed    float64 // m/s; 0: as the volume and Size have it
	Size     float64 // m: radius of a round opening as large; 0: as volume and Speed have it
}

// Pocket is air that the liquid encloses.
type Pocket struct {
	Position r3.Vec  // m
	Volume   float64 // m³
}
