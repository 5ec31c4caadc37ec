package wind

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestCheckNamesWhatIsWrong(t *testing.T) {
	for want, w := range map[string]Wind{
		"Velocity {101 0 0} m/s; must be": {Velocity: r3.Vec{X: 101}},
		"Velocity {0 NaN 0} m/s; must be": {Velocity: r3.Vec{Y: math.NaN()}},
		"Drag -1; must be 0 to 10":        {Drag: -1},
		"Drag 11; must be 0 to 10":        {Drag: 11},
	} {
		if err := w.Check(100); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", w, err, want)
		}
	}
	if err := (&Wind{Velocity: r3.Vec{Z: 100}, Drag: MaxDrag}).Check(100); err != nil {
		t.Error(err)
	}
}

// The coefficient of open water grows with the speed up to .003; a given one is the same at every speed.
func TestTraction(t *testing.T) {
	for _, c := range []struct{ drag, speed, want float64 }{
		{0, 0, 1.2 * .8e-3}, {0, 10, 1.2 * 1.45e-3}, {0, 100, 1.2 * 3e-3}, {.5, 1, .6}, {.5, 50, .6},
	} {
		if got := (&Wind{Drag: c.drag}).Traction(c.speed); math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("drag %g at %g m/s: %g Pa·s/m, want %g", c.drag, c.speed, got, c.want)
		}
	}
}
