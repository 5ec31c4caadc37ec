// Package sleep says when liquid, and bodies in it, are calm enough to fall asleep, and how motion dies that is slow.
package sleep

const (
	// CalmSpeed, m/s, is what liquid and bodies in it must stay under to fall asleep: a
	// twentieth of a millimetre in a step, which no one sees.
	CalmSpeed = 3e-3
	// CalmTime, s, is for how long they must: longer than a wave stands still at its turning point.
	CalmTime = .5

	// DampingRate, 1/s, is the rate at which motion dies that is slow against DampedSpeed, m/s, where the liquid, and that around it, has for
	// SlowTime, s, not moved faster than SlowSpeed, m/s, as a root mean square over the faces. A wave is slow at its
	// turning points and in the deep, too, but not all of it at once. The mean, since a cell that comes or goes at the surface stirs a face or two.
	DampingRate = 1.5
	DampedSpeed = 1e-2
	SlowSpeed   = 1e-2
	SlowTime    = .5
	// BodyDampingRate is that of bodies, whose edges shed eddies besides, where no liquid has been faster than SlowSpeedBody.
	BodyDampingRate = 3
	SlowSpeedBody   = .25
)

// WakingHead is the least difference of the liquid's level, in cells where it ends, that wakes liquid behind it.
const WakingHead = .02

// Damped is what is left of a speed, m/s, that dies at a rate, 1/s, after dt seconds.
func Damped(speed, rate, dt float64) float64 {
	u := speed / DampedSpeed
	q := 1 + float64(u*u)
	return q / (q + float64(rate*dt))
}
