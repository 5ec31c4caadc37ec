package control

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
)

// swelling returns a sphere that moves, turns and squashes, without velocities.
func swelling(frames int, step float64) ([][3]int32, []Frame) {
	sphere, ts := ball(6)
	var f []Frame
	for i := range frames {
		s := float64(i) * step
		x := moved(twisted(scaled(sphere, 1+.3*math.Sin(3*s), 1, 1-.2*s), 0, 90*s), r3.Vec{X: s * s, Z: 1 - s})
		f = append(f, Frame{Time: 2 + s, Positions: x})
	}
	return ts, f
}

func mustClip(t *testing.T, triangles [][3]int32, frames []Frame) *Clip {
	t.Helper()
	c, err := NewClip(triangles, frames)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Positions and velocities are continuous, and the velocities are the derivative of the positions.
func TestClipIsSmooth(t *testing.T) {
	ts, frames := swelling(9, .1)
	frames[4].Time += .03 // not evenly
	given := slices.Clone(frames)
	for i := range given {
		given[i].Velocities = each(frames[i].Positions, func(p r3.Vec) r3.Vec { return r3.Vec{X: p.Z, Y: math.Sin(5 * p.X), Z: float64(i)} })
	}
	for name, f := range map[string][]Frame{"derived": frames, "given": given} {
		c := mustClip(t, ts, f)
		var a, b, m Mesh
		const h = 1e-7
		for _, s := range []float64{.01, .05, .1, .1 + h/2, .25, .4, .43, .5 - h/2, .77} {
			c.At(s-h, &a)
			c.At(s+h, &b)
			c.At(s, &m)
			for v := range m.Positions {
				d := r3.Scale(1/(2*h), r3.Sub(b.Positions[v], a.Positions[v]))
				if off := r3.Norm(r3.Sub(d, m.Velocities[v])); off > 1e-4 {
					t.Fatalf("%s, %g s: vertex %d moves with %v and says %v", name, s, v, d, m.Velocities[v])
				}
				if jump := r3.Norm(r3.Sub(b.Velocities[v], a.Velocities[v])); jump > 1e-3 {
					t.Fatalf("%s, %g s: the velocity of vertex %d jumps by %v", name, s, v, jump)
				}
			}
		}
		for i := range f {
			c.At(c.FrameTime(i), &m)
			if !slices.Equal(m.Positions, f[i].Positions) || f[i].Velocities != nil && !slices.Equal(m.Velocities, f[i].Velocities) {
				t.Errorf("%s: frame %d is not what was given", name, i)
			}
		}
	}
}

// Derived velocities are exact for motions of second degree in time.
func TestDerivedVelocities(t *testing.T) {
	sphere, ts := ball(4)
	at := func(s float64) r3.Vec { return r3.Vec{X: 3*s - 2*s*s, Y: s * s} }
	var frames []Frame
	for _, s := range []float64{0, .1, .25, .3, .6} {
		frames = append(frames, Frame{Time: s, Positions: moved(sphere, at(s))})
	}
	c := mustClip(t, ts, frames)
	var m Mesh
	for s := 0.; s <= .6; s += .05 {
		c.At(s, &m)
		want := r3.Vec{X: 3 - 4*s, Y: 2 * s}
		if d := r3.Norm(r3.Sub(m.Velocities[5], want)); d > 1e-12 || r3.Norm(r3.Sub(m.Positions[5], r3.Add(sphere[5], at(s)))) > 1e-12 {
			t.Errorf("%g s: %v; must be %v", s, m.Velocities[5], want)
		}
	}
	two := mustClip(t, ts, frames[:2])
	two.At(.05, &m)
	if d := r3.Norm(r3.Sub(m.Velocities[0], r3.Scale(10, at(.1)))); d > 1e-12 {
		t.Errorf("two frames: %v", m.Velocities[0])
	}
}

func TestClipBeyondItsEnds(t *testing.T) {
	ts, frames := swelling(5, .1)
	c := mustClip(t, ts, frames)
	if c.Duration() != c.FrameTime(4) || math.Abs(c.Duration()-.4) > 1e-12 || c.Frames() != 5 || c.Vertices() != len(frames[0].Positions) || len(c.Triangles()) != len(ts) {
		t.Errorf("%g s, %d frames, %d vertices", c.Duration(), c.Frames(), c.Vertices())
	}
	var m Mesh
	for _, s := range []float64{-1, math.Inf(-1), math.NaN(), 1, math.Inf(1)} {
		c.At(s, &m)
		end := frames[0]
		if s > 0 {
			end = frames[4]
		}
		if !slices.Equal(m.Positions, end.Positions) || slices.IndexFunc(m.Velocities, func(v r3.Vec) bool { return v != r3.Vec{} }) >= 0 {
			t.Errorf("at %g s the surface does not stand at its end", s)
		}
	}
	c.At(c.Duration(), &m)
	if r3.Norm(m.Velocities[3]) < .1 {
		t.Errorf("at its end the velocity is %v", m.Velocities[3])
	}
	one := mustClip(t, ts, frames[:1])
	one.At(17, &m)
	if one.Duration() != 0 || !slices.Equal(m.Positions, frames[0].Positions) || m.Velocities[0] != (r3.Vec{}) {
		t.Error("a single frame does not stand")
	}
}

// A clip copies its arguments.
func TestClipIsItsOwn(t *testing.T) {
	ts, frames := swelling(3, .1)
	c := mustClip(t, ts, frames)
	before := c.Hash()
	frames[1].Positions[0].X = 99
	ts[0] = [3]int32{}
	if c.Hash() != before {
		t.Error("the clip changes with what it was made from")
	}
}

// The flux of the velocities is the rate of the volume, anywhere.
func TestVolumeRate(t *testing.T) {
	ts, frames := swelling(9, .1)
	c := mustClip(t, ts, frames)
	var a, b, m Mesh
	const h = 1e-6
	for s := .03; s < .8; s += .05 {
		c.At(s-h, &a)
		c.At(s+h, &b)
		c.At(s, &m)
		want := (enclosed(b.Positions, ts) - enclosed(a.Positions, ts)) / (2 * h)
		if got := m.VolumeRate(); math.Abs(got-want) > 1e-7 {
			t.Errorf("%g s: %.10g m³/s; must be %.10g", s, got, want)
		}
		if got, want := m.Volume(), enclosed(m.Positions, ts); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g s: %.10g m³; must be %.10g", s, got, want)
		}
	}
	var none Mesh
	if none.Volume() != 0 || none.VolumeRate() != 0 {
		t.Error("an empty mesh has a volume")
	}
}

// Between frames the volume of a morph is off by the fourth power of the step.
func TestVolumeBetweenFrames(t *testing.T) {
	bar, tb := brick(.3, .3, 1, 3)
	off := func(frames int) (worst float64) {
		c, _ := mustSolve(t, Morph{Triangles: tb, Keys: shapesInTime(bar, toVolume(twisted(bar, 60, 60), tb, geom.Volume(bar, tb))), Frames: frames})
		var m Mesh
		for i := range c.Frames() - 1 {
			c.At((c.times[i]+c.times[i+1])/2, &m)
			if i > 2 && i < c.Frames()-4 { // parabolas at the ends are of a lower order
				worst = max(worst, math.Abs(m.Volume()/geom.Volume(bar, tb)-1))
			}
		}
		return worst
	}
	coarse, fine := off(14), off(29)
	t.Logf("in the middle between 15 and 30 frames a second: %.2g and %.2g of the volume", coarse, fine)
	if fine > 2e-5 || coarse < 8*fine {
		t.Errorf("volume between frames is off by %.2g with 15 frames and %.2g with 30", coarse, fine)
	}
}

func TestSequence(t *testing.T) {
	sphere, ts := ball(4)
	ring, tr := torus(1, .3, 8, 6)
	speed := func(x []r3.Vec, v r3.Vec) []r3.Vec { return each(x, func(r3.Vec) r3.Vec { return v }) }
	s, err := NewSequence([]MeshFrame{
		{5, sphere, speed(sphere, r3.Vec{X: 1}), ts}, {6, sphere, speed(sphere, r3.Vec{Y: 2}), ts}, {6.5, ring, speed(ring, r3.Vec{Z: 3}), tr},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Duration() != 1.5 {
		t.Errorf("%g s", s.Duration())
	}
	var m Mesh
	first := uint64(0)
	for _, c := range []struct {
		t    float64
		from []r3.Vec
		d, v r3.Vec
	}{
		{-1, sphere, r3.Vec{}, r3.Vec{}}, {0, sphere, r3.Vec{}, r3.Vec{X: 1}}, {.5, sphere, r3.Vec{X: .5}, r3.Vec{X: 1}}, {1, sphere, r3.Vec{}, r3.Vec{Y: 2}},
		{1.25, sphere, r3.Vec{Y: .5}, r3.Vec{Y: 2}}, {1.5, ring, r3.Vec{}, r3.Vec{Z: 3}}, {2, ring, r3.Vec{}, r3.Vec{}}, {math.NaN(), sphere, r3.Vec{}, r3.Vec{}},
	} {
		s.At(c.t, &m)
		if len(m.Positions) != len(c.from) || r3.Norm(r3.Sub(m.Positions[7], r3.Add(c.from[7], c.d))) > 1e-12 || m.Velocities[7] != c.v {
			t.Errorf("%g s: %d vertices, %v, %v", c.t, len(m.Positions), m.Positions[7], m.Velocities[7])
		}
		if first == 0 {
			first = m.Revision
		}
		if same := len(c.from) == len(sphere); same != (m.Revision == first) {
			t.Errorf("%g s: the revision does not tell whether triangles changed", c.t)
		}
	}
}

func TestLiveVelocities(t *testing.T) {
	sphere, ts := ball(4)
	l, err := NewLive(ts, sphere)
	if err != nil {
		t.Fatal(err)
	}
	var m Mesh
	l.At(3, &m)
	if !slices.Equal(m.Positions, sphere) || m.Velocities[0] != (r3.Vec{}) || l.Duration() != 0 || !l.RealTime() {
		t.Error("it does not begin at rest")
	}
	before := slices.Clone(sphere)
	for i := range 5 {
		dt := .013 + .001*float64(i)
		x := twisted(scaled(before, 1.01, 1, .99), 0, 3)
		if err := l.Set(x, nil, dt); err != nil {
			t.Fatal(err)
		}
		l.At(0, &m)
		for v := range x {
			d := r3.Sub(x[v], before[v])
			if m.Positions[v] != x[v] || m.Velocities[v] != (r3.Vec{X: d.X / dt, Y: d.Y / dt, Z: d.Z / dt}) {
				t.Fatalf("step %d, vertex %d: %v", i, v, m.Velocities[v])
			}
		}
		before = x
	}
	given := each(sphere, func(p r3.Vec) r3.Vec { return r3.Scale(2, p) })
	if err := l.Set(moved(sphere, r3.Vec{X: 40}), given, .01); err != nil {
		t.Fatal(err)
	}
	if l.At(0, &m); !slices.Equal(m.Velocities, given) || m.Positions[0].X != sphere[0].X+40 {
		t.Error("given velocities are not taken")
	}
	l.Stop()
	if l.At(0, &m); m.Velocities[4] != (r3.Vec{}) {
		t.Error("it does not stop")
	}
	x := slices.Clone(sphere)
	if n := testing.AllocsPerRun(20, func() { _ = l.Set(x, nil, .01); l.At(0, &m) }); n > 0 {
		t.Errorf("Set and At allocate %g times", n)
	}
}

func TestClipAllocatesNothing(t *testing.T) {
	ts, frames := swelling(5, .1)
	c := mustClip(t, ts, frames)
	ring, tr := torus(1, .3, 8, 6)
	still := make([]r3.Vec, len(ring))
	s, _ := NewSequence([]MeshFrame{{0, ring, still, tr}, {1, frames[0].Positions, make([]r3.Vec, len(frames[0].Positions)), ts}})
	var m Mesh
	s.At(0, &m)
	c.At(0, &m)
	at := 0.0
	if n := testing.AllocsPerRun(50, func() { at += .01; c.At(at, &m); s.At(2*at, &m); _ = m.Volume() + m.VolumeRate() }); n > 0 {
		t.Errorf("At allocates %g times", n)
	}
}

func saved(t *testing.T, c *Clip) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	ts, frames := swelling(5, .1)
	c := mustClip(t, ts, frames)
	file := saved(t, c)
	r := bytes.NewReader(append(slices.Clone(file), "what comes after"...))
	d, err := Load(r)
	if err != nil {
		t.Fatal(err)
	}
	if d.Hash() != c.Hash() || d.revision != c.revision || !slices.Equal(d.positions, c.positions) || !slices.Equal(d.velocities, c.velocities) || !slices.Equal(d.times, c.times) || !slices.Equal(d.triangles, c.triangles) {
		t.Error("what is loaded is not what was saved")
	}
	if r.Len() != len("what comes after") {
		t.Errorf("%d bytes are left", r.Len())
	}
	if !bytes.Equal(saved(t, d), file) {
		t.Error("saved again it has other bytes")
	}
	frames[2].Positions[3].X += 1e-15
	if mustClip(t, ts, frames).Hash() == c.Hash() {
		t.Error("another clip has the same hash")
	}
}

func TestLoadRefuses(t *testing.T) {
	ts, frames := swelling(3, .1)
	file := saved(t, mustClip(t, ts, frames))
	for _, n := range []int{0, 7, 31, 40, len(file) / 2, len(file) - 1} {
		_, err := Load(bytes.NewReader(file[:n]))
		if wants(t, "cut off", err, "control: Load: "); !errors.Is(err, ErrNotClip) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for i := 0; i < len(file); i += 1 + i/64 { // all of the header
		bad := slices.Clone(file)
		bad[i] ^= 0x10
		if _, err := Load(bytes.NewReader(bad)); err == nil {
			t.Fatalf("a file with a wrong byte %d is loaded", i)
		}
	}
	_, err := Load(nil)
	wants(t, "nil", err, "nothing to read from")
	wants(t, "nil", mustClip(t, ts, frames).Save(nil), "nothing to write to")
	wants(t, "writer", mustClip(t, ts, frames).Save(failing{}), "it fails")
	newer := slices.Clone(file)
	binary.LittleEndian.PutUint64(newer[8:], 2)
	_, err = Load(bytes.NewReader(newer))
	wants(t, "newer", err, "version 2", "must be 1")

	// Files with a right checksum that NewClip would refuse.
	for name, c := range map[string]struct {
		change func(c *Clip)
		part   string
	}{
		"NaN":        {func(c *Clip) { c.positions[5].Y = math.NaN() }, "positions: NaN"},
		"infinite":   {func(c *Clip) { c.velocities[5].Y = math.Inf(1) }, "velocities: +Inf"},
		"index":      {func(c *Clip) { c.triangles[3][1] = int32(c.vertices) }, "triangles"},
		"open":       {func(c *Clip) { c.triangles[3] = c.triangles[4] }, "triangles: the mesh"},
		"time":       {func(c *Clip) { c.times[1] = 0 }, "frame 1: 0 s; must be after"},
		"begin":      {func(c *Clip) { c.times[0] = .01 }, "frame 0: 0.01 s; must be at 0"},
		"inside out": {func(c *Clip) { copy(c.positions, scaled(c.positions[:c.vertices], 1, 1, -1)) }, "frame 0: the volume"},
	} {
		bad := mustClip(t, ts, frames)
		c.change(bad)
		_, err := Load(bytes.NewReader(saved(t, bad)))
		wants(t, name, err, c.part)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("it fails") }

// For any input Load returns a clip that saves to the same bytes, or an error, and allocates no more than the input's size.
func FuzzLoad(f *testing.F) {
	ts, frames := swelling(2, .1)
	c, err := NewClip(ts, frames)
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	_ = c.Save(&b)
	f.Add(b.Bytes(), false)
	f.Add(b.Bytes()[:50], true)
	f.Add([]byte(magic), true)
	x, tri := pinched()
	small, _ := NewClip(tri, []Frame{{Positions: x}})
	b.Reset()
	_ = small.Save(&b)
	f.Add(slices.Clone(b.Bytes()), true)
	f.Fuzz(func(t *testing.T, file []byte, mend bool) {
		if len(file) > headerBytes && mend { // else nothing comes past the checksum
			file = slices.Clone(file)
			binary.LittleEndian.PutUint64(file[sumAt:], codec.Checksum(codec.Checksum(0, file[:sumAt]), file[headerBytes:]))
		}
		c, err := Load(bytes.NewReader(file))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := c.Save(&again); err != nil || !bytes.Equal(again.Bytes(), file[:again.Len()]) {
			t.Errorf("saved again it has other bytes: %v", err)
		}
		var m Mesh
		for _, s := range []float64{-1, 0, c.Duration() / 3, c.Duration(), c.Duration() + 1} {
			c.At(s, &m)
			mustBeFinite(t, "loaded", &m)
		}
	})
}

// A header with large counts does not make Load allocate memory for them.
func TestLoadTakesNoMemoryForPromises(t *testing.T) {
	head := make([]byte, headerBytes+countsBytes)
	copy(head, magic)
	const v, tri, frames = 1 << 20, 1 << 20, 1 << 12
	for i, x := range []uint64{clipVersion, uint64(sizeOf(v, tri, frames)), 0, v, tri, frames} {
		binary.LittleEndian.PutUint64(head[8+8*i:], x)
	}
	if n := testing.AllocsPerRun(1, func() {
		if _, err := Load(bytes.NewReader(head)); !errors.Is(err, ErrNotClip) {
			t.Error(err)
		}
	}); n > 30 {
		t.Errorf("%g allocations", n)
	}
}
