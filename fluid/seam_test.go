package fluid_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/fluid/internal/track/mesh"
)

// newWith is New with a method of the test's own.
func newWith(t *testing.T, def fluid.Def, pick func(s *fv.Solver, d *fluid.Def) fv.Method) *fluid.Liquid {
	t.Helper()
	return newSolved(t, def, fluid.OfCells(pick))
}

// newSolved is New with a solver of the test's own.
func newSolved(t *testing.T, def fluid.Def, pick fluid.Maker) *fluid.Liquid {
	t.Helper()
	l, err := fluid.MakeLiquid(def.WithDefaults(), pick)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// movingBall is a tracker whose surface is a sphere that moves by itself.
type movingBall struct {
	track.Everywhere
	centre   r3.Vec // m
	velocity r3.Vec // m/s
	radius   float64
}

func (b *movingBall) Advance(by *track.Motion) {
	b.centre = r3.Add(b.centre, r3.Scale(by.Dt, b.velocity))
}

func (b *movingBall) Distance(dst []float32, at []r3.Vec) {
	for i, x := range at {
		dst[i] = float32(r3.Norm(r3.Sub(x, b.centre)) - b.radius)
	}
}

// Blocks take any tracker by one call, and go on with it: what is put in stays, and so it does where the liquid is given.
func TestBlocksTakeAnyTracker(t *testing.T) {
	ball := fluid.Sphere(r3.Vec{X: .6, Y: .5, Z: .5}, .3)
	for name, follow := range map[string]func(m *cubes.Blocks) track.Tracker{
		"level set":         func(m *cubes.Blocks) track.Tracker { return levelset.Share(m.Set, m.Spray, m.HasRoom) },
		"own level set":     func(m *cubes.Blocks) track.Tracker { return levelset.NewTracker(m.Grid, m.Pool) },
		"contour":           func(m *cubes.Blocks) track.Tracker { return contour.NewTracker(m.Grid, m.Pool, 1, false) },
		"mesh":              func(m *cubes.Blocks) track.Tracker { return mesh.New(m.Surroundings(), 1, 1e9, false) },
		"free mesh":         func(m *cubes.Blocks) track.Tracker { return mesh.New(m.Surroundings(), 1, 1e9, true) },
		"samples":           func(m *cubes.Blocks) track.Tracker { return newSampled(m) },
		"a moving ball":     func(*cubes.Blocks) track.Tracker { return &movingBall{centre: r3.Vec{X: .6, Y: .5, Z: .5}, radius: .3} },
		"without a surface": func(*cubes.Blocks) track.Tracker { return track.Everywhere{} },
	} {
		t.Run(name, func(t *testing.T) {
			given := false
			l := newWith(t, fluid.Def{Domain: testrig.Box(1.2, 1, 1), CellSize: .1, Numerics: fluid.Numerics{Levels: 1}, Physics: fluid.Physics{Weightless: true}}, func(s *fv.Solver, d *fluid.Def) fv.Method {
				m := fluid.NewBlocks(s, d)
				of := follow(m)
				given = of.Abilities().Given
				m.Track(of)
				return fluid.MethodOf(m)
			})
			if !given {
				testrig.Must(t, l.Fill(ball))
			}
			var held float64
			for step := range 4 {
				r := *l.Step(testrig.Frame)
				if testrig.Sound(t, l, r); r.Err != nil {
					t.Fatal(r.Err)
				}
				if now := l.Ledger().HeldL; step == 0 {
					held = now
				} else if math.Abs(now-held) > .01*held {
					t.Errorf("step %d: %.2f l, %.2f before", step, now, held)
				}
			}
			if held < 90 {
				t.Errorf("%.2f l", held)
			}
		})
	}
}

// A tracker that knows nothing of blocks drives them: the graph is of the cells in its ball wherever that has moved, the liquid moves on with the ball, and
// the volume is the ball's.
func TestBlocksFollowAnotherTracker(t *testing.T) {
	velocity := r3.Vec{X: .6, Y: .3, Z: -.2}
	b := &movingBall{centre: r3.Vec{X: .4, Y: .4, Z: .5}, velocity: velocity, radius: .25}
	l := newWith(t, fluid.Def{Domain: r3.Box{Max: r3.Vec{X: 1.2, Y: 1, Z: 1}}, CellSize: 1. / 24, Numerics: fluid.Numerics{Levels: 1, Tolerance: 1e-8, Undamped: true}, Physics: fluid.Physics{Weightless: true}}, func(s *fv.Solver, d *fluid.Def) fv.Method {
		m := fluid.NewBlocks(s, d)
		m.Track(b)
		return fluid.MethodOf(m)
	})
	testrig.Must(t, l.SetVelocity(fluid.Box(l.Def().Domain), func(r3.Vec) r3.Vec { return velocity }))
	whole := 4. / 3 * math.Pi * math.Pow(b.radius, 3)
	for step := range 20 {
		if r := *l.Step(testrig.Frame); r.Err != nil {
			t.Fatal(r.Err)
		}
		inside := 0
		blocks := testrig.Blocks(l)
		for base := range int32(blocks.Grid.Bases()) {
			for _, x := range blocks.Centres.Of(blocks.Grid, base) {
				if r3.Norm(r3.Sub(x, b.centre)) < b.radius {
					inside++
				}
			}
		}
		if testrig.FV(l).Graph.Rows != inside || inside < 500 {
			t.Fatalf("step %d: %d rows, %d cells in the ball", step, testrig.FV(l).Graph.Rows, inside)
		}
		if held := l.Ledger().HeldL * testrig.Litre; math.Abs(held-whole) > .01*whole {
			t.Errorf("step %d: %g m³ of %g", step, held, whole)
		}
		for f, u := range testrig.FV(l).Graph.U {
			if want := array(velocity)[testrig.FV(l).Graph.Cubes.Axis[f]]; math.Abs(u-want) > 1e-6 {
				t.Fatalf("step %d: %g m/s, want %g", step, u, want)
			}
		}
	}
	if moved := b.centre.X - .4; math.Abs(moved-20*testrig.Frame*velocity.X) > testrig.Frame {
		t.Errorf("the ball has moved by %g m", moved)
	}
}

func array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
