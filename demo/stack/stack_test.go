package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/playtest"
)

func TestMain(m *testing.M) { playtest.MainActs(m, &demo) }

func TestWindowTakesEveryKey(t *testing.T) { playtest.Window(t) }

// What each scene has to do well, and how well.
func TestScenes(t *testing.T) {
	for name, c := range map[string]struct{ least, most float64 }{
		"stack":  {0, 20},    // mm
		"pile":   {100, 100}, // %
		"chain":  {0, 0.5},   // %
		"ratio":  {0, 10},    // mm: a thirtieth of the small crate
		"cards":  {95, 100},  // %
		"cradle": {98, 101},  // %
		"domino": {48, 48},
	} {
		t.Run(name, func(t *testing.T) {
			r := runOf(t, name)
			for range r.def.steps {
				r.Step()
				if f := r.world.Events().Failures; len(f) > 0 {
					t.Fatal(f)
				}
			}
			if v := r.value; v < c.least || v > c.most+1e-9 {
				t.Errorf("%s: %g %s, want %g to %g", r.def.shows, v, r.def.unit, c.least, c.most)
			}
		})
	}
}

func runOf(t *testing.T, name string) *run {
	t.Helper()
	for _, d := range scenes {
		if d.name == name {
			r, err := newRun(d)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("no scene %s", name)
	return nil
}

// Every scene is the same on every run.
func TestDeterminism(t *testing.T) {
	for _, name := range sceneNames() {
		var hash [2]uint64
		for i := range hash {
			r := runOf(t, name)
			for range 90 {
				r.Step()
			}
			hash[i] = r.world.Hash()
		}
		if hash[0] != hash[1] {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

// A headless run draws all scenes in turn and reports a row of each.
func TestHeadless(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for _, name := range sceneNames() {
		names = append(names, name+"_00001.png", name+"_00004.png")
	}
	playtest.Pictures(t, dir, "-frames 4 -debug", names...)
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(scenes) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, r := range rows {
		if r.Scene != scenes[i].name || r.Bodies < 2 || r.Steps != 4 || r.StepMS.Max <= 0 {
			t.Errorf("row %d: %+v", i, r)
		}
	}
}
