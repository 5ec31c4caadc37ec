package main

import ("testing";"time";"github.com/meniscus3d/meniscus/fluid")

func TestZZ(t *testing.T) {
	p, err := newPool(.06, 0, 1)
	if err != nil { t.Fatal(err) }
	defer p.close()
	for i := range 300 {
		r, err := p.step()
		if err != nil { t.Fatal(err) }
		if i%20 == 0 || r.RolledBack {
			t.Logf("%d %v unk %v cells %v it %d res %.1g speed %.2f sub %d held %.1f drift %.2f rb %v %s", i, r.Duration.Round(100*time.Microsecond), r.Unknowns, r.Cells, r.Iterations, r.Residual, r.MaxSpeed, r.Substeps, r.Ledger.HeldL, r.Ledger.DriftL, r.RolledBack, r.Reason)
			for s := range r.Stages { if r.Stages[s].Duration > 2*time.Millisecond { t.Log("   ", fluid.Stage(s), r.Stages[s].Duration) } }
			for _, b := range p.bodies() { t.Logf("    %+v", b) }
			for _, w := range r.Warnings { t.Log(w) }
		}
	}
}
