package testrig

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// Sound fails the test if something that a game reads of the liquid is not finite, or the ledger's
// sums do not agree.
func Sound(t testing.TB, l *fluid.Liquid, r fluid.Report) {
	t.Helper()
	if err := Unsound(l, r); err != nil {
		t.Fatalf("step %d: %v", r.Step, err)
	}
}

// Unsound tells what is wrong with what a game reads of the liquid, nil if nothing.
func Unsound(l *fluid.Liquid, r fluid.Report) error {
	for name, v := range map[string]float64{
		"Time": r.Time, "Residual": r.Residual, "MaxSpeed": r.MaxSpeed,
		"FilledL": r.Ledger.FilledL, "EmittedL": r.Ledger.EmittedL, "DrainedL": r.Ledger.DrainedL,
		"HeldL": r.Ledger.HeldL, "DriftL": r.Ledger.DriftL, "ViewGain": r.Plan.ViewGain,
	} {
		if !geom.Finite(v) {
			return fmt.Errorf("Report's %s is %v", name, v)
		}
	}
	g := r.Ledger
	if off := g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL) - g.DriftL; math.Abs(off) > 1e-9*(1+math.Abs(g.FilledL)+g.EmittedL) {
		return fmt.Errorf("ledger %+v is off by %g litres", g, off)
	}
	if g.HeldL < 0 || g.EmittedL < 0 || g.DrainedL < 0 {
		return fmt.Errorf("ledger %+v has a negative entry", g)
	}
	s := l.Surface()
	for _, a := range []struct {
		name string
		v    []float32
	}{{"Positions", s.Positions}, {"Normals", s.Normals}, {"Velocities", s.Velocities}, {"Foam", s.Foam}, {"Droplets", s.Droplets}, {"DropletVelocities", s.DropletVelocities}} {
		for i, v := range a.v {
			if !geom.Finite(float64(v)) {
				return fmt.Errorf("Surface's %s[%d] is %v", a.name, i, v)
			}
		}
	}
	for i, v := range s.Indices {
		if int(v) >= len(s.Positions)/3 {
			return fmt.Errorf("Surface's Indices[%d] is %d of %d vertices", i, v, len(s.Positions)/3)
		}
	}
	size := r3.Sub(l.Def().Domain.Max, l.Def().Domain.Min)
	var pts [27]r3.Vec
	var got [27]fluid.Sample
	for i := range pts {
		pts[i] = r3.Add(l.Def().Domain.Min, r3.Vec{X: size.X * float64(i%3) / 2, Y: size.Y * float64(i/3%3) / 2, Z: size.Z * float64(i/9) / 2})
	}
	l.Sample(got[:], pts[:])
	for i, s := range got {
		if !geom.FiniteVec(s.Velocity) || !geom.Finite(s.Pressure) || math.IsNaN(s.Height) {
			return fmt.Errorf("Sample at %v is %+v", pts[i], s)
		}
	}
	for i := range Around(l).Coupling.Count() {
		if b := l.BodyLoad(i); !geom.FiniteVec(b.Force) || !geom.FiniteVec(b.Torque) || !geom.Finite(b.Submerged) || !geom.Finite(b.Wetted) || !geom.Finite(b.Fraction) {
			return fmt.Errorf("BodyLoad(%d) is %+v", i, b)
		}
	}
	return nil
}

// GoesOn steps a few times and fails the test unless the liquid is sound and none of it was lost.
func GoesOn(t testing.TB, l *fluid.Liquid, steps int) (r fluid.Report) {
	t.Helper()
	for range steps {
		r = *l.Step(Frame)
		Sound(t, l, r)
		if r.Err != nil {
			t.Fatalf("step %d: %s", r.Step, r.Err)
		}
	}
	return r
}
