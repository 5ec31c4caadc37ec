// Package sleep has the thresholds at which calm liquid, and bodies in it, fall asleep, and the damping of slow motion.
package sleep

const (
	// CalmSpeed is the speed, m/s, below which liquid and the bodies in it may fall asleep: a
	// twentieth of a millimetre per step, which is invisible.
	CalmSpeed = 3e-3
	// EddySpeed is the greatest speed, m/s, of calm liquid beside bodies, if its root mean square over faces is at most CalmSpeed: where the surface
	// meets a body at an angle, faces that are nearly shut keep such a speed. A leak as slow has a head of a tenth of a millimetre.
	EddySpeed = 5e-2
	// CalmTime is how long they must be slower than CalmSpeed, s: longer than a wave rests at its turning point.
	CalmTime = .5

	// DampingRate is the rate, 1/s, at which slow motion decays in liquid whose surroundings are slow too.
	DampingRate = 1.5
	// DampedSpeed is the scale of slow motion, m/s: see Damped.
	DampedSpeed = 1e-2
	// SlowSpeed is the speed below which liquid counts as slow, m/s, as a root mean square over faces. A cell that appears or vanishes at the surface
	// moves only a face or two.
	SlowSpeed = 1e-2
	// SlowTime is how long liquid must be slow, s. A wave is slow at its turning points and in the deep, but not everywhere at once.
	SlowTime = .5
	// BodyDampingRate is the damping rate of bodies, 1/s: eddies at their edges add to it.
	BodyDampingRate = 3
	// SlowSpeedBody is the liquid's greatest speed, m/s, at which bodies are damped.
	SlowSpeedBody = .25
)

// WakingHead is the least step in the liquid's level that wakes sleeping liquid behind it, in cells at the edge of that liquid.
const WakingHead = .02

// Damped returns the factor that is left of a speed, m/s, after dt seconds of decay at a rate, 1/s. It is near 1 for speeds far above DampedSpeed.
func Damped(speed, rate, dt float64) float64 {
	u := speed / DampedSpeed
	q := 1 + float64(u*u)
	return q / (q + float64(rate*dt))
}
