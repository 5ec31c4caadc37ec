package fluid_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// FuzzTwoLiquids makes calls in any order on two liquids of one world: what is shared keeps together, and the world steps once.
func FuzzTwoLiquids(f *testing.F) {
	f.Add([]byte{0, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 5, 0, 1, 6, 0, 1, 7, 0, 1, 8, 0, 1, 9, 0, 1, 10, 0, 1, 11, 0, 1})
	f.Add([]byte{1, 0, 4, 1, 0, 4, 9, 9, 3, 0, 0, 0, 1, 1, 1, 10, 2, 2, 11, 0, 1, 12, 0, 0, 1, 12})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &decoder{data: data[:min(len(data), 48)]}
		a, b, w := ponds(t)
		spare, fork, _ := ponds(t)
		liquids := [2]*fluid.Liquid{a, b}
		testrig.Place(t, w, physics.Dynamic, r3.Vec{X: 9, Y: 1e3}, physics.Sphere(r3.Vec{}, .1), 500)
		for len(d.data) > 0 {
			l := liquids[d.byte()&1]
			d.callOf(t, l, w, spare)
			if !geom.Finite(testrig.Time(l)) || len(testrig.Members(a)) > 2 || len(testrig.Members(a)) == 0 {
				t.Fatalf("time %v s, a group of %d", testrig.Time(l), len(testrig.Members(a)))
			}
		}
		for range 3 {
			for _, l := range liquids {
				if r := *l.Step(testrig.Frame); r.Err != nil {
					t.Fatal(r.Err)
				}
			}
		}
		for i := range w.Coupling().Len() {
			if x, _ := w.Coupling().Pose(i); !geom.Finite(x.X + x.Y + x.Z) {
				t.Fatalf("body %d is at %v", i, x)
			}
		}
		fork.Step(testrig.Frame)
	})
}

// callOf makes one call on a liquid of a group or on its bodies. Errors are fine: they say that nothing was done.
func (d *decoder) callOf(t *testing.T, l *fluid.Liquid, w *physics.World, spare *fluid.Liquid) {
	some := func() (b physics.Body) {
		if n := w.Coupling().Len(); n > 0 {
			b = w.Coupling().Body(int(d.byte()) % n)
		}
		return b
	}
	switch d.byte() % 13 {
	case 0, 1:
		l.Step(testrig.Frame)
	case 2:
		l.Step(float64(d.byte()) / 1e3)
	case 3:
		l.Couple(nil)
	case 4:
		l.Couple(w.Coupling())
	case 5:
		_ = some().SetPose(r3.Vec{X: math.Mod(d.number(), 2), Y: .5, Z: .4}, quat.Number{})
	case 6:
		_ = some().Remove()
	case 7:
		if w.Coupling().Len() < 8 {
			testrig.Place(t, w, physics.BodyKind(d.byte()%3), r3.Vec{X: float64(d.byte()) / 160, Y: .6, Z: .4}, physics.Box(physics.Centred(.2, .1, .2)), 500)
		}
	case 8:
		_ = some().SetLiquidCategory(uint64(d.byte() & 1))
	case 9:
		density := l.Def().Physics.Density
		testrig.Around(l).Material.Density = testrig.NaN
		l.Step(testrig.Frame)
		testrig.Around(l).Material.Density = density
	case 10:
		_ = l.CopyTo(spare)
		var file bytes.Buffer
		if l.Save(&file) == nil {
			_ = l.Restore(&file)
		}
	case 11:
		l.BodyLoad(int(d.byte()))
		l.BodyLoadByID(uint64(some().ID()))
		l.Surface()
	case 12:
		_ = l.SetGravity(r3.Vec{X: math.Mod(d.number(), 20), Y: -5})
		for _, m := range testrig.Members(l) {
			if m.Def().Physics.Gravity != l.Def().Physics.Gravity {
				t.Fatalf("gravity %v and %v", m.Def().Physics.Gravity, l.Def().Physics.Gravity)
			}
		}
	}
}
