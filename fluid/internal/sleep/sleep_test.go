package sleep

import (
	"math"
	"testing"
)

// Slow motion decays at the rate, fast motion is nearly undamped, and a speed keeps its sign.
func TestDamped(t *testing.T) {
	const dt = 1. / 60
	if d := Damped(0, DampingRate, dt); math.Abs(d*(1+DampingRate*dt)-1) > 1e-15 {
		t.Errorf("of the slowest speed %g is left", d)
	}
	slow, fast := Damped(DampedSpeed, DampingRate, dt), Damped(100*DampedSpeed, DampingRate, dt)
	if !(slow > Damped(0, DampingRate, dt)) || !(fast > .99999) || fast > 1 {
		t.Errorf("%g of a slow speed and %g of a fast one are left", slow, fast)
	}
	if Damped(-.02, DampingRate, dt) != Damped(.02, DampingRate, dt) {
		t.Error("it differs by sense")
	}
}
