package trimesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Random operations, in any order and with no reason to make them, never make an intersection.
func TestRandomOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	operations := 4000
	if testing.Short() {
		operations = 800
	}
	for _, shape := range []soup{icosphere(r3.Vec{}, 1, 2), torusAround(r3.Vec{}, 1, 0.4, 10, 6)} {
		m := meshOf(shape)
		deform(m, wave(rng, 0.1))
		im := Improver{Curved: true}
		var g Merger
		var s Separator
		var r ImproveReport
		done := [6]int{}
		for i := range operations {
			im.setLimits()
			im.askLengths(m, uniform(0.3))
			im.touched = arrays.Lengthen(im.touched, len(m.Position)+1)
			e := rng.Int32N(int32(len(m.Edge)))
			if m.Edge[e][0] == Gone {
				continue
			}
			kind := rng.IntN(6)
			ok := false
			switch kind {
			case 0:
				ok = m.Triangles() < 400 && im.split(m, e, &r)
			case 1:
				ok = im.collapse(m, e, &r)
			case 2:
				if len(m.EdgeTriangles[e]) == 2 {
					_, ok = im.flip(m, e, &r)
				}
			case 3:
				ok = im.slide(m, m.Edge[e][rng.IntN(2)], 0, &r)
			case 4:
				for range 30 {
					c := contact{a: e, b: rng.Int32N(int32(len(m.Edge)))}
					if ok || m.Edge[c.b][0] == Gone {
						continue
					}
					c.ends = [2][3]int32{{m.Edge[c.a][0], m.Edge[c.a][1]}, {m.Edge[c.b][0], m.Edge[c.b][1]}}
					c.weights = [4]float64{rng.Float64(), 0.5, -rng.Float64(), -0.5}
					ok = g.join(m, &c, &MergeReport{})
				}
			case 5:
				_, report := s.Separate(m, 0.5, 0, nil)
				ok = report.Copies+report.Cuts > 0
			}
			if ok {
				done[kind]++
				legal(t, m, [2]int{i, kind})
			}
		}
		t.Logf("splits, collapses, flips, slides, joints, separations: %v; %d triangles", done, m.Triangles())
		for kind, n := range done[:5] {
			if n == 0 {
				t.Errorf("operation %d was never done", kind)
			}
		}
	}
}

// moveSafely moves vertices one after the other by a velocity field, each only as far as nothing is met.
func moveSafely(m *Mesh, velocity func(x r3.Vec) r3.Vec) {
	m.Refit()
	for v := range int32(len(m.Position)) {
		if len(m.VertexTriangles[v]) == 0 {
			continue
		}
		to := r3.Add(m.Position[v], velocity(m.Position[v]))
		if !m.MotionMeets(v, to, nil, nil) {
			m.Move(v, to)
		}
	}
}

// Drops that fly together, merge, stretch and tear: never an intersection, and the volume that changes is told.
func TestDropsCollide(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	runs, steps := 6, 40
	if testing.Short() {
		runs, steps = 2, 25
	}
	for run := range runs {
		m := meshOf(icosphere(r3.Vec{X: -0.7}, 0.6, 4), icosphere(r3.Vec{X: 0.7, Y: 0.3 * rng.Float64()}, 0.6, 4), icosphere(r3.Vec{Y: 1.2, Z: 0.2 * rng.Float64()}, 0.5, 4))
		var im Improver
		var g Merger
		var s Separator
		var poor, triangles, needles, joints int
		for step := range steps {
			swirl := reproducible.Scale(0.03, r3.Vec{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5, Z: rng.Float64() - 0.5})
			moveSafely(m, func(x r3.Vec) r3.Vec {
				in := reproducible.Scale(-0.03/math.Sqrt(reproducible.Norm2(x)+0.05), r3.Vec{X: x.X, Y: x.Y, Z: x.Z * 0.2})
				return r3.Add(in, reproducible.Cross(swirl, x))
			})
			before := volumeOf(m)
			a := im.Improve(m, uniform(0.15))
			b := g.Merge(m, 0.03, 0.01)
			removed, c := s.Separate(m, 0.07, 0.15*0.15*0.15, nil)
			legal(t, m, [2]int{run, step})
			change := volumeOf(m) - before - a.Volume - b.Volume - c.Volume
			for _, p := range removed {
				change += p.Volume
			}
			if change > 1e-12 || change < -1e-12 {
				t.Errorf("run %d, step %d: the volume changes by %v that is not reported", run, step, change)
			}
			poor, needles, triangles, joints = poor+a.Poor, needles+a.Needles, triangles+m.Triangles(), joints+b.Zips+b.Snaps
		}
		t.Logf("run %d: %d joints, Euler characteristic %d, %d vertices, %d poor triangles and %d needles of %d", run, joints, eulerOf(m), m.Vertices(), poor, needles, triangles)
		if joints == 0 || poor*100 > triangles {
			t.Errorf("run %d: %d joints, %d poor triangles of %d", run, joints, poor, triangles)
		}
	}
}
