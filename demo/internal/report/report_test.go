package report

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

func TestPercentiles(t *testing.T) {
	var d []time.Duration
	for i := 100; i > 0; i-- {
		d = append(d, time.Duration(i)*time.Millisecond)
	}
	if got, want := PercentilesOf(d), (Percentiles{50, 95, 99, 100}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := PercentilesOf(nil); got != (Percentiles{}) {
		t.Errorf("of nothing: %+v", got)
	}
	one := 1500 * time.Microsecond
	if got := PercentilesOf([]time.Duration{one}); got != (Percentiles{1.5, 1.5, 1.5, 1.5}) {
		t.Errorf("of one: %+v", got)
	}
}

func TestSpread(t *testing.T) {
	if got, want := SpreadOf([]int{9, 1, 5, 3}), (Spread{1, 3, 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func recorded() Run {
	rec := Recorder{Budget: 8 * time.Millisecond}
	for i := 1; i <= 4; i++ {
		step := fluid.Report{Duration: time.Duration(3*i) * time.Millisecond}
		if i == 4 {
			step.Err = errors.New("not finite")
		}
		step.Cells = []int{100 * i, 10, 1, 0}
		step.Unknowns = []int{1000 * i, 100, 0, 0}
		step.Stages[fluid.StageSolve].Duration = 2 * time.Millisecond
		rec.Add(&step)
	}
	surface := fluid.Surface{Positions: make([]float32, 9), Indices: make([]uint32, 6)}
	return rec.Run(fluid.Ledger{FilledL: 900, EmittedL: 100, DrainedL: 200, HeldL: 810}, &surface,
		[]Body{{Name: "ball", DensityRatio: .2, Position: [3]float64{1, 2, 3}, SubmergedFraction: .25, Speed: 1.5}})
}

func TestRecorder(t *testing.T) {
	r := recorded()
	if r.Frames != 4 || r.Missed != 2 || r.RolledBack != 1 || r.BudgetMS != 8 {
		t.Errorf("got %+v", r)
	}
	if r.Unknowns != (Spread{1100, 2100, 4100}) || r.CellsPerLevel[0] != 200 || len(r.CellsPerLevel) != 4 {
		t.Errorf("unknowns %+v, cells %v", r.Unknowns, r.CellsPerLevel)
	}
	if r.StagesMS["Solve"] != 2 || len(r.StagesMS) != int(fluid.StageCount) {
		t.Errorf("stages %v", r.StagesMS)
	}
	if math.Abs(r.Volume.Drift-.01) > 1e-12 {
		t.Errorf("drift %g, want 0.01", r.Volume.Drift)
	}
}

// keys lists an object's names and kinds, objects within too.
func keys(v any, path string, out map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		out[path] = "object"
		for k, inner := range v {
			keys(inner, path+"."+k, out)
		}
	case []any:
		out[path] = "array"
		if len(v) > 0 {
			keys(v[0], path+"[]", out)
		}
	case float64:
		out[path] = "number"
	case string:
		out[path] = "string"
	default:
		out[path] = "other"
	}
}

// What reads the report relies on this shape.
func TestShape(t *testing.T) {
	const golden = `{"frames":0,"budget_ms":0,"step_ms":{"p50":0,"p95":0,"p99":0,"max":0},"missed":0,
		"unknowns":{"min":0,"median":0,"max":0},"cells_per_level":[0],
		"stages_ms":{"Plan":0,"Sizing":0,"Surface":0,"Bodies":0,"Discretise":0,"Advect":0,"Forces":0,"Volume":0,"Control":0,"Solve":0,"Update":0,"Extrapolate":0,"Publish":0,"Mesh":0,"WhiteWater":0},
		"volume":{"filled_l":0,"emitted_l":0,"drained_l":0,"held_l":0,"drift":0},
		"bodies":[{"name":"","density_ratio":0,"position":[0],"submerged_fraction":0,"speed":0}],
		"surface":{"vertices":0,"triangles":0},"rolled_back":0}`
	path := filepath.Join(t.TempDir(), "deep", "report.json")
	if err := Write(path, recorded()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]string{}, map[string]string{}
	for text, out := range map[string]map[string]string{golden: want, string(text): got} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		keys(v, "", out)
	}
	for k, kind := range want {
		if got[k] != kind {
			t.Errorf("%s is %q, want %q", k, got[k], kind)
		}
	}
	for k := range got {
		if want[k] == "" {
			t.Errorf("%s is not in the shape", k)
		}
	}
}

func TestEmptyRunIsWritten(t *testing.T) {
	var rec Recorder
	run := rec.Run(fluid.Ledger{}, &fluid.Surface{}, nil)
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]json.RawMessage
	if err := json.Unmarshal(text, &back); err != nil || string(back["bodies"]) != "[]" {
		t.Errorf("%v: bodies are %s, want []", err, back["bodies"])
	}
}

func TestNotes(t *testing.T) {
	var rec Recorder
	for i := 1; i <= 5; i++ {
		step := fluid.Report{Step: i}
		if i > 1 {
			step.Warnings = []fluid.Warning{{Knob: "Budget", Text: "too small"}}
		}
		if i == 4 {
			step.Err = errors.New("not finite")
		}
		rec.Add(&step)
	}
	want := []string{"Budget: too small (4 times, first in step 2)", "rolled back: not finite (1 times, first in step 4)"}
	if got := rec.Notes(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReading(t *testing.T) {
	for want, r := range map[string]Reading{
		"power 151 W": {"power", 150.6, "W"}, "lift 43.5 L": {"lift", 43.46, "L"}, "leak 0.06 L": {"leak", .064, "L"}, "strokes 3": {"strokes", 3, ""},
		"heel 0.00°": {"heel", -.0004, "°"}, "speed 0.00 m/s": {"speed", math.Copysign(0, -1), "m/s"}, "speed -0.09 m/s": {"speed", -.09, "m/s"},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
