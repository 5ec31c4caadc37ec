// Package playtest tests what every demo has: its exit codes, its pictures and its window.
//
// A process has one window at most, on its main thread, so tests that need one run their
// program again.
package playtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
)

// What the program does when it runs again.
const (
	argsVar  = "DEMO_TEST_ARGS"  // Run
	showVar  = "DEMO_TEST_SHOW"  // Rehearse in a small window, with these arguments
	alikeVar = "DEMO_TEST_ALIKE" // Likenesses, with these arguments
)

// Rehearse presses the keys once in a short run: each does something then, and its opposite in a long one.
const (
	roundsVar = "DEMO_TEST_ROUNDS" // of keys
	window    = "-size 160x90"
)

// Main is a demo's TestMain. cell is a coarse one, m.
func Main[S play.Scenario](m *testing.M, d *play.Demo[S], cell float64) { MainOf(m, d, cell, d.Run) }

// MainOf is the TestMain of a demo whose program does more than Demo.Run: it runs the program with arguments and returns the exit code.
func MainOf[S play.Scenario](m *testing.M, d *play.Demo[S], cell float64, run func(args []string) int) {
	settled := func(args string, do func(play.Settings) error) error {
		s, _, err := d.ReadSettings(strings.Fields(args))
		if err != nil {
			return err
		}
		return do(s)
	}
	if args, ok := os.LookupEnv(alikeVar); ok {
		exit(settled(args, d.Likenesses))
	}
	main(m, run, func(args string, rounds int) error {
		return settled(args+fmt.Sprint(" ", window, " -budget 0 -cell ", cell), func(s play.Settings) error { return d.Rehearse(s, rounds) })
	})
}

// MainActs is the TestMain of a demo of acts.
func MainActs[A play.Act](m *testing.M, d *play.Acts[A]) {
	main(m, d.Run, func(_ string, rounds int) error { return d.Rehearse(strings.Fields(window), rounds) })
}

// main runs the program, or its rehearsal, where it runs again, and else the tests.
func main(m *testing.M, run func(args []string) int, rehearse func(args string, rounds int) error) {
	if args, ok := os.LookupEnv(argsVar); ok {
		os.Exit(run(strings.Fields(args)))
	}
	if args, ok := os.LookupEnv(showVar); ok {
		rounds, err := strconv.Atoi(os.Getenv(roundsVar))
		if err == nil {
			err = rehearse(args, rounds)
		}
		exit(err)
	}
	os.Exit(m.Run())
}

// exit ends the process with an error, if there is one.
func exit(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(play.Failed)
	}
	os.Exit(0)
}

// Run runs the program with arguments, without a display, and returns its output and exit code.
func Run(t *testing.T, args string) (string, int) {
	t.Helper()
	return again(t, argsVar+"="+args, "DISPLAY=")
}

// again runs this program with variables set and returns its output and exit code.
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

// ExitCodes tells what a demo says to bad flags, to -h and without a screen.
func ExitCodes(t *testing.T) {
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"-camera spin", "orbit, chase, fixed, none", option.BadUsage},
		{"-h", "-budget", 0},
		{"-headless", "xvfb-run", play.Failed},
		{"", "xvfb-run", play.Failed},
	} {
		out, code := Run(t, c.args)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%q: exit code %d and %q, want %d and %q", c.args, code, out, c.code, c.want)
		}
		if c.code != 0 && strings.Count(out, "\n") != 1 {
			t.Errorf("%q: want one line, got %q", c.args, out)
		}
	}
}

// Headless makes a short run with more arguments, which writes its pictures, the sheet and the
// report. cell is a coarse one, m.
func Headless(t *testing.T, cell float64, more ...string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "deep", "r.json")
	args := fmt.Sprintf("-frames 3 -cell %g -camera chase -report %s %s", cell, file, strings.Join(more, " "))
	Pictures(t, dir, args, "frame_00001.png", "frame_00002.png", "frame_00003.png")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Run
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if r.Pictures == nil || r.Pictures.Hash == "" {
		t.Errorf("the report says nothing of the pictures: %+v", r)
	}
	if r.Frames != 3 || r.BudgetMS <= 0 || r.Unknowns.Min <= 0 || r.Volume.FilledL <= 0 || r.Surface.Triangles == 0 {
		t.Errorf("got %+v", r)
	}
}

// Tetrahedra makes a headless run on tetrahedra, with a cut through them over the pictures. A short run leaves that to the pool's test.
func Tetrahedra(t *testing.T, cell float64) {
	if testing.Short() {
		t.Skip("the pool's test does so")
	}
	Headless(t, cell, "-cells tetrahedra -grid cells")
}

// SamePictures makes two headless runs whose time budgets differ, which write the same pictures. cell is a coarse one, m.
func SamePictures(t *testing.T, cell float64) {
	if testing.Short() {
		t.Skip("two runs of eight frames")
	}
	const last = "frame_00008.png"
	var files [2][]byte
	for i, budget := range []string{"1ms", "100ms"} {
		dir := t.TempDir()
		Pictures(t, dir, fmt.Sprintf("-frames 8 -every 8 -work 1 -cell %g -budget %s", cell, budget), last)
		file, err := os.ReadFile(filepath.Join(dir, last))
		if err != nil {
			t.Fatal(err)
		}
		files[i] = file
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the pictures depend on how long a step may take")
	}
}

// Pictures makes a headless run with more arguments, which writes these pictures and a contact
// sheet to a folder.
func Pictures(t *testing.T, dir, args string, names ...string) {
	t.Helper()
	needScreen(t)
	out, code := again(t, fmt.Sprintf("%s=-headless -size 160x90 -out %s %s", argsVar, dir, args))
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	for _, name := range append(names, "contact.png") {
		if img, err := picture.ReadPNG(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if b := img.Bounds(); name != "contact.png" && (b.Dx() != 160 || b.Dy() != 90) {
			t.Errorf("%s is %v", name, b)
		}
	}
}

// Keys opens a window and presses every key. A short run leaves that to the pool's test: the demos share the window and most of the keys.
func Keys(t *testing.T) {
	if testing.Short() {
		t.Skip("the pool's test does so")
	}
	Window(t)
}

// Window opens a window with more arguments and presses every key.
func Window(t *testing.T, more ...string) {
	needScreen(t)
	rounds := 2
	if testing.Short() {
		rounds = 1
	}
	if out, code := again(t, showVar+"="+strings.Join(more, " "), fmt.Sprint(roundsVar, "=", rounds)); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// Async does so while steps run beside the frames. A short run leaves that to the pool's test: the demos share what it is about.
func Async(t *testing.T) {
	if testing.Short() {
		t.Skip("the pool's test does so")
	}
	Window(t, "-async")
}

// Traced draws a demo's picture by ray tracing, small and coarse, without a screen: in a garden, which a long run does twice and gets the same picture,
// and as in the window, which gives another.
func Traced[S play.Scenario](t *testing.T, d *play.Demo[S], cell float64) {
	t.Helper()
	t.Setenv("DISPLAY", "")
	gardens := []bool{true, false, true}
	if testing.Short() {
		gardens = gardens[:2]
	}
	var pictures [][]byte
	for _, garden := range gardens {
		dir := t.TempDir()
		args := fmt.Sprintf("-traced -garden=%v -frames 3 -samples 2 -photons 20 -size 96x64 -budget 0 -cell %g -out %s", garden, cell, dir)
		if code := d.Run(strings.Fields(args)); code != 0 {
			t.Fatalf("%s: exit code %d", args, code)
		}
		img, err := picture.ReadPNG(filepath.Join(dir, "traced.png"))
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() != 96 || b.Dy() != 64 {
			t.Errorf("the picture is %v", b)
		}
		data, err := os.ReadFile(filepath.Join(dir, "traced.png"))
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, data)
	}
	if bytes.Equal(pictures[0], pictures[1]) {
		t.Error("-garden=false draws the same picture")
	}
	if len(pictures) > 2 && !bytes.Equal(pictures[0], pictures[2]) {
		t.Error("the same settings draw another picture")
	}
}

// alike is how alike pictures by OpenGL and by ray tracing are to be.
const alike = .9

// Likeness draws a demo as it stands after some steps by OpenGL and by ray tracing, as its fixed camera sees it and as that of its picture by ray
// tracing does, and asks for a structural similarity of alike. Where it was less when that was last looked into, known says how much, and it must not be
// less than that. OpenGL's pictures are four times as wide and shrunk, since rays are spread over a pixel too. cell: a coarse one, m.
func Likeness(t *testing.T, cell float64, frames int, known [2]float64) {
	if testing.Short() {
		t.Skip("pictures by ray tracing")
	}
	needScreen(t)
	dir := t.TempDir()
	if keep := os.Getenv("MENISCUS_PICTURES"); keep != "" {
		dir = filepath.Join(keep, t.Name(), filepath.Base(dir))
	}
	args := fmt.Sprintf("-frames %d -cell %g -work 4 -budget 0 -whitewater=false -size 240x135 -garden=false -samples 64 -error .006 -photons 400 -out %s", frames, cell, dir)
	if out, code := again(t, alikeVar+"="+args); code != 0 {
		t.Fatalf("%s: exit code %d: %s", args, code, out)
	}
	for i, view := range []string{"fixed", "traced"} {
		t.Run(view, func(t *testing.T) {
			drawn, err := picture.ReadPNG(filepath.Join(dir, fmt.Sprintf("drawn_%05d.png", i+1)))
			if err != nil {
				t.Fatal(err)
			}
			traced, err := picture.ReadPNG(filepath.Join(dir, fmt.Sprintf("traced_%05d.png", i+1)))
			if err != nil {
				t.Fatal(err)
			}
			large := image.NewRGBA(drawn.Bounds())
			draw.Draw(large, large.Rect, drawn, image.Point{}, draw.Src)
			got, err := picture.SSIM(picture.Shrink(large, traced.Bounds().Dx()), traced)
			switch {
			case err != nil:
				t.Fatal(err)
			case !(got >= min(known[i], alike)):
				t.Errorf("similarity %.3f, want at least %g; it was %g", got, alike, known[i])
			case got < alike:
				t.Skipf("similarity %.3f, want at least %g: not reached", got, alike)
			}
			t.Logf("similarity %.3f, wanted %g", got, alike)
		})
	}
}
