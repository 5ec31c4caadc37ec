package fluid_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// ring is a clip of a second, which loops: a ring of water that turns about the vertical and back.
func ring() (*control.Clip, error) {
	const around, across, radius, tube = 32, 12, .3, .12
	var triangles [][3]int32
	for i := range int32(around) {
		for j := range int32(across) {
			at := func(i, j int32) int32 { return i%around*across + j%across }
			a, b, c, d := at(i, j), at(i, j+1), at(i+1, j+1), at(i+1, j)
			triangles = append(triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	frames := make([]control.Frame, 31)
	for n := range frames {
		frames[n].Time = float64(n) / 30
		turn := .8 * math.Sin(2*math.Pi*frames[n].Time)
		for i := range around {
			for j := range across {
				a, b := turn+2*math.Pi*float64(i)/around, 2*math.Pi*float64(j)/across
				r := radius + tube*math.Cos(b)
				frames[n].Positions = append(frames[n].Positions, r3.Vec{X: r * math.Cos(a), Y: tube * math.Sin(b), Z: r * math.Sin(a)})
			}
		}
	}
	return control.NewClip(triangles, frames)
}

// A ring of water appears over a pool, and turns to and fro. Then it follows half as tightly, and at last it falls.
func ExampleLiquid_AddControl() {
	liq, err := fluid.New(fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.2, Y: 1.2, Z: 1.2}}, CellSize: .06})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer liq.Close()
	if err := liq.Fill(fluid.Below(.3)); err != nil {
		fmt.Println(err)
		return
	}
	clip, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	def := fluid.ControlDef{
		Clip:     clip,
		Loop:     true,
		Strength: 1, // tightly
		Arrival:  control.Appear,
		Pose:     control.Pose{Position: r3.Vec{X: .6, Y: .75, Z: .6}},
	}
	id, err := liq.AddControl(def)
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := range 60 {
		switch n {
		case 20:
			def.Strength = .5 // looser
			err = liq.SetControl(id, def)
		case 40:
			err = liq.RemoveControl(id)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		r := *liq.Step(1. / 60)
		for _, c := range r.Controls {
			if n%20 == 19 {
				fmt.Printf("%.1f s: follows by %g, wants %.0f litres and lacks less than 2: %v\n", r.Time, c.Strength, c.WantedL, c.WantedL-c.HeldL < 2)
			}
		}
	}
	fmt.Printf("none of its litres is lost: %v\n", math.Abs(liq.Ledger().DriftL) < 1)
	// Output:
	// 0.3 s: follows by 1, wants 81 litres and lacks less than 2: true
	// 0.7 s: follows by 0.5, wants 81 litres and lacks less than 2: true
	// none of its litres is lost: true
}
