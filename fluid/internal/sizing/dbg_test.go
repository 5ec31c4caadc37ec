package sizing

import (
	"math"
	"testing"
)

func TestDbg(t *testing.T) {
	a := newSea([3]int{24, 10, 24}, 2.2)
	mustView(t, a.s, front())
	for step := range 400 {
		a.flood(func(x, z float64) float64 { return 2.37 + .05*math.Sin(2*x+.2*float64(step)) })
		out := a.plan(Knobs{TargetUnknowns: 30000, InvisibleLevel: 1})
		if step%8 == 0 {
			t.Log(step, out.Refined, out.Coarsened, out.Waiting, out.Total, unknowns(a.s.load(a.s.want)), out.Least, a.s.reserve, a.s.effort, len(a.s.order))
		}
	}
}
