package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

// Run is what a run reports.
type Run struct {
	Variant  string      `json:"variant,omitempty"` // of the demo, where it plays several
	Frames   int         `json:"frames"`            // steps taken
	BudgetMS float64     `json:"budget_ms"`
	StepMS   Percentiles `json:"step_ms"`
	// StallMS is how long the liquid kept the frames, where the steps were taken beside them.
	StallMS  *Percentiles `json:"stall_ms,omitempty"`
	Missed   int          `json:"missed"` // steps beyond the budget
	Unknowns Spread       `json:"unknowns"`
	// CellsPerLevel are medians over the steps, the finest level first.
	CellsPerLevel []int `json:"cells_per_level"`
	// StagesMS are means over the steps.
	StagesMS   map[string]float64 `json:"stages_ms"`
	Volume     Volume             `json:"volume"`
	Bodies     []Body             `json:"bodies"`
	Surface    Surface            `json:"surface"`
	RolledBack int                `json:"rolled_back"` // steps
	// Readings are what the demo measures, at the end of the run.
	Readings []Reading `json:"readings,omitempty"`
	// Hash is the liquid's state at the end.
	Hash string `json:"hash,omitempty"`
	// Pictures is the run that the pictures are of, where that is another.
	Pictures *Pictures `json:"pictures,omitempty"`
}

// Pictures is a run with a budget of work, which is the same on every machine.
type Pictures struct {
	WorkK    float64 `json:"work_k"` // thousands of unknowns; 0: no limit
	Unknowns Spread  `json:"unknowns"`
	Volume   Volume  `json:"volume"`
	Bodies   []Body  `json:"bodies"`
	Hash     string  `json:"hash"`
}

// Reading is something that a demo measures.
type Reading struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"` // empty for a count
}

// String is the reading for people: three figures or a whole number.
func (r Reading) String() string {
	places := 2
	switch v := math.Abs(r.Value); {
	case v >= 100 || r.Unit == "":
		places = 0
	case v >= 10:
		places = 1
	}
	figures := strconv.FormatFloat(r.Value, 'f', places, 64)
	if strings.Trim(figures, "-0.") == "" {
		figures = strings.TrimPrefix(figures, "-") // no negative nothing
	}
	if r.Unit != "" && r.Unit != "°" {
		figures += " "
	}
	return r.Name + " " + figures + r.Unit
}

// Volume is the ledger, in litres. Drift is relative to what was filled and emitted.
type Volume struct {
	FilledL  float64 `json:"filled_l"`
	EmittedL float64 `json:"emitted_l"`
	DrainedL float64 `json:"drained_l"`
	HeldL    float64 `json:"held_l"`
	Drift    float64 `json:"drift"`
}

// Body is a body at the end of a run.
type Body struct {
	Name              string     `json:"name"`
	DensityRatio      float64    `json:"density_ratio"`      // of its material to the liquid
	Position          [3]float64 `json:"position"`           // m
	SubmergedFraction float64    `json:"submerged_fraction"` // over the last seconds
	Speed             float64    `json:"speed"`              // m/s
}

// Surface counts the surface at the end of a run.
type Surface struct {
	Vertices  int `json:"vertices"`
	Triangles int `json:"triangles"`
}

// Recorder collects the reports of a run's steps. The zero value is ready to use.
type Recorder struct {
	Budget time.Duration // 0: none

	steps      []time.Duration
	stalls     []time.Duration
	unknowns   []int
	cells      [4][]int
	stages     [fluid.StageCount]time.Duration
	missed     int
	rolledBack int
	notes      []note
}

// note is something that a person should know of a run.
type note struct {
	text  string
	first int // step
	steps int
}

// Add records a step.
func (r *Recorder) Add(step *fluid.Report) {
	r.steps = append(r.steps, step.Duration)
	r.unknowns = append(r.unknowns, step.UnknownCount())
	for level := range r.cells {
		n := 0
		if level < len(step.Cells) {
			n = step.Cells[level]
		}
		r.cells[level] = append(r.cells[level], n)
	}
	for s := range step.Stages {
		r.stages[s] += step.Stages[s].Duration
	}
	if r.Budget > 0 && step.Duration > r.Budget {
		r.missed++
	}
	if step.Err != nil {
		r.rolledBack++
		r.note(step.Step, "rolled back: "+step.Err.Error())
	}
	for _, w := range step.Warnings {
		r.note(step.Step, w.Knob+": "+w.Text)
	}
}

// Stalled records how long the liquid kept a frame that its steps run beside.
func (r *Recorder) Stalled(d time.Duration) { r.stalls = append(r.stalls, d) }

func (r *Recorder) note(step int, text string) {
	for i := range r.notes {
		if r.notes[i].text == text {
			r.notes[i].steps++
			return
		}
	}
	r.notes = append(r.notes, note{text, step, 1})
}

// Notes are the warnings and the reasons of rolled back steps, each once, in the order in
// which they came up.
func (r *Recorder) Notes() []string {
	var out []string
	for _, n := range r.notes {
		out = append(out, fmt.Sprintf("%s (%d times, first in step %d)", n.text, n.steps, n.first))
	}
	return out
}

// Run summarises the steps so far with how the run ended.
func (r *Recorder) Run(ledger fluid.Ledger, surface *fluid.Surface, bodies []Body) Run {
	run := Run{
		Frames: len(r.steps), BudgetMS: Milliseconds(r.Budget), Missed: r.missed, RolledBack: r.rolledBack,
		StepMS:   PercentilesOf(append([]time.Duration(nil), r.steps...)),
		Unknowns: SpreadOf(append([]int(nil), r.unknowns...)),
		StagesMS: make(map[string]float64),
		Volume:   VolumeOf(ledger),
		Bodies:   append([]Body{}, bodies...), // [] in JSON, never null
		Surface:  Surface{Vertices: len(surface.Positions) / 3, Triangles: len(surface.Indices) / 3},
	}
	if len(r.stalls) > 0 {
		p := PercentilesOf(append([]time.Duration(nil), r.stalls...))
		run.StallMS = &p
	}
	for _, cells := range r.cells {
		run.CellsPerLevel = append(run.CellsPerLevel, SpreadOf(append([]int(nil), cells...)).Median)
	}
	for s, total := range r.stages {
		run.StagesMS[fluid.Stage(s).String()] = Milliseconds(total / time.Duration(max(1, len(r.steps))))
	}
	return run
}

// VolumeOf is the ledger with its relative drift.
func VolumeOf(l fluid.Ledger) Volume {
	v := Volume{FilledL: l.FilledL, EmittedL: l.EmittedL, DrainedL: l.DrainedL, HeldL: l.HeldL}
	if put := l.FilledL + l.EmittedL; put > 0 {
		v.Drift = (l.HeldL - (put - l.DrainedL)) / put
	}
	return v
}

// Path is where a report goes: a file, or if that is "" into a folder.
func Path(file, folder string) string {
	if file != "" {
		return file
	}
	return filepath.Join(folder, "report.json")
}

// Write makes the folder and writes a report as JSON.
func Write(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o666)
}

// Summary is the run in one line for people.
func (r Run) Summary() string {
	text := fmt.Sprintf("%d steps: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, max %.1f ms; %d over %.1f ms; %d unknowns (median); volume drift %.3f %%; %d rolled back",
		r.Frames, r.StepMS.P50, r.StepMS.P95, r.StepMS.P99, r.StepMS.Max, r.Missed, r.BudgetMS, r.Unknowns.Median, 100*r.Volume.Drift, r.RolledBack)
	if r.StallMS != nil {
		text += fmt.Sprintf("; frames kept p50 %.3f ms, p99 %.3f ms, max %.3f ms", r.StallMS.P50, r.StallMS.P99, r.StallMS.Max)
	}
	if p := r.Pictures; p != nil {
		text += fmt.Sprintf("\npictures: %d unknowns (median) of at most %gk; volume drift %.3f %%; state %s", p.Unknowns.Median, p.WorkK, 100*p.Volume.Drift, p.Hash)
	}
	return text
}
