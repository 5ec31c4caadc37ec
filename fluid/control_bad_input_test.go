package fluid_test

import (
	"math"
	"testing"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// FuzzControl: whatever liquid is to follow, and however that is changed, nothing panics, nothing that a game reads is not finite, and no litre is lost.
func FuzzControl(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 90, 60, 60, 60, 90, 0, 50, 150, 0, 60, 2, 50, 150, 0, 1, 50, 50, 50, 50, 50, 50, 50, 150, 50, 1, 1})
	for i := range byte(24) {
		f.Add([]byte{i, 60 + 5*i, 40 + 3*i, 60, 55, 100 + 4*i, 11 * i, 50, 60 + 7*i, i, 50 + 6*i, i, 50, 150 - 5*i, i, i, 50, 50, 60, 50, 50, 50 + i, 50, 150, 50, i, i / 2, 50 + i, 1, 60, 70, 40, 90, 50, 250 - i})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{data: data}
		l := fuzzLiquid(t, &decoder{data: []byte{d.byte() &^ (1 | 16)}}) // closed: what leaves through sides has a tolerance of its own
		defer l.Close()
		testrig.Must(t, l.Fill(fluid.Below(float64(d.byte())/512)))
		size := l.Def().Domain.Size()
		capacity := size.X * size.Y * size.Z / testrig.Litre
		var ids []fluid.ControlID
		for range 3 {
			if id, err := l.AddControl(d.controlDef()); err == nil {
				ids = append(ids, id)
			}
		}
		for n := range 12 {
			if len(ids) > 0 && n%4 == 3 {
				if d.byte()%3 == 0 {
					testrig.Must(t, l.RemoveControl(ids[0]))
					ids = ids[1:]
				} else {
					_ = l.SetControl(ids[0], d.controlDef())
				}
			}
			r := *l.Step(testrig.Frame)
			testrig.Must(t, testrig.Unsound(l, r))
			// A tank filled to within half a cell of its top gains what is missing there.
			if g := r.Ledger; !(math.Abs(g.DriftL) <= .05*(g.FilledL+capacity)) {
				t.Fatalf("step %d: ledger %+v", n, g)
			}
		}
	})
}
