package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// A cut through a pool bares the domain's section, as much of it wet as is under water, with cells of more than one size.
func TestCutAwayOfAPool(t *testing.T) {
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(3.2, 3.2, 1.6), CellSize: .05, Numerics: fluid.Numerics{Band: 1}, Resources: fluid.Resources{Workers: 1}})
	testrig.Must(t, l.Fill(fluid.Below(1.2)))
	testrig.GoesOn(t, l, 8)
	was := l.Hash()
	faces, err := l.CutAway(nil, r3.Vec{Z: .8}, r3.Vec{Z: 2})
	testrig.Must(t, err)
	var all, wet float64
	levels := map[int]bool{}
	for _, f := range faces {
		n := r3.Cross(r3.Sub(f.Corners[1], f.Corners[0]), r3.Sub(f.Corners[3], f.Corners[0]))
		if f.Count != 4 || !f.Wet && n.Z < 0 {
			t.Fatalf("face %+v", f)
		}
		levels[f.Level] = true
		all += n.Z
		if f.Wet {
			wet += n.Z
		}
	}
	if math.Abs(all-3.2*3.2) > 1e-9 {
		t.Errorf("%.3f m² of a section of %.3f", all, 3.2*3.2)
	}
	if math.Abs(wet-3.2*1.2) > .1*3.2 {
		t.Errorf("%.3f m² are wet, want %.3f", wet, 3.2*1.2)
	}
	if !levels[0] || len(levels) < 2 {
		t.Errorf("cells of the levels %v", levels)
	}
	if l.Hash() != was {
		t.Error("looking has changed the state")
	}
}

// On tetrahedra the cut's triangles cover as much, but for what the sides cut off, and as much of it is wet.
func TestCutAwayOfAPoolOnTetrahedra(t *testing.T) {
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(1.6, 1.6, .8), CellSize: .05, Discretisation: fluid.Tetrahedra, Numerics: fluid.Numerics{Band: 1}, Resources: fluid.Resources{Workers: 1},
	})
	testrig.Must(t, l.Fill(fluid.Below(.6)))
	testrig.GoesOn(t, l, 3)
	faces, err := l.CutAway(nil, r3.Vec{Z: .4}, r3.Vec{Z: 1})
	testrig.Must(t, err)
	var all, wet float64
	for _, f := range faces {
		n := r3.Cross(r3.Sub(f.Corners[1], f.Corners[0]), r3.Sub(f.Corners[2], f.Corners[0]))
		if f.Count != 3 {
			t.Fatalf("face %+v", f)
		}
		all += n.Z / 2
		if f.Wet {
			wet += n.Z / 2
		}
	}
	if math.Abs(all-1.6*1.6) > .08*1.6*1.6 {
		t.Errorf("%.3f m² of a section of %.3f", all, 1.6*1.6)
	}
	if math.Abs(wet-1.6*.6) > .1*1.6 {
		t.Errorf("%.3f m² are wet, want %.3f", wet, 1.6*.6)
	}
}

func TestCutAwayBadInput(t *testing.T) {
	l := testrig.Tub(t)
	kept := make([]fluid.CellFace, 2)
	for want, c := range map[string][2]r3.Vec{
		"point":                            {{Y: testrig.NaN}, {Y: 1}},
		"point: {+Inf 0 0} m":              {{X: testrig.Inf}, {Y: 1}},
		"normal: {0 0 0}; must be finite ": {{}, {}},
		"normal":                           {{}, {X: 1, Z: testrig.NaN}},
	} {
		faces, err := l.CutAway(kept, c[0], c[1])
		testrig.Refused(t, err, "CutAway", want)
		if len(faces) != len(kept) {
			t.Errorf("%s: %d faces", want, len(faces))
		}
	}
	for _, size := range []float64{1e-300, 1e300} { // of any length
		if faces, err := l.CutAway(nil, l.Def().Domain.Center(), r3.Vec{Y: size}); err != nil || len(faces) == 0 {
			t.Errorf("%d faces, %v", len(faces), err)
		}
	}
}
