package shapes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// foreign is an SDF of another package with a constant value.
type foreign struct {
	value float32
	box   r3.Box
}

func (f foreign) Eval(dst []float32, pts []r3.Vec) {
	for i := range pts {
		dst[i] = f.value
	}
}

func (f foreign) Bounds() r3.Box { return f.box }

func TestShapesKnowTheirThickness(t *testing.T) {
	plate := Box(r3.Box{Max: r3.Vec{X: 1, Y: .2, Z: 1}})
	ball := Sphere(r3.Vec{}, .3)
	for name, c := range map[string]struct {
		shape SDF
		want  float64
	}{
		"box":          {plate, .2},
		"round box":    {RoundBox(r3.Box{Max: r3.Vec{X: 1, Y: .2, Z: 1}}, .1), .2},
		"sphere":       {ball, .6},
		"capsule":      {Capsule(r3.Vec{}, r3.Vec{X: 1}, .15), .3},
		"cylinder":     {Cylinder(r3.Vec{}, r3.Vec{X: .1}, .15), .1},
		"torus":        {Torus(r3.Vec{}, r3.Vec{Y: 1}, .5, .1), .2},
		"half-space":   {Below(1), math.Inf(1)},
		"shell":        {Shell(ball, .02), .02},
		"transformed":  {Transform(plate, quat.Number{Real: 1}, r3.Vec{X: 2}), .2},
		"union":        {Union(ball, plate), .2},
		"intersection": {Intersection(ball, plate), 0},
		"difference":   {Difference(ball, plate), 0},
		"foreign":      {foreign{box: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}}, 0},
		"foreign slab": {slab{foreign{box: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}}, .4}, .4},
		"foreign NaN":  {slab{foreign{box: r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}}, math.NaN()}, 0},
	} {
		if got := ThicknessOf(c.shape); got != c.want && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v m, want %v", name, got, c.want)
		}
	}
}

// slab is a shape of another package with a Thickness method.
type slab struct {
	foreign
	thickness float64
}

func (s slab) Thickness() float64 { return s.thickness }
