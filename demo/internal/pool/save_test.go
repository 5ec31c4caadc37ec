package pool

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
	"github.com/meniscus3d/meniscus/scene"
)

// boxed plays a pool with a box beside it, and returns the dump after the last step.
func boxed(t *testing.T, steps int) (dir string) {
	t.Helper()
	p, err := New(fluid.Def{CellSize: .16, Budget: fluid.Budget{Step: 2 * time.Millisecond}, Resources: fluid.Resources{Workers: 2}}, 7)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	dir = t.TempDir()
	box, err := p.Box(fluidtrace.FlightRecorderOptions{Dir: dir, Steps: 60, Budget: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	var hand scene.Grabber
	eye := r3.Vec{Y: 3, Z: 1}
	p.time = pourFor - .8 // the programme drops all at once, and the spout runs dry in a moment
	for n := 1; n <= steps; n++ {
		switch n % 12 {
		case 4:
			err = p.DropRandom()
		case 7:
			err = p.TogglePouring()
		case 10:
			err = p.Throw()
		case 11:
			err = p.ToggleDrain()
		}
		if err != nil {
			t.Fatal(err)
		}
		toward := func(at r3.Vec) r3.Vec { return r3.Unit(r3.Sub(at, eye)) }
		switch n {
		case 20, 70: // the state that is kept is of a time between
			if !hand.Grab(p.world, eye, toward(p.Toys[n/25].Body.Position())) {
				t.Fatal("the hand holds nothing")
			}
		case 60:
			hand.Release()
		}
		if err := hand.Move(eye, toward(r3.Vec{X: math.Sin(.1 * float64(n)), Y: 2}), timestep); err != nil {
			t.Fatal(err)
		}
		if n == steps {
			box.Dump("the last")
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
	found, err := filepath.Glob(filepath.Join(dir, "*-asked"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

// A pool made from what a box kept of another one, to which the same is done, has the same liquid and bodies.
func TestBoxedPoolGoesTheSameWay(t *testing.T) {
	dir := boxed(t, 80)
	d, err := fluidtrace.OpenDump(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(dir, fluidtrace.GameFile))
	if err != nil {
		t.Fatal(err)
	}
	for workers := 1; workers <= 2; workers++ {
		p, err := Restore(d, workers)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if p.liquid.Hash() != d.Start.Hash || p.Hash() != d.Start.GameHash {
			t.Fatalf("the state differs: liquid %v, bodies %v", p.liquid.Hash() != d.Start.Hash, p.Hash() != d.Start.GameHash)
		}
		var again bytes.Buffer
		if err := p.Save(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Errorf("saved again it has %d bytes, not the same %d: %v", again.Len(), len(file), err)
		}
		toys, hashes, inputs := len(p.Toys), 0, map[string]bool{}
		for _, s := range d.Steps {
			for _, note := range s.Notes {
				inputs[strings.Split(note, " ")[0]] = true
			}
			if _, err := p.Replay(&s); err != nil {
				t.Fatal(err)
			}
			if s.Hash == 0 {
				continue
			}
			if hashes++; p.liquid.Hash() != s.Hash || p.Hash() != s.GameHash {
				t.Fatalf("%d workers: step %d differs: liquid %v, bodies %v", workers, s.Step, p.liquid.Hash() != s.Hash, p.Hash() != s.GameHash)
			}
		}
		if len(d.Steps) < 30 || hashes < 5 || len(p.Toys) <= toys || len(inputs) != 8 || d.Start.Step < 20 || d.Start.Step > 60 {
			t.Errorf("%d steps with %d hashes, %d toys more and the inputs %v show little", len(d.Steps), hashes, len(p.Toys)-toys, inputs)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	p := coarse(t, 1)
	step(t, p)
	if err := p.DropRandom(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Save(&b); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	for name, bad := range map[string]string{
		"cut in the line": good[:40], "cut in the world": good[:len(good)-40], "empty": "", "endless": strings.Repeat(" ", 1<<20),
		"another scene": strings.Replace(good, Scene, "sea", 1), "other cells": strings.Replace(good, `"Cells":0`, `"Cells":7`, 1), "another tracker": strings.Replace(good, `"Tracker":0`, `"Tracker":9`, 1), "a fine cell": strings.Replace(good, `"Cell":0.2`, `"Cell":1e-9`, 1),
		"a body too many": strings.Replace(good, `"Body":`, `"Body":99`, 1), "another toy": strings.Replace(good, `"Name":"`, `"Name":"x`, 1),
		"no dice": strings.Replace(good, `"Dice":"`, `"Dice":"AAAA`, 1), "more of the programme": strings.Replace(good, `"Dropped":`, `"Dropped":9`, 1),
	} {
		if q, err := load(strings.NewReader(bad), 1); err == nil || q != nil || bad == good {
			t.Errorf("%s: %v, %v", name, q, err)
		}
	}
	for _, bad := range []string{"", "next", "spout ", "let go", "pull 1 2 3 4", "pull", "grab", "grab -1 0 0 0 1 1", "grab 99 0 0 0 1 1", "grab 8 NaN 0 0 1 1", "grab 8 0 0 0 1 -1"} {
		if err := p.Do(bad); err == nil {
			t.Errorf("%q was done", bad)
		}
	}
	p.dropped = len(programme)
	if err := p.Do(nextToy); err == nil {
		t.Error("there is one more toy than the programme has")
	}
}
