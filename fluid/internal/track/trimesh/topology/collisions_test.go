package topology

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// together is a flow of each piece as a rigid body: to the middle of all, and around its own.
func together(speed float64, turns [2]r3.Vec) Flow {
	return func(r *Run, dst, at []r3.Vec, _ float64) {
		var middle r3.Vec
		total := 0.
		for _, p := range r.Pieces.Piece {
			middle, total = r3.Add(middle, r3.Scale(math.Abs(p.Volume), p.Middle)), total+math.Abs(p.Volume)
		}
		middle = r3.Scale(1/total, middle)
		for v, x := range at {
			i := r.Tracker.Mesh.Origin[v]
			p := &r.Pieces.Piece[i]
			way := r3.Sub(middle, p.Middle)
			dst[v] = r3.Add(r3.Scale(speed/(r3.Norm(way)+.01), way), r3.Cross(turns[i%2], r3.Sub(x, p.Middle)))
		}
	}
}

// Random pairs of shapes, 1,000 with -all, are thrown at each other until they are one piece, and then drawn together by tension: nothing intersects, and what was two pieces has the volume
// of both.
func TestCollisions(t *testing.T) {
	parts, runs := amount(1, 1, 10), amount(12, 100, 100)
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			all := collisions{least: 1}
			for i := range runs {
				if all.add(t, part*runs+i); t.Failed() {
					t.Fatalf("in collision %d", part*runs+i)
				}
			}
			t.Logf("%d of %d have missed each other, %d end with one piece, %d with two and %d with more; %d steps have changed the topology; of all corners %.2f %% have 10°, after a step at least %.2f %%",
				all.missed, runs, all.ends[1], all.ends[2], all.ends[3], all.changes, 100*(1-all.poor/all.corners), 100*all.least)
			// A ball may come to rest in the hole of a torus.
			if all.missed > runs/20 {
				t.Errorf("%d of %d have missed each other", all.missed, runs)
			}
			if all.poor > .01*all.corners {
				t.Errorf("only %.2f %% of the corners have 10°", 100*(1-all.poor/all.corners))
			}
		})
	}
}

// collisions are what happened in some.
type collisions struct {
	missed, changes      int
	ends                 [4]int // how many ended with so many pieces
	corners, poor, least float64
}

// add makes the collision of a number.
func (all *collisions) add(t *testing.T, number int) {
	rng := rand.New(rand.NewPCG(uint64(number), 7))
	vector := func(size float64) r3.Vec {
		return r3.Scale(size, r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
	}
	edge := .15 + .1*rng.Float64()
	r := NewRun(edge, randomShape(rng, edge).Moved(r3.Vec{X: -1.02}), randomShape(rng, edge).Moved(r3.Vec{X: 1.02, Y: .5 * rng.NormFloat64()}))
	check(t, r, 0)
	total, met := targets(r), false
	flow := together(1, [2]r3.Vec{vector(.5), vector(.5)})
	r.Steer = func(r *Run) {
		met = met || len(r.Pieces.Piece) == 1
		r.Flow, r.Fastest, r.Mobility = flow, 2, 0
		if met {
			r.Flow, r.Mobility = nil, .3
		}
	}
	for step, after := 0, 0; after < 15 && step < 150; step++ {
		out := follow(t, r, total, step)
		if happened(&out) {
			all.changes++
		}
		if met {
			after++
		}
		a := r.Tracker.Mesh.Angles(r.Tracker.Mesh.Position)
		good, n := a.ShareFrom(1), 3*float64(r.Tracker.Mesh.Triangles())
		all.corners, all.poor, all.least = all.corners+n, all.poor+(1-good)*n, min(all.least, good)
	}
	if !met {
		all.missed++
	}
	all.ends[min(3, len(r.Pieces.Piece))]++
}

// Many spheres are poured together into a heap: nothing intersects, no volume is lost, and few pieces are left.
func TestPour(t *testing.T) {
	side := [3]int{amount(5, 6, 10), amount(4, 6, 10), amount(3, 5, 10)}
	rng := rand.New(rand.NewPCG(3, 4))
	const edge, radius, pitch = .25, .4, 1.
	var shapes []Shape
	for i := range side[0] {
		for j := range side[1] {
			for k := range side[2] {
				x := r3.Vec{X: pitch * (float64(i) - float64(side[0]-1)/2), Y: pitch * float64(j), Z: pitch * (float64(k) - float64(side[2]-1)/2)}
				x = r3.Add(x, r3.Scale(.07, r3.Vec{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1, Z: 2*rng.Float64() - 1}))
				shapes = append(shapes, Ball(radius, edge).Moved(x))
			}
		}
	}
	r := NewRun(edge, shapes...)
	check(t, r, 0)
	total, start := targets(r), len(shapes)
	size := float64(side[0]) * pitch / 2
	r.Fastest = 1.5
	r.Flow = func(_ *Run, dst, at []r3.Vec, _ float64) {
		for v, x := range at {
			// Down to a floor, and to the middle: as fast as they are far.
			dst[v] = r3.Vec{X: -.7 * x.X / size, Y: -max(0, x.Y) / (.5 + math.Abs(x.Y)), Z: -.7 * x.Z / size}
		}
	}
	joints := 0
	for step := range 60 {
		if step == 45 {
			r.Flow, r.Mobility = nil, .2
		}
		out := follow(t, r, total, step)
		joints += out.Merge.Zips + out.Merge.Snaps
	}
	t.Logf("%d pieces of %d, Euler characteristic %d, %d joints, %d vertices", len(r.Pieces.Piece), start, r.Euler(), joints, r.Tracker.Mesh.Vertices())
	if len(r.Pieces.Piece) > start/4 {
		t.Errorf("%d pieces are left of %d", len(r.Pieces.Piece), start)
	}
}

// Two balls of different labels that are pressed together by a flow and rounded by tension stay two, each with its own volume; so do two of one label that must not merge
// with itself.
func TestLabelsStayApart(t *testing.T) {
	all := [][2]int32{{1, 2}, {-1, -1}, {-1, 1}}
	if testing.Short() {
		all = all[:2]
	}
	for _, labels := range all {
		r := NewRun(.2, Ball(.6, .2).Moved(r3.Vec{X: -.8}).Labelled(labels[0]), Ball(.5, .2).Moved(r3.Vec{X: .7, Y: .1}).Labelled(labels[1]))
		total := targets(r)
		r.Flow, r.Fastest, r.Mobility = gather, .5, .2
		meets, pressed := 0, 0.
		for step := range 150 {
			if step == 90 {
				r.Flow, pressed = nil, distance(r)
			}
			out := follow(t, r, total, step)
			meets += out.Proximities + out.Collisions
			if len(r.Pieces.Piece) != 2 || r.Euler() != 4 {
				t.Fatalf("labels %v, step %d: %d pieces, Euler characteristic %d", labels, step, len(r.Pieces.Piece), r.Euler())
			}
		}
		if meets == 0 {
			t.Errorf("labels %v: they have not met", labels)
		}
		m := &r.Tracker.Mesh
		for k := range m.Triangle {
			if x, _, _ := m.Corners(int32(k)); m.Label[k] != labels[r.Pieces.Of[m.Triangle[k][0]]] {
				t.Fatalf("labels %v: the triangle at %v has label %d", labels, x, m.Label[k])
			}
		}
		// Two half-balls of their volumes, back to back, have their middles 3/8 of their radii apart.
		halves := .375 * math.Cbrt(2) * (.6 + .5)
		if apart := distance(r); apart < halves || apart < pressed {
			t.Errorf("labels %v: the middles are %v m apart, pressed together they were %v m, and half-balls would be %v m", labels, apart, pressed, halves)
		}
	}
}

// distance is how far the middles of a run's first two pieces are apart, m.
func distance(r *Run) float64 {
	return r3.Norm(r3.Sub(r.Pieces.Piece[0].Middle, r.Pieces.Piece[1].Middle))
}

// A skin that is folded onto itself does not join: a plate is folded until its halves meet. The same plate of label 0 joins.
func TestSkinFolds(t *testing.T) {
	for _, label := range []int32{0, -1} {
		r := NewRun(.15, Block(r3.Vec{X: 3, Y: .3, Z: .6}, .15).Labelled(label))
		total := targets(r)
		meets := 0
		r.Fastest = 1.5
		r.Steer = func(r *Run) {
			if r.Euler() < 2 {
				r.Flow = nil
			}
		}
		r.Flow = bend
		for step := range 130 {
			out := follow(t, r, total, step)
			meets += out.Proximities + out.Collisions + out.Merge.Zips + out.Merge.Snaps
		}
		t.Logf("label %d: Euler characteristic %d, %d meetings, %d vertices", label, r.Euler(), meets, r.Tracker.Mesh.Vertices())
		if joined := r.Euler() < 2; joined != (label == 0) || len(r.Pieces.Piece) != 1 {
			t.Errorf("label %d: Euler characteristic %d of %d pieces", label, r.Euler(), len(r.Pieces.Piece))
		}
		if meets == 0 {
			t.Errorf("label %d: nothing has met", label)
		}
	}
}
