package control

import "math"

// timeline is the frames of a morph: their times, which of them are keys, and the matrix K of their accelerations.
type timeline struct {
	times  []float64 // s
	key    []int32   // per frame: its key, or -1
	free   []int32   // per frame: its index among those in between, or -1
	frames []int32   // the frames in between
	at     []int32   // per key: its frame

	k0, k1, k2 []float64 // K over all frames: the diagonal, and the elements one and two places left of it
}

// newTimeline returns the frames between keys at ascending times, with a number of intervals from each key to the next.
func newTimeline(keys []float64, intervals []int) *timeline {
	l := &timeline{}
	for k, t := range keys {
		l.at = append(l.at, int32(len(l.times)))
		l.times, l.key, l.free = append(l.times, t), append(l.key, int32(k)), append(l.free, -1)
		if k+1 == len(keys) {
			break
		}
		n := intervals[k]
		for i := 1; i < n; i++ {
			l.free = append(l.free, int32(len(l.frames)))
			l.frames = append(l.frames, int32(len(l.times)))
			// Symmetric in time, so that a reversed morph has the reversed times.
			l.times = append(l.times, (float64(float64(n-i)*t)+float64(float64(i)*keys[k+1]))/float64(n))
			l.key = append(l.key, -1)
		}
	}
	l.accelerations()
	return l
}

// accelerations sets K = D₂ᵀD₂, where D₂ computes differences of velocity between neighbouring intervals: for intervals of equal length its
// inner rows are 1, -4, 6, -4, 1. Times are in mean intervals, and squared accelerations are weighted by duration, so that
// intervals may differ (Raveendran et al. 2012, eq. 1, has equal ones).
func (l *timeline) accelerations() {
	n := len(l.times)
	l.k0, l.k1, l.k2 = make([]float64, n), make([]float64, n), make([]float64, n)
	for t := 1; t+1 < n; t++ {
		weight, d := l.acceleration(t)
		a, b, c := d[0], d[1], d[2]
		l.k0[t-1] += float64(weight * float64(a*a))
		l.k0[t] += float64(weight * float64(b*b))
		l.k0[t+1] += float64(weight * float64(c*c))
		l.k1[t] += float64(weight * float64(a*b))
		l.k1[t+1] += float64(weight * float64(b*c))
		l.k2[t+1] += float64(weight * float64(a*c))
	}
}

// acceleration returns the weights of a frame and its neighbours in its acceleration, and the weight of the acceleration's square.
func (l *timeline) acceleration(t int) (weight float64, c [3]float64) {
	n := len(l.times)
	mean := (l.times[n-1] - l.times[0]) / float64(n-1)
	before, after := (l.times[t]-l.times[t-1])/mean, (l.times[t+1]-l.times[t])/mean
	a, b := 1/before, 1/after
	return 2 / (before + after), [3]float64{a, -(a + b), b}
}

// coupling returns the element of K for two frames.
func (l *timeline) coupling(s, t int) float64 {
	switch hi := max(s, t); hi - min(s, t) {
	case 0:
		return l.k0[s]
	case 1:
		return l.k1[hi]
	case 2:
		return l.k2[hi]
	}
	return 0
}

// factor factors K over the frames in between, whose bandwidth is the same or less.
func (l *timeline) factor() banded {
	n := len(l.frames)
	k0, k1, k2 := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		f := int(l.frames[i])
		k0[i] = l.k0[f]
		if i > 0 {
			k1[i] = l.coupling(f, int(l.frames[i-1]))
		}
		if i > 1 {
			k2[i] = l.coupling(f, int(l.frames[i-2]))
		}
	}
	return factor(k0, k1, k2)
}

// interpolate sets the rows of frames in between to those of least accelerations, given those of the keys; x has a row for every frame, and
// dst one for every frame in between.
//
// The result is the linear interpolation, which has accelerations at keys alone, plus the solution for these. Rounding then affects that part only; K of many
// frames would amplify it.
func (l *timeline) interpolate(dst, x [][]float64, solve func([][]float64)) {
	for _, row := range dst {
		clear(row)
	}
	jump, between := make([]float64, len(x[0])), make([]float64, len(x[0]))
	for _, t := range l.at[1 : len(l.at)-1] {
		weight, c := l.acceleration(int(t))
		clear(jump)
		for o := range 3 {
			subtract(jump, -float64(weight*c[o]), l.linear(between, int(t)+o-1, x))
		}
		for o := range 3 {
			if f := l.free[int(t)+o-1]; f >= 0 {
				subtract(dst[f], c[o], jump)
			}
		}
	}
	if len(l.at) > 2 {
		solve(dst)
	}
	for i, f := range l.frames {
		for c, y := range l.linear(between, int(f), x) {
			dst[i][c] += y
		}
	}
}

// linear returns the linear interpolation between keys at a frame, in row, or the row of a key.
func (l *timeline) linear(row []float64, f int, x [][]float64) []float64 {
	if l.key[f] >= 0 {
		return x[f]
	}
	from, to := f, f
	for l.key[from] < 0 {
		from--
	}
	for l.key[to] < 0 {
		to++
	}
	share := (l.times[f] - l.times[from]) / (l.times[to] - l.times[from])
	for c, a := range x[from] {
		row[c] = a + float64(share*(x[to][c]-a))
	}
	return row
}

// form is a linear form over up to three neighbouring frames.
type form struct {
	first int
	c     [3]float64
}

// slope returns the time derivative at a frame, 1/s: of the parabola through it and its neighbours, or at an end through the three frames there.
func (l *timeline) slope(f int) form { return slopeAt(l.times, f) }

func slopeAt(times []float64, f int) form {
	n := len(times)
	switch {
	case n == 1:
		return form{}
	case n == 2:
		h := times[1] - times[0]
		return form{0, [3]float64{-1 / h, 1 / h, 0}}
	}
	first := min(max(f-1, 0), n-3)
	before, after := times[first+1]-times[first], times[first+2]-times[first+1]
	both := before + after
	switch f - first {
	case 0:
		b, c := both/float64(before*after), -before/float64(after*both)
		return form{first, [3]float64{-(b + c), b, c}}
	case 1:
		a, c := -after/float64(before*both), before/float64(after*both)
		return form{first, [3]float64{a, -(a + c), c}}
	}
	a, b := after/float64(before*both), -both/float64(before*after)
	return form{first, [3]float64{a, b, -(a + b)}}
}

// volumes returns the volumes of all frames, m³: those of the keys, and in between a monotone cubic with a continuous rate. For two keys it is
// linear. Source: Fritsch & Butland 1984.
func (l *timeline) volumes(keys []float64) []float64 {
	n := len(keys)
	slope := make([]float64, n)
	secant := func(k int) (rise, run float64) {
		return keys[k+1] - keys[k], l.times[l.at[k+1]] - l.times[l.at[k]]
	}
	for k := range n {
		if k == 0 || k == n-1 {
			rise, run := secant(min(k, n-2))
			slope[k] = rise / run
			continue
		}
		rise0, run0 := secant(k - 1)
		rise1, run1 := secant(k)
		if s0, s1 := rise0/run0, rise1/run1; s0 > 0 && s1 > 0 || s0 < 0 && s1 < 0 {
			w0, w1 := run0+2*run1, run1+2*run0
			slope[k] = (w0 + w1) / (w0/s0 + w1/s1)
		}
	}
	v := make([]float64, len(l.times))
	for k := range n - 1 {
		from, to := l.at[k], l.at[k+1]
		for f := from; f <= to; f++ {
			v[f] = hermite(l.times[f]-l.times[from], l.times[to]-l.times[from], keys[k], keys[k+1], slope[k], slope[k+1])
		}
	}
	v[len(v)-1] = keys[n-1]
	return v
}

// hermite returns the cubic from a to b within h s, t s after its begin, with slopes va and vb. It is exact at the begin, and for a constant.
func hermite(t, h, a, b, va, vb float64) float64 {
	s := t / h
	r := 1 - s
	return a + float64((b-a)*float64(float64(s*s)*(3-2*s))) + float64(h*float64(float64(s*r)*(float64(va*r)-float64(vb*s))))
}

// count returns the number of intervals between two times at a rate, 1/s.
func count(from, to, rate float64) float64 { return max(1, math.Ceil(float64((to-from)*rate)-1e-6)) }
