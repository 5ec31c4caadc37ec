package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// profile is what is known of a scene that was run, once or several times.
type profile struct {
	Scene    string      `json:"scene"`
	CellM    float64     `json:"cell_m"`
	BudgetMS float64     `json:"budget_ms"` // 0: none
	Work     float64     `json:"work"`      // thousand unknowns; 0: none
	Frames   int         `json:"frames"`
	FPS      float64     `json:"fps"` // that steps waited for; 0: none
	Workers  int         `json:"workers"`
	Machine  string      `json:"machine"`
	Runs     []runSeries `json:"runs"`
}

// runSeries is one run: a value per step in each slice.
type runSeries struct {
	StepMS   []float64                    `json:"step_ms"`
	StageMS  [fluid.StageCount]stageTimes `json:"stages"`
	Unknowns [4][]int                     `json:"unknowns"` // per level, the finest first
	Target   []int                        `json:"target_unknowns"`
	Substeps []int                        `json:"substeps"`
	Workers  []int                        `json:"workers"` // that shared the step
	Solves   []int                        `json:"iterations"`
	Changed  []int                        `json:"changed_blocks"` // whose level is another than in the step before
	Plan     []string                     `json:"plan"`
	Missed   []string                     `json:"missed"`      // by what; "" in time
	Bytes    []int                        `json:"bytes"`       // allocated in the step
	Loaded   []bool                       `json:"loaded"`      // something else had a processor
	Reasons  []string                     `json:"rolled_back"` // why, of the steps that were
	Mesh     []string                     `json:"mesh"`        // "" for a step's own
	GCs      int                          `json:"collections"`
	Drift    float64                      `json:"drift"`    // of the volume: the greatest, relative to what had come in
	Apart    [2]float64                   `json:"apart_ns"` // cores, before the run and after it: see apart
	Stops    [2]stops                     `json:"stops"`    // likewise, of threads that do nothing
}

// stageTimes is a stage's time in every step.
type stageTimes struct {
	Name string    `json:"name"`
	MS   []float64 `json:"ms"`
}

// measure runs the scene as often as asked for.
func measure(s settings, errs io.Writer) (*profile, error) {
	p := &profile{
		Scene: s.scene, BudgetMS: float64(s.budget) / 1e6, Work: s.work, Frames: s.frames, FPS: s.fps,
		Machine: fmt.Sprintf("%s %s/%s, %d processors", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)),
	}
	for n := 1; n <= s.repeat; n++ {
		sc, err := newScene(s)
		if err != nil {
			return nil, err
		}
		def := sc.liquid.Def()
		p.CellM, p.Workers = def.CellSize, s.workers
		p.Workers = cmp.Or(p.Workers, runtime.GOMAXPROCS(0))
		line := progress.New(errs, fmt.Sprintf("run %d of %d, step", n, s.repeat), s.frames)
		before, stopped := apart(), watchStops(p.Workers, s.watch)
		series, err := record(sc, s, line)
		sc.liquid.Close()
		if err != nil {
			return nil, err
		}
		series.Apart, series.Stops = [2]float64{before, apart()}, [2]stops{stopped, watchStops(p.Workers, s.watch)}
		p.Runs = append(p.Runs, series)
	}
	return p, nil
}

// record takes the steps of a run. Of several runs the last one's trace stays.
func record(sc *scene, s settings, line *progress.Line) (run runSeries, err error) {
	w, err := newWatchers(sc, s)
	defer func() { err = errors.Join(err, w.close()) }()
	if err != nil {
		return run, err
	}
	sc.liquid.Prewarm()
	var judge fluidtrace.MissClassifier
	heap, frame := newHeapMeter(), newPacer(s.fps)
	for n := 1; n <= s.frames; n++ {
		frame.wait()
		if err := sc.before(n); err != nil {
			return run, err
		}
		heap.start()
		r := sc.liquid.Step(timestep)
		bytes := heap.stop()
		sc.after()
		run.add(r, judge.Step(r, s.budget), bytes, sc.loaded != nil && sc.loaded(n))
		if n%finiteEvery == 0 && !finite(sc.liquid.Surface()) {
			return run, fmt.Errorf("step %d: the surface is not finite", n)
		}
		w.step(r)
		line.Done(n, fmt.Sprintf("%.1f ms, %d unknowns", float64(r.Duration)/1e6, r.UnknownCount()))
	}
	run.GCs = heap.collections()
	return run, nil
}

// pacer waits for the frames of a game. One that comes late puts off those after it.
type pacer struct {
	every time.Duration // 0: there are no frames
	next  time.Time
}

func newPacer(fps float64) (p pacer) {
	if fps > 0 {
		p.every = time.Duration(float64(time.Second) / fps)
	}
	return p
}

func (p *pacer) wait() {
	time.Sleep(time.Until(p.next))
	p.next = time.Now().Add(p.every)
}

// rolledBack stands for a miss's cause.
const rolledBack = "rolled back"

// finiteEvery is how often, in steps, the surface is looked through.
const finiteEvery = 30

func finite(s *fluid.Surface) bool {
	odd := float32(0)
	for _, v := range [3][]float32{s.Positions, s.Normals, s.Velocities} {
		for _, x := range v {
			odd += x - x // NaN, if it is not finite
		}
	}
	return odd == 0
}

func (s *runSeries) add(r *fluid.Report, miss fluidtrace.Miss, bytes int, loaded bool) {
	s.Loaded = append(s.Loaded, loaded)
	s.Drift = max(s.Drift, math.Abs(r.Ledger.DriftL)/(r.Ledger.FilledL+r.Ledger.EmittedL))
	s.StepMS = append(s.StepMS, rounded(float64(r.Duration)/1e6))
	for st := range s.StageMS {
		t := &s.StageMS[st]
		t.Name = fluid.Stage(st).String()
		t.MS = append(t.MS, rounded(float64(r.Stages[st].Duration)/1e6))
	}
	for level := range s.Unknowns {
		n := 0
		if level < len(r.Unknowns) {
			n = r.Unknowns[level]
		}
		s.Unknowns[level] = append(s.Unknowns[level], n)
	}
	s.Target = append(s.Target, r.Plan.TargetUnknowns)
	s.Substeps = append(s.Substeps, r.Substeps)
	s.Workers = append(s.Workers, r.Workers)
	s.Solves = append(s.Solves, r.Iterations)
	s.Changed = append(s.Changed, r.Stages[fluid.StageSizing].Count)
	s.Plan = append(s.Plan, r.Plan.Reason)
	mesh := ""
	if r.Plan.SurfaceExtrapolated {
		mesh = "carried on for want of time"
	}
	s.Mesh = append(s.Mesh, mesh)
	missed := ""
	if miss.Cause != fluidtrace.None {
		missed = miss.Cause.String()
	}
	if r.Err != nil {
		missed = rolledBack
		s.Reasons = append(s.Reasons, fmt.Sprintf("step %d: %s", r.Step, r.Err))
	}
	s.Missed = append(s.Missed, missed)
	s.Bytes = append(s.Bytes, bytes)
}

// unknowns is how many step i had on all levels.
func (s *runSeries) unknowns(i int) (n int) {
	for level := range s.Unknowns {
		n += s.Unknowns[level][i]
	}
	return n
}

// costs is what steps took per unknown and substep, µs, and how many unknowns they had; steps without any are left out.
func (s *runSeries) costs() (sizes, costs []float64) {
	for i, ms := range s.StepMS {
		if n := s.unknowns(i); n > 0 && s.Substeps[i] > 0 {
			sizes, costs = append(sizes, float64(n)), append(costs, 1e3*ms/float64(n*s.Substeps[i]))
		}
	}
	return sizes, costs
}

// rounded keeps tenths of a microsecond.
func rounded(ms float64) float64 { return math.Round(ms*1e4) / 1e4 }

// heapMeter counts what is allocated and how often the collector ran.
type heapMeter struct {
	samples       [2]metrics.Sample
	before, first uint64 // bytes at the start of a step, collections at the start of the run
}

func newHeapMeter() *heapMeter {
	h := &heapMeter{samples: [2]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}}
	h.start()
	h.first = h.samples[1].Value.Uint64()
	return h
}

func (h *heapMeter) start() {
	metrics.Read(h.samples[:])
	h.before = h.samples[0].Value.Uint64()
}

// stop is how many bytes were allocated since start.
func (h *heapMeter) stop() int {
	metrics.Read(h.samples[:])
	return int(h.samples[0].Value.Uint64() - h.before)
}

func (h *heapMeter) collections() int { return int(h.samples[1].Value.Uint64() - h.first) }

// write writes profile.json into a folder.
func (p *profile) write(dir string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "profile.json"), append(text, '\n'), 0o666)
}

// readProfile reads what write wrote and checks that its series are whole.
func readProfile(path string) (*profile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &profile{}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(p.Runs) == 0 || p.Frames < 2*block {
		return nil, fmt.Errorf("%s: %d runs of %d frames; needs a run of at least %d", path, len(p.Runs), p.Frames, 2*block)
	}
	for i := range p.Runs {
		if !p.Runs[i].whole(p.Frames) {
			return nil, fmt.Errorf("%s: run %d does not have %d values of each kind", path, i, p.Frames)
		}
	}
	return p, nil
}

// whole tells whether what a comparison reads has that many values.
func (s *runSeries) whole(frames int) bool {
	ok := len(s.StepMS) == frames && len(s.Substeps) == frames
	for st := range s.StageMS {
		ok = ok && len(s.StageMS[st].MS) == frames
	}
	for level := range s.Unknowns {
		ok = ok && len(s.Unknowns[level]) == frames
	}
	return ok
}
