package budget

import "math"

// Stability is what limits the length of a substep: the CFL number, surface tension, waves, floating bodies and thin walls.
type Stability struct {
	Edge         float64 // of a finest cell, m
	Speed        float64 // the liquid's greatest speed, m/s
	Acceleration float64 // greatest acceleration by gravity and fields, m/s²
	CFL          float64 // most edges that liquid may cross in a substep
	Capillary    float64 // longest substep that surface tension allows, s
	Afloat       bool    // there are floating bodies
	Walls        float64 // substeps that thin walls need
	Most         int     // most substeps allowed
}

// The longest stable substeps, in units of √(edge/acceleration) of a finest cell.
const (
	// bodyStep is the longest with which floating bodies come to rest. With .52 bodies of four by three cells rock ever more, with .35 they calm down.
	bodyStep = .4
	// waveStep is the longest with which calm liquid stays calm. The surface moves with the velocity of the step before, so that waves grow from
	// steps of 2 over their angular frequency on, which is √π for waves two cells long.
	waveStep = 1
)

// falls returns a step of dt s in units of √(edge/acceleration).
func (s Stability) falls(dt float64) float64 { return dt * math.Sqrt(s.Acceleration/s.Edge) }

// Substeps returns the number of substeps of a step of dt, s. Waves, bodies and thin walls never raise it above Most; speed and tension may.
func (s Stability) Substeps(dt float64) int {
	reach := dt * (s.Speed + float64(dt*s.Acceleration/2))
	n, most := max(reach/(s.CFL*s.Edge), dt/s.Capillary), float64(s.Most)
	if s.Afloat {
		n = max(n, min(s.falls(dt)/bodyStep, most))
	}
	n = max(n, min(s.falls(dt)/waveStep, most), min(s.Walls, most))
	return max(1, int(math.Ceil(min(1e3, n))))
}

// Shortfall returns what suffers if Most substeps are too few, and how many would be needed; "" if they are enough.
func (s Stability) Shortfall(dt float64) (why string, wanted float64) {
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
