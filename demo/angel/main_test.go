package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/decor"
	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestTetrahedra(t *testing.T)          { playtest.Tetrahedra(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

func TestDecor(t *testing.T) {
	playtest.Decor(t, decor.Theatre(scenes.Angel.Domain, wallTop), scenes.Angel.Domain)
}

// tetrahedron is an OBJ file, its height and how far its base reaches given.
func tetrahedron(t *testing.T, file, high, wide string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	text := "v 0 0 0\nv W 0 0\nv 0 0 W\nv 0 H 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n"
	if err := os.WriteFile(path, []byte(strings.NewReplacer("W", wide, "H", high).Replace(text)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every shape brings its litres, five at most.
func TestFalls(t *testing.T) {
	mesh, err := load(tetrahedron(t, "tall.obj", "1", "1"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.Of(fluid.Def{CellSize: .1, Resources: fluid.Resources{Workers: 1}}, mesh)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := scenes.Angel.Domain.Size()
	pool, shape := 1e3*scenes.PoolLevel*size.X*size.Z, 1e3*f.Shape.Volume()
	if got := f.Liquid().Ledger().FilledL; math.Abs(got-pool-shape) > .1*shape {
		t.Errorf("%.0f l for a pool of %.0f and a shape of %.0f l", got, pool, shape)
	}
	for range 40 { // until it is in the pool
		if r, err := play.Step(f); err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
	}
	was := f.Liquid().Ledger().FilledL
	for range falling.Most {
		if err := f.Another(); err != nil {
			t.Fatal(err)
		}
	}
	if f.Shapes != falling.Most {
		t.Errorf("%d shapes fell", f.Shapes)
	}
	if more := f.Liquid().Ledger().FilledL - was; more < .8*shape || more > 1.1*shape {
		t.Errorf("one more brought %.0f l of %.0f; the others are where it is", more, shape)
	}
}

// A mesh from a file is as tall as the angel; one that is too wide for the pool then, and one that is not there, are refused.
func TestMeshOfAFile(t *testing.T) {
	m, err := load(tetrahedron(t, "tall.obj", "4", "4"))
	if err != nil {
		t.Fatal(err)
	}
	if box := m.Bounds(); math.Abs(box.Max.Y-scenes.AngelTall) > 1e-12 || box.Min.Y != 0 {
		t.Errorf("it is in %v", box)
	}
	if _, err := load(tetrahedron(t, "flat.obj", "1", "2")); err == nil || !strings.Contains(err.Error(), "too much for the pool") {
		t.Errorf("a flat mesh: %v", err)
	}
	if _, err := load(filepath.Join(t.TempDir(), "gone.obj")); err == nil {
		t.Error("a file that is not there was read")
	}
}
