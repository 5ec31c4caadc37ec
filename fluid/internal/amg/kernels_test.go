package amg

import (
	"math"
	"slices"
	"testing"
)

// The kernels in use must give the same bits as those in plain Go.
func TestKernelsAgree(t *testing.T) {
	const rows, columns = 6 * lanes, 100
	numbers := func(n, from int) []float32 {
		v := make([]float32, n)
		for i, x := range noise(n + from)[from:] {
			v[i] = float32(x * math.Exp(4*x))
		}
		return v
	}
	var a sliced
	a.reset()
	for s := range rows / lanes {
		of := a.grow(2 * s) // the first slice has no entries
		for lane := range lanes {
			n := (s + lane) % (len(of) + 1)
			for k := range of[:n] {
				of[k].col[lane] = int32(s*7+lane*5+k*13) % columns
				of[k].val[lane] = numbers(1, s+lane+k)[0]
			}
			pad(of[n:], lane, s)
		}
	}
	x, own, before, b, diag := numbers(columns, 0), numbers(rows, 1), numbers(rows, 2), numbers(rows, 3), numbers(rows, 4)
	parent := make([]int32, rows-3)
	for i := range parent {
		parent[i] = int32(i*i) % columns
	}
	// run returns everything that a set of kernels writes.
	run := func(pick func(plain, used any) any) (vectors [][]float32, totals [2]sums) {
		out := func(v []float32) []float32 {
			v = slices.Clone(v)
			vectors = append(vectors, v)
			return v
		}
		last := out(before)
		pick(sweepGo, sweep).(func(out, own, before, b, x []float32, first []int32, entry []entry, alpha, beta, gamma float32))(
			last, own, last, b, x, a.first, a.entry, 1.25, -.25, .7)
		pick(multiplyGo, multiply).(func(out, x []float32, first []int32, entry []entry))(out(own), x, a.first, a.entry)
		pick(accumulateGo, accumulate).(func(out, b, x []float32, first []int32, entry []entry))(out(own), b, x, a.first, a.entry)
		pick(productGo, product).(func(w, own, r, diag, x []float32, first []int32, entry []entry, total *sums))(
			out(b), own, b, diag, x, a.first, a.entry, &totals[0])
		pick(updateGo, update).(func(p, s, x, r, z, w, diag []float32, alpha, beta float32, total *sums))(
			out(own), out(before), out(b), out(diag), own, before, diag, .3, .6, &totals[1])
		pick(prolongGo, prolong).(func(out, x, coarse []float32, parent []int32))(out(own)[:len(parent)], b, x, parent)
		return vectors, totals
	}
	want, wantSums := run(func(plain, _ any) any { return plain })
	got, gotSums := run(func(_, used any) any { return used })
	for k := range want {
		if !slices.Equal(want[k], got[k]) {
			t.Errorf("vector %d: %v, in plain Go %v", k, got[k], want[k])
		}
	}
	if gotSums != wantSums {
		t.Errorf("sums %v, in plain Go %v", gotSums, wantSums)
	}
}
