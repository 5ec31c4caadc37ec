package budget

import "math"

// Stability is what decides how short a substep must be: CFL's number, tension, waves, bodies afloat and thin walls.
type Stability struct {
	Edge         float64 // of a finest cell, m
	Speed        float64 // the liquid's greatest, m/s
	Acceleration float64 // the greatest of gravity and fields, m/s²
	CFL          float64 // how many edges liquid may pass in a substep
	Capillary    float64 // the longest substep that tension allows, s
	Afloat       bool    // there are bodies
	Walls        float64 // how many substeps thin walls want
	Most         int     // substeps that are allowed
}

// The longest steps, in times that a finest cell's edge takes to pass at its own free fall, √(edge/acceleration).
const (
	// bodyStep is the longest that bodies afloat come to rest with: with .52 those of four by three cells rock ever more, with .35 they calm down.
	bodyStep = .4
	// waveStep is the longest in which calm liquid stays calm. The surface moves with the velocity of the step before, so that waves grow from 2 over their
	// rate on; that of those of two cells is √π.
	waveStep = 1
)

// falls is how many of those times a step of dt s takes.
func (s Stability) falls(dt float64) float64 { return dt * math.Sqrt(s.Acceleration/s.Edge) }

// Substeps is how often dt, s, must be split. What waves, bodies and thin walls ask for beyond what is allowed they don't get, and nothing else gets it either.
func (s Stability) Substeps(dt float64) int {
	reach := dt * (s.Speed + float64(dt*s.Acceleration/2))
	n, most := max(reach/(s.CFL*s.Edge), dt/s.Capillary), float64(s.Most)
	if s.Afloat {
		n = max(n, min(s.falls(dt)/bodyStep, most))
	}
	n = max(n, min(s.falls(dt)/waveStep, most), min(s.Walls, most))
	return max(1, int(math.Ceil(min(1e3, n))))
}

// Lack says what the allowed substeps are too few for, and how many it wants; "" if they are enough.
func (s Stability) Lack(dt float64) (why string, wanted float64) {
	tense, waves, all, most := dt/s.Capillary, s.falls(dt)/waveStep, float64(s.Substeps(dt)), float64(s.Most)
	switch {
	case tense > most:
		return "surface tension is too stiff for the substeps, and acts more weakly than asked", tense
	case waves > most:
		return "waves as short as the cells are too fast for the substeps, and calm liquid does not stay calm", waves
	case all > most:
		return "the liquid is faster than the substeps follow, and loses detail where it is fastest", all
	}
	return "", 0
}
