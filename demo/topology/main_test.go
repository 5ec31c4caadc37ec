package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/fluid/tracktest"
)

// Two scenes with long edges end well, and are drawn without a screen, with a row each.
func TestShow(t *testing.T) {
	t.Setenv("DISPLAY", "")
	dir := t.TempDir()
	if code := Main(strings.Fields("-scenes merge,pop -edge .3 -size 80x64 -out " + dir)); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	img, err := picture.ReadPNG(filepath.Join(dir, "contact.png"))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != columns*86+6 || b.Dy() != 2*70+6 {
		t.Errorf("the sheet is %v", b)
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].Scene != "merge" || rows[1].Scene != "pop" || rows[1].Vertices == 0 {
		t.Errorf("%+v", rows)
	}
}

// There is a sight of every scene.
func TestSights(t *testing.T) {
	all := tracktest.Topologies()
	for i := range all {
		if s, ok := sights[all[i].Name]; !ok || s.at != nil && len(s.at) != columns {
			t.Errorf("%s: %+v", all[i].Name, s)
		}
	}
	if len(sights) != len(all) {
		t.Errorf("%d sights of %d scenes", len(sights), len(all))
	}
}

// What can't be is told, with an exit code.
func TestExitCodes(t *testing.T) {
	for args, want := range map[string]int{"-h": 0, "-scenes boil": 2, "-edge 0": 2, "here": 2} {
		if code := Main(append(strings.Fields(args), "-out", t.TempDir())); code != want {
			t.Errorf("%q: exit code %d, want %d", args, code, want)
		}
	}
}
