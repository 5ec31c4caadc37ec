package scenes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// The jets come out of their pipes at their speed, and meet.
func TestJetsComeOutOfTheirPipes(t *testing.T) {
	const steps = 18 // .3 s: a jet needs .22 s to the middle, where it has risen as far as it has fallen
	l := begin(t, &Spray, .1, steps)
	if got, want := l.Ledger().EmittedL, 2e3*math.Pi*PipeRadius*PipeRadius*PipeSpeed*steps*frame; math.Abs(got-want) > .05*want {
		t.Errorf("%.1f l came, want %.1f", got, want)
	}
	for _, p := range Pipes {
		var at [1]fluid.Sample
		l.Sample(at[:], []r3.Vec{r3.Add(p.Mouth(), r3.Scale(.1, p.Direction()))})
		if v := r3.Dot(at[0].Velocity, p.Direction()); !at[0].Inside || math.Abs(v-PipeSpeed) > .1*PipeSpeed {
			t.Errorf("pipe %g: liquid before its mouth: %v, %.2f m/s", p, at[0].Inside, v)
		}
	}
	var middle [1]fluid.Sample
	l.Sample(middle[:], []r3.Vec{{Y: PipeHeight - .04}})
	if !middle[0].Inside {
		t.Error("they have not met")
	}
	if _, err := Spray.New(fluid.Def{}); err == nil {
		t.Error("a definition without cells is accepted")
	}
}
