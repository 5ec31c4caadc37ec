package pool

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

func testChance(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 1)) }

// coarse is a pool that steps quickly.
func coarse(t *testing.T, seed int) *Pool { return poolOf(t, .2, seed) }

func poolOf(t *testing.T, cell float64, seed int) *Pool {
	t.Helper()
	p, err := New(fluid.Def{CellSize: cell}, seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestPoolIsFull(t *testing.T) {
	p := coarse(t, 1)
	size := Domain.Size()
	solid := math.Pi * ColumnRadius * ColumnRadius * WaterLevel
	for _, s := range Steps() { // they overlap: only what is beyond the next one counts
		e := s.Size()
		solid += .42 * min(e.Y, WaterLevel) * e.Z
	}
	want := 1000 * (size.X*size.Z*WaterLevel - solid)
	if got := p.liquid.Ledger().FilledL; math.Abs(got-want) > .02*want {
		t.Errorf("%.0f l were filled in, want about %.0f", got, want)
	}
}

// The same seed gives the same drops and the same bits; another one does not.
func TestDeterminism(t *testing.T) {
	run := func(seed int) (liquid, bodies uint64) {
		p := coarse(t, seed)
		for range 12 {
			step(t, p)
		}
		return p.liquid.Hash(), p.world.Hash()
	}
	l1, b1 := run(1)
	l2, b2 := run(1)
	_, other := run(2)
	if l1 != l2 || b1 != b2 {
		t.Error("two runs with one seed differ")
	}
	if other == b1 {
		t.Error("another seed drops the same")
	}
}

func TestProgrammeDropsAll(t *testing.T) {
	p := coarse(t, 3)
	calls := 0
	p.OnDrop = func(Toy) { calls++ }
	p.time = 100
	if err := p.Cue(); err != nil {
		t.Fatal(err)
	}
	if calls != len(programme) || len(p.Toys) != len(programme) {
		t.Errorf("%d dropped, want %d", calls, len(programme))
	}
	if got := p.Subject(); r3.Norm(r3.Sub(got, p.Toys[3].Body.Position())) > 0 || p.Toys[3].Kind != Dinghy {
		t.Errorf("the camera follows %v", got)
	}
	for i, b := range p.Bodies() {
		if want := programme[i]; b.Name != want.name || b.DensityRatio != want.Ratio {
			t.Errorf("body %d is %+v, want %+v", i, b, want)
		}
	}
	last := 0.
	for _, d := range programme {
		if d.at <= last {
			t.Errorf("%s is not dropped after the one before", d.name)
		}
		last = d.at
	}
}

// Drops, however chance shifts them, start apart from walls, steps, column and each other.
func TestDropsStartFree(t *testing.T) {
	for seed := range 50 {
		p := &Pool{world: physics.NewWorld(physics.WorldDef{})}
		if err := buildBodies(p.world); err != nil {
			t.Fatal(err)
		}
		fixed := slices.Collect(p.world.Bodies())
		chance := testChance(seed)
		for _, d := range append(append([]toyDef{}, programme...), random(chance)) {
			toy, err := d.drop(p.world, chance, 1000)
			if err != nil {
				t.Fatal(err)
			}
			reach := map[Kind]float64{Crate: .5 * math.Sqrt(3) * CrateEdge, Ball: BallRadius}[d.Kind]
			if d.Kind == Dinghy {
				reach = .3 // it lies nearly level: its height counts over the steps, its sides are far from walls
			}
			for i, wall := range fixed {
				var dist [1]float32
				wall.Distance(dist[:], []r3.Vec{toy.Body.Position()})
				if float64(dist[0]) < reach-.05 {
					t.Errorf("seed %d: %s starts %.2f m from static body %d", seed, d.name, dist[0], i)
				}
			}
		}
	}
}

func step(t *testing.T, p *Pool) {
	t.Helper()
	if r, err := play.Step(p); err != nil || r.Err != nil {
		t.Fatal(err, r.Err)
	}
}

// film takes steps with a camera in orbit, and a budget of so many thousand unknowns, so that they are the same on every machine, and
// shows each one's report.
func film(t testing.TB, p *Pool, work float64, steps int, show func(n int, r *fluid.Report)) {
	t.Helper()
	if err := p.liquid.SetBudget(fluid.Budget{Work: work}); err != nil {
		t.Fatal(err)
	}
	camera := play.NewMover("orbit", play.Views{Orbit: Orbit})
	for n := range steps {
		if err := p.liquid.SetView(play.ViewOf(camera.Advance(play.Timestep, p.Subject()), option.Size{Width: 1280, Height: 720})); err != nil {
			t.Fatal(err)
		}
		r, err := play.Step(p)
		if err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
		show(n, r)
	}
}

// The main job: 600 steps. The water keeps its volume and never bursts; what floats floats at its draft.
func TestMainJob(t *testing.T) {
	if testing.Short() {
		t.Skip("ten seconds of the pool")
	}
	p := poolOf(t, Cell, 1)
	film(t, p, 2.5, 600, func(n int, r *fluid.Report) {
		if r.MaxSpeed > 15 {
			t.Fatalf("step %d: the water moves at %g m/s", n, r.MaxSpeed)
		}
		if drift := r.Ledger.DriftL / r.Ledger.FilledL; math.Abs(drift) > .01 || n == 599 && math.Abs(drift) > .005 { // blocks that turn coarse show for a step
			t.Fatalf("step %d: the ledger drifts by %.2f %%", n, 100*drift)
		}
	})
	for _, b := range p.Bodies() {
		// With so little work a crate is three cells high, and the ball and the dinghy too small to measure.
		if want, got := min(b.DensityRatio, 1), b.SubmergedFraction; strings.HasPrefix(b.Name, "crate") && math.Abs(got-want) > .05 {
			t.Errorf("%s is %.3f submerged in the last seconds, its density is %.2f of the water's", b.Name, got, b.DensityRatio)
		}
		if b.DensityRatio > 1 && b.Speed > .01 {
			t.Errorf("%s lies on the floor and moves at %g m/s", b.Name, b.Speed)
		}
	}
}

// Without toys the pool calms down once the spout is shut, after five seconds, and stays calm while the camera goes round and
// blocks at the walls, whose cells the walls cut in half, come and go. On cells as coarse as the budget leaves, jets may take turns with the
// holes that they fall into: seldom, of pools of various cells.
func TestPoolStaysCalm(t *testing.T) {
	cells := []float64{.99 * Cell, Cell, 1.01 * Cell, 1.02 * Cell, 1.03 * Cell}
	if testing.Short() {
		cells = cells[:3]
	}
	wild := 0
	for _, cell := range cells {
		p := poolOf(t, cell, 1)
		p.dropped = len(programme)
		p.time = pourFor - 5
		top := 0.
		film(t, p, 2.5, 1000, func(n int, r *fluid.Report) {
			if n > 400 && r.MaxSpeed > 6 {
				t.Fatalf("cells of %g m, step %d: the water moves at %g m/s", cell, n, r.MaxSpeed)
			}
			if n > 600 {
				top = max(top, r.MaxSpeed)
			}
		})
		if top > 2 {
			t.Logf("cells of %g m: the water still moves at %g m/s", cell, top)
			wild++
		}
	}
	if wild > 1 {
		t.Errorf("%d pools of %d don't calm down, want at most one", wild, len(cells))
	}
}

func TestMostToys(t *testing.T) {
	p := coarse(t, 1)
	for range most + 5 {
		if err := p.DropRandom(); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.Toys) != most {
		t.Errorf("%d toys, want %d", len(p.Toys), most)
	}
}

func TestSpoutToggles(t *testing.T) {
	p := poolOf(t, .1, 1) // coarser cells see nothing of the mouth
	before := 0.
	for range 30 { // it pours drop by drop until the grid sees a jet
		step(t, p)
		before = p.liquid.Ledger().EmittedL
	}
	if before <= 0 {
		t.Error("the spout does not pour")
	}
	if err := p.TogglePouring(); err != nil {
		t.Fatal(err)
	}
	step(t, p)
	if got := p.liquid.Ledger().EmittedL; got != before {
		t.Errorf("%g l came out of a shut spout", got-before)
	}
}

// No camera comes too near, goes too far or dives.
