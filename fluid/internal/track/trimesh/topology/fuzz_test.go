package topology

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// chaos does random operations to a random surface.
type chaos struct {
	rng      *rand.Rand
	run      *Run
	rebuild  trimesh.Rebuilder
	one      bool // label: then the surface may be rebuilt
	counts   [operations]int
	errors   int // of rebuilding
	vertices int // the most that there were
}

// mostChaos is how many vertices a surface may have before there is another one.
const mostChaos = 400

// What a chaos does.
const (
	track = iota
	improve
	weld
	cut
	union
	subtract
	jolt
	correct
	hold
	repair
	absorb
	operations
)

func newChaos(seed uint64) *chaos {
	c := &chaos{rng: rand.New(rand.NewPCG(seed, 33))}
	c.begin()
	return c
}

// begin makes another surface: one to three shapes beside each other, one of them perhaps with a cavity.
func (c *chaos) begin() {
	edge := c.between(.25, .6)
	c.one = c.rng.IntN(3) > 0
	var shapes []Shape
	for i := range 1 + c.rng.IntN(3) {
		s := randomShape(c.rng, edge)
		if !c.one {
			s.Label = int32(c.rng.IntN(4)) - 1
		}
		shapes = append(shapes, s.Moved(r3.Vec{X: 2.2 * float64(i)}))
	}
	if c.rng.IntN(4) == 0 {
		shapes[0] = Ball(1, edge)
		shapes = append(shapes, Ball(.5, edge).Cavity())
	}
	c.run = NewRun(edge, shapes...)
	c.run.Mobility = c.between(0, .2) * float64(c.rng.IntN(2))
	if c.rng.IntN(3) == 0 {
		c.run.Tracker.Mover.Near = 0
	}
	if c.rng.IntN(3) == 0 {
		c.run.Tracker.MergeNear, c.run.Tracker.MergeThin = 0, 0
	}
}

func (c *chaos) between(low, high float64) float64 { return low + (high-low)*c.rng.Float64() }

func (c *chaos) vector(size float64) r3.Vec {
	return r3.Scale(size, r3.Vec{X: c.rng.NormFloat64(), Y: c.rng.NormFloat64(), Z: c.rng.NormFloat64()})
}

// randomShape lies around the origin, turned by chance, within a ball of radius 1.
func randomShape(rng *rand.Rand, edge float64) (s Shape) {
	size := .5 + .5*rng.Float64()
	switch rng.IntN(4) {
	case 0:
		s = Ball(size, edge)
	case 1:
		s = Torus(.7*size, (.15+.13*rng.Float64())*size, edge)
	case 2:
		s = Block(r3.Scale(size, r3.Vec{X: .3 + .8*rng.Float64(), Y: .3 + .8*rng.Float64(), Z: .15 + .9*rng.Float64()}), edge)
	default:
		s = Dumbbell(size, .3*size, (.1+.2*rng.Float64())*size, edge)
	}
	turn := r3.NewRotation(2*math.Pi*rng.Float64(), r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
	for i, x := range s.Position {
		s.Position[i] = turn.Rotate(x)
	}
	return s
}

// field is waves of whirls, a shear, and perhaps from all sides to a plane or a point.
func (c *chaos) field() Flow {
	a, b, k, shear, to := c.vector(1), c.vector(1), c.vector(2), c.vector(.5), c.vector(.5)
	in := c.between(0, 1.5) * float64(c.rng.IntN(2))
	flat := float64(c.rng.IntN(2))
	return func(_ *Run, dst, at []r3.Vec, time float64) {
		for v, x := range at {
			sin, cos := math.Sincos(3*time + r3.Dot(k, x))
			y := r3.Sub(x, to)
			u := r3.Add(r3.Scale(cos, r3.Cross(a, x)), r3.Scale(sin, b))
			u = r3.Add(u, r3.Scale(x.Y, shear))
			s := math.Sqrt(y.X*y.X + flat*(y.Y*y.Y+y.Z*y.Z) + .01)
			dst[v] = r3.Sub(u, r3.Scale(in/s, r3.Vec{X: y.X, Y: flat * y.Y, Z: flat * y.Z}))
		}
	}
}

// step does one operation, and returns which.
func (c *chaos) step(kind int) {
	r, m, edge := c.run, &c.run.Tracker.Mesh, c.run.edge
	c.counts[kind]++
	switch kind {
	case track:
		r.Flow, r.Fastest = c.field(), 1
		dt := c.between(.05, .6) * edge
		for range 1 + c.rng.IntN(4) {
			r.Step(dt)
		}
	case improve:
		length := edge * c.between(.6, 1.6)
		r.Tracker.Improver.Curved = c.rng.IntN(2) == 0
		r.Tracker.Improver.Improve(m, func(dst []float64, at []r3.Vec) {
			for i, x := range at {
				dst[i] = length * (1 + .3*math.Sin(3*x.X+2*x.Y))
			}
		})
	case weld:
		r.Tracker.Merger.Merge(m, edge*c.between(0, .8), edge*c.between(0, .5))
	case cut:
		r.Tracker.Separator.Separate(m, edge*c.between(0, .8), edge*edge*edge*c.between(0, .1), nil)
	case union, subtract, repair:
		c.rebuilt(kind)
	case absorb:
		if c.one && len(m.Triangle) > 0 {
			c.absorbed()
		}
	case jolt:
		size := edge * c.between(0, .5)
		for v := range m.Target {
			m.Target[v] = r3.Add(m.Position[v], c.vector(size))
		}
		r.Tracker.Mover.Move(m, .1)
	case correct:
		r.Pieces.Follow(m)
		r.Pieces.Adopt(m)
		r.Pieces.CorrectExactly(m, nil, edge)
		r.Tracker.Mover.Move(m, .1)
	case hold:
		for v := range m.Heavy {
			m.Heavy[v] = c.rng.IntN(30) == 0
		}
	}
	m.Compact()
	r.Pieces.Follow(m)
}

// rebuilt adds or takes a shape by a lattice, or repairs.
func (c *chaos) rebuilt(kind int) {
	m, edge := &c.run.Tracker.Mesh, c.run.edge
	label := int32(0)
	if !c.one {
		label = int32(c.rng.IntN(4)) - 1
	}
	l := trimesh.Lattice{Origin: c.vector(1), H: edge * c.between(.5, 1.2)}
	radius := c.between(.2, .9)
	at := c.vector(.6)
	if n := len(m.Position); n > 0 && c.rng.IntN(2) == 0 {
		at = r3.Add(m.Position[c.rng.IntN(n)], c.vector(.2))
	}
	box := r3.Box{Min: r3.Sub(at, r3.Vec{X: radius, Y: radius, Z: radius}), Max: r3.Add(at, r3.Vec{X: radius, Y: radius, Z: radius})}
	shape := func(dst []float32, pts []r3.Vec) {
		for i, x := range pts {
			dst[i] = float32(reproducible.Norm(r3.Sub(x, at)) - radius)
		}
	}
	var err error
	switch kind {
	case union:
		_, err = c.rebuild.Union(m, l, box, shape, label)
	case subtract:
		_, err = c.rebuild.Subtract(m, l, box, shape, label)
	case repair:
		_, err = c.rebuild.Repair(m, l, label)
	}
	if err != nil {
		c.errors++
	}
}

// absorbed has cells around a vertex filled by distances to the mesh that are changed there.
func (c *chaos) absorbed() {
	m, edge := &c.run.Tracker.Mesh, c.run.edge
	var was trimesh.Mesh
	was.Set(m.Position, m.Triangle, 0)
	l := trimesh.Lattice{Origin: c.vector(1), H: edge * c.between(.5, 1.2)}
	at := m.Position[c.rng.IntN(len(m.Position))]
	radius, by := l.H*c.between(1, 4), l.H*c.between(-1, 1)
	middle := reproducible.Array(r3.Scale(1/l.H, r3.Sub(at, l.Origin)))
	reach := int32(math.Ceil(radius/l.H)) + 1
	var marked [][3]int32
	for i := -reach; i <= reach; i++ {
		for j := -reach; j <= reach; j++ {
			for k := -reach; k <= reach; k++ {
				marked = append(marked, [3]int32{int32(middle[0]) + i, int32(middle[1]) + j, int32(middle[2]) + k})
			}
		}
	}
	var probe trimesh.Probe
	var single []float32
	distance := func(dst []float64, pts []r3.Vec) {
		single = append(single[:0], make([]float32, len(pts))...)
		probe.Distance(single, &was, pts, 4*edge)
		for i, x := range pts {
			dst[i] = float64(single[i]) + by*max(0, 1-r3.Norm2(r3.Sub(x, at))/(radius*radius))
		}
	}
	if _, err := c.rebuild.Rebuild(m, l, marked, distance, 0); err != nil {
		c.errors++
	}
}

// sound fails if the surface meets itself or its volume is no number.
func (c *chaos) sound(t *testing.T, what ...any) {
	t.Helper()
	m := &c.run.Tracker.Mesh
	if err := m.Check(); err != nil {
		t.Fatalf("%v: %v", what, err)
	}
	if v := m.Volume(m.Position); math.IsNaN(v) || math.Abs(v) > 1e6 {
		t.Fatalf("%v: volume %v", what, v)
	}
	for _, p := range c.run.Pieces.Piece {
		if math.IsNaN(p.Target) || math.IsInf(p.Target, 0) || math.IsNaN(p.Volume) {
			t.Fatalf("%v: %+v", what, p)
		}
	}
	c.vertices = max(c.vertices, m.Vertices())
}

// Random fields and random operations on random surfaces, 100,000 with -all: nothing intersects, nothing fails, and volumes are numbers.
func TestChaos(t *testing.T) {
	parts, seeds := amount(1, 1, 10), amount(6, 200, 200)
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			var counts [operations]int
			errors, vertices := 0, 0
			for i := range seeds {
				c := newChaos(uint64(part*seeds + i))
				c.live(t, 50, "seed", part*seeds+i)
				for k, n := range c.counts {
					counts[k] += n
				}
				errors, vertices = errors+c.errors, max(vertices, c.vertices)
			}
			t.Logf("operations %v, %d of rebuilding refused, %d vertices at most", counts, errors, vertices)
		})
	}
}

// live does so many random operations.
func (c *chaos) live(t *testing.T, steps int, what ...any) {
	c.sound(t, what, "at first")
	for step := range steps {
		kind := c.rng.IntN(operations)
		c.step(kind)
		c.sound(t, what, "step", step, "operation", kind)
		if n := c.run.Tracker.Mesh.Vertices(); n > mostChaos || n == 0 {
			c.begin()
		}
	}
}

// Any number of workers gives the same surface after random operations.
func TestChaosOnAnyWorkers(t *testing.T) {
	for seed := range amount(2, 8, 30) {
		var want []uint64
		for _, workers := range []int{1, 2, 4} {
			pool := par.New(workers)
			c := newChaos(uint64(1000 + seed))
			var got []uint64
			for range 30 {
				c.run.Tracker.Mover.Pool = pool
				c.step(c.rng.IntN(operations))
				got = append(got, hash(c.run))
				if n := c.run.Tracker.Mesh.Vertices(); n > mostChaos || n == 0 {
					c.begin()
				}
			}
			pool.Close()
			if want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("seed %d: %d workers give another surface", seed, workers)
			}
		}
	}
}

// FuzzTracker does operations that it is told to a surface that comes from a seed: so few that no input takes long.
func FuzzTracker(f *testing.F) {
	f.Add(uint64(1), []byte{track, improve, weld, cut, union, subtract, jolt, correct, hold, repair, absorb, track})
	f.Add(uint64(2), []byte{jolt, jolt, track, track, track, correct})
	f.Fuzz(func(t *testing.T, seed uint64, kinds []byte) {
		c := newChaos(seed)
		c.sound(t, "at first")
		for step, kind := range kinds[:min(len(kinds), 10)] {
			c.step(int(kind) % operations)
			c.sound(t, "step", step, "operation", kind)
			if n := c.run.Tracker.Mesh.Vertices(); n > mostChaos || n == 0 {
				return
			}
		}
	})
}
