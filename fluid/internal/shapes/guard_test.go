package shapes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// spiked is a shape of another package that returns a given value at places with X below 0.
type spiked struct {
	SDF
	value float32
	box   *r3.Box // in place of its own
}

func (s *spiked) Eval(dst []float32, pts []r3.Vec) {
	s.SDF.Eval(dst, pts)
	for i, x := range pts {
		if x.X < 0 {
			dst[i] = s.value
		}
	}
}

func (s *spiked) Bounds() r3.Box {
	if s.box != nil {
		return *s.box
	}
	return s.SDF.Bounds()
}

// Shapes of this package have no guard, in any composite; shapes of other packages have one, inside a composite too.
func TestGuardOnlyForeignShapes(t *testing.T) {
	ball := Sphere(r3.Vec{}, 1)
	turn := quat.Number{Real: 1}
	for name, c := range map[string]struct {
		shape SDF
		own   bool
	}{
		"ball":              {ball, true},
		"mesh":              {&Mesh{}, true},
		"composite":         {Offset(Shell(Transform(Difference(Union(ball, Below(0)), ball), turn, r3.Vec{}), .1), .1), true},
		"foreign":           {foreign{}, false},
		"foreign, composed": {Offset(Shell(Transform(Difference(Union(ball, Below(0)), foreign{}), turn, r3.Vec{}), .1), .1), false},
		"a mesh's heir":     {struct{ *Mesh }{&Mesh{}}, false},
	} {
		if own := Guard(c.shape) == c.shape; own != c.own {
			t.Errorf("%s: asked as it is: %v, want %v", name, own, c.own)
		}
	}
}

// A guard treats places with invalid distances as far outside, records the first of them for any order of calls, and finds when
// the fault is gone.
func TestGuardTellsFaults(t *testing.T) {
	for _, value := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e37} {
		flawed := &spiked{SDF: Sphere(r3.Vec{}, 1), value: value}
		g := Guard(flawed).(*Guarded)
		pts := []r3.Vec{{X: 2}, {X: -.25}, {X: -.5}, {X: -.5, Y: .1}}
		dst := make([]float32, len(pts)+1)
		g.Eval(dst, pts)
		if dst[0] != 1 || dst[1] != absent || dst[2] != absent || dst[3] != absent {
			t.Errorf("%v: corrected to %v", value, dst)
		}
		f := FaultOf(g)
		if f == nil || f.at != pts[2] {
			t.Fatalf("%v: fault %+v, want one at %v", value, f, pts[2])
		}
		if g.Valid() {
			t.Errorf("%v: it is sane", value)
		}
		if flawed.value = 3; !g.Valid() {
			t.Errorf("%v: it is not sane again", value)
		}
		var copied Fault
		if copied.CopyFrom(f); copied.Text() != f.Text() || !copied.Seen() {
			t.Errorf("%v: a copy says %q, want %q", value, copied.Text(), f.Text())
		}
		if f.Reset(); FaultOf(g) != nil || FaultOf(GuardCopy(g)) != nil {
			t.Errorf("%v: it is not forgotten", value)
		}
	}
	nan := r3.Box{Min: r3.Vec{X: math.NaN()}}
	g := Guard(&spiked{SDF: Sphere(r3.Vec{}, 1), box: &nan}).(*Guarded)
	if b := g.Bounds(); b != boxes.Nowhere() || FaultOf(g).Text() != "its bounds are no box" || g.Valid() {
		t.Errorf("bounds that are none become %v: %s", b, FaultOf(g).Text())
	}
	great := Guard(foreign{value: -1e20}).(*Guarded) // a distance, if a great one
	dst := make([]float32, 1)
	if great.Eval(dst, make([]r3.Vec, 1)); dst[0] != -absent || FaultOf(great) != nil {
		t.Errorf("1e20 m inside becomes %g m", dst[0])
	}
}

// A difference may have membranes, and so may shapes of other packages, with a guard or without.
func TestHasMembranes(t *testing.T) {
	ball := Sphere(r3.Vec{}, 1)
	cut := Difference(ball, Below(0))
	for name, c := range map[string]struct {
		shape SDF
		want  bool
	}{
		"ball": {ball, false}, "mesh": {&Mesh{}, false}, "union": {Union(ball, Below(0)), false}, "difference": {cut, true},
		"intersection": {Intersection(ball, Below(0)), true}, "cut in a union": {Union(ball, Offset(cut, .1)), true},
		"foreign": {foreign{}, true}, "guarded": {Guard(foreign{}), true}, "guarded cut": {&Guarded{SDF: ball}, false},
	} {
		if got := HasMembranes(c.shape); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
