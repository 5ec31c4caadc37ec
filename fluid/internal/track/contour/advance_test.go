package contour

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"gonum.org/v1/gonum/spatial/r3"
)

// turning is a rigid motion around an axis through the middle.
func turning(dst, at []r3.Vec) {
	for i, p := range at {
		dst[i] = r3.Cross(r3.Vec{X: .6, Y: 0, Z: .8}, r3.Sub(p, r3.Vec{X: .5, Y: .5, Z: .5}))
	}
}

// A ball that is carried around keeps its volume and comes back to where it was.
func TestRigidMotion(t *testing.T) {
	for _, test := range []struct {
		name     string
		velocity func(dst, at []r3.Vec)
		seconds  float64
		steps    int
	}{
		{"still", func(dst, at []r3.Vec) { clear(dst) }, 1, 60},
		{"straight", func(dst, at []r3.Vec) {
			for i := range dst {
				dst[i] = r3.Vec{X: .2, Y: .1, Z: -.13}
			}
		}, 1, 60},
		{"turning", turning, 2 * math.Pi, 120},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := cube(t, 3, 2, 1)
			from := r3.Vec{X: .4, Y: .4, Z: .6}
			const radius = .15
			c.Set(ball(from, radius))
			c.Settle()
			before := c.Volume()
			for range test.steps {
				c.Advance(test.velocity, test.seconds/float64(test.steps))
				c.Settle()
			}
			// Each step's contouring loses the chords' s²/8r but for what the normals make good: a tenth, of both signs.
			if v := c.Volume() / before; math.Abs(v-1) > .02 {
				t.Errorf("volume %.2f %%", 100*v)
			}
			to := from
			if test.name == "straight" {
				to = r3.Add(from, r3.Vec{X: .2, Y: .1, Z: -.13})
			}
			positions, triangles, _ := c.Mesh()
			worst := 0.0
			for _, p := range positions {
				worst = max(worst, math.Abs(r3.Norm(r3.Sub(p, to))-radius))
			}
			t.Logf("volume %.3f %%, surface within %.3f samples, %d triangles", 100*c.Volume()/before, worst/c.unit, len(triangles))
			if worst > .5*c.unit {
				t.Errorf("a vertex is %.2f samples off", worst/c.unit)
			}
			checkClosed(t, c)
		})
	}
}

// hash is the surface's bits.
func hash(c *Contour) (h uint64) {
	h = 14695981039346656037
	mix := func(x uint64) { h = (h ^ x) * 1099511628211 }
	positions, triangles, free := c.Mesh()
	mix(uint64(free))
	for _, p := range positions {
		mix(math.Float64bits(p.X))
		mix(math.Float64bits(p.Y))
		mix(math.Float64bits(p.Z))
	}
	for _, k := range triangles {
		for _, v := range k {
			mix(uint64(v))
		}
	}
	for i := range c.now.active {
		for _, f := range c.now.samples(&c.now.tiles[i]) {
			mix(uint64(math.Float32bits(f)))
		}
	}
	return h
}

// Same bits for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	var first []uint64
	for _, workers := range []int{1, 2, 3} {
		c := cube(t, 3, 2, workers)
		c.Thickening = true
		c.Set(ball(r3.Vec{X: .35, Y: .35, Z: .35}, .15))
		c.Settle()
		before := c.Volume()
		var all []uint64
		for i := range 8 {
			c.Advance(enrightAt(.1*float64(i)), .1)
			c.Thicken(before - c.Volume())
			c.Settle()
			all = append(all, hash(c), math.Float64bits(c.Volume()))
			d := make([]float32, 100)
			at := make([]r3.Vec, 100)
			for k := range at {
				at[k] = r3.Vec{X: .01 * float64(k), Y: .35, Z: .4}
			}
			c.Distance(d, at)
			for _, v := range d {
				all = append(all, uint64(math.Float32bits(v)))
			}
		}
		if first == nil {
			first = all
		} else if !slices.Equal(first, all) {
			t.Errorf("%d workers: other bits", workers)
		}
	}
}

// Revert brings the settled surface back, bit by bit, and a step after it is as if nothing had been.
func TestRevert(t *testing.T) {
	c := cube(t, 3, 2, 1)
	c.Set(ball(r3.Vec{X: .4, Y: .4, Z: .6}, .15))
	c.Settle()
	settled := hash(c)
	c.Advance(turning, .1)
	c.Union(ball(r3.Vec{X: .7, Y: .4, Z: .6}, .1))
	c.Subtract(ball(r3.Vec{X: .7, Y: .4, Z: .6}, .05))
	one := hash(c)
	if one == settled {
		t.Fatal("nothing has changed")
	}
	c.Revert()
	if hash(c) != settled {
		t.Error("Revert did not bring the surface back")
	}
	c.Advance(turning, .1)
	c.Union(ball(r3.Vec{X: .7, Y: .4, Z: .6}, .1))
	c.Subtract(ball(r3.Vec{X: .7, Y: .4, Z: .6}, .05))
	if hash(c) != one {
		t.Error("the second time it comes out differently")
	}
}

// What was written is read again, and goes on in the same way; what is no surface is refused.
func TestCode(t *testing.T) {
	c := cube(t, 3, 2, 1)
	c.Set(ball(r3.Vec{X: .4, Y: .4, Z: .6}, .35))
	c.Settle()
	c.Advance(turning, .1)
	c.Settle()
	var f codec.Codec
	f.Write()
	c.Code(&f)
	data := slices.Clone(f.Bytes())
	d := cube(t, 3, 2, 1)
	f.Check(data, 1)
	d.Code(&f)
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	f.Read(data, 1)
	d.Code(&f)
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	if hash(c) != hash(d) {
		t.Fatal("not what was written")
	}
	c.Advance(turning, .1)
	d.Advance(turning, .1)
	if hash(c) != hash(d) {
		t.Error("a step after reading is another")
	}
	for _, at := range []int{0, 8, 40, len(data) - 1} {
		bad := slices.Clone(data)
		bad[at] = 0xff
		if at == len(data)-1 { // the last sample, not a number
			bad[at-1] = 0xff
		}
		f.Check(bad, 1)
		d.Code(&f)
		if f.End() == nil {
			t.Errorf("byte %d wrong: taken", at)
		}
	}
	f.Check(data[:len(data)/2], 1)
	d.Code(&f)
	if f.End() == nil {
		t.Error("half of it: taken")
	}
}

// Edits add and take the volumes of their shapes.
func TestEdits(t *testing.T) {
	c := cube(t, 3, 2, 1)
	a, b := r3.Vec{X: .4, Y: .5, Z: .5}, r3.Vec{X: .6, Y: .5, Z: .5}
	const radius = .17
	whole := 4. / 3 * math.Pi * radius * radius * radius
	// Two caps of the height radius - .1.
	lens := 2 * math.Pi * (radius - .1) * (radius - .1) * (3*radius - (radius - .1)) / 3
	check := func(what string, want float64) {
		t.Helper()
		// Chords of two surfaces, and a crease that is cut off: its length, 2π·.14, times half a sample squared.
		s := c.unit
		tolerance := want*s*s/(radius*radius) + 2*math.Pi*.14*s*s/2
		if v := c.Volume(); math.Abs(v-want) > tolerance {
			t.Errorf("%s: volume %v, want %v ± %v", what, v, want, tolerance)
		}
		checkClosed(t, c)
	}
	c.Set(ball(a, radius))
	c.Union(ball(b, radius))
	check("union", 2*whole-lens)
	c.Settle()
	c.Subtract(ball(b, radius))
	check("difference", whole-lens)
	c.Settle()
	c.Union(ball(b, radius))
	check("back", 2*whole-lens)
	// A ball that holds the whole domain, and its hole.
	c.Union(ball(r3.Vec{X: .5, Y: .5, Z: .5}, 2))
	if v := c.Volume(); v != 1 {
		t.Errorf("all of it: volume %v", v)
	}
	c.Subtract(ball(a, radius))
	if v := c.Volume(); math.Abs(v-1+whole) > 2e-4 {
		t.Errorf("a bubble: volume %v, want %v", v, 1-whole)
	}
	c.Settle()
	// Moving the surface by a tenth of a sample, its area times that, wherever samples are asked about.
	d := .1 * c.unit
	for _, anew := range []bool{false, true} {
		before := c.Volume()
		c.Change([]r3.Box{{Max: r3.Vec{X: 1, Y: 1, Z: 1}}}, func(r3.Vec) bool { return anew }, func(dst []float32, at []r3.Vec) {
			for i := range dst {
				dst[i] += float32(d)
			}
		})
		if got, want := before-c.Volume(), 4*math.Pi*radius*radius*d; math.Abs(got/want-1) > .05 {
			t.Errorf("moved by %v: %v less, want %v", d, got, want)
		}
		c.Revert()
	}
}

// Levels that change do not move the surface.
func TestResize(t *testing.T) {
	c := cube(t, 4, 2, 1)
	c.Set(ball(r3.Vec{X: .5, Y: .47, Z: .52}, .31))
	c.Settle()
	before := c.Volume()
	for round, level := range []uint8{2, 3} {
		for b := range int32(c.g.Bases()) {
			if b%3 != 0 {
				c.g.Set(b, level)
			}
		}
		c.Resize()
		c.g.Settle()
		c.Settle()
		checkClosed(t, c)
		// The chords of the coarse samples, 2/64 m.
		if v := c.Volume() / before; math.Abs(v-1) > .01 {
			t.Errorf("round %d: volume %.2f %%", round, 100*v)
		}
		sum := 0.0
		for b := range int32(c.g.Bases()) {
			n := 1 << c.g.Cur.Level[b]
			part := make([]float32, n*n*n)
			c.Fractions(b, part)
			h := c.g.CellSize(c.g.Cur.Level[b])
			for _, f := range part {
				sum += float64(f) * h * h * h
			}
		}
		if v := c.Volume(); math.Abs(sum/v-1) > 1e-5 {
			t.Errorf("round %d: fractions make %v of %v", round, sum, v)
		}
	}
}

// sheetAt is in the middle between two samples of 32.
const sheetAt = .5 + 1./64

// stagnation pulls a sheet there apart along y and z.
func stagnation(dst, at []r3.Vec) {
	for i, p := range at {
		dst[i] = r3.Vec{X: -(p.X - sheetAt), Y: .5 * (p.Y - .5), Z: .5 * (p.Z - .5)}
	}
}

// A sheet that is stretched until it is thinner than a sample keeps its litres with thickening, and tears without.
func TestThickening(t *testing.T) {
	var left [2]float64
	for i := range left {
		c := cube(t, 4, 1, 1)
		c.Thickening = i == 1
		c.Set(func(dst []float32, at []r3.Vec) {
			for i, p := range at {
				dst[i] = float32(math.Max(math.Abs(p.X-sheetAt)-.02, math.Max(math.Abs(p.Y-.5), math.Abs(p.Z-.5))-.11))
			}
		})
		c.Settle()
		before := c.Volume()
		const dt = .03
		for step := range 60 {
			c.Advance(stagnation, dt)
			if c.Thickening {
				deficit := before - c.Volume()
				v := c.Volume()
				added := c.Thicken(deficit)
				if added > deficit && added > 0 {
					t.Errorf("added %v for a deficit of %v", added, deficit)
				}
				if got := c.Volume() - v; math.Abs(got-added) > 1e-6*before {
					t.Errorf("step %d: said %v, added %v of %v, part %v", step, added, got, deficit, c.thick.part)
				}
			}
			c.Settle()
		}
		left[i] = c.Volume() / before
		t.Logf("thickening %v: %.1f %% left, %d triangles", c.Thickening, 100*left[i], c.Triangles())
	}
	if left[1] < .95 || left[1] > 1.001 {
		t.Errorf("with thickening %.1f %% are left", 100*left[1])
	}
	if left[0] > .7 {
		t.Errorf("without thickening %.1f %% are left: the test tests nothing", 100*left[0])
	}
}

// A step allocates nothing once there was one like it.
func TestStepAllocatesNothing(t *testing.T) {
	c := cube(t, 3, 2, 1)
	c.Thickening = true
	c.Set(ball(r3.Vec{X: .4, Y: .4, Z: .6}, .15))
	c.Settle()
	before := c.Volume()
	at, dst := make([]r3.Vec, 100), make([]float32, 100)
	step := func() {
		c.Advance(turning, .1)
		c.Thicken(before - c.Volume())
		c.Distance(dst, at)
		c.Mesh()
		c.Revert()
	}
	for range 3 {
		step()
	}
	if n := testing.AllocsPerRun(3, step); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A ball that moves through cells of changing sizes keeps its volume, and its mesh is closed.
func TestMotionThroughLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	c := cube(t, 4, 2, 1)
	c.Thickening = true
	c.Set(ball(r3.Vec{X: .4, Y: .4, Z: .6}, .2))
	c.Settle()
	before := c.Volume()
	for range 8 {
		for b := range int32(c.g.Bases()) {
			if rng.IntN(4) == 0 {
				c.g.Set(b, 2+uint8(rng.IntN(2)))
			}
		}
		c.Advance(turning, .1)
		checkClosed(t, c)
		c.g.Settle()
		c.Settle()
	}
	// A quarter of the blocks are sampled anew each step, half of them with 2/64 m, r/6.
	if v := c.Volume() / before; math.Abs(v-1) > .02 {
		t.Errorf("volume %.2f %%", 100*v)
	}
}

// Without liquid, and with a velocity that is no number, nothing fails.
func TestNothing(t *testing.T) {
	c := cube(t, 2, 2, 1)
	c.Thickening = true
	c.Advance(turning, .1)
	if added := c.Thicken(1); added != 0 {
		t.Errorf("%v added to nothing", added)
	}
	c.Settle()
	if positions, triangles, _ := c.Mesh(); len(positions) != 0 || len(triangles) != 0 || c.Volume() != 0 {
		t.Errorf("%d vertices, %d triangles, volume %v of nothing", len(positions), len(triangles), c.Volume())
	}
	at := []r3.Vec{{X: .5, Y: .5, Z: .5}, {X: math.NaN(), Y: 1e300, Z: math.Inf(-1)}}
	got := make([]float32, len(at))
	c.Distance(got, at)
	if want := float32(c.Band * c.g.H); got[0] != want || got[1] != want {
		t.Errorf("distances %v, want %v", got, want)
	}
	c.Set(ball(r3.Vec{X: .5, Y: .5, Z: .5}, .3))
	c.Settle()
	before := c.Volume()
	c.Advance(func(dst, at []r3.Vec) {
		for i := range dst {
			dst[i] = r3.Vec{X: math.NaN(), Y: math.Inf(1)}
		}
	}, .1)
	c.Thicken(1e-9)
	if v := c.Volume() / before; math.Abs(v-1) > .01 {
		t.Errorf("volume %.2f %% where nothing moves", 100*v)
	}
	c.Advance(func(dst, at []r3.Vec) {
		for i := range dst {
			dst[i] = r3.Vec{X: 1e12}
		}
	}, 1)
	if n := c.Triangles(); n != 0 {
		t.Errorf("%d triangles where all comes from beyond the side", n)
	}
}

// Redistribution gives the thinnest liquid's particles to thicker ones beside them: no more is added than asked for, and it is somewhere else.
func TestRedistribution(t *testing.T) {
	var hashes [2]uint64
	for i := range hashes {
		c := cube(t, 4, 1, 1)
		c.Thickening, c.Redistribution = true, 2*float64(i)
		// A wedge, thinner than half a sample at one end and thicker at the other.
		c.Set(func(dst []float32, at []r3.Vec) {
			for i, p := range at {
				dst[i] = float32(math.Max(math.Abs(p.X-.5)-.007-.03*(p.Y-.3), math.Max(math.Abs(p.Y-.5), math.Abs(p.Z-.5))-.2))
			}
		})
		c.Settle()
		c.Advance(func(dst, at []r3.Vec) { clear(dst) }, .1)
		before := c.Volume()
		deficit := .1 * before
		added := c.Thicken(deficit)
		if got := c.Volume() - before; got > 1.001*deficit || math.Abs(got-added) > 1e-6*before || added <= 0 {
			t.Errorf("added %v, said %v, of %v", got, added, deficit)
		}
		checkClosed(t, c)
		hashes[i] = hash(c)
	}
	if hashes[0] == hashes[1] {
		t.Error("redistribution changes nothing")
	}
}
