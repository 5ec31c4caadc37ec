// Package arrays sets the lengths of arrays that are kept from step to step, so that a step allocates nothing once they are long
// enough.
package arrays

// Resize is s with n elements, which hold anything. Where s has no room for them they are zero, in new memory with some
// to spare: what grows slowly does not allocate at every step.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+spare(n))
}

// spare is for how many elements more than n there is room: a quarter, and of long arrays, which make up what a liquid takes, a sixteenth.
func spare(n int) int { return max(n/16, min(n/4, 1024)) + 64 }

// Lengthen is s with at least n elements: those of s, and zeros behind.
func Lengthen[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

// CopyEach copies what from points to, into what dst points to where there is something.
func CopyEach[T any](dst *[]*T, from []*T, copy func(to, from *T)) {
	for len(*dst) < len(from) {
		*dst = append(*dst, nil)
	}
	*dst = (*dst)[:len(from)]
	for i, f := range from {
		if (*dst)[i] == nil {
			(*dst)[i] = new(T)
		}
		copy((*dst)[i], f)
	}
}
