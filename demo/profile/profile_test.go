package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-scene sea", "damtank"},
		{"-frames 3", "whole number from 40"},
		{"-budget 8", "such as 8ms"},
		{"-fps -1", "0 to 1000"},
		{"-compare a.json", "two files"},
		{"a.json", "two files"},
		{"-compare a.json b.json c.json", `unexpected argument "c.json"`},
	} {
		var out, errs bytes.Buffer
		code := run(strings.Fields(c.args), &out, &errs)
		if text := errs.String(); code != option.BadUsage || !strings.HasPrefix(text, "profile: ") || strings.Count(text, "\n") != 1 || !strings.Contains(text, c.want) {
			t.Errorf("%s: exit code %d, %q; want one line with %q", c.args, code, text, c.want)
		}
	}
}

// A short run leaves a table, plots, a trace and JSON that a comparison with itself takes.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	var out, errs bytes.Buffer
	args := fmt.Sprintf("-scene damtank -cell .1 -frames %d -repeat 2 -budget 0 -fps 1000 -workers 2 -watch 10ms -cpu -regions -box -out %s", 2*block, dir)
	if code := run(strings.Fields(args), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for _, want := range []string{"| Step ", "| Publish ", "unknowns:", "plan: no budget: 80 of 80 steps", "missed: none of 80 steps", "no budget, 1000 frames/s", "threads that do nothing: stopped"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
	for _, name := range []string{"step", "stages", "unknowns", "cost"} {
		if img, err := picture.ReadPNG(filepath.Join(dir, name+".png")); err != nil || img.Bounds().Dx() < 500 {
			t.Errorf("%s.png: %v", name, err)
		}
	}
	trace, err := os.ReadFile(filepath.Join(dir, "trace.json"))
	if err != nil || !json.Valid(trace) || !strings.Contains(string(trace), "Liquid.Solve") {
		t.Errorf("%d bytes of trace, %v", len(trace), err)
	}
	for _, name := range []string{"cpu.pprof", "regions.trace", "box"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := filepath.Join(dir, "profile.json")
	out.Reset()
	if code := run([]string{"-compare", file, file}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if text := out.String(); !strings.Contains(text, "| Step, ms") || strings.Count(text, "noise   |") != int(fluid.StageCount) || strings.Count(text, "same    |") != 3 { // nothing is controlled, and there is no white water
		t.Errorf("a run compared with itself:\n%s", text)
	}
}

// made is a profile whose runs have the given levels of time, ms, with noise that goes on from step to step.
func made(seed uint64, frames int, noise float64, levels ...float64) *profile {
	chance := rand.New(rand.NewPCG(seed, 3))
	p := &profile{Scene: "made", Frames: frames}
	for _, level := range levels {
		var r runSeries
		drift := 0.
		for range frames {
			drift = .8*drift + noise*(chance.Float64()-.5)
			step := fluid.Report{Substeps: 1, Unknowns: []int{1000, 0, 0, 0}}
			r.Substeps = append(r.Substeps, step.Substeps)
			for l, n := range step.Unknowns {
				r.Unknowns[l] = append(r.Unknowns[l], n)
			}
			r.StepMS = append(r.StepMS, level*(1+drift))
			for st := range r.StageMS {
				r.StageMS[st].MS = append(r.StageMS[st].MS, level*(1+drift)/float64(fluid.StageCount))
			}
		}
		p.Runs = append(p.Runs, r)
	}
	return p
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after *profile
		verdict       string
		slower        bool
	}{
		{"slower", made(1, 200, .1, 5), made(2, 200, .1, 6), "more", true},
		{"a little slower", made(1, 200, .01, 5), made(2, 200, .01, 5.15), "more", false},
		{"faster", made(1, 200, .1, 5), made(2, 200, .1, 4), "less", false},
		{"noise", made(1, 200, .2, 5), made(2, 200, .2, 5), "noise", false},
		{"noise between runs", made(1, 200, .1, 5, 5.6, 5.1), made(2, 200, .1, 5.6, 5.1, 5.7), "noise", false},
	} {
		got, err := compare(c.before, c.after)
		if err != nil {
			t.Fatal(err)
		}
		if step := got.changes[0]; step.verdict() != c.verdict || got.slower(5) != c.slower || step.lo > step.ratio || step.hi < step.ratio {
			t.Errorf("%s: %+v is %s, slower by 5 %%: %v", c.name, step, step.verdict(), got.slower(5))
		}
		if n := got.changes[1]; n.verdict() != "same" || n.ratio != 1 {
			t.Errorf("%s: the unknowns, which are the same, are %+v", c.name, n)
		}
	}
}

// Of pairs of runs that differ by noise alone some 95 % must lie in the range: here at least 85 % of 40.
func TestNoiseBandCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("many draws")
	}
	const pairs = 40
	in := 0
	for n := range uint64(pairs) {
		step := func(r *runSeries, i int) float64 { return r.StepMS[i] }
		c := bootstrap("step", values(made(10+2*n, 400, .2, 5), step), values(made(11+2*n, 400, .2, 5), step))
		if c.lo <= 1 && c.hi >= 1 {
			in++
		}
	}
	if in < pairs*85/100 {
		t.Errorf("%d of %d", in, pairs)
	}
	t.Logf("%d of %d", in, pairs)
}

func TestBadProfiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	short := made(1, 60, .1, 5)
	short.Runs[0].StepMS = short.Runs[0].StepMS[:50]
	text, err := json.Marshal(short)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.json"), "none.json"},
		{file("bad.json", "{"), "bad.json"},
		{file("empty.json", "{}"), "0 runs"},
		{file("short.json", string(text)), "does not have 60 values"},
	} {
		if _, err := readProfile(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if _, err := compare(made(1, 60, .1, 5), made(1, 80, .1, 5)); err == nil || !strings.Contains(err.Error(), "frames are 60 and 80") {
		t.Errorf("profiles of different lengths: %v", err)
	}
}

func TestTicks(t *testing.T) {
	for _, hi := range []float64{.013, 1, 7.3, 24, 600, 19999} {
		ticks := tens{}.Ticks(0, hi)
		if len(ticks) < 4 || len(ticks) > 12 {
			t.Errorf("%d ticks up to %g", len(ticks), hi)
		}
		if last := ticks[len(ticks)-1].Value; last > hi || last < .7*hi {
			t.Errorf("up to %g the last tick is %g", hi, last)
		}
	}
	if len(tens{}.Ticks(1, 1)) > 0 {
		t.Error("ticks on an axis without length")
	}
}
