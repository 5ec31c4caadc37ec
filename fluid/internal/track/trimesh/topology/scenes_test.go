package topology

import (
	"encoding/binary"
	"flag"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// follow takes a step and fails a test if the surface meets itself, if the targets of the pieces are not what the volumes were together, if a piece is not kept to its
// target although nothing happens to the topology, or if what happens changes more volume than it may.
func follow(t *testing.T, r *Run, total float64, step int) StepReport {
	t.Helper()
	out := r.Advance()
	check(t, r, step)
	sum := 0.
	for _, p := range r.Pieces.Piece {
		sum += p.Target
	}
	if math.Abs(sum-total) > 1e-12*total {
		t.Fatalf("step %d: pieces are to have %v m³ of %v", step, sum, total)
	}
	if out.Off > keptTo && !happened(&out) {
		t.Errorf("step %d: a volume is off by %.2g of it: %+v", step, out.Off, out)
	}
	// A joint fills or opens what is between the triangles at two places, mergeNear edges apart: six each, which are together less than 6 squares of an edge where they have sides of 1.5.
	n := out.Merge.Zips + out.Merge.Snaps + out.Merge.Folds + out.Separate.Cuts + out.Separate.Copies
	if change := math.Abs(out.Merge.Volume) + math.Abs(out.Separate.Volume); change > float64(n)*6*mergeNear*r.edge*r.edge*r.edge {
		t.Errorf("step %d, edges of %v m: %+v and %+v have changed %v m³", step, r.edge, out.Merge, out.Separate, change)
	}
	return out
}

// happened tells whether a step has changed the topology.
func happened(out *StepReport) bool {
	m, s := &out.Merge, &out.Separate
	return m.Zips+m.Snaps+m.Folds+s.Cancelled+s.Cuts+s.Copies > 0
}

func check(t *testing.T, r *Run, step int) {
	t.Helper()
	if err := r.Tracker.Mesh.Check(); err != nil {
		t.Fatalf("step %d: %v", step, err)
	}
}

// targets is what all pieces are to have together.
func targets(r *Run) (sum float64) {
	for _, p := range r.Pieces.Piece {
		sum += p.Target
	}
	return sum
}

// all is for once in a while.
var all = flag.Bool("all", false, "run 1,000 collisions, pour 1,000 spheres and make 100,000 random steps: an hour or more")

// amount is how much of something a short run has, one at full length, and one of all.
func amount(short, full, most int) int {
	switch {
	case testing.Short():
		return short
	case *all:
		return most
	}
	return full
}

// sizes are edges of the runs, m.
func sizes() []float64 {
	if testing.Short() {
		return []float64{.2}
	}
	return []float64{.2, .15, .1}
}

// Every scene goes through the numbers of pieces and handles that it should, with good triangles.
func TestScenes(t *testing.T) {
	for _, s := range Scenes {
		for _, edge := range sizes() {
			t.Run(s.Name, func(t *testing.T) { testScene(t, &s, edge) })
		}
	}
}

func testScene(t *testing.T, s *Scene, edge float64) {
	r := s.Begin(edge)
	check(t, r, 0)
	total, seen := targets(r), 0
	good, least, off, steps := 1., math.Pi, 0., 0
	var met [][2]int
	for ; r.Time < s.Seconds; steps++ {
		if e := r.Euler(); len(met) == 0 || met[len(met)-1] != [2]int{e, len(r.Pieces.Piece)} {
			met = append(met, [2]int{e, len(r.Pieces.Piece)})
			if seen < len(s.Euler) && e == s.Euler[seen] && len(r.Pieces.Piece) == s.Pieces[seen] {
				seen++
			}
		}
		out := follow(t, r, total, steps)
		a := r.Tracker.Mesh.Angles(r.Tracker.Mesh.Position)
		good, least, off = min(good, a.ShareFrom(1)), min(least, a.Least), max(off, out.Off)
		if a.ShareFrom(1) < .99 {
			t.Errorf("step %d: %.2f %% of the corners have 10°", steps, 100*a.ShareFrom(1))
		}
	}
	t.Logf("edges of %v m: %d steps, %d vertices, Euler characteristics and pieces %v; volumes off by %.2g at most; at least %.2f %% of corners have 10°, the least angle is %.1f°",
		edge, steps, r.Tracker.Mesh.Vertices(), met, off, 100*good, least*180/math.Pi)
	last := len(s.Euler) - 1
	if seen != len(s.Euler) || r.Euler() != s.Euler[last] || len(r.Pieces.Piece) != s.Pieces[last] {
		t.Errorf("Euler characteristics and pieces are %v in turn, in the end %d and %d; want %v and %v", met, r.Euler(), len(r.Pieces.Piece), s.Euler, s.Pieces)
	}
}

// hash is that of a run's vertices and triangles.
func hash(r *Run) uint64 {
	var bytes []byte
	for _, x := range r.Tracker.Mesh.Position {
		for _, u := range [3]float64{x.X, x.Y, x.Z} {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(u))
		}
	}
	for _, v := range r.Tracker.Mesh.Triangle {
		for _, w := range v {
			bytes = binary.LittleEndian.AppendUint32(bytes, uint32(w))
		}
	}
	h := fnv.New64a()
	h.Write(bytes)
	return h.Sum64()
}

// Any number of workers gives the same surface.
func TestScenesOnAnyWorkers(t *testing.T) {
	scenes := Scenes
	if testing.Short() {
		scenes = scenes[:1]
	}
	for _, s := range scenes {
		var want []uint64
		for _, workers := range []int{1, 2, 4} {
			pool := par.New(workers)
			r := s.Begin(.2)
			r.Tracker.Mover.Pool = pool
			var got []uint64
			for step := 0; r.Time < s.Seconds; step++ {
				r.Advance()
				if step%10 == 0 {
					got = append(got, hash(r))
				}
			}
			got = append(got, hash(r))
			pool.Close()
			if want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: %d workers give another surface", s.Name, workers)
			}
		}
	}
}
