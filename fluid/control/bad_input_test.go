package control

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

var nan, inf = math.NaN(), math.Inf(1)

// wants checks that an error has all parts of a text.
func wants(t *testing.T, name string, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error; must have %q", name, parts)
		return
	}
	for _, p := range append(parts, "control: ") {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %q; must have %q", name, err, p)
		}
	}
	if strings.Contains(err.Error(), "%!") {
		t.Errorf("%s: %q", name, err)
	}
}

// pinched returns two tetrahedra that share a vertex.
func pinched() ([]r3.Vec, [][3]int32) {
	x := []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}}
	return x, [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 4, 5}, {0, 6, 4}, {0, 5, 6}, {4, 6, 5}}
}

func TestBadMorphs(t *testing.T) {
	sphere, ts := ball(4)
	n := len(sphere)
	two := func() []Key { return shapesInTime(slices.Clone(sphere), scaled(sphere, 1.2, 1, 1)) }
	other := slices.Clone(ts)
	other[5] = [3]int32{other[5][1], other[5][2], other[5][0]}
	twice := append(append([]r3.Vec{}, sphere...), moved(sphere, r3.Vec{X: 5})...)
	both := slices.Clone(ts)
	for _, f := range ts {
		both = append(both, [3]int32{f[0] + int32(n), f[1] + int32(n), f[2] + int32(n)})
	}
	through := slices.Clone(sphere)
	through[0].Z = -3
	inverted := scaled(sphere, 1, 1, -1)
	flipped := slices.Clone(ts)
	flipped[3] = [3]int32{flipped[3][1], flipped[3][0], flipped[3][2]}
	px, pt := pinched()
	cases := []struct {
		name  string
		m     Morph
		parts []string
	}{
		{"no keys", Morph{Triangles: ts}, []string{"Morph.Keys: there are 0", "at least 2"}},
		{"one key", Morph{Triangles: ts, Keys: two()[:1]}, []string{"Morph.Keys: there are 1"}},
		{"other vertices", Morph{Triangles: ts, Keys: shapesInTime(sphere, sphere[1:])}, []string{"Keys[1].Positions: 33 vertices", "(34)"}},
		{"fewer triangles", Morph{Triangles: ts, Keys: []Key{{Positions: sphere}, {Time: 1, Positions: sphere, Triangles: ts[1:]}}}, []string{"Keys[1].Triangles: there are 63", "(64)"}},
		{"other triangles", Morph{Triangles: ts, Keys: []Key{{Positions: sphere}, {Time: 1, Positions: sphere, Triangles: other}}}, []string{"Keys[1].Triangles[5]"}},
		{"time stands", Morph{Triangles: ts, Keys: []Key{{Positions: sphere}, {Positions: sphere}}}, []string{"Keys[1].Time: 0 s; must be after Keys[0].Time (0 s)"}},
		{"time falls", Morph{Triangles: ts, Keys: []Key{{Time: 2, Positions: sphere}, {Time: 1, Positions: sphere}}}, []string{"Keys[1].Time: 1 s", "(2 s)"}},
		{"time is none", Morph{Triangles: ts, Keys: []Key{{Positions: sphere}, {Time: nan, Positions: sphere}}}, []string{"Keys[1].Time: NaN"}},
		{"NaN", Morph{Triangles: ts, Keys: shapesInTime(sphere, each(sphere, func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: nan} }))}, []string{"Keys[1].Positions[0]", "NaN"}},
		{"far", Morph{Triangles: ts, Keys: shapesInTime(sphere, moved(sphere, r3.Vec{X: 1e10}))}, []string{"Keys[1].Positions[0]", "±1e+09"}},
		{"infinite", Morph{Triangles: ts, Keys: shapesInTime(sphere, moved(sphere, r3.Vec{X: inf}))}, []string{"Keys[1].Positions[0]"}},
		{"no triangles", Morph{Keys: two()}, []string{"Triangles: 0 triangles"}},
		{"index", Morph{Triangles: append(slices.Clone(ts), [3]int32{0, 1, int32(n)}), Keys: two()}, []string{"triangle 64 has index 34", "0 to 33"}},
		{"negative index", Morph{Triangles: append(slices.Clone(ts), [3]int32{0, 1, -1}), Keys: two()}, []string{"index -1"}},
		{"twice a vertex", Morph{Triangles: append(slices.Clone(ts), [3]int32{0, 1, 1}), Keys: two()}, []string{"triangle 64 is [0 1 1]"}},
		{"open", Morph{Triangles: ts[2:], Keys: two()}, []string{"open: 6 edges have one triangle"}},
		{"not manifold", Morph{Triangles: append(slices.Clone(ts), ts[0]), Keys: two()}, []string{"not manifold: 3 edges have more than two"}},
		{"not oriented", Morph{Triangles: flipped, Keys: two()}, []string{"not oriented alike: 3 edges"}},
		{"two pieces", Morph{Triangles: both, Keys: shapesInTime(twice, twice)}, []string{"not connected: it is in 2 pieces"}},
		{"unused vertex", Morph{Triangles: ts, Keys: shapesInTime(append(slices.Clone(sphere), r3.Vec{}), append(slices.Clone(sphere), r3.Vec{}))}, []string{"1 of 35 vertices are in no triangle, the first is 34"}},
		{"pinched", Morph{Triangles: pt, Keys: shapesInTime(px, px)}, []string{"must be in one"}},
		{"inside out", Morph{Triangles: ts, Keys: shapesInTime(sphere, inverted)}, []string{"Keys[1]: the volume is -", "counter-clockwise"}},
		{"flat", Morph{Triangles: ts, Keys: shapesInTime(sphere, scaled(sphere, 1, 1, 0))}, []string{"Keys[1]: the volume is 0 m³"}},
		{"flat, far away", Morph{Triangles: ts, Keys: shapesInTime(sphere, moved(scaled(sphere, 1, 1, 0), r3.Vec{X: 1e6, Y: 1e5, Z: .3}))}, []string{"Keys[1]: the volume is", "must be > 0"}},
		{"crosses itself", Morph{Triangles: ts, Keys: shapesInTime(sphere, through)}, []string{"Keys[1]: the surface crosses itself: ", "pairs of triangles cross"}},
		{"both rates", Morph{Triangles: ts, Keys: two(), Frames: 3, FramesPerSecond: 30}, []string{"Frames: 3 with FramesPerSecond 30"}},
		{"negative frames", Morph{Triangles: ts, Keys: two(), Frames: -1}, []string{"Frames: -1"}},
		{"rate is none", Morph{Triangles: ts, Keys: two(), FramesPerSecond: nan}, []string{"FramesPerSecond: NaN"}},
		{"rate is infinite", Morph{Triangles: ts, Keys: two(), FramesPerSecond: inf}, []string{"FramesPerSecond: +Inf"}},
		{"rate is vast", Morph{Triangles: ts, Keys: two(), FramesPerSecond: 1e300}, []string{"must be at most 100000"}},
		{"frames are many", Morph{Triangles: ts, Keys: two(), Frames: math.MaxInt}, []string{"must be at most 100000"}},
		{"frames are close", Morph{Triangles: ts, Keys: []Key{{Positions: sphere}, {Time: 1e-5, Positions: sphere}}, Frames: 20}, []string{"Keys[0].Time: frames are", "apart"}},
		{"passes", Morph{Triangles: ts, Keys: two(), Passes: -1}, []string{"Passes: -1"}},
		{"memory", Morph{Triangles: ts, Keys: two(), MaxMemory: 1 << 16}, []string{"MaxMemory: 34 vertices in 31 frames need", "at most 0.0625 MiB"}},
		{"negative memory", Morph{Triangles: ts, Keys: two(), MaxMemory: -1}, []string{"MaxMemory: -1"}},
		{"position early", Morph{Triangles: ts, Keys: two(), Positions: []PositionConstraint{{Time: -1}}}, []string{"Positions[0].Time: -1 s", "0 s to 1 s"}},
		{"position of none", Morph{Triangles: ts, Keys: two(), Positions: []PositionConstraint{{Vertex: n}}}, []string{"Positions[0].Vertex: 34; must be 0 to 33"}},
		{"position NaN", Morph{Triangles: ts, Keys: two(), Positions: []PositionConstraint{{Position: r3.Vec{X: nan}}}}, []string{"Positions[0].Position"}},
		{"velocity NaN", Morph{Triangles: ts, Keys: two(), Velocities: []VelocityConstraint{{Velocity: r3.Vec{Z: inf}}}}, []string{"Velocities[0].Velocity"}},
		{"velocity late", Morph{Triangles: ts, Keys: two(), Velocities: []VelocityConstraint{{Time: nan}}}, []string{"Velocities[0].Time: NaN"}},
	}
	for _, c := range cases {
		clip, _, err := c.m.Solve()
		wants(t, c.name, err, c.parts...)
		if clip != nil {
			t.Errorf("%s: there is a clip", c.name)
		}
	}
}

// Triangles that only touch at a vertex are not a manifold, though every edge has two.
func TestPinchedMesh(t *testing.T) {
	x, tri := pinched()
	if err := checkTriangles(len(x), tri); err != nil {
		t.Fatal(err)
	}
	// Join the two by a tube elsewhere, so that they are connected: a torus two of whose vertices are one.
	ring, tr := torus(1, .4, 8, 4)
	merged := slices.Clone(tr)
	for i, f := range merged {
		for k, v := range f {
			if v == 17 {
				merged[i][k] = 0
			}
			if v == int32(len(ring)-1) {
				merged[i][k] = 17
			}
		}
	}
	err := checkConnected(len(ring)-1, merged)
	if err == nil || !strings.Contains(err.Error(), "at 1 vertices triangles only touch, the first is 0") {
		t.Errorf("%v", err)
	}
}

func TestContradictions(t *testing.T) {
	sphere, ts := ball(4)
	n := len(sphere)
	all := func(time float64) (p []PositionConstraint) {
		for v := range n {
			p = append(p, PositionConstraint{time, v, r3.Scale(1.2, sphere[v])})
		}
		return p
	}
	p := func(time float64, vertex int, x r3.Vec) PositionConstraint {
		return PositionConstraint{time, vertex, x}
	}
	v := func(time float64, vertex int, x r3.Vec) VelocityConstraint {
		return VelocityConstraint{time, vertex, x}
	}
	up := r3.Vec{Z: 2}
	cases := []struct {
		name       string
		positions  []PositionConstraint
		velocities []VelocityConstraint
		parts      []string // none: nothing contradicts
	}{
		{"two places", []PositionConstraint{p(.5, 1, up), p(.2, 1, up), p(.5, 1, r3.Vec{Z: 2.5})}, nil, []string{"Positions[2] contradicts Positions[0]", "0.5 s vertex 1", "0.5 m"}},
		{"one place twice", []PositionConstraint{p(.5, 1, up), p(.5, 1, up)}, nil, nil},
		{"beside a key", []PositionConstraint{p(0, 1, up)}, nil, []string{"Positions[0] contradicts Keys[0]", "vertex 1"}},
		{"at a key", []PositionConstraint{p(1, 1, sphere[1])}, nil, nil},
		{"two velocities", nil, []VelocityConstraint{v(.5, 3, up), v(.5, 3, r3.Vec{X: 1})}, []string{"Velocities[1] contradicts Velocities[0]", "m/s"}},
		{"velocity between places", []PositionConstraint{p(.4, 3, up), p(.6, 3, up)}, []VelocityConstraint{v(.5, 3, up)}, []string{"Velocities[0] contradicts Positions["}},
		{"velocity that places say", []PositionConstraint{p(.4, 3, up), p(.6, 3, r3.Vec{Z: 2.1})}, []VelocityConstraint{v(.5, 3, r3.Vec{Z: .5})}, nil},
		{"velocity between a place and a key", []PositionConstraint{p(.2, 3, up)}, []VelocityConstraint{v(.1, 3, up)}, []string{"Velocities[0] contradicts Positions[0]"}},
		{"no vertex is free", all(.5), nil, []string{"hold frame 5 (0.5 s)", "volume can't be kept"}},
	}
	for _, c := range cases {
		clip, _, err := Morph{Triangles: ts, Keys: shapesInTime(sphere, sphere), FramesPerSecond: 10, Positions: c.positions, Velocities: c.velocities}.Solve()
		if c.parts != nil {
			wants(t, c.name, err, c.parts...)
		} else if err != nil || clip == nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// A single frame in between: its neighbours are keys.
	_, _, err := Morph{Triangles: ts, Keys: shapesInTime(sphere, sphere), Frames: 1, Velocities: []VelocityConstraint{v(.5, 2, up)}}.Solve()
	wants(t, "velocity between keys", err, "Velocities[0] contradicts Keys[0] with Keys[1]", "m/s")
}

func TestBadFrames(t *testing.T) {
	sphere, ts := ball(4)
	n := len(sphere)
	speeds := make([]r3.Vec, n)
	bad := slices.Clone(speeds)
	bad[7].Y = nan
	clips := []struct {
		name   string
		t      [][3]int32
		frames []Frame
		parts  []string
	}{
		{"none", ts, nil, []string{"NewClip: frames: there are none"}},
		{"open", ts[1:], []Frame{{Positions: sphere}}, []string{"triangles: the mesh is open: 3 edges"}},
		{"vertices", ts, []Frame{{Positions: sphere}, {Time: 1, Positions: sphere[:n-1]}}, []string{"frames[1].Positions: 33 vertices"}},
		{"velocities", ts, []Frame{{Positions: sphere, Velocities: speeds[:3]}}, []string{"frames[0].Velocities: there are 3"}},
		{"velocity", ts, []Frame{{Positions: sphere, Velocities: bad}}, []string{"frames[0].Velocities[7]"}},
		{"time", ts, []Frame{{Positions: sphere}, {Positions: sphere}}, []string{"frames[1].Time: 0 s; must be after that of the frame before (0 s)"}},
		{"NaN time", ts, []Frame{{Time: nan, Positions: sphere}}, []string{"frames[0].Time: NaN"}},
		{"flat", ts, []Frame{{Positions: sphere}, {Time: 1, Positions: scaled(sphere, 1, 0, 1)}}, []string{"frames[1]: the volume is"}},
		{"NaN", ts, []Frame{{Positions: moved(sphere, r3.Vec{X: nan})}}, []string{"frames[0].Positions[0]"}},
	}
	for _, c := range clips {
		_, err := NewClip(c.t, c.frames)
		wants(t, c.name, err, c.parts...)
	}
	sequences := []struct {
		name   string
		frames []MeshFrame
		parts  []string
	}{
		{"none", nil, []string{"NewSequence: frames: there are none"}},
		{"velocities", []MeshFrame{{Positions: sphere, Triangles: ts}}, []string{"frames[0].Velocities: there are 0; must be one for each of 34"}},
		{"open", []MeshFrame{{0, sphere, speeds, ts}, {1, sphere, speeds, ts[2:]}}, []string{"frames[1].Triangles: the mesh is open"}},
		{"time", []MeshFrame{{0, sphere, speeds, ts}, {-1, sphere, speeds, ts}}, []string{"frames[1].Time: -1 s"}},
		{"velocity", []MeshFrame{{0, sphere, bad, ts}}, []string{"frames[0].Velocities[7]"}},
	}
	for _, c := range sequences {
		_, err := NewSequence(c.frames)
		wants(t, c.name, err, c.parts...)
	}
}

func TestBadLive(t *testing.T) {
	sphere, ts := ball(4)
	_, err := NewLive(ts[1:], sphere)
	wants(t, "open", err, "NewLive: triangles: the mesh is open")
	_, err = NewLive(ts, scaled(sphere, 1, 1, -1))
	wants(t, "inside out", err, "NewLive: positions: the volume is -")
	l, err := NewLive(ts, sphere)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Set(moved(sphere, r3.Vec{X: 1}), nil, .5); err != nil {
		t.Fatal(err)
	}
	for _, dt := range []float64{0, -1, nan, inf} {
		wants(t, "dt", l.Set(sphere, nil, dt), "Live.Set: dt: ")
	}
	wants(t, "NaN", l.Set(moved(sphere, r3.Vec{Y: nan}), nil, .1), "Live.Set: positions[0]")
	wants(t, "flat", l.Set(scaled(sphere, 1, 1, 0), nil, .1), "Live.Set: positions: the volume is")
	wants(t, "velocity", l.Set(sphere, each(sphere, func(r3.Vec) r3.Vec { return r3.Vec{X: inf} }), .1), "Live.Set: velocities[0]")
	var m Mesh
	l.At(0, &m)
	if m.Positions[0] != r3.Add(sphere[0], r3.Vec{X: 1}) || m.Velocities[0] != (r3.Vec{X: 2}) {
		t.Errorf("after errors: %v, %v", m.Positions[0], m.Velocities[0])
	}
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(r.(string), "control: ") {
			t.Errorf("too few positions: %v", r)
		}
	}()
	_ = l.Set(sphere[1:], nil, .1)
}

func TestBadPlayers(t *testing.T) {
	sphere, ts := ball(4)
	ring, tr := torus(1, .4, 8, 6)
	a, _ := NewClip(ts, []Frame{{Positions: sphere}, {Time: 1, Positions: scaled(sphere, 2, 1, 1)}})
	b, _ := NewClip(tr, []Frame{{Positions: ring}})
	p := NewPlayer(a)
	wants(t, "other triangles", p.CrossFade(b, 0, 1), "Player.CrossFade: to: 48 vertices and 96 triangles", "(34 and 64)")
	wants(t, "nil", p.CrossFade(nil, 0, 1), "no source")
	wants(t, "start", p.CrossFade(a, nan, 1), "start: NaN")
	wants(t, "duration", p.CrossFade(a, 0, -1), "duration: -1")
	wants(t, "duration", p.CrossFade(a, 0, nan), "duration: NaN")
	wants(t, "dt", p.MoveTo(r3.Vec{}, quat.Number{}, 0), "Player.MoveTo: dt: 0 s")
	wants(t, "place", p.MoveTo(r3.Vec{X: nan}, quat.Number{}, 1), "Player.Pose.Position")
	for name, set := range map[string]func(*Player){
		"Player.Time":                 func(p *Player) { p.Time = nan },
		"Player.Speed":                func(p *Player) { p.Speed = inf },
		"Player.Pose.Position":        func(p *Player) { p.Pose.Position.X = inf },
		"Player.Pose.Velocity":        func(p *Player) { p.Pose.Velocity.Y = nan },
		"Player.Pose.AngularVelocity": func(p *Player) { p.Pose.AngularVelocity.Z = nan },
		"Player.Pose.Rotation":        func(p *Player) { p.Pose.Rotation.Imag = nan },
	} {
		p := NewPlayer(a)
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		set(p)
		wants(t, name, p.Validate(), name)
		for _, dt := range []float64{.1, nan, inf, -1} {
			p.Advance(dt)
			mustBeFinite(t, name, p.Mesh())
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(r.(string), "control: ") {
			t.Errorf("no source: %v", r)
		}
	}()
	NewPlayer(nil)
}

func mustBeFinite(t *testing.T, name string, m *Mesh) {
	t.Helper()
	for i := range m.Positions {
		if !inRange(m.Positions[i], math.MaxFloat64) || !inRange(m.Velocities[i], math.MaxFloat64) {
			t.Errorf("%s: vertex %d is at %v with %v", name, i, m.Positions[i], m.Velocities[i])
			return
		}
	}
}

// The sweep finds the same crossings as comparing every pair.
func TestCrossingsAreCounted(t *testing.T) {
	count := func(x []r3.Vec, tri [][3]int32) (n int) {
		for i := range tri {
			for j := range i {
				if cross(x, tri[i], tri[j]) {
					n++
				}
			}
		}
		return n
	}
	sphere, ts := ball(6)
	ring, tr := torus(1, .4, 12, 8)
	bar, tb := brick(.3, .3, 1, 3)
	for seed := range 16 {
		wobble := func(p r3.Vec) r3.Vec {
			f := float64(seed) * .1
			return r3.Vec{X: p.X + f*math.Sin(7*p.Y+3*p.Z), Y: p.Y + f*math.Sin(9*p.Z+p.X), Z: p.Z + f*math.Sin(8*p.X)}
		}
		for i, s := range []struct {
			x []r3.Vec
			t [][3]int32
		}{{sphere, ts}, {ring, tr}, {bar, tb}} {
			x := each(s.x, wobble)
			n, _ := crossings(x, s.t)
			if want := count(x, s.t); n != want || seed == 0 && n != 0 || seed > 12 && n == 0 {
				t.Errorf("shape %d wobbling by %.1f m: %d crossings; all pairs have %d", i, float64(seed)*.1, n, want)
			}
		}
	}
	// One tetrahedron's tip in another's face.
	x := []r3.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {Y: 1}, {Z: -1}, {X: -.1, Z: 1}, {X: .1, Z: 1}, {Y: .1, Z: 1}, {Z: -.1}}
	tri := [][3]int32{{0, 1, 2}, {4, 5, 7}}
	if n, first := crossings(x, tri); n != 1 || first != [2]int32{0, 1} {
		t.Errorf("a tip through a face: %d, %v", n, first)
	}
	x[7].Z = 0
	if n, _ := crossings(x, tri); n != 0 {
		t.Errorf("a tip on a face: %d", n)
	}
}
