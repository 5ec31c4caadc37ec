package physics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// scene is a world with something of everything that a snapshot holds.
func scene() *World {
	w := zoo(WorldDef{Gravity: down, Substeps: 5}, 40)
	rope(w, 8, r3.Vec{X: 0.6, Y: -0.8})
	limb(w, r3.Vec{X: 2, Y: 3})
	floor(w)
	for i := 12; i < 20; i++ {
		a, b := w.Coupling().Body(i), w.Coupling().Body(i+1)
		must(w.AddJoint(JointDef{Kind: BallJoint, A: a, B: b, Anchor: a.Position(), CollideConnected: i%2 == 0, Name: "ball", UserData: i}))
		if err := a.SetLock(Locks{Angular: Axes{X: i%3 == 0}, Linear: Axes{Z: i%4 == 0}}); err != nil {
			panic(err)
		}
	}
	lift := add(w, BodyDef{Kind: Kinematic, Name: "lift", UserData: "mine", Position: r3.Vec{X: -2}}, ShapeDef{Geometry: OpenBox(Centred(1, 0.5, 1), 0.1), UserData: 7, Filter: Filter{Group: -3}})
	if err := lift.SetTargetPose(r3.Vec{X: -2, Y: 2}, about(r3.Vec{Y: 1}, 1), 1.5); err != nil {
		panic(err)
	}
	return w
}

func saved(t *testing.T, w *World) []byte {
	t.Helper()
	var b bytes.Buffer
	check(t, w.Save(&b))
	return b.Bytes()
}

func TestSnapshotGoesTheSameWay(t *testing.T) {
	for _, n := range []int{0, 1, 45, 300} {
		w := scene()
		steps(w, n)
		check(t, w.Coupling().Body(9).Remove()) // events of it are pending
		check(t, w.Coupling().Joint(2).Remove())
		check(t, w.Coupling().Body(20).ApplyForce(r3.Vec{X: 100}, w.Coupling().Body(20).CentreOfMass()))
		data := saved(t, w)
		loaded := NewWorld(WorldDef{})
		check(t, loaded.Restore(bytes.NewReader(data)))
		if loaded.Hash() != w.Hash() {
			t.Fatalf("after %d steps: what is loaded differs", n)
		}
		if !bytes.Equal(saved(t, loaded), data) {
			t.Fatalf("after %d steps: what is loaded is not saved as it was", n)
		}
		for i := range 150 {
			if i == 40 {
				for _, w := range []*World{w, loaded} {
					check(t, w.Coupling().Body(15).Remove())
					check(t, w.Coupling().Joint(4).Remove())
					dynamic(w, Capsule(r3.Vec{Y: -0.15}, r3.Vec{Y: 0.15}, 0.1), 0, 4, 0)
				}
			}
			w.Step(tick)
			loaded.Step(tick)
			a, b := w.Events(), loaded.Events()
			if loaded.Hash() != w.Hash() || len(a.Begin) != len(b.Begin) || len(a.End) != len(b.End) || len(a.SensorEnd) != len(b.SensorEnd) || len(a.Woke) != len(b.Woke) {
				t.Fatalf("%d steps after %d: what is loaded goes another way", i, n)
			}
		}
		if n == 45 {
			t.Logf("%d bytes for %d bodies, %d pairs", len(data), w.Coupling().Len(), w.Stats().Pairs)
		}
	}
}

func TestLoadKeepsWhatIsNotStored(t *testing.T) {
	level := func() (*World, Body) {
		w := scene()
		b := add(w, BodyDef{UserData: "hill"}, ShapeDef{Geometry: ballSDF(1)})
		return w, b
	}
	w, _ := level()
	steps(w, 30)
	data := saved(t, w)
	again, hill := level()
	check(t, again.Restore(bytes.NewReader(data)))
	lift := again.Coupling().Body(again.Coupling().Len() - 2)
	if hill.UserData() != "hill" || lift.UserData() != "mine" || lift.Name() != "lift" || again.Coupling().Joint(again.Coupling().Joints()-3).Def().UserData == nil || again.Coupling().Joint(0).Def().B.World() != again {
		t.Error("UserData or handles are lost")
	}
	steps(w, 30)
	steps(again, 30)
	if w.Hash() != again.Hash() {
		t.Error("goes another way")
	}
	empty := NewWorld(WorldDef{Gravity: r3.Vec{X: 1}})
	err := empty.Restore(bytes.NewReader(data))
	if !errors.Is(err, ErrNotSaved) || !strings.Contains(err.Error(), "SDF") || empty.Coupling().Len() != 0 || empty.Gravity() != (r3.Vec{X: 1}) {
		t.Errorf("without the function: %v", err)
	}
}

// sealed is a snapshot of the payload, whatever that is.
func sealed(payload []byte) []byte {
	head := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), uint32(len(payload)))
	return append(binary.LittleEndian.AppendUint64(head, crc64.Checksum(payload, snapshotSums)), payload...)
}

const snapshotHead = len(snapshotMagic) + 12

func TestLoadRefusesWhatIsDamaged(t *testing.T) {
	w := zoo(WorldDef{Gravity: down}, 12)
	rope(w, 3, r3.Vec{X: 1})
	steps(w, 60)
	data := saved(t, w)
	target := scene()
	h := target.Hash()
	refuse := func(what string, i int, data []byte) {
		if err := target.Restore(bytes.NewReader(data)); !errors.Is(err, ErrNotSaved) {
			t.Fatalf("%s at %d of %d: %v", what, i, len(data), err)
		}
	}
	step := 1 + len(data)/300
	for i := 0; i < len(data); i += step {
		refuse("cut", i, data[:i])
		refuse("cut and sealed", i, sealed(data[snapshotHead:][:max(0, i-snapshotHead)]))
		flipped := bytes.Clone(data)
		flipped[i] ^= 1 << (i % 8)
		refuse("flipped", i, flipped)
	}
	refuse("too long", 0, sealed(append(bytes.Clone(data[snapshotHead:]), 0)))
	huge := bytes.Clone(data[:snapshotHead])
	binary.LittleEndian.PutUint32(huge[len(snapshotMagic):], math.MaxUint32)
	refuse("huge", 0, huge)
	if target.Hash() != h {
		t.Error("a refused snapshot changes the world")
	}
}

func TestSaveErrors(t *testing.T) {
	w := scene()
	r, full := io.Pipe()
	check(t, r.Close())
	if err := w.Save(full); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if err := NewWorld(WorldDef{Substeps: -1}).Save(io.Discard); err == nil {
		t.Error("a bad world is saved")
	}
}

func FuzzLoad(f *testing.F) {
	w := zoo(WorldDef{Gravity: down}, 3)
	steps(w, 60)
	var b bytes.Buffer
	if err := w.Save(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes()[snapshotHead:], uint16(0), byte(0))
	small := NewWorld(WorldDef{Gravity: down})
	floor(small)
	rope(small, 3, r3.Vec{X: 0.6, Y: -0.8})
	dynamic(small, Hull(tetrahedron(0.3)), 0, 0.3, 0)
	steps(small, 30)
	b.Reset()
	if err := small.Save(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes()[snapshotHead:], uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, payload []byte, at uint16, x byte) {
		if len(payload) > 1<<16 {
			return
		}
		payload = bytes.Clone(payload)
		if len(payload) > 0 {
			payload[int(at)%len(payload)] ^= x
		}
		w := NewWorld(WorldDef{})
		if err := w.Restore(bytes.NewReader(sealed(payload))); err != nil {
			if !errors.Is(err, ErrNotSaved) || w.Coupling().Len() != 0 {
				t.Fatal(err)
			}
			return
		}
		for range 3 {
			if err := NewWorld(WorldDef{}).Restore(bytes.NewReader(saved(t, w))); err != nil {
				t.Fatalf("what was loaded and saved is refused: %v", err)
			}
			w.Step(tick)
			checkContacts(t, w)
		}
		for i := range w.Coupling().Len() {
			if s := w.Coupling().Body(i).state(); !s.finiteState() {
				t.Fatalf("body %d: %v", i, s.x)
			}
		}
	})
}

// Whatever numbers a snapshot has, if it is loaded the world can be saved and loaded again, then and after steps.
func TestExtremeSnapshotsAreSavedLoadably(t *testing.T) {
	small := NewWorld(WorldDef{Gravity: down})
	floor(small)
	rope(small, 3, r3.Vec{X: 0.6, Y: -0.8})
	dynamic(small, Hull(tetrahedron(0.3)), 0, 0.3, 0)
	steps(small, 30)
	payload := saved(t, small)[snapshotHead:]
	loaded := 0
	for k, x := range []float64{1.7e308, -1.7e308, 1e200, 1e-310, 1e20, -1e9} {
		for at := k; at+8 <= len(payload); at += 7 {
			bad := bytes.Clone(payload)
			binary.LittleEndian.PutUint64(bad[at:], math.Float64bits(x))
			w := NewWorld(WorldDef{})
			if w.Restore(bytes.NewReader(sealed(bad))) != nil {
				continue
			}
			loaded++
			for n := range 3 {
				if err := NewWorld(WorldDef{}).Restore(bytes.NewReader(saved(t, w))); err != nil {
					t.Errorf("%g at %d: after %d steps: %v", x, at, n, err)
					break
				}
				w.Step(tick)
			}
		}
	}
	if loaded < 100 {
		t.Errorf("only %d were loaded", loaded)
	}
}
