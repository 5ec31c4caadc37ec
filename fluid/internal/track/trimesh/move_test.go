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

// smallShapes are some small meshes without intersections.
func smallShapes() (shapes []func(m *Mesh)) {
	add := func(parts ...func(m *Mesh)) {
		shapes = append(shapes, func(m *Mesh) {
			m.Clear()
			for _, p := range parts {
				p(m)
			}
		})
	}
	sphere := func(x, y, z, radius float64, n int, label int32) func(m *Mesh) {
		return func(m *Mesh) {
			icosphere(r3.Vec{X: x, Y: y, Z: z}, radius, n).addTo(m, label)
		}
	}
	torus := func(x, y, z, large, small float64, nu, nv int) func(m *Mesh) {
		return func(m *Mesh) {
			torusAround(r3.Vec{X: x, Y: y, Z: z}, large, small, nu, nv).addTo(m, 0)
		}
	}
	sheet := func(z, thickness float64, n int, label int32) func(m *Mesh) {
		return func(m *Mesh) {
			slab(r3.Vec{X: -1, Y: -1, Z: z}, 2, thickness, n).addTo(m, label)
		}
	}
	add(sphere(0, 0, 0, 1, 1, 0))
	add(sphere(0, 0, 0, 1, 2, 0))
	add(torus(0, 0, 0, 1, .3, 9, 6))
	add(sphere(0, 0, 0, 1, 1, 0), sphere(2.05, 0, 0, 1, 2, 1))
	add(sheet(0, .05, 3, 0), sheet(.06, .05, 3, 1))
	add(sphere(0, 0, 0, 1, 2, 0), sphere(0, 0, 0, .9, 2, 0)) // turned alike: the second is a bubble's place only in name
	add(torus(0, 0, 0, 1, .3, 8, 5), sphere(0, 0, 0, .5, 1, 1))
	return shapes
}

func randomVector(rng *rand.Rand, size float64) r3.Vec {
	return r3.Vec{X: size * rng.NormFloat64(), Y: size * rng.NormFloat64(), Z: size * rng.NormFloat64()}
}

// randomTargets gives a mesh random targets, of a kind: smooth fields, rough ones, jets, folds, inversions, ...
func randomTargets(rng *rand.Rand, m *Mesh) {
	size := math.Pow(10, -2+2.5*rng.Float64())
	a, b, c := randomVector(rng, 1), randomVector(rng, 1), randomVector(rng, 2)
	kind := rng.IntN(7)
	for v, x := range m.Position {
		var d r3.Vec
		switch kind {
		case 0: // each its own way
			d = randomVector(rng, size)
		case 1: // a linear field: shear, squeeze, turn
			d = r3.Add(reproducible.Scale(size*reproducible.Dot(a, x), b), reproducible.Scale(size*reproducible.Dot(b, x), c))
		case 2: // waves
			d = reproducible.Scale(size*math.Sin(3*reproducible.Dot(a, x)), b)
		case 3: // one vertex or few
			if rng.IntN(8) == 0 {
				d = randomVector(rng, 3*size)
			}
		case 4: // towards a point, and beyond
			d = reproducible.Scale(-size, r3.Sub(x, reproducible.Scale(.3, a)))
		case 5: // to any place of others
			d = reproducible.Scale(min(1, size), r3.Sub(m.Position[rng.IntN(len(m.Position))], x))
		case 6: // two halves through each other
			d = reproducible.Scale(size, a)
			if reproducible.Dot(a, x) > .2 {
				d = reproducible.Scale(-1, d)
			}
		}
		m.Target[v] = r3.Add(x, d)
	}
}

// In random fields nothing intersects, whatever came before. Where a motion is refused in part, the rest of the test goes on from there.
func TestMoveInRandomFields(t *testing.T) {
	steps := 10_000
	if testing.Short() {
		steps = 140
	}
	rng := rand.New(rand.NewPCG(5, 6))
	var m Mesh
	var r Mover
	shapes := smallShapes()
	whole, none := 0, 0
	for i := range steps {
		if i%20 == 0 { // a new shape, and new settings
			shapes[i/20%len(shapes)](&m)
			legal(t, &m, "shape", i)
			r.Near = []float64{0, 1e-4, 1e-2, .05}[rng.IntN(4)]
			r.ByArea = rng.IntN(2) == 0
			r.Stiffness = []float64{0, 100}[rng.IntN(2)]
		}
		randomTargets(rng, &m)
		report := r.Move(&m, .01)
		legal(t, &m, "step", i)
		switch report.Fraction {
		case 1:
			whole++
		case 0:
			none++
		}
	}
	t.Logf("of %d motions %d were whole and %d refused", steps, whole, none)
	if none*20 > steps {
		t.Errorf("%d motions of %d were refused", none, steps)
	}
}

// A sphere is turned inside out, x → -x: it can not be. It stays legal, and its volume does not change its sign.
func TestMoveInsideOut(t *testing.T) {
	for _, n := range []int{1, 2, 4, 6} {
		var m Mesh
		icosphere(r3.Vec{}, 1, n).addTo(&m, 0)
		r := Mover{Near: 1e-3}
		for i := range 4 {
			for v, x := range m.Position {
				m.Target[v] = reproducible.Scale(-1, x)
			}
			report := r.Move(&m, .01)
			legal(t, &m, "step", i)
			if v := volumeOf(&m); v <= 0 {
				t.Errorf("%d vertices, step %d: volume %v, %+v", len(m.Position), i, v, report)
			}
		}
	}
}

// Impulses and zones keep the momentum of light vertices.
func TestMoveKeepsMomentum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var m Mesh
	collided, zoned := 0, 0
	for i := range 98 {
		smallShapes()[i%7](&m)
		randomTargets(rng, &m)
		r := Mover{Near: .02, ByArea: i%2 == 0}
		momentum := func() (sum r3.Vec, size float64) {
			for v, x := range m.Position {
				p := reproducible.Scale(1/r.inverse[v], r3.Sub(m.Target[v], x))
				sum, size = r3.Add(sum, p), size+reproducible.Norm(p)
			}
			return sum, size
		}
		r.begin(&m, .01)
		wanted, size := momentum()
		report := r.Resolve(&m, .01)
		got, _ := momentum()
		collided, zoned = collided+report.Collisions, zoned+report.Zones
		if d := reproducible.Norm(r3.Sub(got, reproducible.Scale(report.Fraction, wanted))); d > 1e-9*size {
			t.Errorf("motion %d, %+v: the momentum changes by %.2g of %.2g", i, report, d, size)
		}
		copy(m.Position, m.Target)
	}
	if collided < 50 || zoned < 10 {
		t.Errorf("only %d collisions and %d zones", collided, zoned)
	}
}

// Heavy vertices go where they are told, and light ones make way.
func TestMoveHeavy(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var m Mesh
	whole := 0
	for i := range 200 {
		smallShapes()[3](&m)
		for v, x := range m.Position {
			m.Heavy[v] = x.X > 1
			m.Target[v] = r3.Add(x, randomVector(rng, .05))
			if m.Heavy[v] {
				m.Target[v] = r3.Add(x, r3.Vec{X: -.3})
			}
		}
		start, goal := slices.Clone(m.Position), slices.Clone(m.Target)
		r := Mover{Near: .01}
		report := r.Move(&m, .01)
		legal(t, &m, "motion", i)
		if report.Fraction == 1 {
			whole++
		}
		for v := range m.Position {
			want := goal[v]
			if report.Fraction < 1 {
				want = r3.Add(start[v], reproducible.Scale(report.Fraction, r3.Sub(goal[v], start[v])))
			}
			if m.Heavy[v] && m.Position[v] != want {
				t.Fatalf("heavy vertex %d is at %v after %v of its way, want %v", v, m.Position[v], report.Fraction, want)
			}
		}
	}
	if whole < 190 {
		t.Errorf("only %d motions of 200 were whole", whole)
	}
}

// Two balls of different labels that fly at each other push each other back, and never touch.
func TestMoveBouncesBalls(t *testing.T) {
	var m Mesh
	icosphere(r3.Vec{X: -.6}, .5, 4).addTo(&m, 0)
	first := len(m.Position)
	icosphere(r3.Vec{X: .6, Y: .1}, .5, 4).addTo(&m, 1)
	r := Mover{Near: .02, ByArea: true}
	velocity := make([]r3.Vec, len(m.Position))
	for v := range velocity {
		velocity[v].X = 1
		if v >= first {
			velocity[v].X = -1
		}
	}
	const dt = .01
	collisions := 0
	for i := range 60 {
		for v, x := range m.Position {
			m.Target[v] = r3.Add(x, reproducible.Scale(dt, velocity[v]))
		}
		report := r.Resolve(&m, dt)
		collisions += report.Collisions + report.Proximities
		for v, x := range m.Position {
			velocity[v] = reproducible.Scale(1/(report.Fraction*dt), r3.Sub(m.Target[v], x))
		}
		copy(m.Position, m.Target)
		legal(t, &m, "step", i)
		if report.Fraction != 1 {
			t.Fatalf("step %d: %+v", i, report)
		}
	}
	if collisions == 0 {
		t.Error("they have not met")
	}
	var middles [2]float64
	for v, x := range m.Position {
		middles[min(1, v/first)] += x.X
	}
	if middles[0] >= middles[1] {
		t.Errorf("they have gone through each other: sums of x %v", middles)
	}
}

// Any number of workers gives the same bits.
func TestMoveOnAnyWorkers(t *testing.T) {
	var want []r3.Vec
	for _, workers := range []int{1, 2, 4} {
		pool := par.New(workers)
		rng := rand.New(rand.NewPCG(11, 12))
		r := Mover{Near: .01, Pool: pool}
		var got []r3.Vec
		var m Mesh
		for i := range 21 {
			smallShapes()[i%7](&m)
			for range 3 {
				randomTargets(rng, &m)
				r.Move(&m, .01)
			}
			got = append(got, m.Position...)
		}
		pool.Close()
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("%d workers give other positions", workers)
		}
	}
}

// A motion allocates nothing once it has been done, with impulses and with zones.
func TestMoveAllocatesNothing(t *testing.T) {
	var m Mesh
	icosphere(r3.Vec{X: -.52}, .5, 3).addTo(&m, 0)
	icosphere(r3.Vec{X: .52}, .5, 3).addTo(&m, 1)
	start, goal := slices.Clone(m.Position), make([]r3.Vec, len(m.Position))
	pool := par.New(2)
	defer pool.Close()
	r := Mover{Near: .01, Pool: pool}
	var report MoveReport
	move := func() {
		copy(m.Position, start)
		copy(m.Target, goal)
		report = r.Move(&m, .01)
	}
	for _, size := range []float64{.3, 1.5} {
		for v, x := range start {
			goal[v] = r3.Vec{X: .7 * x.X, Y: x.Y, Z: x.Z}
			if x.X < 0 && x.Y > .3 {
				goal[v].X = x.X + size
			}
		}
		move()
		if report.Collisions == 0 || size > 1 && report.Zones == 0 {
			t.Errorf("%v: too little happens: %+v", size, report)
		}
		if n := testing.AllocsPerRun(5, move); n != 0 {
			t.Errorf("%v: %v allocations, %+v", size, n, report)
		}
	}
}

// A target that is no place leaves its vertex where it is.
func TestMoveRefusesWhatIsNoPlace(t *testing.T) {
	m := octahedron()
	start := slices.Clone(m.Position)
	m.Target[0].X, m.Target[1].Y, m.Target[2].Z = math.NaN(), math.Inf(1), -1e40
	var r Mover
	if report := r.Move(&m, .01); report.Refused != 3 || report.Fraction != 1 {
		t.Errorf("%+v", report)
	}
	if !slices.Equal(m.Position, start) {
		t.Errorf("positions %v, want %v", m.Position, start)
	}
}

func BenchmarkMoveStages(b *testing.B) {
	var m Mesh
	icosphere(r3.Vec{X: .35, Y: .35, Z: .35}, .15, 34).addTo(&m, 0)
	r := Mover{Near: 2e-5}
	velocity := make([]r3.Vec, len(m.Position))
	enright(velocity, m.Position, 0)
	for v, x := range m.Position {
		m.Target[v] = r3.Add(x, reproducible.Scale(.01, velocity[v]))
	}
	start, goal := slices.Clone(m.Position), slices.Clone(m.Target)
	reset := func() {
		copy(m.Position, start)
		copy(m.Target, goal)
	}
	stage := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(m.Position)), "ns/vertex")
		})
	}
	var report MoveReport
	stage("move", func() { reset(); report = r.Move(&m, .01) })
	reset()
	stage("begin", func() { r.begin(&m, .01); r.aim(1) })
	stage("sort", func() { r.sweep.sort(&m, r.motion) })
	stage("build", r.build)
	r.measure()
	stage("search", func() { r.findClose(false) })
	stage("repel", r.repel)
	stage("test", func() { r.findHits(true) })
	stage("refit", func() { m.Refit() })
	b.Logf("%d vertices, %+v, %d close", len(m.Position), report, len(r.search.close))
}

// Two balls are pressed together, so that many vertices collide at once.
func BenchmarkMoveCollisions(b *testing.B) {
	var m Mesh
	icosphere(r3.Vec{X: -.501}, .5, 20).addTo(&m, 0)
	icosphere(r3.Vec{X: .501}, .5, 20).addTo(&m, 1)
	r := Mover{Near: .002}
	start := slices.Clone(m.Position)
	var report MoveReport
	for b.Loop() {
		copy(m.Position, start)
		for v, x := range start {
			m.Target[v] = r3.Sub(x, r3.Vec{X: math.Copysign(.02, x.X)})
		}
		report = r.Move(&m, .01)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(start)), "ns/vertex")
	b.Logf("%d vertices, %+v", len(start), report)
}

// A vertex is not thrown away: a motion that would need that is cut short.
func TestNothingIsThrownAway(t *testing.T) {
	var r Mover
	var m Mesh
	m.Set([]r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}, [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, 0)
	for v := range m.Target {
		m.Target[v] = r3.Add(m.Position[v], r3.Vec{X: .1})
	}
	r.begin(&m, 1)
	if r.aim(1); !r.bounded(1) {
		t.Error("a motion as wanted counts as thrown away")
	}
	if m.Target[2].Z = 7600; r.bounded(1) {
		t.Error("a vertex is 7600 m away")
	}
}
