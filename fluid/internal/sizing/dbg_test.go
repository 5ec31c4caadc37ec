package sizing

import (
	"math"
	"testing"
)

func TestDbg(t *testing.T) {
	for _, target := range []int{0, 15000, 30000, 60000, 1000000} {
		for _, h := range []float64{2.2, 2.37} {
			a := newSea([3]int{24, 10, 24}, 2.2)
			mustView(t, a.s, front())
			ref, coa, tot, full, eff := 0, 0, 0, 0, 0
			last := effort{}
			for step := range 240 {
				a.flood(func(x, z float64) float64 { return h + .05*math.Sin(2*x+.2*float64(step)) })
				out := a.plan(Knobs{TargetUnknowns: target, InvisibleLevel: 1})
				if step > 60 {
					ref += out.Refined
					coa += out.Coarsened
					tot += out.Total
					full += out.Full
					if a.s.effort != last {
						eff++
					}
				}
				last = a.s.effort
			}
			t.Log(target, h, "refined/step", ref/180, "coarsened", coa/180, "total", tot/180, "full", full/180, "effort changes", eff, last)
		}
	}
}
