package controls_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// warty is a ball with warts narrower than two cells of .1 m, around a middle.
func warty(middle r3.Vec) *movingMesh {
	m := sphereMesh(5, 1)
	for i, x := range m.rest {
		wart := math.Sin(24*x.X) * math.Sin(24*x.Y) * math.Sin(24*x.Z)
		m.rest[i] = r3.Scale(.4+.03*wart, x)
	}
	m.at = standing(middle)
	return m
}

// farFrom is how far the vertices of the picture are from a surface at most a cell away, root mean square.
func farFrom(t *testing.T, s *fluid.Surface, m *movingMesh, cell float64) float64 {
	at := make([]r3.Vec, len(m.rest))
	for i, x := range m.rest {
		at[i] = m.at(x, 0)
	}
	shape, err := fluid.NewMesh(at, m.triangles, fluid.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pts := make([]r3.Vec, len(s.Positions)/3)
	for v := range pts {
		pts[v] = r3.Vec{X: float64(s.Positions[3*v]), Y: float64(s.Positions[3*v+1]), Z: float64(s.Positions[3*v+2])}
	}
	d := make([]float32, len(pts))
	shape.Eval(d, pts)
	sum, n := 0., 0
	for _, d := range d {
		if x := math.Abs(float64(d)); x < cell {
			sum += x * x
			n++
		}
	}
	if n < len(pts)/2 {
		t.Fatalf("%d of %d vertices are near the control surface", n, len(pts))
	}
	return math.Sqrt(sum / float64(n))
}

// Attraction shows what cells can't hold, with any tracker, and leaves the liquid as it is.
func TestAttractionShowsDetails(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.LevelSet, fluid.Contouring, fluid.ExplicitMesh} {
		t.Run(fmt.Sprint(tracker), func(t *testing.T) {
			if tracker != fluid.LevelSet && testing.Short() {
				t.Skip("the short run has the level set alone")
			}
			shape := warty(r3.Vec{X: .02, Y: 1.03, Z: -.01})
			run := func(a control.Attraction, weights []float32) (far float64, hash uint64) {
				def := coarseDef(fluid.Cubes)
				def.Tracker = tracker
				liq, _ := following(t, def, nil, fluid.ControlDef{Clip: shape, Strength: 1, Arrival: control.Appear, Attraction: a, Weights: weights})
				for range 6 {
					stepped(t, liq, 1./60)
				}
				return farFrom(t, liq.Surface(), shape, def.CellSize), liq.Hash()
			}
			without, hash := run(control.Attraction{}, nil)
			half, _ := run(control.Attraction{Strength: .6}, nil)
			with, same := run(control.Attraction{Strength: 1, Falloff: control.QuadraticFalloff}, nil)
			t.Logf("off by %.4f m, %.4f with a strength of .6, %.4f with 1", without, half, with)
			if same != hash {
				t.Errorf("the liquid has another state with attraction: %x, %x", same, hash)
			}
			if !(half <= .5*without && with <= .2*without) {
				t.Errorf("off by %.4f m, %.4f with a strength of .6, %.4f with 1; half and a fifth are wanted", without, half, with)
			}
			if none := make([]float32, len(shape.rest)); tracker == fluid.LevelSet {
				if far, _ := run(control.Attraction{Strength: 1}, none); !(far >= .9*without) {
					t.Errorf("off by %.4f m where all weights are 0, %.4f without attraction", far, without)
				}
			}
		})
	}
}

// What is beyond its reach, or faces away, stays; vertices at the domain's sides stay on them; and any number of workers gives the same picture.
func TestAttractionHasAReach(t *testing.T) {
	shape := boxMesh(6, r3.Vec{X: .6, Y: .3, Z: .6})
	shape.at = standing(r3.Vec{Y: .3})
	picture := func(a control.Attraction, workers int) *fluid.Surface {
		def := coarseDef(fluid.Cubes)
		def.Resources.Workers = workers
		liq, _ := following(t, def, fluid.Below(.45), fluid.ControlDef{Clip: shape, Strength: .01, Attraction: a})
		stepped(t, liq, 1./60)
		return liq.Surface()
	}
	free, drawn := picture(control.Attraction{}, 1), picture(control.Attraction{Strength: 1, Outer: .3, Inner: .3}, 1)
	if !testing.Short() {
		if again := picture(control.Attraction{Strength: 1, Outer: .3, Inner: .3}, 3); !slices.Equal(again.Positions, drawn.Positions) || !slices.Equal(again.Normals, drawn.Normals) {
			t.Error("three workers give another picture than one")
		}
	}
	moved := 0
	for v := 0; v < len(free.Positions); v += 3 {
		at := r3.Vec{X: float64(free.Positions[v]), Y: float64(free.Positions[v+1]), Z: float64(free.Positions[v+2])}
		by := math.Hypot(math.Hypot(float64(drawn.Positions[v]-free.Positions[v]), float64(drawn.Positions[v+1]-free.Positions[v+1])), float64(drawn.Positions[v+2]-free.Positions[v+2]))
		side := max(math.Abs(at.X), math.Abs(at.Z)) >= 1-1e-6
		switch out := math.Hypot(max(0, math.Abs(at.X)-.6), max(0, math.Abs(at.Z)-.6)); {
		case by > 0 && (side || out > .3):
			t.Fatalf("the vertex at %.3f, %g m from the shape, moved by %g m", at, out, by)
		case by > .05:
			moved++
		}
		n := drawn.Normals[v : v+3]
		if size := math.Sqrt(float64(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])); math.Abs(size-1) > 1e-5 {
			t.Fatalf("a normal of size %g", size)
		}
	}
	if moved < 40 {
		t.Errorf("%d vertices moved by more than 5 cm", moved)
	}
}

// The picture's mesh is drawn without an allocation.
func TestAttractionDoesNotAllocate(t *testing.T) {
	liq, _ := following(t, coarseDef(fluid.Cubes), nil, fluid.ControlDef{Clip: warty(r3.Vec{Y: 1}), Strength: 1, Arrival: control.Appear, Attraction: control.Attraction{Strength: 1}})
	for range 3 {
		stepped(t, liq, 1./60)
	}
	s := liq.Surface()
	controls := &testrig.Around(liq).Controls
	positions, normals := slices.Clone(s.Positions), slices.Clone(s.Normals)
	if n := testing.AllocsPerRun(5, func() { controls.Attract(positions, normals, s.Indices) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
