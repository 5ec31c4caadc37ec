package sounds

import "gonum.org/v1/gonum/spatial/r3"

// LeastSpeed is the least speed, m/s, of liquid or bodies that splash.
const LeastSpeed = .25

// Step is the input of an Ear: the facts of a step. A game with another liquid may fill it itself.
type Step struct {
	Dt       float64 // s, > 0
	CellSize float64 // m: sounds nearer to each other are heard as one
	Density  float64 // kg/m³
	Tension  float64 // N/m; 0 means that of water
	Up       r3.Vec  // against gravity, of length 1; zero where there is none
	Impacts  []Impact
	Drops    []Droplet
	Flows    []Flow
	// Pockets are the pockets at the step's end. If Asleep is set they are not used: the pockets are as before.
	Pockets []Pocket
	Asleep  bool
}

// Impact is a collision of liquid with liquid, a wall or a body, within a part of space.
type Impact struct {
	Position r3.Vec  // m
	Energy   float64 // lost, J
	Speed    float64 // of the collision, m/s
	Area     float64 // of the impact, m²
	Impulse  float64 // N·s, lost by the body with the ID; 0 without a body
	Body     uint64
}

// Droplet is a droplet that met the liquid.
type Droplet struct {
	Position r3.Vec  // m
	Speed    float64 // relative to the liquid, m/s
	Radius   float64 // m
}

// Flow is the flow through an opening.
type Flow struct {
	Kind     Kind // Tap, Sink or Side
	Key      uint64
	Position r3.Vec  // m
	Volume   float64 // in the step, m³; through a Side of either sign
	Speed    float64 // m/s; 0: computed from Volume and Size
	Size     float64 // radius of a round opening of the same area, m; 0: computed from Volume and Speed
}

// Pocket is air that the liquid encloses.
type Pocket struct {
	Position r3.Vec  // m
	Volume   float64 // m³
}
