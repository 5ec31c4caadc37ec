package raytrace

import "testing"

// The first 64 samples of a pixel have one each in the strips and in the squares that they are parted into, for each pair; other pixels and
// other pairs have other points.
func TestSampler(t *testing.T) {
	const n = 64
	points := func(seed, pair uint32) (out [n][2]float64) {
		for i := range out {
			s := sampler{seed: seed, index: uint32(i), pair: pair}
			out[i][0], out[i][1] = s.next()
		}
		return out
	}
	for pair := range uint32(5) {
		p := points(77, pair)
		for _, wide := range []int{1, 8, n} {
			var cells [n]int
			for _, q := range p {
				if q[0] < 0 || q[0] >= 1 || q[1] < 0 || q[1] >= 1 {
					t.Fatalf("a point at %v", q)
				}
				cells[int(q[0]*float64(wide))*(n/wide)+int(q[1]*float64(n/wide))]++
			}
			for c, k := range cells {
				if k != 1 {
					t.Fatalf("pair %d: %d points in part %d of %d strips", pair, k, c, wide)
				}
			}
		}
		if p == points(78, pair) || p == points(77, pair+1) {
			t.Error("the same points")
		}
	}
}
