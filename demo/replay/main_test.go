package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// miss plays a pool within a budget that nothing keeps, and returns the folder of the dump that the box makes by itself.
func miss(t *testing.T) (dir string) {
	t.Helper()
	p, err := pool.New(fluid.Def{CellSize: .2, Budget: fluid.Budget{Step: time.Microsecond}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	dir = t.TempDir()
	box, err := p.Box(fluidtrace.FlightRecorderOptions{Dir: dir, Steps: 20, Dumps: 1})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 15 {
		if n == 5 {
			if err := p.TogglePouring(); err != nil {
				t.Fatal(err)
			}
		}
		r, err := play.Step(p)
		if err != nil {
			t.Fatal(err)
		}
		box.Step(r)
	}
	if err := box.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*-miss"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

// replayed is what the program says, and its exit code.
func replayed(args ...string) (text string, code int) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return out.String() + errs.String(), code
}

// change copies a dump with a file changed, or without it.
func change(t *testing.T, dump, name string, to func(text string) string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(dump)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if to == nil {
		err = os.Remove(file)
	} else {
		changed := to(string(text))
		if changed == string(text) {
			t.Fatalf("%s did not change", name)
		}
		err = os.WriteFile(file, []byte(changed), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReplayOfAMiss(t *testing.T) {
	dump := miss(t)
	for workers := 1; workers <= 2; workers++ {
		text, code := replayed("-workers", fmt.Sprint(workers), dump)
		if code != 0 || strings.Contains(text, "DIFFERS") || !strings.Contains(text, " hashes agree") || strings.Contains(text, "\n0 of 0") {
			t.Errorf("%d workers: exit code %d: %s", workers, code, text)
		}
	}
	dir := filepath.Join(t.TempDir(), "deep")
	if text, code := replayed("-out", dir, dump); code != 0 {
		t.Errorf("with a trace: exit code %d: %s", code, text)
	}
	trace, err := os.ReadFile(filepath.Join(dir, fluidtrace.TraceFile))
	if err != nil || !json.Valid(trace) || !bytes.Contains(trace, []byte("Liquid.Solve")) {
		t.Errorf("the trace has %d bytes: %v", len(trace), err)
	}
}

// What was not recorded so is told, with exit code 1 and in one line if nothing can be replayed.
func TestReplayTells(t *testing.T) {
	dump := miss(t)
	steps, liquid, game := fluidtrace.StepsFile, fluidtrace.LiquidFile, fluidtrace.GameFile
	replace := func(old, new string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, new, 1) }
	}
	cut := func(text string) string { return text[:len(text)/2] }
	for name, c := range map[string]struct{ dir, want string }{
		"no folder":      {filepath.Join(dump, "nothing"), "not a dump"},
		"a file":         {filepath.Join(dump, steps), "not a dump"},
		"no liquid":      {change(t, dump, liquid, nil), liquid},
		"no pool":        {change(t, dump, game, nil), "not of a pool"},
		"no steps":       {change(t, dump, steps, nil), steps},
		"half a liquid":  {change(t, dump, liquid, cut), "fluid: Restore"},
		"half a pool":    {change(t, dump, game, cut), "physics"},
		"half the steps": {change(t, dump, steps, cut), steps},
		"a bad note":     {change(t, dump, steps, replace(`["spout"]`, `["flood"]`)), `step 6: "flood"`},
		"a bad plan":     {change(t, dump, steps, func(s string) string { return strings.ReplaceAll(s, `"DetailInterval":`, `"DetailInterval":9`) }), "Plan.DetailInterval"},
	} {
		text, code := replayed(c.dir)
		if lines := strings.Split(strings.TrimSpace(text), "\n"); code != failed || !strings.Contains(lines[len(lines)-1], c.want) {
			t.Errorf("%s: exit code %d: %s", name, code, text)
		}
	}
	text, code := replayed(change(t, dump, steps, replace(`["spout"]`, `["spout","one more toy"]`)))
	if code != differs || !strings.Contains(text, "DIFFERS") || !strings.Contains(text, " hashes agree\nThis is go") {
		t.Errorf("one more toy: exit code %d: %s", code, text)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{nil, "needs the folder of a dump", option.BadUsage}, {[]string{"-workers", "x", "y"}, "-workers", option.BadUsage},
		{[]string{"a", "b"}, `unexpected argument "b"`, option.BadUsage}, {[]string{"-h"}, "[DUMP]", 0},
	} {
		if text, code := replayed(c.args...); code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit code %d: %s", c.args, code, text)
		}
	}
}
