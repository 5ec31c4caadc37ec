package fluid_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// A run that was saved in its middle and goes on from the file, in a liquid that had gone elsewhere, ends as the one
// that was not interrupted.
func TestSavedRunGoesOnAlike(t *testing.T) {
	a, b := livelier(t, 2), livelier(t, 1)
	for n := range 30 {
		a.Step(t, n)
	}
	for n := range 7 {
		b.Step(t, n)
	}
	file := testrig.Saved(t, a.L)
	r := bytes.NewReader(append(file, 1, 2, 3))
	testrig.Must(t, b.L.Restore(r))
	if r.Len() != 3 {
		t.Errorf("%d bytes are left of the 3 behind the file", r.Len())
	}
	a.W.CopyTo(b.W)
	if a.L.Hash() != b.L.Hash() {
		t.Fatal("what was restored has another hash")
	}
	for n := 30; n < 60; n++ {
		if a.Step(t, n) != b.Step(t, n) {
			t.Fatalf("step %d: what was restored gives other bits", n)
		}
	}
}

// A file that is cut or damaged anywhere is refused, and nothing changes.
func TestDamagedFileIsRefused(t *testing.T) {
	l := smallSteered(t)
	file := testrig.Saved(t, l)
	testrig.GoesOn(t, l, 3)
	was := l.Hash()
	refused := func(what string, at int, file []byte) {
		t.Helper()
		err := l.Restore(bytes.NewReader(file))
		if err == nil || !strings.HasPrefix(err.Error(), "fluid: Restore: ") || l.Hash() != was {
			t.Fatalf("%s at byte %d of %d: %v; changed: %v", what, at, len(file), err, l.Hash() != was)
		}
	}
	for at := 0; at < len(file); at += 1 + at/64 {
		refused("cut", at, file[:at])
		for _, bit := range []byte{1, 0x80} {
			bad := bytes.Clone(file)
			bad[at] ^= bit
			refused("flipped", at, bad)
		}
	}
	if err := l.Restore(bytes.NewReader(file[:len(file)-1])); !errors.Is(err, fluid.ErrNotSaved) {
		t.Errorf("a file that is cut: %v", err)
	}
	newer := bytes.Clone(file)
	newer[8] = fluid.Version + 1
	if err := l.Restore(bytes.NewReader(newer)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("version %d of the format", fluid.Version+1)) {
		t.Errorf("a newer version: %v", err)
	}
	for i := range 2 { // lengths of 8 EiB
		huge := bytes.Clone(file)
		huge[16+8*i+7] = 0x7f
		if n := testing.AllocsPerRun(1, func() { refused("huge", i, huge) }); n > 50 {
			t.Errorf("%g allocations for a length that is a lie", n)
		}
	}
	testrig.Restore(t, l, file)
	if l.Hash() == was {
		t.Error("the file was of the same state")
	}
}

// small has one of everything that acts on a liquid, in a file of a few kilobytes.
func small(t testing.TB) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{Domain: testrig.Box(.8, .4, .4), CellSize: .05, Resources: fluid.Resources{Workers: 1}, Sides: fluid.Sides{MaxX: fluid.Open}})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(l.Fill(fluid.Box(testrig.Box(.3, .2, .4))))
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .15, Y: .3, Z: .2}, .06), Velocity: r3.Vec{Y: -1}, Rate: 2})
	must(err)
	_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .05, Y: .05, Z: .2}, .06), 1)
	must(err)
	_, err = l.AddField(fluid.Field{Axis: r3.Vec{X: 1}, Strength: 1})
	must(err)
	_, err = l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: .5}, Max: r3.Vec{X: .55, Y: .1, Z: .4}}))
	must(err)
	paddle, err := l.AddObstacle(fluid.Sphere(r3.Vec{}, .06))
	must(err)
	must(l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: .2, Y: .1, Z: .2}, Velocity: r3.Vec{X: .1}}))
	testrig.GoesOn(t, l, 5)
	return l
}

// What the game must make the same is looked at: numbers, kinds, and shapes by their bounds.
func TestRestoreLooksAtSurroundings(t *testing.T) {
	file := testrig.Saved(t, small(t))
	for want, change := range map[string]func(l *fluid.Liquid){
		"emitters: their number":          func(l *fluid.Liquid) { testrig.Around(l).Flows.Emitters.All = nil },
		"emitters: the bounds of a shape": func(l *fluid.Liquid) { testrig.Around(l).Flows.Emitters.All[0].Shape = fluid.Sphere(r3.Vec{}, .1) },
		"sinks: their number": func(l *fluid.Liquid) {
			testrig.Around(l).Flows.Sinks.All = append(testrig.Around(l).Flows.Sinks.All, testrig.Around(l).Flows.Sinks.All[0])
		},
		"fields: Kind":                                func(l *fluid.Liquid) { testrig.Around(l).Fields.All[0].Kind++ },
		"obstacles: the bounds of a shape":            func(l *fluid.Liquid) { testrig.Around(l).Obstacles.All[0].Shape = fluid.Sphere(r3.Vec{}, .1) },
		"obstacles: their number":                     func(l *fluid.Liquid) { testrig.Around(l).Obstacles.All = testrig.Around(l).Obstacles.All[:1] },
		"Def: Numerics.InvisibleLevel is not what it": func(l *fluid.Liquid) { testrig.Definition(l).Numerics.InvisibleLevel++ },
	} {
		l := small(t)
		change(l)
		was := l.Hash()
		if err := l.Restore(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) || l.Hash() != was {
			t.Errorf("%s: %v; changed: %v", want, err, l.Hash() != was)
		}
	}
	l := small(t) // how an obstacle moves is state
	testrig.Must(t, l.MoveObstacle(0, fluid.Motion{Translation: r3.Vec{X: .1}}))
	testrig.Restore(t, l, file)
	want := small(t)
	testrig.GoesOn(t, l, 3)
	testrig.GoesOn(t, want, 3)
	if l.Hash() != want.Hash() {
		t.Error("an obstacle that moved meanwhile makes a difference")
	}
}

// goldens are files that each version wrote, and the hashes of the states in them.
var goldens = [fluid.Version]struct {
	file string
	hash uint64
}{
	{"testdata/state1.liquid", 0x8c68f98ecd7b694c},
	{"testdata/state2.liquid", 0x1306312d0d109e38},
	{"testdata/state3.liquid", 0xb4411d84a8db041d},
	{"testdata/state4.liquid", 0xb75886fffef7459d},
	{"testdata/state5.liquid", 0x83295eca43c6edbf},
	{"testdata/state6.liquid", 0x83295eca43c6edbf},
	{"testdata/state7.liquid", 0x3612c042b9214572},
	{"testdata/state8.liquid", 0x3612c042b9214572},
	{"testdata/state9.liquid", 0x36c5649851507280},
	{"testdata/state10.liquid", 0xc12c9eeca8c2a0a0},
	{"testdata/state11.liquid", 0xfd077d166bd3bbbc},
	{"testdata/state12.liquid", 0x645e8c1ce3f9a52e},
}

// smallSteered is small with a control that draws liquid, in a fade: since version 9.
func smallSteered(t testing.TB) *fluid.Liquid {
	t.Helper()
	l := small(t)
	d := fluid.ControlDef{Clip: testrig.BallClip(t, .09, r3.Vec{X: .05}), Strength: .9, Speed: 1.5, Loop: true, Arrival: control.Draw,
		Pose: control.Pose{Position: r3.Vec{X: .25, Y: .3, Z: .2}, Velocity: r3.Vec{X: .01}}, Refill: control.Refill{Rate: 2, From: fluid.Below(.05)}}
	id, err := l.AddControl(d)
	testrig.Must(t, err)
	testrig.GoesOn(t, l, 3)
	d.Clip, d.Fade = testrig.BallClip(t, .08, r3.Vec{Z: .05}), 1
	testrig.Must(t, l.SetControl(id, d))
	testrig.GoesOn(t, l, 3)
	return l
}

// smallWhite is smallSteered with white water, which comes at a tenth of the speeds that water needs: since version 12.
func smallWhite(t testing.TB) *fluid.Liquid {
	t.Helper()
	steered := smallSteered(t)
	d := steered.Def()
	d.WhiteWater = 500
	l := testrig.New(t, d)
	testrig.Must(t, steered.CopyTo(l))
	w := testrig.WhiteWater(l)
	w.Speed, w.Entrained, w.Torn, w.Unbroken = whitewater.Range{From: .1, To: .4}, whitewater.Range{From: .08, To: .32}, whitewater.Range{From: .4, To: 2}, .2
	testrig.GoesOn(t, l, 10)
	if n := len(l.Surface().WhiteWater.Kind); n < 20 {
		t.Fatalf("%d particles", n)
	}
	return l
}

// Files of all versions can be read.
func TestGoldenFiles(t *testing.T) {
	plain, steered, white := small(t), smallSteered(t), smallWhite(t)
	if *update {
		testrig.Must(t, os.WriteFile(goldens[fluid.Version-1].file, testrig.Saved(t, white), 0o644))
	}
	for i, golden := range goldens {
		l := plain
		if i+1 >= 9 {
			l = steered
		}
		if i+1 >= 12 {
			l = white
		}
		file, err := os.ReadFile(golden.file)
		if err != nil {
			t.Fatal(err)
		}
		if len(file) > 100_000 {
			t.Errorf("%s has %d bytes", golden.file, len(file))
		}
		testrig.GoesOn(t, l, 10)
		testrig.Restore(t, l, file)
		if l.Hash() != golden.hash {
			t.Errorf("the state in %s has the hash %#x, had %#x", golden.file, l.Hash(), golden.hash)
		}
		testrig.GoesOn(t, l, 10)
	}
	testrig.GoesOn(t, white, 1)
	file, err := os.ReadFile(goldens[10].file)
	testrig.Must(t, err)
	testrig.Restore(t, white, file)
	if n := len(white.Surface().WhiteWater.Kind); n > 0 {
		t.Errorf("%d particles of white water after a file of before there was any", n)
	}
	testrig.Restore(t, steered, testrig.Saved(t, smallWhite(t))) // which may have none
	if steered.Hash() == goldens[11].hash || len(steered.Surface().WhiteWater.Kind) > 0 {
		t.Error("a liquid without white water has some from a file")
	}
	file, err = os.ReadFile(goldens[7].file)
	if err != nil {
		t.Fatal(err)
	}
	if err := steered.Restore(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), "controls: there were none when this was saved, there are 1") {
		t.Errorf("a file of before there were controls: %v", err)
	}
}

// whiteBytes is how many bytes white water takes at the end of the state.
func whiteBytes(l *fluid.Liquid) int { return 8 + (4*(4+3+1+1)+1)*testrig.WhiteWater(l).Now.Len() }

// FuzzRestore: nothing that is read panics or is taken halfway. What comes is a file, or the state in one.
func FuzzRestore(f *testing.F) {
	l := smallWhite(f)
	file := testrig.Saved(f, l)
	start := testrig.New(f, l.Def())
	testrig.Must(f, l.CopyTo(start))
	state := bytes.Clone(testrig.Codec(l).Bytes())
	f.Add(file, true)
	f.Add(state, false)
	for at := 200; at < len(state)-8; at += testrig.InShort(3*1999, 1999) {
		for _, v := range []uint64{0, math.MaxUint64, math.Float64bits(math.NaN()), 1 << 62, 0x7f80_0000_7f80_0000} {
			bad := bytes.Clone(state)
			binary.LittleEndian.PutUint64(bad[at:], v)
			f.Add(bad, false)
		}
	}
	white := whiteBytes(l)
	for at := len(state) - white - 8*48 + 3; at < len(state)-white-8; at += 8 { // the controls, which stand at the end but for white water
		for _, v := range []uint64{0, math.Float64bits(-1.7e308), 1 << 63} {
			bad := bytes.Clone(state)
			binary.LittleEndian.PutUint64(bad[at:], v)
			f.Add(bad, false)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, whole bool) {
		if !whole {
			var err error
			if data, err = codec.Pack(data, fluid.Version); err != nil {
				t.Fatal(err)
			}
		}
		testrig.Must(t, start.CopyTo(l))
		was := l.Hash()
		if err := l.Restore(bytes.NewReader(data)); err != nil {
			if l.Hash() != was {
				t.Fatalf("%v; but the liquid has changed", err)
			}
			return
		}
		testrig.Restore(t, l, testrig.Saved(t, l))
		for range 2 {
			l.Step(testrig.Frame)
		}
		testrig.Restore(t, l, testrig.Saved(t, l))
		l.Surface()
		if _, err := l.VolumeIn(fluid.Sphere(r3.Vec{X: .2, Y: .1, Z: .2}, .1)); err != nil {
			t.Fatal(err)
		}
	})
}

// Whatever numbers a file has, if it is read the liquid can be saved and read again, then and after steps.
func TestExtremeStatesAreSavedReadably(t *testing.T) {
	l := smallWhite(t)
	_ = testrig.Saved(t, l)
	start := testrig.New(t, l.Def())
	testrig.Must(t, l.CopyTo(start))
	state := bytes.Clone(testrig.Codec(l).Bytes())
	great := uint64(math.Float32bits(3e38))
	accepted := 0
	for k, v := range []uint64{
		great | great<<32, great | great<<32 | 1<<31 | 1<<63, great | great<<32 | 1<<63, // float32
		math.Float64bits(1.7e308), math.Float64bits(-1.7e308), math.Float64bits(1e20), 0x5368_d4a5_5368_d4a5, 0xd368_d4a5_5368_d4a5, // ±1e12
	} {
		step := 0
		for at := 40 + 4*k; at < len(state)-64; at += step {
			step = 4 * (501 + 2*k)
			if controls := len(state) - whiteBytes(start); at > controls-8*60 && at < controls {
				step = 8
			}
			bad := bytes.Clone(state)
			for i := range 6 {
				binary.LittleEndian.PutUint64(bad[at+8*i:], v)
			}
			data, err := codec.Pack(bad, fluid.Version)
			if err != nil {
				t.Fatal(err)
			}
			if l.Restore(bytes.NewReader(data)) != nil {
				continue
			}
			accepted++
			for step := range 3 {
				if err := l.Restore(bytes.NewReader(testrig.Saved(t, l))); err != nil {
					t.Errorf("%#x at %d: after %d steps: %v", v, at, step, err)
					break
				}
				l.Step(testrig.Frame)
			}
			testrig.Must(t, start.CopyTo(l))
		}
	}
	if accepted < 20 {
		t.Errorf("only %d such states were read", accepted)
	}
}
