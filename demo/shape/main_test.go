package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/playtest"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }

// The shape falls as a stone does, and the pool gets its litres.
func TestFalls(t *testing.T) {
	f, err := source.Of(fluid.Def{CellSize: .1, Resources: fluid.Resources{Workers: 1}}, shapes.Rabbit(tall))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pool := 1e3 * level * (domain.Max.X - domain.Min.X) * (domain.Max.Z - domain.Min.Z)
	if l := f.Liquid().Ledger().FilledL; math.Abs(l-pool-1e3*f.Shape.Volume()) > .1*1e3*f.Shape.Volume() { // a tenth: the ears are as thin as a cell
		t.Errorf("%.0f l for a pool of %.0f and a shape of %.0f l", l, pool, 1e3*f.Shape.Volume())
	}
	const steps = 12
	for range steps {
		if r, err := play.Step(f); err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
	}
	var at [1]fluid.Sample
	f.Liquid().Sample(at[:], []r3.Vec{{Y: foot + .15}})
	if v, want := at[0].Velocity.Y, -9.81*steps*play.Timestep; !at[0].Inside || math.Abs(v-want) > .05*math.Abs(want) {
		t.Errorf("liquid %v, falls at %.2f m/s, want %.2f", at[0].Inside, v, want)
	}
	for f.Shapes < falling.Most {
		if err := f.Another(); err != nil {
			t.Fatal(err)
		}
	}
	if held := f.Liquid().Ledger().FilledL; f.Another() != nil || f.Liquid().Ledger().FilledL != held {
		t.Error("there is one more than the most")
	}
}

// A mesh from a file takes the usual one's place, as large; what is no mesh is refused.
func TestMeshOfAFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "flat.obj")
	if err := os.WriteFile(file, []byte("v 0 0 0\nv 4 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	box := m.Bounds()
	if size := box.Size(); math.Abs(size.X-tall) > 1e-12 || math.Abs(size.Y-tall/2) > 1e-12 || box.Min.Y != 0 || math.Abs(box.Center().X) > 1e-12 {
		t.Errorf("it is in %v", box)
	}
	if _, err := load(filepath.Join(dir, "gone.obj")); err == nil {
		t.Error("a file that is not there was read")
	}
}
