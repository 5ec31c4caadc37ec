package fluid

import "testing"

// Where there is no liquid none appears: beyond open sides the grid gets as coarse after an edit as it was.
func TestNothingComesOfNothing(t *testing.T) {
	for _, sides := range []Sides{{}, {MinX: Open}, {MinX: Open, MaxY: Open}, {MinX: Open, MaxX: Open, MinY: Open, MaxY: Open, MinZ: Open, MaxZ: Open}} {
		for _, edge := range []float64{.8, 1.35, 2.1} {
			for _, height := range []float64{-.02, .01, .3, .55} {
				l := mustNew(t, Def{Domain: box(edge, .8, .8), CellSize: .1, Workers: 1, Sides: sides})
				if err := l.Drain(Below(height)); err != nil {
					t.Fatal(err)
				}
				for range 4 {
					l.Step(frame)
					if held := l.Ledger().HeldL; held != 0 {
						t.Fatalf("%g m long, open %+v, drained below %g: holds %g l", edge, sides, height, held)
					}
				}
			}
		}
	}
}
