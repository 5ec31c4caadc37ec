package advect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
)

// The kernels in use must give the same bits as those in plain Go.
func TestKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := layout.Edge / 2; n <= layout.Edge; n *= 2 {
		for range 100 {
			faces, state := make([]float32, n*n*n), make([]uint8, n*n*n)
			for c := range faces {
				faces[c], state[c] = float32(r.NormFloat64()), uint8(r.IntN(3))
			}
			used := tile{n: n, all: -r.IntN(2)}
			plain := used
			for z := range n {
				rows, to := n*n*z, used.place(0, 0, z)
				used.known[z] = loadRows(&used, faces[rows:], state[rows:], to, n+2, n)
				plain.known[z] = loadRowsGo(&plain, faces[rows:], state[rows:], to, n+2, n)
			}
			compare(t, &used, &plain)
			for z := range n {
				used.rim[z] = r.Uint64() & r.Uint64() & sides[n].all
			}
			plain = used
			also := slices.Clone(faces)
			spread(&used, faces)
			spreadGo(&plain, also)
			compare(t, &used, &plain)
			for c := range faces {
				if faces[c] != also[c] && (faces[c] == faces[c] || also[c] == also[c]) {
					t.Fatalf("%d³: face %d is %g, in plain Go %g", n, c, faces[c], also[c])
				}
			}
		}
	}
}

func compare(t *testing.T, used, plain *tile) {
	t.Helper()
	same := func(x, y float32) bool { return x == y || x != x && y != y }
	if used.known != plain.known || !slices.EqualFunc(used.u[:], plain.u[:], same) || used.one != plain.one {
		t.Fatalf("%d³: the kernel and plain Go differ", used.n)
	}
}

func TestTraceAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for round := range 200 {
		level, axis, faces, rows := r.IntN(layout.MaxLevel+1), r.IntN(3), 1+r.IntN(room), 1+r.IntN(1000)
		gr := &graph.Graph{Rows: rows}
		side := func() int32 {
			switch r.IntN(9) {
			case 0:
				return graph.Air
			case 1:
				return ^int32(r.IntN(100))
			}
			return int32(r.IntN(rows))
		}
		for range faces {
			gr.Slot = append(gr.Slot, 512+int32(r.IntN(1<<(3*level))))
			gr.A, gr.B = append(gr.A, side()), append(gr.B, side())
			gr.Open = append(gr.Open, []float64{1, 1, 1, .25}[r.IntN(4)])
		}
		tr := &Transport{gr: gr, antiDiffusion: round%4 != 0}
		for range rows {
			tr.displacement = append(tr.displacement, [4]float32{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())})
		}
		used := part{first: 512, n: 1 << level, to: int32(faces), starts: starts[level][axis][round&1]}
		plain := used
		traceFaces(tr, &used)
		tr.traceFrom(&plain, 0)
		if used.apart != plain.apart {
			t.Fatal("the kernel and plain Go take different faces")
		}
		for f := range faces {
			a, b := &used.places, &plain.places
			same := a.X[f] == b.X[f] && a.Y[f] == b.Y[f] && a.Z[f] == b.Z[f]
			if a.Cell[f] != b.Cell[f] || plain.apart[f/8]>>(f%8)&1 == 0 && !same {
				t.Fatalf("face %d of %d: the kernel and plain Go differ", f, faces)
			}
		}
	}
}
