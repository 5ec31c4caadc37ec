// Package slab resizes scratch slices that live from step to step.
package slab

// Resize is s with n items, whose values are what they happen to be. It makes a new slice, with room for a quarter more, if s has none.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, n+n/4+64)
}

// Lengthen is s with n items or as many as it has: those that it adds are zero.
func Lengthen[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}
