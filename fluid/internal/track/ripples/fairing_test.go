package ripples

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// sheet is a square of 8 lengths of 1, with so many edges in one, whose height is told. Places are jolted along it.
func sheet(finer int, height func(x float64) float64) (positions []r3.Vec, triangles [][3]int32) {
	n := 8*finer + 1
	for j := range n {
		for i := range n {
			jolt := .2 / float64(finer) * math.Sin(float64(12*i+17*j))
			x := float64(i)/float64(finer) + jolt
			positions = append(positions, r3.Vec{X: x, Y: height(x), Z: float64(j) / float64(finer)})
			if i+1 < n && j+1 < n {
				a, b, c, d := int32(i+n*j), int32(i+1+n*j), int32(i+1+n*j+n), int32(i+n*j+n)
				if (i+j)%2 == 0 {
					triangles = append(triangles, [3]int32{a, c, b}, [3]int32{a, d, c})
				} else {
					triangles = append(triangles, [3]int32{a, d, b}, [3]int32{b, d, c})
				}
			}
		}
	}
	return positions, triangles
}

// What is shorter than two lengths is a ripple, what is as long as eight none, and a slope neither.
func TestRipplesAreShort(t *testing.T) {
	pool := par.New(1)
	defer pool.Close()
	for _, finer := range []int{2, 4} {
		for _, c := range []struct{ wave, least, most float64 }{{1, .8, 1.1}, {1.6, .6, 1}, {2, .3, .7}, {8, -.002, .002}} {
			if c.wave*float64(finer) < 3 {
				continue // too short for the mesh
			}
			const amplitude = .02
			positions, triangles := sheet(finer, func(x float64) float64 { return .3*x + amplitude*math.Cos(2*math.Pi*x/c.wave) })
			f := Fairing{Passes: PassesFor(finer)}
			got := make([]float64, len(positions))
			f.Ripples(got, pool, positions, triangles)
			sum, square := 0., 0.
			for v, x := range positions {
				if min(x.X, x.Z) > 2 && max(x.X, x.Z) < 6 {
					wave := amplitude * math.Cos(2*math.Pi*x.X/c.wave) / math.Hypot(1, .3)
					sum, square = sum+got[v]*wave, square+wave*wave
				}
			}
			part := sum / square
			t.Logf("%d edges a length, waves of %g: %.4f are ripples", finer, c.wave, part)
			if part < c.least || part > c.most {
				t.Errorf("%d edges a length, waves of %g: %.4f of them are ripples, want %g to %g", finer, c.wave, part, c.least, c.most)
			}
		}
	}
}

// The middle of a drop three lengths across, where triangles are even, and the rim of a thin sheet are no ripples.
func TestDropsAndRimsAreNoRipples(t *testing.T) {
	const finer, around = 4, 36
	pool := par.New(1)
	defer pool.Close()
	ring := func(y, r float64) (p []r3.Vec) {
		for i := range around {
			s, c := math.Sincos(2 * math.Pi * float64(i) / around)
			p = append(p, r3.Vec{X: r * c, Y: y, Z: r * s})
		}
		return p
	}
	solid := func(profile [][2]float64) (positions []r3.Vec, triangles [][3]int32) {
		for _, q := range profile {
			positions = append(positions, ring(q[1], q[0])...)
		}
		for k := range len(profile) - 1 {
			for i := range int32(around) {
				a, b := int32(k*around)+i, int32(k*around)+(i+1)%around
				triangles = append(triangles, [3]int32{a, a + around, b}, [3]int32{b, a + around, b + around})
			}
		}
		return positions, triangles
	}
	var ball, plate [][2]float64
	for k := range 19 {
		s, c := math.Sincos(math.Pi * (float64(k) + .5) / 19)
		ball = append(ball, [2]float64{1.5 * s, -1.5 * c})
	}
	for r := .25; r < 3; r += .25 {
		plate = append(plate, [2]float64{r, -.1})
	}
	plate = append(plate, [2]float64{3.1, 0})
	for r := 3.; r > 0; r -= .25 {
		plate = append(plate, [2]float64{r, .1})
	}
	for name, profile := range map[string][][2]float64{"ball": ball, "plate": plate} {
		positions, triangles := solid(profile)
		f := Fairing{Passes: PassesFor(finer)}
		got := make([]float64, len(positions))
		f.Ripples(got, pool, positions, triangles)
		worst := 0.
		for v, x := range positions {
			if name == "ball" && math.Abs(x.Y) < .75 || name == "plate" && math.Hypot(x.X, x.Z) > 2.5 {
				worst = max(worst, math.Abs(got[v]))
			}
		}
		t.Logf("%s: %.4f", name, worst)
		if worst > .005 {
			t.Errorf("%s: ripples of %.4f", name, worst)
		}
	}
}

// The same comes from any number of workers, nothing is allocated, and vertices without triangles have no ripples.
func TestSameForAnyWorkers(t *testing.T) {
	positions, triangles := sheet(4, func(x float64) float64 { return .1 * math.Sin(5*x) })
	positions = append(positions, r3.Vec{X: 3})
	triangles = append(triangles, [3]int32{-1, -1, -1})
	one, three := make([]float64, len(positions)), make([]float64, len(positions))
	single := par.New(1)
	defer single.Close()
	f := Fairing{Passes: 16}
	f.Ripples(one, single, positions, triangles)
	pool := par.New(3)
	defer pool.Close()
	var g Fairing
	g.Passes = 16
	g.Ripples(three, pool, positions, triangles)
	if !slices.Equal(one, three) {
		t.Error("other workers find other ripples")
	}
	if last := len(one) - 1; one[last] != 0 || math.IsNaN(one[0]) {
		t.Errorf("ripples of %v and %v", one[last], one[0])
	}
	if n := testing.AllocsPerRun(3, func() { g.Ripples(three, pool, positions, triangles) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestShare(t *testing.T) {
	// A wave of 10 cm in deep water: ω = √(2π·9.81/.1) = 24.83/s.
	if got, want := Share(9.81, .05, .01), .2483/1.2483; math.Abs(got-want) > 1e-4 {
		t.Errorf("%v, want %v", got, want)
	}
	if Share(0, .05, .01) != 0 {
		t.Error("weightless ripples go")
	}
}
