package forces

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// onBall are n points of a ball's surface, spread by the golden angle, with a ripple of the given waves around and height, m.
func onBall(centre [3]float64, radius float64, n int, ripple, waves float64) []track.SurfacePoint {
	points := make([]track.SurfacePoint, n)
	area := 4 * math.Pi * radius * radius / float64(n)
	for i := range points {
		z := 1 - (2*float64(i)+1)/float64(n)
		s, c := math.Sincos(math.Pi * (3 - math.Sqrt(5)) * float64(i))
		r := math.Sqrt(1 - z*z)
		d := r3.Vec{X: r * c, Y: r * s, Z: z}
		points[i] = track.SurfacePoint{
			At:     r3.Add(r3.Vec{X: centre[0], Y: centre[1], Z: centre[2]}, r3.Scale(radius+ripple*math.Cos(waves*math.Acos(z)), d)),
			Normal: r3.Scale(area, d),
		}
	}
	return points
}

// curvatures are the least, mean and greatest curvature at the surface by points, 1/m.
func curvatures(s *scene, points []track.SurfacePoint) (least, mean, most float64) {
	NewTension(s.g, s.pool).ApplyTo(&s.gr, s.phi, points, gammaWater, 1, 0)
	least, most = math.Inf(1), math.Inf(-1)
	sum, count := 0., 0
	for f, j := range s.gr.Jump {
		if s.gr.A[f] == graph.Air || s.gr.B[f] == graph.Air {
			k := j / gammaWater
			least, most, sum, count = min(least, k), max(most, k), sum+k, count+1
		}
	}
	return least, sum / float64(count), most
}

// Points on a ball give its curvature, with blocks of one level and of two, for any number of workers.
func TestPointsOfASphere(t *testing.T) {
	for _, c := range []struct {
		radius float64
		dim    int
		mixed  bool
		most   float64
	}{{.6, 3, false, .004}, {1.2, 4, true, .02}} {
		centre := [3]float64{.4*float64(c.dim) + .03, .4*float64(c.dim) - .02, .4*float64(c.dim) + .01}
		points := onBall(centre, c.radius, int(800*math.Pi*c.radius*c.radius), 0, 0)
		var first []float64
		for workers := 1; workers <= 2; workers++ {
			s := newScene(t, workers, .1, [3]int{c.dim, c.dim, c.dim}, func(at [3]int) uint8 {
				if c.mixed && at[0] >= 2 {
					return 2
				}
				return 3
			}, func(x [3]float64) float64 { return distance(x, centre) - c.radius })
			least, mean, most := curvatures(s, points)
			want := 2 / c.radius
			t.Logf("κR/2: %.4f mean, %.4f to %.4f", mean/want, least/want, most/want)
			if math.Abs(least/want-1) > c.most || math.Abs(most/want-1) > c.most {
				t.Errorf("curvature %g to %g, want %g", least, most, want)
			}
			for i, j := range s.gr.Jump {
				if workers > 1 && j != first[i] {
					t.Fatalf("face %d: %v Pa, with one worker %v", i, j, first[i])
				}
			}
			first = append(first[:0], s.gr.Jump...)
		}
	}
}

// Waves of the points that are shorter than a cell are not seen: so the cells' limit of the step holds for them.
func TestShortWavesOfPointsAreNotSeen(t *testing.T) {
	const radius, height, length = .6, .002, .05 // half a cell
	centre := [3]float64{1.23, 1.17, 1.21}
	waves := 2 * math.Pi * radius / length
	s := newScene(t, 2, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 { return distance(x, centre) - radius })
	least, _, most := curvatures(s, onBall(centre, radius, 28952, height, waves))
	own := height * math.Pow(2*math.Pi/length, 2)
	t.Logf("%.3f to %.3f of 2/R; the ripple's own is ±%.1f", least*radius/2, most*radius/2, own*radius/2)
	if max(most-2/radius, 2/radius-least) > own/20 {
		t.Errorf("curvature %g to %g, want %g", least, most, 2/radius)
	}
}

// Points of a sheet's other side, and none at all, do no harm.
func TestPointsOfTwoSides(t *testing.T) {
	s := newScene(t, 1, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 { return math.Abs(x[2]-1.23) - .11 })
	var points []track.SurfacePoint
	for i := range 48 {
		for j := range 48 {
			x, y := .05*float64(i)+.02, .05*float64(j)+.03
			points = append(points, track.SurfacePoint{At: r3.Vec{X: x, Y: y, Z: 1.34}, Normal: r3.Vec{Z: .0025}}, track.SurfacePoint{At: r3.Vec{X: x, Y: y, Z: 1.12}, Normal: r3.Vec{Z: -.0025}})
		}
	}
	if least, _, most := curvatures(s, points); max(most, -least) > 1e-3 {
		t.Errorf("curvature of a flat sheet: %g to %g", least, most)
	}
	if least, _, most := curvatures(s, nil); least != 0 || most != 0 {
		t.Errorf("without points: %g to %g", least, most)
	}
	ten := NewTension(s.g, s.pool)
	ten.ApplyTo(&s.gr, s.phi, points, 1, 1, 0)
	if n := testing.AllocsPerRun(5, func() { ten.ApplyTo(&s.gr, s.phi, points, 1, 1, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Two balls of two labels have each its own curvature up to where they meet; as one liquid they are a hollow neck there.
func TestPointsOfTwoLabels(t *testing.T) {
	const radius = .6
	left, right := [3]float64{.61, 1.21, 1.18}, [3]float64{.61 + 2*radius - .2, 1.21, 1.18}
	s := newScene(t, 2, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 { return min(distance(x, left), distance(x, right)) - radius })
	points := append(onBall(left, radius, 904, 0, 0), onBall(right, radius, 904, 0, 0)...)
	want := 2 / radius
	if least, _, _ := curvatures(s, points); least > want/2 {
		t.Errorf("the neck of one liquid has a curvature of %g", least)
	}
	for i := range points[904:] {
		points[904+i].Label = 5
	}
	least, mean, most := curvatures(s, points)
	t.Logf("κR/2: %.4f mean, %.4f to %.4f", mean/want, least/want, most/want)
	if math.Abs(least/want-1) > .004 || math.Abs(most/want-1) > .004 {
		t.Errorf("curvature %g to %g, want %g", least, most, want)
	}
}

// A ball in liquid of another label presses outwards with the tension of both surfaces: 4γ/R.
func TestFilmPulls(t *testing.T) {
	const radius, push = .6, .5
	centre := [3]float64{1.23, 1.17, 1.21}
	s := newScene(t, 2, .1, [3]int{3, 3, 3}, nil, func(x [3]float64) float64 { return -math.Abs(distance(x, centre)-radius) - 1e-4 })
	points := onBall(centre, radius, 904, 0, 0)
	for _, p := range points {
		points = append(points, track.SurfacePoint{At: p.At, Normal: r3.Scale(-1, p.Normal), Label: 2})
	}
	clear(s.gr.U)
	NewTension(s.g, s.pool).ApplyTo(&s.gr, s.phi, points, gammaWater, 1, push)
	want := 4 / radius * gammaWater * push
	crossed := 0
	for f, u := range s.gr.U {
		a, b := s.gr.A[f], s.gr.B[f]
		if a < 0 || b < 0 {
			continue
		}
		x, y := distance(s.gr.Centre[a], centre)-radius, distance(s.gr.Centre[b], centre)-radius
		if math.Min(math.Abs(x), math.Abs(y)) < .005 {
			continue // by the nearest point a centre in the film is on either side
		}
		in := x < 0
		if in == (y < 0) {
			if u != 0 {
				t.Fatalf("a face beside the film is pulled by %g", u)
			}
			continue
		}
		crossed++
		if !in {
			u = -u
		}
		if got := -u * s.gr.Dist[f]; math.Abs(got/want-1) > .02 {
			t.Errorf("the jump is %g of 4γ/R", got/want)
		}
	}
	if crossed < 100 {
		t.Errorf("the film crosses %d faces", crossed)
	}
}
