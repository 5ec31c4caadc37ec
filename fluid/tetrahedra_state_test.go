package fluid_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// On tetrahedra of several sizes the same calls give the same bits for any number of workers.
func TestTetrahedraSameBitsForAnyWorkers(t *testing.T) {
	steps := testrig.InShort(4, 60)
	run := func(workers int) (digests []uint64) {
		l, w := testrig.LivelyWith(t, fluid.Def{Discretisation: fluid.Tetrahedra, Numerics: fluid.Numerics{Band: 1}, Budget: fluid.Budget{Work: 1.5}, Resources: fluid.Resources{Workers: workers}})
		graded := 0
		for n := range steps {
			testrig.StirLively(t, l, n)
			r := *l.Step(testrig.Frame)
			if r.Err != nil {
				t.Fatalf("%d workers, step %d: %s", workers, r.Step, r.Err)
			}
			if r.Unknowns[0] > 0 && r.Unknowns[1] > 0 {
				graded++
			}
			digests = append(digests, testrig.Digest(l, r, w.Coupling()), l.Hash())
		}
		if graded < steps/2 {
			t.Errorf("tetrahedra of different size held liquid in %d of %d steps: the scene is too small", graded, steps)
		}
		return digests
	}
	want := run(1)
	for _, workers := range []int{4, 2}[:testrig.InShort(1, 2)] {
		if at := firstOther64(want, run(workers)); at >= 0 {
			t.Errorf("%d workers: step %d gave other bits than with 1 worker", workers, at/2+1)
		}
	}
}

// firstOther64 is the first place where two lists of one length differ, or -1.
func firstOther64(a, b []uint64) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// Saved and restored, or copied, in the middle of a run, into a liquid whose tetrahedra were others, it goes on with the bits of the run without.
func TestTetrahedraGoOnAlike(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		for _, workers := range []int{2, 1, 4}[:testrig.InShort(1, 3)] {
			base, other := smallTetrahedra(t, faithful, workers), smallTetrahedra(t, faithful, 1)
			copied, read := smallTetrahedra(t, faithful, 1), smallTetrahedra(t, faithful, workers)
			testrig.GoesOn(t, base, 4)
			testrig.Must(t, other.Fill(fluid.Box(testrig.Cuboid(.5, 0, 0, .8, .3, .4))))
			testrig.GoesOn(t, other, 2)
			for _, l := range []*fluid.Liquid{copied, read} {
				testrig.Must(t, other.CopyTo(l))
				testrig.GoesOn(t, l, 1)
			}
			testrig.Must(t, base.CopyTo(copied))
			testrig.Restore(t, read, testrig.Saved(t, base))
			for n := range testrig.InShort(3, 12) {
				if a, b, c := base.Hash(), copied.Hash(), read.Hash(); a != b || a != c {
					t.Errorf("faithful %t, %d workers: %d steps on the hash is %x, of a copy %x, of what was read %x", faithful, workers, n, a, b, c)
					break
				}
				for _, l := range []*fluid.Liquid{base, copied, read} {
					testrig.GoesOn(t, l, 1)
				}
			}
		}
	}
}

// smallTetrahedra is a liquid on tetrahedra of several sizes, with an emitter, a sink and solids, in a file of some kilobytes.
func smallTetrahedra(t testing.TB, faithful bool, workers int) *fluid.Liquid {
	t.Helper()
	l := testrig.New(t, fluid.Def{
		Domain: testrig.Box(.8, .4, .4), CellSize: .05, Resources: fluid.Resources{Workers: workers}, Discretisation: fluid.Tetrahedra, Faithful: faithful, Numerics: fluid.Numerics{Band: 2},
	})
	testrig.Must(t, l.Fill(fluid.Box(testrig.Box(.3, .2, .4))))
	_, err := l.AddEmitter(fluid.EmitterDef{Shape: fluid.Sphere(r3.Vec{X: .15, Y: .3, Z: .2}, .06), Velocity: r3.Vec{Y: -1}, Rate: 2})
	testrig.Must(t, err)
	_, err = l.AddSink(fluid.Sphere(r3.Vec{X: .05, Y: .05, Z: .2}, .06), 1)
	testrig.Must(t, err)
	_, err = l.AddObstacle(fluid.Box(r3.Box{Min: r3.Vec{X: .5}, Max: r3.Vec{X: .55, Y: .1, Z: .4}}))
	testrig.Must(t, err)
	paddle, err := l.AddObstacle(fluid.Sphere(r3.Vec{}, .06))
	testrig.Must(t, err)
	testrig.Must(t, l.MoveObstacle(paddle, fluid.Motion{Translation: r3.Vec{X: .2, Y: .1, Z: .2}, Velocity: r3.Vec{X: .1}}))
	testrig.GoesOn(t, l, 2)
	return l
}

// A file with a viscosity is refused where the solver has none, and the error names it.
func TestRestoreLooksAtWhatTheSolverCan(t *testing.T) {
	l, viscous := smallTetrahedra(t, true, 1), smallTetrahedra(t, true, 1)
	testrig.Definition(viscous).Physics.Viscosity = .1
	was := l.Hash()
	if err := l.Restore(bytes.NewReader(testrig.Saved(t, viscous))); err == nil || !strings.Contains(err.Error(), "Physics.Viscosity: 0.1; must be 0") || l.Hash() != was {
		t.Errorf("%v; changed: %v", err, l.Hash() != was)
	}
}

// FuzzRestoreTetrahedra: of a state on tetrahedra in which bytes are others, or are swapped, nothing panics or is taken halfway, and what is taken goes on: finite, with steps that
// are taken back at most.
func FuzzRestoreTetrahedra(f *testing.F) {
	var states [2][]byte
	var all [2][2]*fluid.Liquid
	for k := range states {
		l, start := smallTetrahedra(f, k > 0, 1), smallTetrahedra(f, k > 0, 1)
		testrig.Must(f, l.CopyTo(start))
		_ = testrig.Saved(f, l)
		states[k], all[k] = bytes.Clone(testrig.Codec(l).Bytes()), [2]*fluid.Liquid{l, start}
		size := len(states[k])
		for i := range testrig.InShort(5, 100) {
			at := 200 + i*2654435761%(size-208)
			for _, v := range []uint64{0, math.MaxUint64, math.Float64bits(math.NaN()), 1 << 62, math.Float64bits(1e11), 7 << 32}[i%3*2:][:2] {
				f.Add(k > 0, uint32(at), v, uint8(i%40), false)
				f.Add(k > 0, uint32(at), uint64(at+24*(i%9+1)), uint8(i%4), true)
			}
		}
	}
	f.Fuzz(func(t *testing.T, faithful bool, at uint32, v uint64, times uint8, swap bool) {
		k := 0
		if faithful {
			k = 1
		}
		l, bad := all[k][0], bytes.Clone(states[k])
		for i := range int(times) + 1 {
			here := bad[(int(at)+8*i)%(len(bad)-8):][:8]
			if there := bad[(int(v%math.MaxInt32)+8*i)%(len(bad)-8):][:8]; swap {
				was := binary.LittleEndian.Uint64(here)
				copy(here, there)
				binary.LittleEndian.PutUint64(there, was)
			} else {
				binary.LittleEndian.PutUint64(here, v)
			}
		}
		data, err := codec.Pack(bad, fluid.Version)
		testrig.Must(t, err)
		testrig.Must(t, all[k][1].CopyTo(l))
		was := l.Hash()
		if err := l.Restore(bytes.NewReader(data)); err != nil {
			if l.Hash() != was {
				t.Fatalf("%v; but the liquid has changed", err)
			}
			return
		}
		testrig.Restore(t, l, testrig.Saved(t, l))
		for range 2 {
			testrig.Must(t, testrig.Unsound(l, *l.Step(testrig.Frame)))
		}
		testrig.Restore(t, l, testrig.Saved(t, l))
	})
}
