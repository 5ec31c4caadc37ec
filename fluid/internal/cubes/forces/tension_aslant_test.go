package forces_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Tension leaves liquid that strains evenly as it is; what a face to the air has beyond that is less after.
func TestTensionEasesWhatIsNotEven(t *testing.T) {
	testrig.EachDiscretisation(t, func(t *testing.T, of fluid.Discretisation) {
		for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.ExplicitMesh} {
			l, _ := restingDrop(t, fluid.Def{Discretisation: of, Physics: fluid.Physics{SurfaceTension: 1e3}, Tracker: tracker}, 4, .1, r3.Vec{X: .13, Y: .37, Z: .22})
			l.Step(testrig.Frame)
			gr, centre := &testrig.FV(l).Graph, testrig.Blocks(l).Grid.Whole().Max
			apply := func() { testrig.FV(l).Tension.ApplySurfaceTension(1e3, 0, nil) }
			even := make([]float64, gr.Faces())
			for f := range even {
				x := gr.FaceCentre(f)
				y := r3.Sub(r3.Vec{X: x[0], Y: x[1], Z: x[2]}, centre)
				u := [3]float64{.3*y.X + .2*y.Y - 1, -.4*y.Y + .1*y.Z, .1*y.Z - .7*y.X + 2}
				even[f] = gr.Along(f, &u)
			}
			clear(gr.U)
			apply()
			still := append([]float64(nil), gr.U...) // what takes off the momentum and the spin that the jumps give; nothing with the level set
			balance := 0.                            // the same of what is eased, at most, m/s
			if tracker == fluid.ExplicitMesh {
				balance = 1e-2
			}
			copy(gr.U, even)
			apply()
			for f, u := range gr.U {
				if math.Abs(u-even[f]-still[f]) > 1e-9 {
					t.Fatalf("tracker %v, face %d: %g m/s becomes %g", tracker, f, even[f], u)
				}
			}
			eased := 0
			for f := range even {
				if gr.U[f] = even[f]; gr.A[f] < 0 || gr.B[f] < 0 {
					gr.U[f]++
				}
			}
			apply()
			for f, u := range gr.U {
				switch more := u - even[f] - still[f]; {
				case gr.A[f] >= 0 && gr.B[f] >= 0:
					if math.Abs(more) > balance {
						t.Fatalf("tracker %v, face %d within: changed by %g m/s", tracker, f, more)
					}
				case more > 1+balance+1e-9 || more < .5-balance:
					t.Fatalf("tracker %v, face %d: 1 m/s too much becomes %g", tracker, f, more)
				case more < 1-balance-1e-9:
					eased++
				}
			}
			if eased == 0 {
				t.Errorf("tracker %v: nothing is eased", tracker)
			}
		}
	})
}
