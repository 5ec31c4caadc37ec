package walls

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

const (
	cell  = .1
	thick = .01
	gap   = Gap * cell
)

var domain = r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}

// plate returns a sheet across x.
func plate(x float64) shapes.Distance {
	return func(dst []float32, pts []r3.Vec) {
		for i, p := range pts {
			dst[i] = float32(math.Abs(p.X-x) - thick/2)
		}
	}
}

func plateBounds(x float64) r3.Box {
	return r3.Box{Min: r3.Vec{X: x - thick/2, Y: -9, Z: -9}, Max: r3.Vec{X: x + thick/2, Y: 9, Z: 9}}
}

// plated returns a set of one plate at x that was at x - by before.
func plated(x, by float64) *Set {
	s := NewSet(domain, cell, 1, 64)
	one := quat.Number{Real: 1}
	m := Between(r3.Vec{X: -by}, one, r3.Vec{}, one)
	s.Add(plate(x), plateBounds(x), &m)
	return s
}

func TestTraceEndsAtAWall(t *testing.T) {
	s := plated(.5, 0)
	random := rand.New(rand.NewPCG(1, 2))
	place := func(lo, hi float64) r3.Vec {
		return r3.Vec{X: lo + (hi-lo)*random.Float64(), Y: .5 * random.Float64(), Z: .5 * random.Float64()}
	}
	for range 1000 {
		from, to := []r3.Vec{place(.1, .49), place(.51, .9), place(.1, .4)}, []r3.Vec{place(.51, .9), place(.1, .49), place(.1, .4)}
		was := slices.Clone(to)
		moved := s.ClipBack(0, 0, from, to)
		if !slices.Contains(moved, 0) || !slices.Contains(moved, 1) || slices.Contains(moved, 2) || to[2] != was[2] {
			t.Fatalf("%v → %v: moved %v", from, was, moved)
		}
		for i := range 2 {
			if d := math.Abs(to[i].X-.5) - thick/2; d < .9*gap || d > 3*gap || (to[i].X < .5) != (from[i].X < .5) {
				t.Errorf("%v → %v ends at %v, %.4g m from the wall", from[i], was[i], to[i], d)
			}
			// The segment goes on along the wall.
			if off := math.Hypot(to[i].Y-was[i].Y, to[i].Z-was[i].Z); off > .05 {
				t.Errorf("%v → %v ends at %v, %.3g m beside", from[i], was[i], to[i], off)
			}
		}
	}
}

// A wall carries places that it passes over, and does not clip traces ahead of it.
func TestTraceMeetsAMovingWallWhereItWas(t *testing.T) {
	s := plated(.5, .2)
	if travel := s.Walls[0].Travel; math.Abs(travel-.2) > 1e-12 {
		t.Errorf("the wall travels %g m", travel)
	}
	now, ago := []r3.Vec{{X: .55, Y: .5}, {X: .55, Y: .5}}, []r3.Vec{{X: .45, Y: .5}, {X: .25, Y: .5}}
	if moved := s.ClipBack(0, 0, now, ago); !slices.Equal(moved, []int32{1}) || math.Abs(ago[1].X-(.3+thick/2)) > 3*gap || ago[1].X < .3+thick/2 {
		t.Errorf("back: moved %v to %v", moved, ago)
	}
	from, to := []r3.Vec{{X: .35, Y: .5}, {X: .35, Y: .5}}, []r3.Vec{{X: .6, Y: .5}, {X: .4, Y: .5}}
	if moved := s.ClipAhead(0, 0, from, to); !slices.Equal(moved, []int32{1}) || math.Abs(to[1].X-(.5+thick/2)) > 3*gap || to[1].X < .5+thick/2 {
		t.Errorf("ahead: moved %v to %v", moved, to)
	}
}

func TestLinesAcrossAWall(t *testing.T) {
	s := plated(.5, .2)
	from := []r3.Vec{{X: .45}, {X: .45}, {X: .55}, {X: .45}}
	to := []r3.Vec{{X: .55}, {X: .4}, {X: .6, Y: .2}, {X: .5}} // across, away, beside, into
	blocked := s.ClipLines(0, 0, from, to)
	if !slices.Contains(blocked, 0) || !slices.Contains(blocked, 3) || slices.Contains(blocked, 1) || slices.Contains(blocked, 2) {
		t.Errorf("blocked: %v", blocked)
	}
}

// A wall hides places that were behind it before its motion.
func TestViewPastAWall(t *testing.T) {
	const by = .2
	s := plated(.5, by)
	v := s.View(0, 0)
	v.Add(7, r3.Vec{X: .45 - by, Y: .5}, cell) // before
	v.Add(8, r3.Vec{X: .1 - by, Y: .5}, cell)  // far
	v.Add(9, r3.Vec{X: .498 - by}, cell)       // in it, nearer to its front
	if v.Approach(math.Sqrt(3)); len(v.Samples) != 2 || v.Samples[0].Of != 7 || v.Samples[1].Of != 9 {
		t.Fatalf("near are %+v", v.Samples)
	}
	for n := range v.Samples {
		for target, x := range []float64{.4, .55, .44, .502, .498} {
			v.Target(n, target, r3.Vec{X: x - by, Y: .5})
		}
	}
	v.Trace()
	for _, p := range v.Samples {
		if p.Hidden != 0b01010 {
			t.Errorf("sample %d: hidden are %b", p.Of, p.Hidden)
		}
	}
}

func TestNearWalls(t *testing.T) {
	s := plated(.5, .05)
	s.Add(plate(-5), plateBounds(-5), &Motion{})
	s.Add(plate(.7), plateBounds(.7), &Motion{})
	for _, c := range []struct {
		x, distance float64
		first, last bool
	}{
		{.3, .1, true, false},   // .095 m from its corners
		{.3, .02, false, false}, // with .05 of travel
		{.8, .02, false, true},
		{.6, .02, true, true},
	} {
		for wall, want := range []bool{c.first, false, c.last} {
			if got := s.IsNear(0, wall, r3.Vec{X: c.x, Y: .5, Z: .5}, .1, c.distance); got != want {
				t.Errorf("within %g m of a cube at %g m: wall %d %t", c.distance, c.x, wall, got)
			}
		}
	}
}

// A creeping ray goes on along a wall; another meets it at its start.
func TestRaysAlongAWall(t *testing.T) {
	for _, creep := range []bool{true, false} {
		tracer := MakeTracer(4, creepSteps, creep)
		tracer.Solid = plate(.5)
		d := gap / 2
		x := .5 - thick/2 - d
		tracer.Rays = append(tracer.Rays,
			Ray{Of: 0, From: r3.Vec{X: x}, Dir: r3.Vec{Y: 1}, Length: .5, Gap: gap, D: d},
			Ray{Of: 1, From: r3.Vec{X: x}, Dir: r3.Vec{X: 1}, Length: .5, Gap: gap, D: d},
			Ray{Of: 2, From: r3.Vec{X: .3}, Dir: r3.Vec{X: 1}, Length: .5, Gap: gap, D: .2 - thick/2},
			Ray{Of: 3, From: r3.Vec{X: .3}, Dir: r3.Vec{X: -1}, Length: .5, Gap: gap, D: .2 - thick/2})
		tracer.Trace()
		var short [4]bool
		for i := range tracer.Rays {
			short[i] = tracer.Rays[i].Stopped()
		}
		if short != [4]bool{!creep, true, true, false} {
			t.Errorf("creep %t: met are %v", creep, short)
		}
		if end := tracer.Rays[2].End(); end.X > .5-thick/2 || end.X < .5-thick/2-2*gap {
			t.Errorf("creep %t: the ray ends at %g", creep, end.X)
		}
	}
}

func TestSubsteps(t *testing.T) {
	for _, c := range []struct{ thickness, travel, want float64 }{
		{.02, .04, 0},         // less than half a cell
		{.02, .1, 2},          // half a cell each
		{.12, .1, 0},          // less than its thickness
		{.12, .18, 1.5},       // more
		{.16, 9, 0},           // no thin wall
		{.02, math.Inf(1), 0}, // no number
		{.02, math.NaN(), 0},
	} {
		if n := Substeps(c.thickness, c.travel, cell); math.Abs(n-c.want) > 1e-12 {
			t.Errorf("%g m thick, travels %g m: %g substeps, want %g", c.thickness, c.travel, n, c.want)
		}
	}
	spin := [6]float64{1, 0, 0, 0, 0, 2}
	if v := MaxSpeedIn(boxes.Grown(r3.Box{}, 1), r3.Vec{}, &spin); math.Abs(v-math.Hypot(3, 2)) > 1e-12 {
		t.Errorf("fastest is %g m/s", v)
	}
}

func TestAsksDoNotAllocate(t *testing.T) {
	s := plated(.5, .2)
	from, to := make([]r3.Vec, 64), make([]r3.Vec, 64)
	n := testing.AllocsPerRun(20, func() {
		for i := range from {
			from[i], to[i] = r3.Vec{X: .35 + .002*float64(i), Y: .1}, r3.Vec{X: .7 - .005*float64(i), Y: .2}
		}
		s.ClipBack(0, 0, from, to)
		s.ClipAhead(0, 0, from, to)
		s.ClipLines(0, 0, from, to)
		v := s.View(0, 0)
		for i := range MaxSamples {
			v.Add(i, r3.Vec{X: .25 + .002*float64(i)}, cell)
		}
		v.Approach(2)
		for i := range v.Samples {
			for c := range viewTargets {
				v.Target(i, c, r3.Vec{X: .22 + .05*float64(c)})
			}
		}
		v.Trace()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
