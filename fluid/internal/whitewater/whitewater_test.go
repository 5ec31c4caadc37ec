package whitewater

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// sea is liquid up to y = 0 on cells of 0.1 m that moves with a velocity, with given sources.
type sea struct {
	velocity r3.Vec
	sources  []Source
}

func (s *sea) Look(at []r3.Vec, around []Around) {
	for i, x := range at {
		around[i] = Around{Distance: x.Y, Normal: r3.Vec{Y: 1}, Velocity: s.velocity, Edge: .1}
	}
}

func (s *sea) AppendSources(dst []Source, _ float64) []Source { return append(dst, s.sources...) }

// wall is solid where x is above 1 m less its motion.
type wall struct {
	moved float64
	eval  func([]float32, []r3.Vec) // distance, made once
}

func (w *wall) solids(dst []query.Solid) []query.Solid {
	if w.eval == nil {
		w.eval = w.distance
	}
	return append(dst, query.Solid{Distance: w.eval, Bounds: r3.Box{Min: r3.Vec{X: 1 - w.moved, Y: -9, Z: -9}, Max: r3.Vec{X: 9, Y: 9, Z: 9}}})
}

func (w *wall) distance(distance []float32, at []r3.Vec) {
	for i, x := range at {
		distance[i] = float32(1 - w.moved - x.X)
	}
}

// none returns no solids.
func none(dst []query.Solid) []query.Solid { return dst }

const dt = 1. / 60

func newWater(t testing.TB, workers int, s *sea, solids func([]query.Solid) []query.Solid) *Water {
	t.Helper()
	pool := par.New(workers)
	t.Cleanup(pool.Close)
	c := Config{
		Most: 1000, Domain: r3.Box{Min: r3.Vec{X: -2, Y: -2, Z: -2}, Max: r3.Vec{X: 2, Y: 2, Z: 2}}, Open: [6]bool{true}, Gap: .002, Liquid: s, Solids: solids,
	}
	return New(c, pool)
}

// put adds a particle with a life of 100 s.
func put(w *Water, kind Kind, x, v r3.Vec) {
	w.Now.resize(w.Now.Len() + 1)
	w.Now.set(w.Now.Len()-1, &particle{x: x, v: v, radius: .01, life: 1, span: 100, kind: kind})
}

func advance(w *Water, steps int, change func(s *Step)) {
	for n := range steps {
		s := Step{Dt: dt, Delay: dt / 2, Gravity: r3.Vec{Y: -9.81}, Most: w.Most, Seed: uint64(n)}
		if change != nil {
			change(&s)
		}
		w.Advance(s)
	}
}

// Spray falls against air drag: its speed approaches the wind plus AirTime times gravity.
func TestSprayFliesInTheWind(t *testing.T) {
	w := newWater(t, 1, &sea{}, none)
	w.Domain.Max.Y, w.Domain.Max.X = 1000, 1000
	put(w, Spray, r3.Vec{Y: 100}, r3.Vec{})
	advance(w, 6, func(s *Step) { s.Wind = r3.Vec{X: 2} })
	if p := w.Now.at(0); math.Abs(100-p.x.Y-.05) > .01 {
		t.Errorf("it has come down by %g m in 0.1 s", 100-p.x.Y)
	}
	advance(w, 360, func(s *Step) { s.Wind = r3.Vec{X: 2} })
	if p := w.Now.at(0); math.Abs(p.v.Y+9.81*w.AirTime) > .02 || math.Abs(p.v.X-2) > .01 || p.kind != Spray {
		t.Errorf("%+v", p)
	}
	advance(w, 1200, nil)
	if p := w.Now.at(0); p.kind == Spray || p.x.Y > .05 || p.x.Y < -1 {
		t.Errorf("it has fallen into the liquid, and is %+v", p)
	}
}

// A field's acceleration replaces gravity.
func TestSprayFollowsFields(t *testing.T) {
	w := newWater(t, 1, &sea{}, none)
	put(w, Spray, r3.Vec{Y: 1}, r3.Vec{})
	advance(w, 6, func(s *Step) { s.Fields = func(r3.Vec) r3.Vec { return r3.Vec{Z: 10} } })
	if p := w.Now.at(0); p.v.Y != 0 || p.v.Z < .9 || p.v.Z > 1 {
		t.Errorf("%+v", p)
	}
}

// Foam moves with the liquid and approaches the surface; bubbles rise by a fourth of a metre per second relative to it, and become foam there.
func TestFoamAndBubblesMoveWithLiquid(t *testing.T) {
	w := newWater(t, 1, &sea{velocity: r3.Vec{X: .3}}, none)
	put(w, Foam, r3.Vec{X: -1, Y: .04}, r3.Vec{})
	put(w, Bubble, r3.Vec{X: -1, Y: -.6}, r3.Vec{})
	advance(w, 60, nil)
	foam, bubble := w.Now.at(0), w.Now.at(1)
	if foam.kind != Foam || math.Abs(foam.x.X+.7) > .01 || math.Abs(foam.x.Y) > .001 {
		t.Errorf("foam: %+v", foam)
	}
	if rise := bubble.v.Y; bubble.kind != Bubble || math.Abs(rise-.25) > .005 || math.Abs(bubble.x.X+.7) > .02 || math.Abs(bubble.x.Y+.35) > .01 {
		t.Errorf("bubble: %+v", bubble)
	}
	advance(w, 120, nil)
	if b := w.Now.at(1); b.kind != Foam || math.Abs(b.x.Y) > .001 {
		t.Errorf("the bubble has come up and is %+v", b)
	}
}

// Without gravity bubbles do not rise.
func TestBubblesFloatInWeightlessLiquid(t *testing.T) {
	w := newWater(t, 1, &sea{}, none)
	put(w, Bubble, r3.Vec{Y: -.6}, r3.Vec{})
	advance(w, 60, func(s *Step) { s.Gravity = r3.Vec{} })
	if p := w.Now.at(0); p.kind != Bubble || math.Abs(p.x.Y+.6) > 1e-6 {
		t.Errorf("%+v", p)
	}
}

// Solids stop particles, push out those that they move over, and none starts in them. Particles leave by open sides; walls keep them.
func TestNothingPassesSolids(t *testing.T) {
	solid := &wall{}
	s := &sea{}
	w := newWater(t, 1, s, solid.solids)
	for i := range 100 {
		put(w, Spray, r3.Vec{X: .5, Y: 1.5, Z: .01 * float64(i)}, r3.Vec{X: 5 + float64(i)})
	}
	put(w, Spray, r3.Vec{X: -1.9, Y: 1}, r3.Vec{X: -9})         // leaves
	put(w, Spray, r3.Vec{X: -1, Y: 1, Z: -1.9}, r3.Vec{Z: -30}) // hits a side
	advance(w, 12, nil)
	if n := w.Now.Len(); n != 101 {
		t.Fatalf("%d particles", n)
	}
	for i := range w.Now.Len() {
		if p := w.Now.at(i); p.x.X > 1 || p.x.Z < -2 {
			t.Fatalf("particle %d is at %g", i, p.x)
		}
	}
	for range 30 {
		solid.moved += .03
		advance(w, 1, nil)
		for i := range w.Now.Len() {
			if p := w.Now.at(i); p.x.X > 1-solid.moved {
				t.Fatalf("the wall is at %g m, particle %d at %g", 1-solid.moved, i, p.x.X)
			}
		}
	}
	w.Clear()
	solid.moved = 0
	for k := range 40 {
		s.sources = append(s.sources, Source{Cell: uint64(k), Place: r3.Vec{X: .8 + .01*float64(k)}, Normal: r3.Vec{Y: 1}, Velocity: r3.Vec{X: 9}, Edge: .1, Squeeze: 9})
	}
	advance(w, 10, nil)
	if w.Now.Len() == 0 {
		t.Fatal("none are made")
	}
	for i := range w.Now.Len() {
		if p := w.Now.at(i); p.x.X > 1 {
			t.Fatalf("particle %d begins at %g", i, p.x)
		}
	}
}

// wild returns liquid whose surface is white all over.
func wild() *sea {
	s := &sea{velocity: r3.Vec{X: 1, Y: 3}}
	for k := range 400 {
		x := r3.Vec{X: -2 + .2*float64(k%20), Z: -2 + .2*float64(k/20)}
		s.sources = append(s.sources, Source{Cell: uint64(k), Place: x, Normal: r3.Vec{Y: 1}, Velocity: r3.Vec{X: 1, Y: 3}, Edge: .1, Squeeze: 5, Bend: 2})
	}
	return s
}

// There are never more than the greatest number, and generation goes on near it.
func TestThinnedByDegrees(t *testing.T) {
	w := newWater(t, 1, wild(), none)
	for n := range 200 {
		advance(w, 1, func(s *Step) { s.Seed = uint64(n) })
		if w.Now.Len() > w.Most {
			t.Fatalf("step %d: %d particles", n, w.Now.Len())
		}
		if n > 20 && (w.made == 0 || w.Now.Len() < w.Most/2) {
			t.Fatalf("step %d: %d particles, %d made", n, w.Now.Len(), w.made)
		}
	}
	for n := range 300 { // a plan with room for fewer
		advance(w, 1, func(s *Step) { s.Seed, s.Most = uint64(n), w.Most/4 })
	}
	if n := w.Now.Len(); n > w.Most/4 || n < w.Most/8 {
		t.Errorf("%d particles are left where there may be %d", n, w.Most/4)
	}
	advance(w, int(w.Life.To/dt)+2, func(s *Step) { s.Most = 0 })
	if n := w.Now.Len(); n > 0 {
		t.Errorf("%d particles are left where there may be none", n)
	}
}

// Generation falls as the number nears the greatest, and differs from step to step.
func TestFewerWhereThereAreMany(t *testing.T) {
	s := wild()
	s.sources = s.sources[:120]
	made := func(others int, seed uint64) (n int, first particle) {
		w := newWater(t, 1, s, none)
		for range others {
			put(w, Foam, r3.Vec{}, r3.Vec{})
		}
		advance(w, 1, func(s *Step) { s.Seed = seed })
		if w.made == 0 {
			t.Fatalf("none are made beside %d", others)
		}
		return w.made, w.Now.at(others)
	}
	free, first := made(0, 1)
	half, _ := made(750, 1)
	full, _ := made(950, 1)
	if free < 50 || half < free*2/5 || half > free*3/5 || full > free/5 {
		t.Errorf("%d are made where there are none, %d where three quarters, %d where nearly all", free, half, full)
	}
	if _, again := made(0, 1); again != first {
		t.Error("the same step makes others")
	}
	if _, other := made(0, 2); other.x == first.x {
		t.Error("another step makes the same")
	}
}

// The same steps give the same bits with any number of workers.
func TestSameForAnyWorkers(t *testing.T) {
	run := func(workers int) Particles {
		w := newWater(t, workers, wild(), (&wall{}).solids)
		advance(w, 60, func(s *Step) {
			s.Splashes = append(s.Splashes, SplashOf(3, r3.Vec{}, r3.Box{Max: r3.Vec{X: .3, Y: .3, Z: .3}}, 3))
		})
		return w.Now
	}
	code := func(p Particles) []byte {
		var c codec.Codec
		c.Write()
		w := newWater(t, 1, &sea{}, none)
		w.Now = p
		w.Code(&c)
		return bytes.Clone(c.Bytes())
	}
	want := code(run(1))
	for _, workers := range []int{2, 3, 8} {
		if !bytes.Equal(code(run(workers)), want) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

// The potentials are 0 at the lower thresholds and 1 at the upper ones.
func TestPotentials(t *testing.T) {
	tune := &DefaultTuning
	up := r3.Vec{Y: 1}
	for _, c := range []struct {
		s             Source
		trapped, torn float64
	}{
		{Source{Normal: up, Velocity: r3.Vec{Y: .99}, Edge: .05, Squeeze: 9, Bend: 20}, 0, 0},                    // too slow
		{Source{Normal: up, Velocity: r3.Vec{Y: 9}, Edge: .05, Squeeze: 9, Bend: 20}, 1, 1},                      // all
		{Source{Normal: up, Velocity: r3.Vec{Y: 9}, Edge: .05, Squeeze: 1.04, Bend: .04}, 0, 0},                  // .8 m/s and what waves have
		{Source{Normal: up, Velocity: r3.Vec{Y: 9}, Edge: .05, Squeeze: .8 + .25 + 1.2, Bend: 12. / 81}, .5, .5}, // half way
		{Source{Normal: up, Velocity: r3.Vec{X: 9}, Edge: .05, Bend: 20}, 0, 0},                                  // along the surface
		{Source{Normal: up, Velocity: r3.Vec{X: 9, Y: 6}, Edge: .05, Bend: 20}, 0, 0},                            // more along the surface than out of it
		{Source{Normal: up, Velocity: r3.Vec{Y: -9}, Edge: .05, Bend: 20}, 0, 0},                                 // into the liquid
		{Source{Normal: up, Velocity: r3.Vec{Y: 9}, Edge: .05, Bend: -20}, 0, 0},                                 // a trough
		{Source{Normal: up, Velocity: r3.Vec{Y: math.Sqrt(8.5)}, Edge: .05, Squeeze: 9, Bend: 20}, .5, .5},       // half of the energy
	} {
		trapped, torn := tune.potentials(&c.s)
		if math.Abs(trapped-c.trapped) > 1e-9 || math.Abs(torn-c.torn) > 1e-9 {
			t.Errorf("%+v: %g, %g; want %g, %g", c.s, trapped, torn, c.trapped, c.torn)
		}
	}
}

// Faster splashes generate more particles, most of them spray.
func TestSplashesMakeSpray(t *testing.T) {
	last := 0
	for _, speed := range []float64{.9, 2, 3, 5} {
		w := newWater(t, 1, &sea{}, none)
		advance(w, 1, func(s *Step) {
			s.Splashes = append(s.Splashes, SplashOf(7, r3.Vec{}, r3.Box{Max: r3.Vec{X: 1, Y: 1, Z: 1}}, speed))
		})
		r := w.Report()
		if r.Made <= last && speed > 1 || speed < 1 && r.Made > 0 || r.Spray < r.Made/2 || r.Made != w.Now.Len() {
			t.Errorf("%g m/s: %+v", speed, r)
		}
		last = r.Made
	}
}

// Decoding restores all particles; invalid ones are refused, and a liquid with a lower limit reads the first ones.
func TestCode(t *testing.T) {
	w := newWater(t, 1, wild(), none)
	advance(w, 30, nil)
	var c codec.Codec
	c.Write()
	w.Code(&c)
	data := bytes.Clone(c.Bytes())
	if len(data) >= w.Bytes() {
		t.Errorf("%d bytes; at most %d were expected", len(data), w.Bytes())
	}
	b := newWater(t, 1, &sea{}, none)
	b.Most = 100
	for _, read := range []func([]byte, int){c.Check, c.Read} {
		read(data, 12)
		b.Code(&c)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
	}
	if b.Now.Len() != 100 || b.Now.at(99) != w.Now.at(99) {
		t.Errorf("%d particles", b.Now.Len())
	}
	for _, at := range []int{8, 8 + 16*w.Now.Len(), len(data) - 1} { // a place, a velocity, a kind
		bad := bytes.Clone(data)
		copy(bad[at:], []byte{0xff, 0xff, 0xff, 0xff})
		c.Check(bad, 12)
		b.Code(&c)
		if c.End() == nil {
			t.Errorf("byte %d: not refused", at)
		}
	}
}

// A warm step allocates nothing.
func TestAdvanceAllocatesNothing(t *testing.T) {
	w := newWater(t, 1, wild(), (&wall{}).solids)
	advance(w, 120, nil)
	step := Step{Dt: dt, Delay: dt / 2, Gravity: r3.Vec{Y: -9.81}, Most: w.Most}
	if n := testing.AllocsPerRun(50, func() { step.Seed++; w.Advance(step) }); n > 0 {
		t.Errorf("a step allocates %g times", n)
	}
}
