// Package sleep says when liquid, and bodies in it, are calm enough to fall asleep, and how motion dies that is slow.
package sleep

const (
	// CalmSpeed is what, m/s, liquid and bodies in it must stay under to fall asleep: a
	// twentieth of a millimetre in a step, which no one sees.
	CalmSpeed = 3e-3
	// CalmTime is for how long they must, s: longer than a wave stands still at its turning point.
	CalmTime = .5

	// DampingRate is the rate, 1/s, at which slow motion dies where liquid, and that around it, is slow.
	DampingRate = 1.5
	// DampedSpeed is what motion is slow against, m/s.
	DampedSpeed = 1e-2
	// SlowSpeed is what slow liquid stays under, m/s, as a root mean square over faces: a cell that comes or goes at the surface moves a face or two.
	SlowSpeed = 1e-2
	// SlowTime is for how long it must, s. A wave is slow at its turning points and in the deep, too, but not all of it at once.
	SlowTime = .5
	// BodyDampingRate is the rate for bodies, whose edges shed eddies besides, 1/s.
	BodyDampingRate = 3
	// SlowSpeedBody is the speed, m/s, up to which liquid lets them be damped.
	SlowSpeedBody = .25
)

// WakingHead is the least difference of the liquid's level, in cells where it ends, that wakes liquid behind it.
const WakingHead = .02

// Damped is what is left of a speed, m/s, that dies at a rate, 1/s, after dt seconds.
func Damped(speed, rate, dt float64) float64 {
	u := speed / DampedSpeed
	q := 1 + float64(u*u)
	return q / (q + float64(rate*dt))
}
