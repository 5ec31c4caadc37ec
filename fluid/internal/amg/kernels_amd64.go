package amg

import "golang.org/x/sys/cpu"

//go:generate go run -C ../gen . -out ../amg/kernels_amd64.s amg

func init() {
	if cpu.X86.HasAVX2 {
		sweep, multiply, accumulate = sweepAVX2, multiplyAVX2, accumulateAVX2
		product, update, prolong = productAVX2, updateAVX2, prolongRows
	}
}

// prolongRows is prolongGo with whole slices by prolongAVX2.
func prolongRows(out, x, coarse []float32, parent []int32) {
	whole := len(parent) / lanes * lanes
	prolongAVX2(out[:whole], x, coarse, parent)
	prolongGo(out[whole:], x[whole:], coarse, parent[whole:])
}

// The kernels in assembly; prolongAVX2 takes a multiple of eight numbers.

//go:noescape
func sweepAVX2(out, own, before, b, x []float32, first []int32, entry []entry, alpha, beta, gamma float32)

//go:noescape
func multiplyAVX2(out, x []float32, first []int32, entry []entry)

//go:noescape
func accumulateAVX2(out, b, x []float32, first []int32, entry []entry)

//go:noescape
func productAVX2(w, own, r, diag, x []float32, first []int32, entry []entry, total *sums)

//go:noescape
func updateAVX2(p, s, x, r, z, w, diag []float32, alpha, beta float32, total *sums)

//go:noescape
func prolongAVX2(out, x, coarse []float32, parent []int32)
