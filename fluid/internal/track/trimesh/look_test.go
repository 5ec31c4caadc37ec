package trimesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// The pairs that meet are those that a search of all pairs finds, for any number of workers: of balls that come into each other, and of shaken vertices.
func TestLookFindsAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pool := par.New(2)
	defer pool.Close()
	var k look
	some := 0
	for n := range 40 {
		var m Mesh
		for range 5 {
			icosphere(randomVector(rng, 1), .2+float64(.5*rng.Float64()), 3).addTo(&m, 0)
		}
		if n%2 == 1 {
			for v, x := range m.Position {
				m.Position[v] = r3.Add(x, randomVector(rng, .05))
			}
		}
		m.Refit()
		want := m.Intersections(nil)
		slices.SortFunc(want, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
		for _, p := range []*par.Pool{nil, pool} {
			if got := k.meeting(p, &m, m.Position, nil); !slices.Equal(got, want) {
				t.Fatalf("mesh %d: %d pairs, want %d", n, len(got), len(want))
			}
		}
		some += len(want)
	}
	if some < 1000 {
		t.Errorf("only %d pairs meet", some)
	}
}

// Of a mesh that meets itself nowhere, what meets at the targets is found from what moves alone: from nothing, a few vertices or all.
func TestLookAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	var k look
	some := 0
	for n := range 30 {
		var m Mesh
		for i := range 4 {
			icosphere(r3.Vec{X: 1.05 * float64(i), Y: .2 * rng.Float64()}, .5, 4).addTo(&m, 0)
		}
		m.Refit()
		if got := k.meetingAhead(nil, &m, nil); len(got) > 0 {
			t.Fatalf("mesh %d: %d pairs meet before anything moves", n, len(got))
		}
		for range [3]int{1, 10, 400}[n%3] {
			v := rng.IntN(len(m.Position))
			m.Target[v] = r3.Add(m.Position[v], randomVector(rng, .2))
		}
		want := k.meeting(nil, &m, m.Target, nil)
		if got := k.meetingAhead(nil, &m, nil); !slices.Equal(got, want) {
			t.Fatalf("mesh %d: %d pairs, want %d", n, len(got), len(want))
		}
		some += len(want)
	}
	if some < 1000 {
		t.Errorf("only %d pairs meet", some)
	}
}

// Vertices may lie all in one place or far apart; then there is one cell, and not more than there are triangles for.
func TestLookAtAnySize(t *testing.T) {
	for _, size := range []float64{0, 1e-300, 1e-20, 1e20} {
		m := octahedron()
		for v, x := range m.Position {
			m.Position[v] = reproducible.Scale(size, x)
		}
		m.Position[0] = r3.Add(m.Position[0], r3.Vec{X: 1e-3 * size})
		m.Refit()
		var k look
		if got, want := len(k.meeting(nil, &m, m.Position, nil)), len(m.Intersections(nil)); got != want {
			t.Errorf("size %g: %d pairs, want %d", size, got, want)
		}
		if n := len(k.first); n > lookCells*m.Triangles()+2 {
			t.Errorf("size %g: %d cells", size, n)
		}
	}
}

// A free motion leaves no intersection either: random fields carry two balls, a ring and a ball of another liquid into each other.
func TestFreeInRandomFields(t *testing.T) {
	fields, steps := 12, 25
	if testing.Short() {
		fields = 2
	}
	zones := 0
	for f := range fields {
		rng := rand.New(rand.NewPCG(14, uint64(f)))
		k := Tracker{CutThin: .03, Tiny: 1e-5, Length: uniform(.15), Mover: Mover{Near: .004, Free: true}}
		icosphere(r3.Vec{X: -.8}, .5, 4).addTo(&k.Mesh, 0)
		icosphere(r3.Vec{X: .6, Y: 1.15}, .4, 4).addTo(&k.Mesh, 1)
		torusAround(r3.Vec{X: .6}, .5, .2, 24, 9).addTo(&k.Mesh, 0)
		a, b := randomVector(rng, 1), randomVector(rng, 1.5)
		field := func(dst, at []r3.Vec, time float64) { // waves of whirls, and from all sides to the middle
			for i, x := range at {
				_, cos := math.Sincos(4*time + reproducible.Dot(b, x))
				dst[i] = r3.Add(reproducible.Scale(cos, reproducible.Cross(a, x)), r3.Vec{X: -x.X / (.05 + math.Abs(x.X)), Y: -.5 * x.Y / (.05 + math.Abs(x.Y))})
			}
		}
		for i := range steps {
			report := k.Step(field, .03*float64(i), .03)
			legal(t, &k.Mesh, "step", i)
			if report.Fraction != 1 {
				t.Errorf("field %d, step %d: %+v", f, i, report)
			}
			zones += report.Zones
		}
	}
	if t.Logf("%d zones", zones); zones == 0 {
		t.Error("nothing has met")
	}
}

// In the Enright test a free surface keeps its volume to .5 %, uncorrected, with the ball in its place and nearer to the middle.
func TestFreeEnright(t *testing.T) {
	k, _, radius := enrightTracker(8)
	k.Length, k.Mover.Free = uniform(radius/8), true
	before := volumeOf(&k.Mesh)
	const steps = 150
	vertices := 0
	for i := range steps {
		report := k.Step(enright, 3*float64(i)/steps, 3./steps)
		if i%10 == 9 {
			legal(t, &k.Mesh, "step", i)
		}
		if report.Fraction != 1 {
			t.Errorf("step %d: %+v", i, report)
		}
		vertices = max(vertices, k.Mesh.Vertices())
	}
	after := volumeOf(&k.Mesh)
	t.Logf("%d vertices at most, %.2f %% of the volume are left", vertices, 100*after/before)
	if math.Abs(after-before) > .005*before {
		t.Errorf("%.2f %% of the volume are left", 100*after/before)
	}
}

// Where the two sides of a sheet are to pass through each other they move together, and the rest of the sheet moves as it comes.
func TestFreeMotionBindsWhatMeets(t *testing.T) {
	var m Mesh
	icosphere(r3.Vec{}, 1, 8).addTo(&m, 0)
	for v, x := range m.Position {
		m.Position[v].Z = .02 * x.Z
	}
	m.Refit()
	r := Mover{Free: true}
	for v, x := range m.Position {
		if m.Target[v] = r3.Add(x, r3.Vec{X: .1}); x.X > .4 && math.Abs(x.Y) < .2 {
			m.Target[v].Z = -x.Z
		}
	}
	if report := r.Move(&m, 1); report.Fraction != 1 || report.Collisions > 0 || report.Zones == 0 {
		t.Errorf("%+v", report)
	}
	legal(t, &m, "moved", 0)
	if box, _ := m.Boxes.Bounds(); math.Abs(box.Min.X+.9) > 1e-9 || math.Abs(box.Max.X-1.1) > 1e-9 {
		t.Errorf("it reaches from %v to %v", box.Min, box.Max)
	}
}

// What would go through a heavy vertex is resolved.
func TestFreeMotionStopsAtHeavy(t *testing.T) {
	var m Mesh
	icosphere(r3.Vec{}, 1, 3).addTo(&m, 0)
	icosphere(r3.Vec{X: 2.1}, 1, 3).addTo(&m, 0)
	m.Refit()
	before, _ := m.Boxes.Bounds()
	r := Mover{Free: true}
	for v, x := range m.Position {
		if m.Target[v] = x; x.X < 1.05 {
			m.Target[v].X += .3
		} else {
			m.Heavy[v] = true
		}
	}
	r.Move(&m, 1)
	legal(t, &m, "moved", 0)
	if box, _ := m.Boxes.Bounds(); box.Max.X != before.Max.X || box.Min.X == before.Min.X {
		t.Errorf("it reaches from %v to %v, and did from %v to %v", box.Min, box.Max, before.Min, before.Max)
	}
}
