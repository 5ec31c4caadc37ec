package tracked

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

// shrinking is a test whose surface is a tetrahedron that shrinks; contouring fails.
var shrinking = Test{
	Name: "shrinking", Frames: []int{0, 5, 10}, Brief: []int{0, 10}, PerSecond: 10, Back: r3.Vec{Z: 1}, Centre: r3.Vec{X: .5, Y: .5, Z: .5}, Width: 1,
	Cells: 4, Vertices: 200, Finer: 4,
	Run: func(r tracktest.Run) (tracktest.Result, error) {
		if r.Tracker == tracktest.Contouring {
			return tracktest.Result{}, errors.New("it tore")
		}
		for _, t := range r.At {
			e := .9 - .5*t
			r.Watch(tracktest.Moment{
				Time: t, Positions: []r3.Vec{{}, {X: e}, {Y: e}, {Z: e}}, Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
			})
		}
		return tracktest.Result{Volume: .5, L1: .25, Seconds: 3, Steps: 100, Vertices: r.Size}, nil
	},
}

// A run writes a sheet for each tracker and size, one of all, and a report. No screen is needed.
func TestCompare(t *testing.T) {
	t.Setenv("DISPLAY", "")
	dir := t.TempDir()
	if code := shrinking.Main(strings.Fields("-trackers levelset,mesh -size 80x64 -edges -out " + dir)); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for name, size := range map[string][2]int{"levelset-32.png": {3*86 + 6, 76}, "levelset-64.png": {3*86 + 6, 76}, "mesh-800.png": {3*86 + 6, 76}, "contact.png": {2*66 + 6, 4*54 + 6}} {
		img, err := picture.ReadPNG(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if b := img.Bounds(); b.Dx() != size[0] || b.Dy() != size[1] {
			t.Errorf("%s is %v, want %v", name, b, size)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Tracker: "level set", Size: "32 cells", Volume: .5, L1: .25, Seconds: 3, Steps: 100, Vertices: 32},
		{Tracker: "explicit mesh", Size: "200 vertices", Volume: .5, L1: .25, Seconds: 3, Steps: 100, Vertices: 200},
		{Tracker: "level set", Size: "64 cells", Volume: .5, L1: .25, Seconds: 3, Steps: 100, Vertices: 64},
		{Tracker: "explicit mesh", Size: "800 vertices", Volume: .5, L1: .25, Seconds: 3, Steps: 100, Vertices: 800},
	}
	if len(rows) != len(want) {
		t.Fatalf("%+v", rows)
	}
	for i := range want {
		if rows[i] != want[i] {
			t.Errorf("%+v, want %+v", rows[i], want[i])
		}
	}
	if lines := table(rows); !strings.Contains(lines, " 50.00 |  25.00 |   3.00 |     30.00 |") || strings.Count(lines, "\n") != 6 {
		t.Errorf("the table is\n%s", lines)
	}
}

// What can't be is told, with an exit code.
func TestExitCodes(t *testing.T) {
	for args, want := range map[string]int{
		"-h": 0, "-trackers bem": 2, "-cells 0": 2, "-sizes huge": 2, "-vertices 7": 2, "here": 2, "-trackers contour": Failed,
	} {
		if code := shrinking.Main(append(strings.Fields(args), "-out", t.TempDir())); code != want {
			t.Errorf("%q: exit code %d, want %d", args, code, want)
		}
	}
}
