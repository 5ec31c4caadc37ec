package fluid
import ("testing";"math";"gonum.org/v1/gonum/spatial/r3")
func TestDbgCup(t *testing.T) {
	l := mustNew(t, Def{Domain: box(1.2, 1, 1.2), CellSize: .04})
	// a cup of .4 x .4 x .4 with walls of 1 cm, filled, shaken sideways
	outer := Box(r3.Box{Min: r3.Vec{X:-.2,Y:-.2,Z:-.2}, Max: r3.Vec{X:.2,Y:.2,Z:.2}})
	inner := Box(r3.Box{Min: r3.Vec{X:-.19,Y:-.19,Z:-.19}, Max: r3.Vec{X:.19,Y:.5,Z:.19}})
	cup := Difference(outer, inner)
	id, err := l.AddObstacle(cup)
	if err != nil { t.Fatal(err) }
	at := r3.Vec{X:.6,Y:.5,Z:.6}
	if err := l.MoveObstacle(id, Motion{Translation: at}); err != nil { t.Fatal(err) }
	l.Step(1./60)
	if err := l.Fill(Box(r3.Box{Min: r3.Vec{X:.42,Y:.32,Z:.42}, Max: r3.Vec{X:.78,Y:.52,Z:.78}})); err != nil { t.Fatal(err) }
	for i := range 300 {
		ph := 2*math.Pi*float64(i)/60
		v := r3.Vec{X: .1*math.Cos(ph)*2*math.Pi*.5, Z: .05*math.Sin(ph)*6}
		p := r3.Vec{X: at.X+.05*math.Sin(ph), Y: at.Y, Z: at.Z+.05*(1-math.Cos(ph))*.95}
		l.MoveObstacle(id, Motion{Translation: p, Velocity: v})
		r := l.Step(1./60)
		if r.RolledBack { t.Fatal(r.Reason) }
		if i < 4 || i%30==0 {
			gr := &l.graph
			lo, hi := 9.0, 0.0
			air := 0
			for r := range gr.Rows { lo = min(lo, gr.Centre[r][1]); hi = max(hi, gr.Centre[r][1]) }
			for f := range gr.A { if (gr.A[f] < 0 || gr.B[f] < 0) && gr.FaceCentre(f)[1] < .5 { air++; if air < 6 && i < 2 { t.Log("air face", gr.FaceCentre(f), gr.Axis[f], gr.Open[f]) } } }
			t.Log("rows y", lo, hi, "air faces below .5", air)
			in, _ := l.VolumeIn(Box(r3.Box{Min: r3.Vec{X:p.X-.2,Y:.3,Z:p.Z-.2}, Max: r3.Vec{X:p.X+.2,Y:.9,Z:p.Z+.2}}))
			t.Log(i, "held", r.Ledger.HeldL, "in cup", in, "speed", r.MaxSpeed, "fill", r.Ledger.FilledL, r.UnknownCount(), l.set.Markers.Droplets.Len())
		}
	}
}
