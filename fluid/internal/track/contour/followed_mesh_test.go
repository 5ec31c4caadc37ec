package contour_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
	"github.com/meniscus3d/meniscus/physics"
)

// The triangles of a tracker that has some of its own are closed within the domain, wherever that ends in the blocks, look outwards, and hold the litres that the ledger does.
func TestFollowedMesh(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
		testFollowedMesh(t, tracker)
	}
}

func testFollowedMesh(t *testing.T, tracker fluid.Tracker) {
	for _, s := range testrig.FollowedScenes()[:3] {
		t.Run(fmt.Sprintf("%d, %s", tracker, s.Name), func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.FollowedDomain, CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
			s.Begin(t, l, physics.NewWorld(physics.WorldDef{}))
			for range 20 {
				if r := *l.Step(testrig.Frame); r.Err != nil {
					t.Fatal(r.Err)
				}
			}
			m := l.Surface()
			place := func(i uint32) (x [3]float64) {
				for a := range x { // what is projected onto an edge of the domain from two sides is extrapolated by velocities that differ by nothing
					x[a] = math.Round(1e6*float64(m.Positions[3*int(i)+a])) / 1e6
				}
				return x
			}
			edges, volume := map[[2][3]float64]int{}, 0.
			for i := 0; i < len(m.Indices); i += 3 {
				var p [3]r3.Vec
				for k := range 3 {
					a, b := place(m.Indices[i+k]), place(m.Indices[i+(k+1)%3])
					edges[[2][3]float64{a, b}]++
					edges[[2][3]float64{b, a}]--
					p[k] = r3.Vec{X: a[0], Y: a[1], Z: a[2]}
				}
				volume += r3.Dot(p[0], r3.Cross(p[1], p[2])) / 6
			}
			open := 0
			for e, n := range edges {
				if n != 0 && e[0] != e[1] {
					open++
				}
			}
			if open > 0 {
				t.Errorf("%d edges are open", open)
			}
			for i := 0; i < len(m.Normals); i += 3 {
				n := math.Sqrt(float64(m.Normals[i]*m.Normals[i] + m.Normals[i+1]*m.Normals[i+1] + m.Normals[i+2]*m.Normals[i+2]))
				if math.Abs(n-1) > 1e-5 {
					t.Fatalf("a normal is %g long", n)
				}
			}
			// The mesh is of the output time, the end of the step, to which its vertices are extrapolated: to first order.
			held := l.Ledger().HeldL
			t.Logf("%d triangles, %d free: %.2f litres of %.2f", len(m.Indices)/3, m.Free/3, 1000*volume, held)
			if math.Abs(1000*volume-held) > .02*held {
				t.Errorf("the mesh holds %.2f litres of %.2f", 1000*volume, held)
			}
		})
	}
}

// What closes such a mesh along the domain's sides is no free surface, wherever the domain ends in the blocks.
func TestFollowedSidesAreNotFree(t *testing.T) {
	for _, tracker := range []fluid.Tracker{fluid.Contouring, fluid.ExplicitMesh} {
		l := testrig.New(t, fluid.Def{Domain: testrig.Box(1.6, 1, .2), CellSize: .05, Numerics: fluid.Numerics{Levels: 1, SurfaceDetail: 1}, Resources: fluid.Resources{Workers: 1}, Tracker: tracker})
		testrig.Must(t, l.Fill(fluid.Below(.5)))
		s := l.Surface()
		for _, v := range s.Indices[:s.Free] {
			if y := s.Positions[3*v+1]; math.Abs(float64(y)-.5) > .01 {
				t.Fatalf("tracker %d: a free triangle has a vertex at %v", tracker, s.Positions[3*v:3*v+3])
			}
		}
		if s.Free == 0 {
			t.Errorf("tracker %d: no free triangles", tracker)
		}
	}
}

// The triangles of a contour are good ones: of all after all steps few corners are sharp.
func TestContouringAngles(t *testing.T) {
	const sharp, most = 10 * math.Pi / 180, .01
	for _, s := range testrig.FollowedScenes()[1:3] {
		t.Run(s.Name, func(t *testing.T) {
			l := testrig.New(t, fluid.Def{Domain: testrig.FollowedDomain, CellSize: .1, Resources: fluid.Resources{Workers: 1}, Tracker: fluid.Contouring})
			s.Begin(t, l, physics.NewWorld(physics.WorldDef{}))
			all, poor, worst := 0, 0, 0.
			for range 40 {
				testrig.Sound(t, l, *l.Step(testrig.Frame))
				m := l.Surface()
				place := func(i uint32) r3.Vec {
					return r3.Vec{X: float64(m.Positions[3*i]), Y: float64(m.Positions[3*i+1]), Z: float64(m.Positions[3*i+2])}
				}
				before := poor
				for i := 0; i < m.Free; i += 3 {
					for k := range 3 {
						a, b, c := place(m.Indices[i+k]), place(m.Indices[i+(k+1)%3]), place(m.Indices[i+(k+2)%3])
						u, v := r3.Sub(b, a), r3.Sub(c, a)
						if math.Atan2(r3.Norm(r3.Cross(u, v)), r3.Dot(u, v)) < sharp {
							poor++
						}
					}
				}
				all += m.Free
				worst = max(worst, float64(poor-before)/float64(m.Free))
			}
			t.Logf("%.2f %% of the corners have less than 10°, after a step %.2f %% at most", 100*float64(poor)/float64(all), 100*worst)
			testrig.FallsShort(t, "part of the corners that have less than 10°", float64(poor)/float64(all), most, .015)
		})
	}
}
