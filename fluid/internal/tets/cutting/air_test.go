package cutting_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/pressure"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// A wall parts the domain, thick or thin: liquid below a surface, and a full pocket that no air touches.
func TestPocketBesideSurface(t *testing.T) {
	dim := [3]int{2, 2, 2}
	for _, thickness := range []float64{.26, .02} {
		for seed := range uint64(3) {
			r := newRig(t, 1, dim, .1, [3]float64{}, randomLevels(dim, seed), [3]float64{}, [3]float64{})
			r.d.Up = [3]float64{0, 1, 0}
			wall := func(x r3.Vec) float64 { return math.Abs(x.X-.73) - thickness/2 }
			r.d.SetStatic(distance(wall), func(r3.Box) float64 { return thickness })
			r.surface(func(x r3.Vec) float64 {
				if x.X > .73 {
					return -1
				}
				return x.Y - .71
			})
			r.fill(nil)
			var c graph.Components
			c.Find(r.g)
			if len(c.Closed) != 2 || c.Closed[0] || !c.Closed[1] {
				t.Fatalf("%g m, layout %d: components are closed: %v", thickness, seed, c.Closed)
			}
			v := -9.81 * dt
			r.g.Accelerate(0, r.g.Faces(), [3]float64{0, v, 0})
			if _, rep := r.solve(nil, strict); rep.Components != 2 {
				t.Errorf("%g m, layout %d: %d components", thickness, seed, rep.Components)
			}
			for f, u := range r.g.U {
				if !(math.Abs(u) <= 1e-10*math.Abs(v)) {
					t.Fatalf("%g m, layout %d: face %d moves at %g m/s", thickness, seed, f, u)
				}
			}
		}
	}
}

// A closed hull thinner than a cell, as a body or not, at any turn, has no open edge from its inside to its outside; a plate shuts no edge beyond its rim.
func TestThinWallsPart(t *testing.T) {
	const h = .1
	dim := [3]int{2, 2, 2}
	at := r3.Vec{X: .83, Y: .79, Z: .81}
	for _, thickness := range []float64{.02, .05, .09} {
		for i, turn := range []float64{0, .3, .8} {
			r := newRig(t, 1, dim, h, [3]float64{}, randomLevels(dim, uint64(i)), [3]float64{}, [3]float64{})
			axis := r3.NewRotation(turn, r3.Vec{X: 1, Y: 2, Z: .5})
			back := r3.NewRotation(-turn, r3.Vec{X: 1, Y: 2, Z: .5})
			_ = axis
			inner := cuboid(r3.Vec{}, r3.Vec{X: .42, Y: .41, Z: .44})
			middle := func(x r3.Vec) float64 { return inner(back.Rotate(r3.Sub(x, at))) }
			hull := func(x r3.Vec) float64 { return math.Abs(middle(x)) - thickness/2 }
			r.surface(nil)
			body := rigid.Solid{Distance: distance(hull), Bounds: boxes.Grown(r3.Box{Min: at, Max: at}, .85), Centre: at, Thickness: thickness, Thin: true, Sheet: true}
			for _, asBody := range []bool{true, false} {
				if r.d.SetStatic(nil, nil); asBody {
					r.fill([]rigid.Solid{body})
				} else {
					r.d.SetStatic(body.Distance, func(r3.Box) float64 { return thickness })
					r.fill(nil)
				}
				inside := 0
				for e, ends := range r.l.Ends {
					p, q := r.l.Position[ends[0]], r.l.Position[ends[1]]
					a, b := middle(r3.Vec{X: p[0], Y: p[1], Z: p[2]}), middle(r3.Vec{X: q[0], Y: q[1], Z: q[2]})
					if (a < 0) != (b < 0) && r.d.Open[e] > 0 && r.l.Area[e] > 0 && math.Abs(a) > thickness/2+.01 && math.Abs(b) > thickness/2+.01 {
						t.Errorf("%g m thick at %g, body %v: an edge from %.3v (%.3f) to %.3v (%.3f) is open by %g", thickness, turn, asBody, p, a, q, b, r.d.Open[e])
					}
					if a < 0 && b < 0 && r.d.Open[e] > 0 {
						inside++
					}
				}
				if inside < 100 {
					t.Errorf("%d open edges inside", inside)
				}
				var c graph.Components
				c.Find(r.g)
				if len(c.Closed) < 2 {
					t.Errorf("%g m thick at %g, body %v: the inside is one with the outside", thickness, turn, asBody)
				}
			}
		}
	}
}

// Air that liquid encloses is a bubble: its surface, volume and what it has of a body; its air holds up the liquid. Air under the sky is none.
func TestBubbleIsHeld(t *testing.T) {
	const radius = .33
	dim := [3]int{2, 2, 2}
	at := r3.Vec{X: .81, Y: .66, Z: .79}
	for seed := range uint64(3) {
		levels := uniform(dim, 3)
		levels[seed] = 2
		r := newRig(t, 1, dim, .1, [3]float64{}, levels, [3]float64{}, [3]float64{})
		r.d.Up = [3]float64{0, 1, 0}
		r.surface(func(x r3.Vec) float64 { return max(x.Y-1.31, -ball(at, radius)(x)) })
		r.fill([]rigid.Solid{ballSolid(r3.Add(at, r3.Vec{X: .3}), .1)})
		if len(r.g.Bubbles) != 1 {
			t.Fatalf("layout %d: %d bubbles", seed, len(r.g.Bubbles))
		}
		b := &r.g.Bubbles[0]
		if want := 4 * math.Pi / 3 * radius * radius * radius; math.Abs(b.Volume-want) > .1*want || b.Small {
			t.Errorf("layout %d: it has %g m³, want %g", seed, b.Volume, want)
		}
		if len(b.Bodies) != 1 || b.Bodies[0].Body != 0 {
			t.Errorf("layout %d: bodies %v are in it", seed, b.Bodies)
		}
		// All that bounds it: liquid and body.
		var sum [3]float64
		for _, f := range b.Faces {
			for a, n := range r.g.Normals[f.Face] {
				sum[a] += f.Share * r.g.Area[f.Face] * r.g.Open[f.Face] * n
			}
		}
		for a := range sum {
			sum[a] -= b.Bodies[0].K[a]
		}
		if off := math.Sqrt(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2]); off > 1e-12 {
			t.Errorf("layout %d: it is open by %g m²", seed, off)
		}
		r.g.Accelerate(0, r.g.Faces(), [3]float64{0, -9.81 * dt, 0})
		r.solve(make([]rigid.Body, 1), pressure.Options{Tolerance: 1e-10, MaxIterations: 200})
		flux := 0.
		for _, f := range b.Faces {
			flux += f.Share * r.g.Area[f.Face] * r.g.Open[f.Face] * r.g.U[f.Face]
		}
		if !(math.Abs(flux) < 1e-9) || !(b.Impulse > 0) {
			t.Errorf("layout %d: %g m³/s flow into it, at %g Pa·s", seed, flux, b.Impulse)
		}
	}
}

// A single vertex of air in the liquid is filled; more, or one right under the surface, is not.
func TestVoidsAreFilled(t *testing.T) {
	dim := [3]int{2, 1, 1}
	r := newRig(t, 1, dim, .1, [3]float64{}, []uint8{3, 2}, [3]float64{}, [3]float64{})
	for v, x := range r.l.Position {
		if r.l.Beyond[v] || math.Abs(x[0]-.8) > .3 || math.Abs(x[1]-.4) > .1 || math.Abs(x[2]-.4) > .1 {
			continue
		}
		r.surface(nil)
		r.phi[v] = .01
		r.fill(nil)
		if r.d.Row[v] < 0 || !(r.phi[v] < 0) {
			t.Fatalf("the vertex at %v is not filled", x)
		}
		r.surface(nil)
		other := r.l.Ends[r.l.VertexEdges[r.l.VertexEdgeRuns[v]]]
		r.phi[other[0]], r.phi[other[1]] = .01, .01
		if r.fill(nil); r.l.Area[r.l.VertexEdges[r.l.VertexEdgeRuns[v]]] > 0 && (r.d.Row[other[0]] >= 0 || r.d.Row[other[1]] >= 0) {
			t.Fatalf("the vertices at %v and beside are filled", x)
		}
	}
}

// Liquid in a thin cup that stands in the dry, or deeper in the water around, stays still, though φ at corners of cells beside the walls is interpolated across them.
func TestThinCupStands(t *testing.T) {
	dim := [3]int{2, 2, 2}
	r := newRig(t, 1, dim, .1, [3]float64{}, uniform(dim, 3), [3]float64{}, [3]float64{})
	r.d.Up = [3]float64{0, 1, 0}
	for i, c := range []struct{ high, wall float64 }{{-1, .02}, {.5, .02}, {1.08, .02}, {-1, .12}, {.5, .12}} { // of the water around
		high := c.high
		at := r3.Vec{X: .81 + .02*float64(i), Y: .83, Z: .79}
		inner := cuboid(at, r3.Vec{X: .36, Y: .37, Z: .33})
		cup := func(x r3.Vec) float64 { return max(math.Abs(inner(x))-c.wall/2, x.Y-1.15) }
		inside := func(x r3.Vec) bool { return inner(x) < 0 && x.Y < 1.15 }
		for v, cell := range r.l.Cell {
			if x := r.l.Position[v]; cell >= 0 {
				if r.phi[v] = x[1] - high; inside(r3.Vec{X: x[0], Y: x[1], Z: x[2]}) {
					r.phi[v] = x[1] - .93
				}
			}
		}
		for v, cell := range r.l.Cell {
			if cell >= 0 || r.l.Beyond[v] {
				continue
			}
			sum, n := 0., 0.
			for _, e := range r.l.VertexEdges[r.l.VertexEdgeRuns[v]:r.l.VertexEdgeRuns[v+1]] {
				u := r.l.Ends[e][0] + r.l.Ends[e][1] - int32(v)
				if r.l.Cell[u] >= 0 {
					sum, n = sum+r.phi[u]+r.l.Position[v][1]-r.l.Position[u][1], n+1
				}
			}
			r.phi[v] = sum / n
		}
		body := rigid.Solid{Distance: distance(cup), Bounds: boxes.Grown(r3.Box{Min: at, Max: at}, .45), Centre: at, Thickness: c.wall, Thin: true, Sheet: c.wall < .1}
		r.fill([]rigid.Solid{body})
		r.g.Accelerate(0, r.g.Faces(), [3]float64{0, -9.81 * dt, 0})
		r.solve(make([]rigid.Body, 1), strict)
		worst := 0.
		for _, u := range r.g.U {
			worst = max(worst, math.Abs(u))
		}
		if !(worst < 1e-9) {
			t.Errorf("a wall of %g m, water up to %g m around: it moves at %g m/s", c.wall, high, worst)
		}
	}
}
