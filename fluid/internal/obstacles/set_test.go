package obstacles

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

const cell = .1

var domain = r3.Box{Max: r3.Vec{X: 2, Y: 2, Z: 2}}

func cube(centre r3.Vec, half float64) shapes.SDF {
	h := r3.Vec{X: half, Y: half, Z: half}
	return shapes.Box(r3.Box{Min: r3.Sub(centre, h), Max: r3.Add(centre, h)})
}

// withTwo returns a set of a static cube in a corner and a cube that moves from the middle.
func withTwo(t *testing.T) *Set {
	t.Helper()
	s := New(domain, cell, 1)
	s.Add(cube(r3.Vec{X: .3, Y: .3, Z: .3}, .3))
	s.Add(cube(r3.Vec{}, .2))
	move(t, s, 1, Motion{Translation: r3.Vec{X: 1, Y: 1, Z: 1}, Velocity: r3.Vec{X: 1}})
	return s
}

func move(t *testing.T, s *Set, at int, m Motion) (left shapes.SDF, moved bool) {
	t.Helper()
	if err := m.Normalise(); err != nil {
		t.Fatal(err)
	}
	left, moved = s.Move(at, m)
	s.MergeStatic()
	return left, moved
}

func (s *Set) moving() ([]rigid.Solid, []rigid.Body, [][6]float64) {
	return s.AppendMoving(nil, nil, nil)
}

func distanceOf(f shapes.Distance, x r3.Vec) float64 {
	var p shapes.Probe
	return p.Distance(f, x)
}

// A moving obstacle is a solid of its own, in the pose of its motion, and not part of the static ones.
func TestMovingIsApart(t *testing.T) {
	s := New(domain, cell, 1)
	if d, thickness := s.MergeStatic(); d != nil || thickness != nil {
		t.Error("nothing has a distance")
	}
	s = withTwo(t)
	still, _ := s.MergeStatic()
	middle := r3.Vec{X: 1, Y: 1, Z: 1}
	if d := distanceOf(still, r3.Vec{X: .3, Y: .3, Z: .8}); math.Abs(d-.2) > 1e-6 {
		t.Errorf("%g m from what stands still; want .2", d)
	}
	if d := distanceOf(still, middle); d < .4 {
		t.Errorf("what moves is %g m from its middle among those that stand still", d)
	}
	solids, bodies, moved := s.moving()
	if len(solids) != 1 || solids[0].Centre != middle || bodies[0].V != moved[0] || moved[0] != [6]float64{1} {
		t.Fatalf("%+v %v %v", solids, bodies, moved)
	}
	if d := distanceOf(solids[0].Distance, middle); math.Abs(d+.2) > 1e-6 {
		t.Errorf("%g m in its middle; want -.2", d)
	}
	s.Advance(.1)
	if d := distanceOf(solids[0].Distance, middle); math.Abs(d+.2) > 1e-6 {
		t.Errorf("%g m after it moved on, within a step that took it before", d)
	}
	solids, _, _ = s.moving()
	if d := distanceOf(solids[0].Distance, middle); math.Abs(d+.1) > 1e-6 {
		t.Errorf("%g m after it moved on by .1 m; want -.1", d)
	}
	if !s.Moving() || len(s.AppendSolids(nil)) != 2 || len(s.AppendRegions(nil, .1)) != 1 || s.Largest() != 0 {
		t.Error("it is not among the solids")
	}
	inside := make([]bool, 4)
	s.MarkInside(inside, []r3.Vec{middle, {X: .1, Y: .1, Z: .1}, {X: 1.8, Y: 1, Z: 1}, {X: -.01, Y: .1, Z: .1}}, new(query.Batch))
	if inside[0] != true || inside[1] != true || inside[2] || inside[3] {
		t.Errorf("in solids are %v", inside)
	}
}

// An obstacle that jumps leaves its old shape and has no motion; one that moves by its velocity has.
func TestJumpLeavesAPlace(t *testing.T) {
	s := withTwo(t)
	follow := func() {
		solids, _, _ := s.moving()
		s.Motions.Clear(len(solids))
		s.ReadMotions(solids, 0)
	}
	swept := func() int { solids, _, _ := s.moving(); return len(s.Motions.Swept(solids)) }
	follow()
	on := Motion{Translation: r3.Vec{X: 1.05, Y: 1, Z: 1}, Velocity: r3.Vec{X: 1}}
	if left, moved := move(t, s, 1, on); left != nil || !moved {
		t.Errorf("it moves on, from %v", left)
	}
	if follow(); swept() != 1 {
		t.Error("it has swept nothing")
	}
	s.Revert()
	if s.All[1].Seen.Centre.X != 1 {
		t.Errorf("undone, it was seen at %v", s.All[1].Seen.Centre)
	}
	new(Vacated).Forget(s)
	far := Motion{Translation: r3.Vec{X: 1.05, Y: 1, Z: 1.5}}
	left, _ := move(t, s, 1, far)
	if left == nil {
		t.Fatal("it leaves no place")
	}
	if d := distanceOf(left.Eval, on.Translation); math.Abs(d+.2) > 1e-6 {
		t.Errorf("the place that it leaves has %g m in its middle", d)
	}
	if follow(); swept() != 0 {
		t.Error("a jump sweeps")
	}
	if again, _ := move(t, s, 1, on); again != nil {
		t.Error("it leaves a place that no liquid knows of")
	}
	move(t, s, 1, far)
	new(Vacated).Forget(s)
	if left := s.Remove(1); left == nil || distanceOf(left.Eval, far.Translation) > 0 || len(s.All) != 1 {
		t.Error("removed, it leaves no place")
	}
}

// Nearest returns the nearest wall of a place; for static ones only the distance.
func TestNearestIsTheNearest(t *testing.T) {
	s := withTwo(t)
	solids, _, _ := s.moving()
	at := [][3]float64{{1, 1.25, 1}, {1, 1.75, 1}, {.65, .3, .3}}
	near, solid := []float64{.5, .3, .5}, []int32{-1, -1, -1}
	s.Nearest(0, solids, cell, at, near, solid)
	for i, want := range []int32{0, -1, -1} {
		if solid[i] != want || (near[i] < .3-1e-9) != (i != 1) {
			t.Errorf("place %d: %g m from %d; want %d", i, near[i], solid[i], want)
		}
	}
}

// A fast thin wall in liquid needs substeps, a thick or a dry one none.
func TestThinFastWallsAskForSubsteps(t *testing.T) {
	s := New(domain, cell, 1)
	s.Add(shapes.Box(r3.Box{Min: r3.Vec{X: -.01, Y: -.5, Z: -.5}, Max: r3.Vec{X: .01, Y: .5, Z: .5}}))
	s.Add(cube(r3.Vec{}, .2))
	for i := range 2 {
		move(t, s, i, Motion{Translation: r3.Vec{X: 1, Y: 1, Z: 1}, Velocity: r3.Vec{X: 12}})
	}
	wet := func(r3.Box) bool { return true }
	if n, at := s.Fastest(1./60, wet); math.Abs(n-4) > 1e-9 || at != 0 { // .2 m in halves of a cell
		t.Errorf("obstacle %d asks for %g substeps; want 4 for the first", at, n)
	}
	if n, _ := s.Fastest(1./60, func(r3.Box) bool { return false }); n != 0 {
		t.Errorf("where it is dry one asks for %g substeps", n)
	}
}

// A copied or decoded set has its obstacles in the same poses.
func TestCopyAndCode(t *testing.T) {
	from, to := withTwo(t), withTwo(t)
	from.Advance(.3)
	move(t, to, 0, Motion{})
	var c codec.Codec
	c.Write()
	from.Code(&c)
	data := append([]byte(nil), c.Bytes()...)
	var in codec.Codec
	in.Read(data, 8)
	if !to.Code(&in) {
		t.Error("what stands still is another, and is not told so")
	}
	if err := in.End(); err != nil {
		t.Fatal(err)
	}
	if a, b := from.All[1].Motion, to.All[1].Motion; a != b || to.All[0].Moves {
		t.Errorf("read %v; want %v", b, a)
	}
	other := New(domain, cell, 1)
	if !from.CopyTo(other) || from.CopyTo(other) {
		t.Error("a copy has others that stand still; a second one the same")
	}
	other.MergeStatic()
	solids, _, _ := other.moving()
	if d := distanceOf(solids[0].Distance, from.All[1].Motion.Translation); math.Abs(d+.2) > 1e-6 {
		t.Errorf("%g m in the middle of a copy; want -.2", d)
	}
}

// gap is a shape with invalid numbers while it is broken.
type gap struct {
	shapes.SDF
	broken bool
}

func (g *gap) Eval(dst []float32, pts []r3.Vec) {
	g.SDF.Eval(dst, pts)
	for i := range dst {
		if g.broken {
			dst[i] = float32(math.NaN())
		}
	}
}

// An obstacle with invalid numbers is set aside until they are valid.
func TestFaultsSetAside(t *testing.T) {
	s, g := New(domain, cell, 1), &gap{SDF: cube(r3.Vec{X: 1, Y: 1, Z: 1}, .2)}
	s.Add(g)
	ask := func() { distanceOf(s.All[0].current().Eval, r3.Vec{X: 1, Y: 1, Z: 1}) }
	if ask(); s.ReviewFaults() {
		t.Error("a sane one changes")
	}
	g.broken = true
	if ask(); !s.ReviewFaults() || !s.All[0].SetAside || s.ReviewFaults() {
		t.Error("it is not set aside, once")
	}
	if s.MergeStatic(); s.hasStatic() || s.Largest() != -1 {
		t.Error("set aside, it is there")
	}
	g.broken = false
	if !s.ReviewFaults() || s.All[0].SetAside {
		t.Error("it is not taken back")
	}
}

func TestNormalise(t *testing.T) {
	m := Motion{}
	if err := m.Normalise(); err != nil || m.Rotation != (quat.Number{Real: 1}) {
		t.Errorf("%v: %v", m.Rotation, err)
	}
	for _, m := range []Motion{
		{Translation: r3.Vec{X: math.NaN()}}, {Velocity: r3.Vec{X: 2 * MaxSpeed}}, {AngularVelocity: r3.Vec{X: math.Inf(1)}},
		{Rotation: quat.Number{Imag: math.NaN()}},
	} {
		if m.Normalise() == nil {
			t.Errorf("%v is taken", m)
		}
	}
}

func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		held, drift float64
		closed      []bool
		want        bool
	}{
		{99, -1, []bool{true, true}, true}, {99, -1, nil, true}, {99, -1, []bool{true, false}, false},
		{99.6, -.4, []bool{true}, false}, {101, 1, []bool{true}, false},
	} {
		if got := Crowded(c.held, c.drift, c.closed); got != c.want {
			t.Errorf("%g litres, off by %g, closed %v: %v", c.held, c.drift, c.closed, got)
		}
	}
}

// A warning names its solid.
func TestWarningsName(t *testing.T) {
	var f Fast
	f.SetBody(2, 3, 40)
	if f.Kind() != "body" || f.ID != 40 || f.Body != 3 {
		t.Errorf("%+v", f)
	}
	f.SetObstacle(2.5, 7)
	if text := FastText("obstacle 7"); f.Kind() != "obstacle" || f.ID != 7 || !strings.Contains(text, "of obstacle 7 move") {
		t.Errorf("%+v, %s", f, text)
	}
	if text := CrowdingText(5, 100); !strings.Contains(text, "obstacle 5 leaves no room for 100 litres") {
		t.Error(text)
	}
}
