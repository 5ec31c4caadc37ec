package amg

// The kernels run over whole slices of eight rows. Each has a version in plain Go, here, and one in
// assembly for processors with AVX2. Both round every product and every sum alike,
// in the same order, so that results do not depend on the processor.
//
// first and entry are slices of a sliced matrix A; x is the vector that its columns index;
// every other vector has the 8·(len(first)-1) numbers of the slices' rows.
var (
	sweep      = sweepGo
	multiply   = multiplyGo
	accumulate = accumulateGo
	product    = productGo
	update     = updateGo
	prolong    = prolongGo
)

// sums are two sums of products, in eight parts by row modulo eight.
type sums [2][lanes]float64

// addRows adds the rows of a slice of A, times x, to sum.
func addRows(sum *[lanes]float32, of []entry, x []float32) {
	a, b, c, d := sum[0], sum[1], sum[2], sum[3]
	e, f, g, h := sum[4], sum[5], sum[6], sum[7]
	for k := range of {
		j, v := &of[k].col, &of[k].val
		a += float32(v[0] * x[j[0]])
		b += float32(v[1] * x[j[1]])
		c += float32(v[2] * x[j[2]])
		d += float32(v[3] * x[j[3]])
		e += float32(v[4] * x[j[4]])
		f += float32(v[5] * x[j[5]])
		g += float32(v[6] * x[j[6]])
		h += float32(v[7] * x[j[7]])
	}
	*sum = [lanes]float32{a, b, c, d, e, f, g, h}
}

// sweepGo is out = alpha·own + beta·before + gamma·(b - own - A x), with own the slices' part of x.
// out may be before.
func sweepGo(out, own, before, b, x []float32, first []int32, entry []entry, alpha, beta, gamma float32) {
	for s := range len(first) - 1 {
		at := lanes * s
		sum := [lanes]float32(own[at:])
		addRows(&sum, entry[first[s]:first[s+1]], x)
		for k, v := range sum {
			i := at + k
			out[i] = float32(float32(alpha*own[i])+float32(beta*before[i])) + float32(gamma*(b[i]-v))
		}
	}
}

// multiplyGo is out = A x.
func multiplyGo(out, x []float32, first []int32, entry []entry) {
	for s := range len(first) - 1 {
		var sum [lanes]float32
		addRows(&sum, entry[first[s]:first[s+1]], x)
		copy(out[lanes*s:], sum[:])
	}
}

// accumulateGo is out = b + A x. out may be b.
func accumulateGo(out, b, x []float32, first []int32, entry []entry) {
	for s := range len(first) - 1 {
		sum := [lanes]float32(b[lanes*s:])
		addRows(&sum, entry[first[s]:first[s+1]], x)
		copy(out[lanes*s:], sum[:])
	}
}

// productGo is w = own - A x, own the slices' part of x. total becomes own·diag·r and own·diag·w.
func productGo(w, own, r, diag, x []float32, first []int32, entry []entry, total *sums) {
	*total = sums{}
	for s := range len(first) - 1 {
		at := lanes * s
		var sum [lanes]float32
		addRows(&sum, entry[first[s]:first[s+1]], x)
		for k, v := range sum {
			v = own[at+k] - v
			w[at+k] = v
			t := float32(diag[at+k] * own[at+k])
			total[0][k] += float64(float32(t * r[at+k]))
			total[1][k] += float64(float32(t * v))
		}
	}
}

// updateGo is p = z + beta·p, s = w + beta·s, x = x + alpha·p, r = r - alpha·s. The first
// of total becomes (diag·r)². All vectors have the same length, a multiple of eight.
func updateGo(p, s, x, r, z, w, diag []float32, alpha, beta float32, total *sums) {
	*total = sums{}
	n := len(p)
	s, x, r, z, w, diag = s[:n], x[:n], r[:n], z[:n], w[:n], diag[:n]
	for i := range n {
		pi, si := z[i]+float32(beta*p[i]), w[i]+float32(beta*s[i])
		p[i], s[i] = pi, si
		x[i] += float32(alpha * pi)
		ri := r[i] - float32(alpha*si)
		r[i] = ri
		t := float32(diag[i] * ri)
		total[0][i%lanes] += float64(float32(t * t))
	}
}

// prolongGo is out = x + coarse at the parents. out may be x.
func prolongGo(out, x, coarse []float32, parent []int32) {
	out, x = out[:len(parent)], x[:len(parent)]
	for i, p := range parent {
		out[i] = x[i] + coarse[p]
	}
}
