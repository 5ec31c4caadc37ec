package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"math"
	"testing"
)

func TestDbg(t *testing.T) {
	l, w := pool(t, Def{Budget: Budget{Work: 20}})
	for i := range 150 {
		r := l.Step(1. / 60)
		if r.RolledBack {
			t.Fatal(i)
		}
		if i%10 == 0 {
			t.Logf("%d dur %v sub %d it %d res %.1g unk %v speed %.2f drift %.2f drops %d", i, r.Duration, r.Substeps, r.Iterations, r.Residual, r.Unknowns, r.MaxSpeed, r.Ledger.DriftL, l.set.Markers.Droplets.Len())
		}
		if i > 0 {
			continue
		}
		gr := &l.graph
		sum := make([][3]float64, gr.Rows)
		for row := range gr.Rows {
			for _, e := range gr.Inc[gr.Ptr[row]:gr.Ptr[row+1]] {
				f := e >> 1
				s, side := 1.0, gr.A[f]
				if e&1 == 1 {
					s, side = -1, gr.B[f]
				}
				sum[row][gr.Axis[f]] += s * gr.Area[f] * gr.Open[f] * graph.Weight(side)
			}
		}
		for b := range gr.Bodies {
			for e, row := range gr.Bodies[b].Row {
				for d := range 3 {
					sum[row][d] += gr.Bodies[b].K[e][d]
				}
			}
			if i >= 29 {
				t.Logf("%d body %d rows %d area %.3f vol %.4f imp %.3v V %.3v contact %.3v pred", i, b, len(gr.Bodies[b].Row), gr.Bodies[b].Area, gr.Bodies[b].Volume, l.coupling.rigid[b].Impulse, l.coupling.rigid[b].V, l.coupling.state[b].contact)
			}
		}
		n := 0
		worst := 0.0
		for row := range gr.Rows {
			x := gr.Centre[row]
			h := float64(gr.Size[row])
			if x[0] < h || x[0] > 6-h || x[1] < h || x[1] > 2.4-h || x[2] < h || x[2] > 4-h {
				continue
			}
			dx, dz := x[0]-4.3, x[2]-2.6
			if math.Hypot(dx, dz) < .35+2*h {
				continue
			}
			for d := range 3 {
				if v := math.Abs(sum[row][d]); v/(h*h) > 1e-9 {
					n++
					if v/(h*h) > worst {
						worst = v / (h * h)
						if i >= 29 {
							t.Log(row, x, h, sum[row], d)
						}
					}
				}
			}
		}
		pm := 0.0
		for _, p := range l.step.pi {
			pm = math.Max(pm, math.Abs(p))
		}
		div := make([]float64, gr.Rows)
		gr.Divergence(div, 0, gr.Rows)
		for b := range gr.Bodies {
			for e, row := range gr.Bodies[b].Row {
				for d := range 6 {
					div[row] += gr.Bodies[b].K[e][d] * l.coupling.rigid[b].V[d]
				}
			}
		}
		dm, da := 0.0, 0
		for row := range div {
			if v := math.Abs(div[row] - l.step.rows[row]); v > dm {
				dm, da = v, row
			}
		}
		t.Log(i, "open cells not closed:", n, worst, "pmax", pm*60, "div", dm, gr.Centre[da], gr.Size[da], "it", r.Iterations, r.Residual, w.Len(), len(l.blocksInfo.fresh))
	}
}
