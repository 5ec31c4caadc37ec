package fluid_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/waves"
	"github.com/meniscus3d/meniscus/physics"
)

var wavy = fluid.SurfaceWaves{Amplitude: .02}

// wavyRocking is rocking with surface waves.
func wavyRocking(t testing.TB, workers int) (*fluid.Liquid, *physics.World) {
	t.Helper()
	return testrig.RockingWith(t, fluid.Def{Resources: fluid.Resources{Workers: workers}, SurfaceWaves: wavy})
}

// shift is how far the vertices of a surface are from those of another, m, at most and in the root of the mean square.
func shift(a, b *fluid.Surface) (most, mean float64) {
	for v := 0; v < len(a.Positions); v += 3 {
		d2 := 0.
		for k := range 3 {
			d := float64(a.Positions[v+k] - b.Positions[v+k])
			d2 += d * d
		}
		most, mean = max(most, math.Sqrt(d2)), mean+d2
	}
	return most, math.Sqrt(mean / float64(len(a.Positions)/3))
}

// The liquid is the same with surface waves and without, whatever the tracker; its picture has the same triangles, elsewhere by up to the waves' height, within the
// domain.
func TestSurfaceWavesLeaveTheLiquidAlone(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh}[:testrig.InShort(2, 3)] {
		t.Run(tracker.String(), func(t *testing.T) {
			with, _ := testrig.RockingWith(t, fluid.Def{Tracker: tracker, SurfaceWaves: wavy, WhiteWater: 100})
			without, _ := testrig.RockingWith(t, fluid.Def{Tracker: tracker, WhiteWater: 100})
			most, seen := 0., 0.
			for n := range testrig.InShort(15, 60) {
				with.Step(testrig.Frame)
				without.Step(testrig.Frame)
				if with.Hash() != without.Hash() {
					t.Fatalf("step %d: the liquid differs", n+1)
				}
				a, b := with.Surface(), without.Surface()
				if !slices.Equal(a.Indices, b.Indices) || a.Free != b.Free || !slices.Equal(a.Labels, b.Labels) || len(a.Velocities) != len(b.Velocities) {
					t.Fatalf("step %d: there are other triangles", n+1)
				}
				farthest, mean := shift(a, b)
				most, seen = max(most, farthest), max(seen, mean)
				domain := with.Def().Domain
				for v := 0; v < len(a.Positions); v += 3 {
					x := r3.Vec{X: float64(a.Positions[v]), Y: float64(a.Positions[v+1]), Z: float64(a.Positions[v+2])}
					normal := r3.Vec{X: float64(a.Normals[v]), Y: float64(a.Normals[v+1]), Z: float64(a.Normals[v+2])}
					const room = 1e-4
					if d := math.Abs(r3.Norm(normal) - 1); !(d < 1e-4) || x.X < -room || x.Y < -room || x.Z < -room || x.X > domain.Max.X+room || x.Y > domain.Max.Y+room || x.Z > domain.Max.Z+room {
						t.Fatalf("step %d: a vertex at %v with a normal of %v", n+1, x, normal)
					}
				}
			}
			t.Logf("waves are up to %.4f m high, %.5f m in the mean of the best picture", most, seen)
			if most > wavy.Amplitude*1.001 || seen < .0005 {
				t.Errorf("waves are up to %g m high, %g m in the mean of the best picture", most, seen)
			}
		})
	}
}

// The picture has the same bits with any number of workers. A copy has the waves, and a saved state has none.
func TestSurfaceWavesAreReproducible(t *testing.T) {
	one, _ := wavyRocking(t, 1)
	three, _ := wavyRocking(t, 3)
	alike := func(what string) {
		t.Helper()
		a, b := one.Surface(), three.Surface()
		if !slices.Equal(a.Positions, b.Positions) || !slices.Equal(a.Normals, b.Normals) || !slices.Equal(a.Velocities, b.Velocities) {
			t.Fatalf("%s: the pictures differ", what)
		}
	}
	for range 12 {
		one.Step(testrig.Frame)
		three.Step(testrig.Frame)
		alike("workers")
	}
	def := fluid.Def{Domain: testrig.Box(1, .6, .5), CellSize: .05, Resources: fluid.Resources{Workers: 1}, SurfaceWaves: wavy}
	one, three = testrig.New(t, def), testrig.New(t, def)
	testrig.Must(t, one.Fill(fluid.Box(testrig.Box(.3, .4, .5))))
	for range 12 {
		one.Step(testrig.Frame)
	}
	for range 2 {
		testrig.Must(t, one.CopyTo(three))
		alike("copied")
		one.Step(testrig.Frame)
		three.Step(testrig.Frame)
		alike("after a step of the copy")
	}
	var file bytes.Buffer
	testrig.Must(t, one.Save(&file))
	was := slices.Clone(one.Surface().Positions)
	testrig.Must(t, one.Restore(bytes.NewReader(file.Bytes())))
	testrig.Must(t, three.Restore(&file))
	if alike("restored"); slices.Equal(was, one.Surface().Positions) {
		t.Error("there were no waves to be lost")
	}
}

// On liquid that sleeps waves fade until the picture is as it would be without, and wake nothing.
func TestSurfaceWavesFadeOnSleepingLiquid(t *testing.T) {
	def := fluid.Def{Domain: testrig.Box(1, .5, .5), CellSize: .05, Resources: fluid.Resources{Workers: 1}, SurfaceWaves: fluid.SurfaceWaves{Amplitude: .02, Fade: .3}}
	with := testrig.New(t, def)
	def.SurfaceWaves = fluid.SurfaceWaves{}
	without := testrig.New(t, def)
	for _, l := range []*fluid.Liquid{with, without} {
		testrig.Must(t, l.Fill(fluid.Below(.23)))
		for range 3 {
			l.Step(testrig.Frame)
		}
	}
	if most, _ := shift(with.Surface(), without.Surface()); most > 1e-4 {
		t.Errorf("still liquid has waves of %g m", most)
	}
	fluid.StrikeSurface(with, waves.Strike{At: r3.Vec{X: .4, Y: .23, Z: .25}, Velocity: r3.Vec{Y: -4}, Volume: 1e-3})
	highest, asleep := 0., 0
	for n := range 300 {
		a, b := with.Step(testrig.Frame), without.Step(testrig.Frame)
		if a.AsleepBlocks != b.AsleepBlocks || with.Hash() != without.Hash() {
			t.Fatalf("step %d: one has %d blocks asleep, the other %d", n+1, a.AsleepBlocks, b.AsleepBlocks)
		}
		if a.Asleep() {
			asleep++
		}
		most, _ := shift(with.Surface(), without.Surface())
		highest = max(highest, most)
	}
	last, _ := shift(with.Surface(), without.Surface())
	t.Logf("waves of up to %.4f m, %.2g m at the end; asleep in %d steps", highest, last, asleep)
	if highest < .002 || last != 0 || asleep < 100 {
		t.Errorf("waves of up to %g m, %g m at the end; asleep in %d steps", highest, last, asleep)
	}
}

// A drop that lands makes rings, a body that moves a wake.
func TestDropsAndBodiesMakeSurfaceWaves(t *testing.T) {
	def := fluid.Def{Domain: testrig.Box(1, .6, 1), CellSize: .05, Resources: fluid.Resources{Workers: 1}, SurfaceWaves: wavy}
	highest := func(act func(l *fluid.Liquid), steps int) (most float64) {
		with := testrig.New(t, def)
		plain := def
		plain.SurfaceWaves = fluid.SurfaceWaves{}
		without := testrig.New(t, plain)
		for _, l := range []*fluid.Liquid{with, without} {
			testrig.Must(t, l.Fill(fluid.Below(.28)))
			act(l)
		}
		for range steps {
			with.Step(testrig.Frame)
			without.Step(testrig.Frame)
			d, _ := shift(with.Surface(), without.Surface())
			most = max(most, d)
		}
		return most
	}
	paddle := func(l *fluid.Liquid) {
		id, err := l.AddObstacle(fluid.Box(r3.Box{Min: testrig.Vec(-.15, -.1, -.03), Max: testrig.Vec(.15, .1, .03)}))
		testrig.Must(t, err)
		testrig.Must(t, l.MoveObstacle(id, fluid.Motion{Translation: testrig.Vec(.5, .3, .5), Velocity: testrig.Vec(0, 0, .5)}))
	}
	drop := func(l *fluid.Liquid) {
		_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(testrig.Vec(.5, .4, .5), .02), Velocity: r3.Vec{Y: -2}, Rate: .2})
		testrig.Must(t, err)
	}
	moved, landed := highest(paddle, 12), highest(drop, 25)
	t.Logf("a paddle makes waves of %.4f m, drops of %.4f m", moved, landed)
	if moved < .002 || landed < 2e-4 {
		t.Errorf("a paddle makes waves of %g m, drops of %g m", moved, landed)
	}
}

// Fields out of their limits are named.
func TestBadSurfaceWaves(t *testing.T) {
	for field, s := range map[string]fluid.SurfaceWaves{
		"Amplitude": {Amplitude: .2}, "SurfaceWaves.Amplitude": {Amplitude: math.NaN()}, "Depth": {Amplitude: .01, Depth: -1}, "Strength": {Amplitude: .01, Strength: math.Inf(1)},
		"Fade": {Amplitude: .01, Fade: -2},
	} {
		def := fluid.Def{Domain: testrig.Box(1, 1, 1), CellSize: .1, SurfaceWaves: s}
		testrig.Refused(t, def.Validate(), "SurfaceWaves", field)
	}
	full := fluid.Def{Domain: testrig.Box(1, 1, 1), CellSize: .1, Tracker: fluid.NoSurface, SurfaceWaves: wavy}
	testrig.Refused(t, full.Validate(), "SurfaceWaves.Amplitude")
}
