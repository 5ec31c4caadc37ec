package geom

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// Vertices become those that a look at every earlier one finds, in the order of their first use.
func TestWeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		positions := make([]r3.Vec, n)
		for i := range positions {
			positions[i] = place(t, "x")
		}
		triangles := make([][3]int32, rapid.IntRange(0, 20).Draw(t, "triangles"))
		for i := range triangles {
			for k := range triangles[i] {
				triangles[i][k] = rapid.Int32Range(0, int32(n-1)).Draw(t, "v")
			}
		}
		tolerance := rapid.SampledFrom([]float64{0, .1, .7, 3}).Draw(t, "tolerance")
		var wantFirst []int32
		var wantWelded [][3]int32
		for _, f := range triangles {
			for k, v := range f {
				i := slices.IndexFunc(wantFirst, func(w int32) bool {
					return r3.Norm2(r3.Sub(positions[v], positions[w])) <= tolerance*tolerance
				})
				// A vertex that has been used stays what it was.
				if j := slices.Index(wantFirst, v); j >= 0 {
					i = j
				}
				if i < 0 {
					i = len(wantFirst)
					wantFirst = append(wantFirst, v)
				}
				f[k] = int32(i)
			}
			if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
				wantWelded = append(wantWelded, f)
			}
		}
		first, welded := Weld(positions, triangles, tolerance)
		if !slices.Equal(first, wantFirst) || !slices.Equal(welded, wantWelded) {
			t.Fatalf("%v of %v, want %v of %v", welded, first, wantWelded, wantFirst)
		}
	})
}

// An index that is out of range is kept, for what takes the mesh to refuse.
func TestWeldKeepsBadIndices(t *testing.T) {
	for _, tolerance := range []float64{0, .1} {
		first, welded := Weld([]r3.Vec{{}, {X: 1}, {X: 1}}, [][3]int32{{2, 7, 1}, {2, 0, -1}}, tolerance)
		if want := [][3]int32{{0, 1, -1}}; !slices.Equal(first, []int32{2, 0}) || !slices.Equal(welded, want) {
			t.Errorf("tolerance %g: %v of %v, want %v", tolerance, welded, first, want)
		}
	}
}
