package geom

import "github.com/meniscus3d/meniscus/fluid/internal/arrays"

// Sets is a union-find structure over the numbers from 0 on. Each number points to a lower one of its set, the lowest to itself. The lowest is the set's root,
// whatever the order in which sets were joined.
//
// Source: Tarjan and van Leeuwen 1984, Worst-case analysis of set union algorithms, with path halving.
type Sets []int32

// Reset sets up n sets of one number each.
func (s *Sets) Reset(n int) {
	*s = arrays.Resize(*s, n)
	for i := range *s {
		(*s)[i] = int32(i)
	}
}

// Find returns the lowest number of the set that i is in.
func (s Sets) Find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join merges the sets that i and j are in.
func (s Sets) Join(i, j int32) {
	i, j = s.Find(i), s.Find(j)
	s[max(i, j)] = min(i, j)
}
