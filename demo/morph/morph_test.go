package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
)

// Straight lines from bar to bar gain volume, as in Raveendran et al. 2012, Figure 3; the morph keeps it.
func TestBars(t *testing.T) {
	ways, err := betweenBars()
	if err != nil {
		t.Fatal(err)
	}
	straight, kept := ways[0].volumes, ways[1].volumes
	if middle := straight[moments/2]; middle < 1.5 {
		t.Errorf("halfway straight lines have %.3f of the volume, want at least 1.5", middle)
	}
	for i, v := range kept {
		if math.Abs(v-1) > 1e-8 {
			t.Errorf("the morph has %.12f of the volume at moment %d", v, i)
		}
	}
	if table := barTable(ways); !strings.Contains(table, "linear") || strings.Count(table, "100.000000") < moments+2 {
		t.Errorf("the table is\n%s", table)
	}
}

// -show bars draws without a screen.
func TestBarsNeedNoScreen(t *testing.T) {
	t.Setenv("DISPLAY", "")
	before := asked
	defer func() { asked = before }()
	dir := t.TempDir()
	if code := run([]string{"-show", "bars", "-out", filepath.Join(dir, "deep")}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "deep", "bars.png")); err != nil {
		t.Error(err)
	}
}

// The frames between the keys keep the volume, pass through the keys, and end with the throw's velocity.
func TestMorph(t *testing.T) {
	m := shapes.Rabbit(tall)
	clip, err := morph(m)
	if err != nil {
		t.Fatal(err)
	}
	var at control.Mesh
	worst := 0.
	for i := range clip.Frames() {
		clip.At(clip.FrameTime(i), &at)
		worst = max(worst, math.Abs(shapes.Volume(at.Positions, at.Triangles)/m.Volume()-1))
	}
	t.Logf("%d vertices, %d frames, volumes within %.1e of the shape's", len(m.Positions), clip.Frames(), worst)
	if worst > .002 { // the keys: a twist of a mesh changes its volume
		t.Errorf("a frame has a volume that is off by %.3f of it", worst)
	}
	for _, v := range at.Velocities {
		if r3.Norm(r3.Sub(v, throw)) > 1e-9 {
			t.Fatalf("at the end a vertex has %v m/s, the throw %v", v, throw)
		}
	}
	for _, k := range keys(m) {
		clip.At(k.Time, &at)
		for v, x := range k.Positions {
			if d := r3.Norm(r3.Sub(x, at.Positions[v])); d > 1e-6 {
				t.Fatalf("%.2f s: vertex %d is %g m from its key", k.Time, v, d)
			}
		}
	}
}

// coarse are the cells that the tests play with, m. At .08 the ears that bend twists are one cell thick, and what they lack comes through their roots at up to 14 m/s.
var coarse = map[string]float64{bend: .06, hit: .08}

// steps plays an act with coarse cells and watches every step.
func steps(t *testing.T, act string, strength float64, n int, after func(b *bending, r *fluid.Report)) *bending {
	t.Helper()
	m := shapes.Rabbit(tall)
	cell := coarse[act]
	if testing.Short() {
		cell = .08 // until the ears are twisted
	}
	source := morph
	if act == hit {
		source = still
	}
	clip, err := source(m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBending(fluid.Def{CellSize: cell}, act, clip, strength)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	for range n {
		r, err := play.Step(b)
		if err != nil {
			t.Fatal(err)
		}
		if r.Err != nil || len(r.Warnings) > 0 {
			t.Fatalf("%.2f s: %s %v", b.Time, r.Err, r.Warnings)
		}
		after(b, r)
	}
	if drift := b.Liquid().Ledger().DriftL / b.Liquid().Ledger().FilledL; math.Abs(drift) > .005 {
		t.Errorf("the ledger drifts by %.4f", drift)
	}
	return b
}

// The shape comes out of the pool, which is not controlled, and is there when it is let go, with the velocity of the throw.
func TestBend(t *testing.T) {
	n, strengths := int(released/play.Timestep)+3, []float64{1, .5}
	if testing.Short() {
		n, strengths = 120, strengths[:1]
	}
	for _, strength := range strengths {
		b := steps(t, bend, strength, n, func(b *bending, r *fluid.Report) {
			if r.MaxSpeed > 10 { // the shape, up to 3; drops are faster
				t.Fatalf("α = %g, %.2f s: the liquid moves at %.1f m/s", strength, b.Time, r.MaxSpeed)
			}
		})
		t.Logf("α = %g: held %.0f of %.0f l, error %.0f mm", strength, b.told.HeldL, b.told.WantedL, 1000*b.told.Error)
		if share := b.told.HeldL / b.told.WantedL; share < .9 {
			t.Errorf("α = %g: the shape holds %.2f of its litres", strength, share)
		}
		if testing.Short() {
			continue
		}
		if b.held {
			t.Fatalf("α = %g: it is not let go", strength)
		}
		var at [1]fluid.Sample
		b.Liquid().Sample(at[:], []r3.Vec{b.middle()})
		if v := at[0].Velocity; !at[0].Inside || r3.Norm(r3.Sub(v, throw)) > 1 {
			t.Errorf("α = %g: in the middle of what is thrown, liquid %v, moves at %.2f m/s, want %.2f", strength, at[0].Inside, v, throw)
		}
	}
}

// The ball flies, and what it hits brakes it; the shape stays for the most part.
func TestBallHitsShape(t *testing.T) {
	fastest, last := 0., 0.
	b := steps(t, hit, usual[hit], 105, func(b *bending, _ *fluid.Report) {
		for _, ball := range b.balls {
			last = r3.Norm(ball.Velocity())
			fastest = max(fastest, last)
		}
	})
	if len(b.balls) != 1 || fastest < .95*ballSpeed || last > .6*fastest {
		t.Errorf("%d balls, at up to %.1f m/s; the last moves at %.1f m/s", len(b.balls), fastest, last)
	}
	if share := b.told.HeldL / b.told.WantedL; share < .6 {
		t.Errorf("the shape holds %.2f of its litres", share)
	}
}

// The keys break the shape and have it rise again, turn the dial, and throw balls, but not too many.
func TestKeys(t *testing.T) {
	b := steps(t, hit, .2, 1, func(*bending, *fluid.Report) {})
	do := func(what func() error) {
		t.Helper()
		if err := what(); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []float64{.1, 1, .5} {
		if do(b.nextStrength); b.def.Strength != want {
			t.Errorf("the dial says %g, want %g", b.def.Strength, want)
		}
	}
	if do(b.breakOrRise); b.held || len(b.Readings()) != 1 {
		t.Error("it is held after the break")
	}
	do(b.nextStrength)
	if do(b.breakOrRise); !b.held || len(b.Readings()) != 4 {
		t.Error("it does not rise again")
	}
	for range mostBalls + 2 {
		do(b.throwBall)
	}
	if len(b.Bodies()) != mostBalls {
		t.Errorf("%d balls, want %d", len(b.Bodies()), mostBalls)
	}
}

// A mesh from a file takes the rabbit's place; what is no closed mesh is refused.
func TestShapeOfAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const corners = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 1\n"
	m, err := shape(write("closed.obj", corners+"f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"))
	if err != nil || math.Abs(m.Bounds().Max.Y-tall) > 1e-12 {
		t.Errorf("%v, %v", m.Bounds(), err)
	}
	if _, err := shape(write("open.obj", corners+"f 1 3 2\nf 1 2 4\nf 1 4 3\n")); err == nil || !strings.Contains(err.Error(), "3 edges") {
		t.Errorf("an open mesh: %v", err)
	}
}

// The same calls give the same bits.
func TestDeterminism(t *testing.T) {
	hash := func() [2]uint64 {
		b := steps(t, hit, .5, 12, func(*bending, *fluid.Report) {})
		return [2]uint64{b.Liquid().Hash(), b.World().Hash()}
	}
	if a, b := hash(), hash(); a != b {
		t.Error("two runs differ")
	}
}
