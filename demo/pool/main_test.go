package main

import (
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/demo/internal/report"
)

// A process has one window at most, on its main thread, so tests that need one run this
// program again.
const (
	argsVar = "POOL_TEST_ARGS" // run(args)
	showVar = "POOL_TEST_SHOW" // press every key
)

func TestMain(m *testing.M) {
	if args, ok := os.LookupEnv(argsVar); ok {
		os.Exit(run(strings.Fields(args)))
	}
	if os.Getenv(showVar) != "" {
		os.Exit(pressAll())
	}
	os.Exit(m.Run())
}

// again runs this program with a variable set and returns its output and exit code.
func again(t *testing.T, env ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func needScreen(t *testing.T) {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Skip("no DISPLAY: run under xvfb-run -a -s '-screen 0 1280x720x24'")
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"-camera spin", "orbit, chase, fixed, none", badUsage},
		{"-h", "-budget", 0},
		{"-headless", "xvfb-run", failed},
		{"", "xvfb-run", failed},
	} {
		out, code := again(t, argsVar+"="+c.args, "DISPLAY=")
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%q: exit code %d and %q, want %d and %q", c.args, code, out, c.code, c.want)
		}
		if c.code != 0 && strings.Count(out, "\n") != 1 {
			t.Errorf("%q: want one line, got %q", c.args, out)
		}
	}
}

// A short headless run writes its pictures, the sheet and the report.
func TestHeadless(t *testing.T) {
	needScreen(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "deep", "r.json")
	out, code := again(t, argsVar+"=-headless -frames 3 -cell .16 -size 160x90 -camera chase -out "+dir+" -report "+file)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	for _, name := range []string{"frame_00001.png", "frame_00002.png", "frame_00003.png", "contact.png"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if b := img.Bounds(); name != "contact.png" && (b.Dx() != 160 || b.Dy() != 90) {
			t.Errorf("%s is %v", name, b)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Run
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if r.Frames != 3 || r.BudgetMS != 8 || r.Unknowns.Min <= 0 || r.Volume.FilledL <= 0 || r.Surface.Triangles == 0 {
		t.Errorf("got %+v", r)
	}
}

func TestWindowTakesEveryKey(t *testing.T) {
	needScreen(t)
	if out, code := again(t, showVar+"=1"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// pressAll opens the window and presses every key twice between frames.
func pressAll() int {
	s, _, _ := readSettings(strings.Fields("-cell .2 -size 320x180 -budget 0"))
	p, err := newPool(s.cell, s.budget, s.seed)
	if err != nil {
		fmt.Println(err)
		return failed
	}
	defer p.close()
	w := openShow(s, p)
	for range 2 {
		for _, b := range bindings {
			w.key(b.key)
			w.frame(w.app.Renderer(), time.Second/60)
		}
	}
	if w.err != nil || len(p.toys) < 2 || p.time == 0 {
		fmt.Println(w.err, len(p.toys), p.time)
		return failed
	}
	return 0
}
