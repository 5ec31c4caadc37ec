package raster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// tries is how many of some there are in a short run, and else.
func tries(short, full int) int {
	if testing.Short() {
		return short
	}
	return full
}

// Convex polyhedra, turned and placed at random: cells and fractions are those of their planes.
func TestConvexPolyhedra(t *testing.T) {
	tetrahedron := &Surface{
		Positions: []r3.Vec{{X: 1, Y: 1, Z: 1}, {X: -1, Y: -1, Z: 1}, {X: -1, Y: 1, Z: -1}, {X: 1, Y: -1, Z: -1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	one := r3.Vec{X: 1, Y: .6, Z: .8}
	for name, shape := range map[string]*Surface{"sphere": sphere(2), "box": box(r3.Scale(-1, one), one), "tetrahedron": tetrahedron} {
		rng := rand.New(rand.NewPCG(1, 2))
		for trial := range tries(60, 200) {
			s := moved(shape, .1+3*rng.Float64(), randomTurn(rng), randomVec(rng, 10))
			l := around(s, .15+.3*rng.Float64(), rng)
			r := scan(t, s, l)
			planes := planesOf(s)
			for cell, inside := range r.Inside {
				if d := planes.distance(l.centre(cell)); math.Abs(d) > 1e-9 && inside != (d < 0) {
					t.Fatalf("%s, trial %d: a cell %g m before the surface is inside: %t", name, trial, d, inside)
				}
			}
			for axis := range 3 {
				for _, c := range r.Crossings[axis] {
					lower := l.centre(int(c.Cell))
					upper := r3.Add(lower, r3.Scale(l.H, unit(axis)))
					want := planes.fraction(lower, upper)
					if c.Outward < 0 {
						want = 1 - planes.fraction(upper, lower)
					}
					if math.Abs(c.Fraction-want) > 1e-9 {
						t.Fatalf("%s, trial %d: fraction %v along %d, want %v", name, trial, c.Fraction, axis, want)
					}
					at := r3.Add(lower, r3.Scale(l.H*want, unit(axis)))
					normal := r3.Vec{X: c.Normal[0], Y: c.Normal[1], Z: c.Normal[2]}
					if d := planes.distance(r3.Add(at, r3.Scale(1e-3, normal))); math.Abs(d-1e-3) > 1e-9 {
						t.Fatalf("%s, trial %d: a millimetre along the normal is %g m before the surface", name, trial, d)
					}
				}
			}
			if r.Made > 0 {
				t.Errorf("%s, trial %d: %d crossings without a triangle", name, trial, r.Made)
			}
		}
	}
}

// A torus is not convex: its solid angle tells what is inside.
func TestTorus(t *testing.T) {
	shape := torus(.4, 24, 12)
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range tries(60, 200) {
		s := moved(shape, .3+3*rng.Float64(), randomTurn(rng), randomVec(rng, 10))
		l := around(s, .15+.2*rng.Float64(), rng)
		r := scan(t, s, l)
		for range 40 {
			cell := rng.IntN(l.Cells())
			w := windingNumber(s, l.centre(cell))
			if math.Abs(w-math.Round(w)) < .01 && r.Inside[cell] != (w > .5) {
				t.Fatalf("trial %d: winding number %v, inside: %t", trial, w, r.Inside[cell])
			}
		}
		for range 20 {
			axis := rng.IntN(3)
			c := r.Crossings[axis][rng.IntN(len(r.Crossings[axis]))]
			for _, side := range []float64{-1e-7, 1e-7} {
				w := windingNumber(s, r3.Add(l.centre(int(c.Cell)), r3.Scale(l.H*(c.Fraction+side), unit(axis))))
				if inside := side*float64(c.Outward) < 0; math.Abs(w-math.Round(w)) < .01 && inside != (w > .5) {
					t.Fatalf("trial %d: winding number %v beside a crossing, want inside: %t", trial, w, inside)
				}
			}
		}
	}
}

// Lines pass through vertices, along edges and in faces of tetrahedra whose coordinates are quarters of cells. Cells on the surface count as moved, so that there is
// an exact answer for them too; and the three axes agree on it.
func TestExactTetrahedra(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	l := Lattice{Origin: [3]float64{-.5, -.5, -.5}, H: 1, Dim: [3]int{8, 8, 8}}
	pool := par.New(1)
	defer pool.Close()
	r := &Raster{}
	for trial := range 3000 {
		grain := []int{4, 4, 2, 8}[trial%4] // sixteenths that coordinates are multiples of
		var p [4][3]int
		for i := range p {
			for axis := range 3 {
				p[i][axis] = 4 + grain*rng.IntN(24/grain)
			}
		}
		faces := [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}
		s := &Surface{Triangles: faces}
		for _, v := range p {
			s.Positions = append(s.Positions, r3.Vec{X: float64(v[0]) / 4, Y: float64(v[1]) / 4, Z: float64(v[2]) / 4})
		}
		volume := s.Volume()
		if volume < 0 {
			s = reversed(s)
			faces = s.Triangles
		}
		r.Scan(pool, s, l)
		checkCrossings(t, r)
		if r.Made > 0 {
			t.Fatalf("trial %d: %v: %d crossings without a triangle", trial, p, r.Made)
		}
		for cell, inside := range r.Inside {
			at := [3]int{4 * (cell % 8), 4 * (cell / 8 % 8), 4 * (cell / 64)}
			want := volume != 0
			for _, f := range faces {
				want = want && behind(p[f[0]], p[f[1]], p[f[2]], at)
			}
			if inside != want {
				t.Fatalf("trial %d: %v: cell at %v inside: %t, want %t", trial, p, at, inside, want)
			}
		}
	}
}

// behind tells whether a place, moved by very little towards lower coordinates and mostly along x, is behind a plane.
func behind(a, b, c, p [3]int) bool {
	var u, v, d [3]int
	for i := range 3 {
		u[i], v[i], d[i] = b[i]-a[i], c[i]-a[i], p[i]-a[i]
	}
	n := [3]int{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	for _, s := range []int{d[0]*n[0] + d[1]*n[1] + d[2]*n[2], -n[0], -n[1], -n[2]} {
		if s != 0 {
			return s < 0
		}
	}
	return false
}

// A box with its faces, edges and corners through the centres of cells has the cells from its lower faces on.
func TestBoxThroughCentres(t *testing.T) {
	l := Lattice{Origin: [3]float64{-1, -1, -1}, H: .25, Dim: [3]int{12, 12, 12}}
	at := func(i float64) float64 { return -1 + .25*(i+.5) }
	r := scan(t, box(r3.Vec{X: at(2), Y: at(3), Z: at(4)}, r3.Vec{X: at(5), Y: at(9), Z: at(7)}), l)
	for cell, inside := range r.Inside {
		i, j, k := cell%12, cell/12%12, cell/144
		if want := i > 2 && i <= 5 && j > 3 && j <= 9 && k > 4 && k <= 7; inside != want {
			t.Fatalf("cell %d %d %d inside: %t", i, j, k, inside)
		}
	}
	if r.Made != 0 {
		t.Errorf("%d crossings without a triangle", r.Made)
	}
	for axis := range 3 {
		for _, c := range r.Crossings[axis] {
			if c.Fraction != 0 || c.Normal[axis] != float64(c.Outward) {
				t.Errorf("along %d: %+v", axis, c)
			}
		}
	}
}

// The velocity x, y, z flows out of a surface at three times its volume; a constant velocity doesn't.
func TestFlux(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	shape := sphere(5)
	var miss [3]float64
	trials := tries(60, 150)
	for range trials {
		s := moved(shape, 1, randomTurn(rng), randomVec(rng, 1))
		s.Velocities = s.Positions
		volume := s.Volume()
		for i := range miss {
			r := scan(t, s, around(s, .2/float64(int(1)<<i), rng))
			e := (flux(r) - 3*volume) / (3 * volume)
			miss[i] += e * e / float64(trials)
		}
		s.Velocities = make([]r3.Vec, len(s.Positions))
		v := r3.Vec{X: rng.Float64(), Y: -rng.Float64(), Z: 1 / rng.Float64()}
		for i := range s.Velocities {
			s.Velocities[i] = v
		}
		r := scan(t, s, around(s, .1, rng))
		for axis, want := range [3]float64{v.X, v.Y, v.Z} {
			sum := 0
			for _, c := range r.Crossings[axis] {
				if c.Velocity[axis] != want {
					t.Fatalf("velocity %v of a surface that moves at %v", c.Velocity, v)
				}
				sum += int(c.Outward)
			}
			if sum != 0 {
				t.Fatalf("as a whole %d faces flow out along %d", sum, axis)
			}
		}
	}
	for i := range miss {
		miss[i] = math.Sqrt(miss[i])
	}
	t.Logf("relative misses with cells of .2, .1 and .05 radii: %.2g", miss)
	if miss[0] > .01 || miss[0]/miss[2] < 12 {
		t.Errorf("misses %v, want about a sixteenth from the first to the last", miss)
	}
}

func flux(r *Raster) float64 {
	sum := 0.
	for axis := range 3 {
		for _, c := range r.Crossings[axis] {
			sum += float64(c.Outward) * c.Velocity[axis]
		}
	}
	return sum * r.H * r.H
}

// Velocity and weight are those of the triangle at the crossing: linear fields come out exactly.
func TestInterpolation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		s := moved(sphere(2), 1, randomTurn(rng), randomVec(rng, 1))
		for _, p := range s.Positions {
			s.Velocities = append(s.Velocities, r3.Vec{X: p.Y + 2*p.Z, Y: 3 - p.X, Z: p.X + p.Y - p.Z})
			s.Weights = append(s.Weights, float32(.5+.2*p.X-.1*p.Y))
		}
		l := around(s, .2, rng)
		r := scan(t, s, l)
		for axis := range 3 {
			for _, c := range r.Crossings[axis] {
				p := r3.Add(l.centre(int(c.Cell)), r3.Scale(l.H*c.Fraction, unit(axis)))
				for i, want := range []float64{p.Y + 2*p.Z, 3 - p.X, p.X + p.Y - p.Z} {
					if math.Abs(c.Velocity[i]-want) > 1e-9 {
						t.Fatalf("velocity %v at %v, want %v", c.Velocity, p, want)
					}
				}
				if want := .5 + .2*p.X - .1*p.Y; math.Abs(float64(c.Weight)-want) > 1e-6 {
					t.Fatalf("weight %v at %v, want %v", c.Weight, p, want)
				}
			}
		}
	}
}

func TestVolume(t *testing.T) {
	far := r3.Vec{X: 1000, Y: -2000, Z: 500}
	b := box(far, r3.Add(far, r3.Vec{X: 2, Y: 3, Z: 4}))
	if v := b.Volume(); math.Abs(v-24) > 1e-9 {
		t.Errorf("box: %v m³, want 24", v)
	}
	if v := reversed(b).Volume(); math.Abs(v+24) > 1e-9 {
		t.Errorf("reversed box: %v m³, want -24", v)
	}
	if v := (&Surface{}).Volume(); v != 0 {
		t.Errorf("nothing: %v m³", v)
	}
	// The volume by cells is right on the mean over many offsets.
	rng := rand.New(rand.NewPCG(11, 12))
	for _, shape := range []*Surface{sphere(3), torus(.4, 40, 20), joined(sphere(3), reversed(moved(sphere(3), .5, r3.Rotation{Real: 1}, r3.Vec{X: .2})))} {
		share := 0.
		for range 200 {
			s := moved(shape, 1, randomTurn(rng), randomVec(rng, 1))
			r := scan(t, s, around(s, .13, rng))
			cells := 0
			for _, inside := range r.Inside {
				if inside {
					cells++
				}
			}
			share += float64(cells) * r.H * r.H * r.H / s.Volume() / 200
		}
		if math.Abs(share-1) > 2e-3 {
			t.Errorf("volume by cells is %.5f of the exact one", share)
		}
	}
}

// A cavity is outside, and what overlaps is inside once; crossings are those of the outermost surface.
func TestCavityAndOverlap(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for trial := range tries(30, 100) {
		middle := randomVec(rng, 1)
		a := moved(sphere(2), 1, randomTurn(rng), middle)
		inner := moved(sphere(2), .3+.5*rng.Float64(), randomTurn(rng), r3.Add(middle, randomVec(rng, .05)))
		beside := moved(sphere(2), .2+rng.Float64(), randomTurn(rng), r3.Add(middle, randomVec(rng, 1)))
		pa, pi, pb := planesOf(a), planesOf(inner), planesOf(beside)
		for name, c := range map[string]struct {
			s        *Surface
			distance func(p r3.Vec) float64
			twice    func(p r3.Vec) bool
		}{
			"cavity":  {joined(reversed(inner), a), func(p r3.Vec) float64 { return max(pa.distance(p), -pi.distance(p)) }, func(r3.Vec) bool { return false }},
			"overlap": {joined(beside, a), func(p r3.Vec) float64 { return min(pa.distance(p), pb.distance(p)) }, func(p r3.Vec) bool { return max(pa.distance(p), pb.distance(p)) < 0 }},
			"twice":   {joined(a, inner), pa.distance, func(p r3.Vec) bool { return pi.distance(p) < 0 }},
		} {
			l := around(c.s, .12, rng)
			r := scan(t, c.s, l)
			held, again := 0, 0
			for cell, inside := range r.Inside {
				if d := c.distance(l.centre(cell)); math.Abs(d) > 1e-9 && inside != (d < 0) {
					t.Fatalf("%s, trial %d: %g m before the surface, inside: %t", name, trial, d, inside)
				}
				if inside {
					held++
				}
				if c.twice(l.centre(cell)) {
					again++
				}
			}
			if r.Held != held || r.Again != again {
				t.Fatalf("%s, trial %d: %d centres are inside, %d twice; want %d, %d", name, trial, r.Held, r.Again, held, again)
			}
			for axis := range 3 {
				for _, x := range r.Crossings[axis] {
					at := r3.Add(l.centre(int(x.Cell)), r3.Scale(l.H*x.Fraction, unit(axis)))
					if d := c.distance(at); math.Abs(d) > 1e-9 {
						t.Fatalf("%s, trial %d: a crossing %g m before the surface", name, trial, d)
					}
					normal := r3.Vec{X: x.Normal[0], Y: x.Normal[1], Z: x.Normal[2]}
					if d := c.distance(r3.Add(at, r3.Scale(1e-6, normal))); d <= 0 {
						t.Fatalf("%s, trial %d: the normal leads inside", name, trial)
					}
				}
			}
		}
	}
}

// A thin sheet has several crossings between the same centres: the last one before outside counts.
func TestSeveralBetweenTwoCentres(t *testing.T) {
	l := Lattice{Origin: [3]float64{-.5, -.5, -.5}, H: 1, Dim: [3]int{8, 8, 8}}
	block := func(lo, hi float64) *Surface {
		return box(r3.Vec{X: lo, Y: 1.5, Z: 1.5}, r3.Vec{X: hi, Y: 5.5, Z: 5.5})
	}
	for _, c := range []struct {
		name         string
		s            *Surface
		lower, upper float64 // fractions of the crossings from cells 1 to 2 and 4 to 5
	}{
		{"one", block(1.5, 4.5), .5, .5},
		{"a sheet before and one behind", joined(block(1.5, 4.5), block(1.1, 1.2), block(4.7, 4.8)), .1, .8},
		{"overlapping sheets", joined(block(1.5, 4.5), block(1.25, 1.75), block(4.25, 4.75)), .25, .75},
		{"cavities in the crust", joined(block(1.25, 4.75), reversed(block(1.4, 1.6)), reversed(block(4.5, 4.6))), .25, .75},
		{"sheets inside", joined(block(1.25, 4.75), block(1.4, 1.6), block(4.5, 4.6)), .25, .75},
	} {
		r := scan(t, c.s, l)
		for cell, inside := range r.Inside {
			if want := min(cell%8, cell/8%8, cell/64) >= 2 && cell%8 <= 4 && max(cell/8%8, cell/64) <= 5; inside != want {
				t.Fatalf("%s: cell %d inside: %t", c.name, cell, inside)
			}
		}
		for _, x := range r.Crossings[0] {
			want := c.lower
			if x.Outward > 0 {
				want = c.upper
			}
			if math.Abs(x.Fraction-want) > 1e-12 || x.Normal[0] != float64(x.Outward) {
				t.Errorf("%s: %+v, want fraction %v", c.name, x, want)
			}
		}
	}
}

// Where the lattice is cut off, its cells and crossings are those of a lattice that is not.
func TestCutOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	pool := par.New(1)
	defer pool.Close()
	part := &Raster{}
	for range 50 {
		s := moved(torus(.4, 24, 12), 1, randomTurn(rng), randomVec(rng, 1))
		s.Velocities = s.Positions
		l := around(s, .125, rng)
		for axis := range l.Origin {
			l.Origin[axis] = math.Floor(l.Origin[axis]*8) / 8 // so that the parts' coordinates round alike
		}
		whole := scan(t, s, l)
		var from [3]int
		cut := l
		for axis := range 3 {
			from[axis] = rng.IntN(l.Dim[axis])
			cut.Origin[axis] += l.H * float64(from[axis])
			cut.Dim[axis] = 1 + rng.IntN(l.Dim[axis]-from[axis])
		}
		part.Scan(pool, s, cut)
		checkCrossings(t, part)
		for cell, inside := range part.Inside {
			at := [3]int{cell%cut.Dim[0] + from[0], cell/cut.Dim[0]%cut.Dim[1] + from[1], cell/(cut.Dim[0]*cut.Dim[1]) + from[2]}
			as := at[0] + l.Dim[0]*(at[1]+l.Dim[1]*at[2])
			if inside != whole.Inside[as] {
				t.Fatalf("cell %v inside: %t", at, inside)
			}
			for axis := range 3 {
				n := part.At[axis][cell]
				if n < 0 {
					continue
				}
				a, b := part.Crossings[axis][n], whole.Crossings[axis][whole.At[axis][as]]
				if math.Abs(a.Fraction-b.Fraction) > 1e-9 || a.Outward != b.Outward {
					t.Fatalf("%+v, want %+v", a, b)
				}
			}
		}
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	four, one := par.New(4), par.New(1)
	defer four.Close()
	defer one.Close()
	a, b := &Raster{}, &Raster{}
	for range 30 {
		s := joined(moved(torus(.4, 60, 30), 1, randomTurn(rng), randomVec(rng, 1)), moved(sphere(4), 1, randomTurn(rng), randomVec(rng, 1)))
		for range s.Positions {
			s.Velocities = append(s.Velocities, randomVec(rng, 1))
			s.Weights = append(s.Weights, rng.Float32())
		}
		l := around(s, .1+.1*rng.Float64(), rng)
		a.Scan(four, s, l)
		b.Scan(one, s, l)
		if x, y := a.FillPockets(), b.FillPockets(); x != y {
			t.Fatalf("%d and %d cells filled", x, y)
		}
		if !reflect.DeepEqual(a.Inside, b.Inside) || !reflect.DeepEqual(a.Crossings, b.Crossings) || !reflect.DeepEqual(a.At, b.At) {
			t.Fatal("four workers find something else than one")
		}
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		rng := rand.New(rand.NewPCG(19, 20))
		pool := par.New(workers)
		var surfaces []*Surface
		var lattices []Lattice
		for range 40 {
			s := joined(moved(torus(.4, 40, 20), 1, randomTurn(rng), randomVec(rng, 1)), moved(sphere(3), 1, randomTurn(rng), randomVec(rng, 1)))
			s.Velocities = s.Positions
			surfaces = append(surfaces, s)
			lattices = append(lattices, around(s, .12, rng))
		}
		r := &Raster{}
		i := 0
		step := func() {
			r.Scan(pool, surfaces[i%40], lattices[i%40])
			r.FillPockets()
			i++
		}
		for range 40 {
			step()
		}
		if n := testing.AllocsPerRun(80, step); n != 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
		pool.Close()
	}
}

func TestMisusePanics(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	good := Lattice{H: 1, Dim: [3]int{4, 4, 4}}
	b := box(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1})
	for _, c := range []struct {
		s    *Surface
		l    Lattice
		want string
	}{
		{b, Lattice{Dim: good.Dim}, "raster: Lattice.H: 0 m"},
		{b, Lattice{H: math.NaN(), Dim: good.Dim}, "raster: Lattice.H: NaN m"},
		{b, Lattice{H: 1, Dim: [3]int{4, -1, 4}}, "raster: Lattice.Dim[1]: -1"},
		{b, Lattice{H: 1, Dim: [3]int{4000, 4000, 4000}}, "64000000000 cells"},
		{&Surface{Positions: b.Positions, Velocities: b.Positions[1:]}, good, "raster: 7 Velocities for 8 Positions"},
		{&Surface{Positions: b.Positions, Weights: []float32{1}}, good, "raster: 1 Weights for 8 Positions"},
		{&Surface{Positions: b.Positions, Triangles: [][3]int32{{0, 1, 8}}}, good, "raster: Triangles[0]: [0 1 8]"},
		{&Surface{Positions: b.Positions, Triangles: [][3]int32{{0, -1, 2}}}, good, "raster: Triangles[0]: [0 -1 2]"},
	} {
		r := &Raster{}
		r.Scan(pool, b, good)
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("panics with %q, want %q", got, c.want)
				}
			}()
			r.Scan(pool, c.s, c.l)
		}()
		r.Scan(pool, b, good) // a Raster works on after a panic
		checkCrossings(t, r)
	}
}

// BenchmarkScan is a mesh of 11,000 triangles over 40,000 cells, and one of 5,000.
func BenchmarkScan(b *testing.B) {
	for _, quads := range [][2]int{{110, 50}, {80, 32}} {
		s := moved(torus(.5, quads[0], quads[1]), 1, r3.NewRotation(.5, r3.Vec{X: 1, Y: 1}), r3.Vec{})
		s.Velocities = s.Positions
		rng := rand.New(rand.NewPCG(21, 22))
		l := around(s, .075, rng)
		r := &Raster{}
		pool := par.New(1)
		b.Run(fmt.Sprintf("%dTriangles/%dCells", len(s.Triangles), l.Cells()), func(b *testing.B) {
			for b.Loop() {
				r.Scan(pool, s, l)
			}
			b.ReportMetric(float64(len(r.Crossings[0])+len(r.Crossings[1])+len(r.Crossings[2])), "crossings")
		})
		b.Run(fmt.Sprintf("FillPockets/%dCells", l.Cells()), func(b *testing.B) {
			for b.Loop() {
				r.FillPockets()
			}
		})
		pool.Close()
	}
}
