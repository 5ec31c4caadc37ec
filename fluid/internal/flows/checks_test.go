package flows

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// named is the name of a side.
type named string

func (n named) String() string { return string(n) }

func TestChecksNameWhatIsWrong(t *testing.T) {
	s, up, ball := newScene(), r3.Vec{Y: 1}, r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}
	current := func(side int, velocity, level float64) error {
		return s.Sides.Check(side, named("Here"), Current{Velocity: velocity, Level: level}, up)
	}
	e := s.emitter(1)
	_, far := e.Move(r3.Vec{X: 2e9}, quat.Number{}, s.Domain)
	if e.Opening() != e.Shape {
		t.Error("a translation that is too long moves the emitter")
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{s.Emitters.Check(boxes.Everywhere(), up, 1), "Shape must be bounded"},
		{s.Emitters.Check(ball, r3.Vec{Y: 101}, 1), "Velocity {0 101 0} m/s; must be finite and at most 100 long"},
		{s.Emitters.Check(ball, up, 0), "Rate 0 litres/s; must be > 0 and at most 1e+06"},
		{CheckRate(math.NaN()), "NaN litres/s; must be > 0"},
		{far, "translation {2e+09 0 0} m; must be finite and at most 1e+09 long"},
		{current(6, 1, 1), "side: Here; must be MinX to MaxZ"},
		{current(3, 1, 1), "side: Def.Sides.Here is not Flow"},
		{current(0, -101, 1), "Velocity: -101 m/s at Here; must be within ±100"},
		{current(0, -1, math.Inf(1)), "Level: +Inf m at Here; must be finite"},
		{current(0, 1, 0), "Level: 0 m at Here; must be above 0 and up to 4, in the domain"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	for _, err := range []error{s.Emitters.Check(ball, up, MaxRate), current(0, 1, 4), current(1, -1, 9)} {
		if err != nil {
			t.Error(err)
		}
	}
}
