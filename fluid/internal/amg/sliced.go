package amg

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// lanes is the number of rows in a slice: the single-precision numbers in a 256-bit register.
const lanes = 8

// entry is one entry of each of the eight rows of a slice: a cache line.
type entry struct {
	col [lanes]int32
	val [lanes]float32
}

// sliced is a sparse matrix in slices of eight rows, each as wide as its longest row: slice s has
// entry[first[s]:first[s+1]]. Shorter rows are padded with zeros in any valid column.
// Source: Kreutzer, Hager, Wellein, Fehske, Bishop 2014 (SELL-C).
type sliced struct {
	first []int32
	entry []entry
}

// reset empties the matrix.
func (a *sliced) reset() { a.first, a.entry = append(a.first[:0], 0), a.entry[:0] }

// lay makes slices of some widths, all zeros.
func (a *sliced) lay(width []int32) {
	a.first = append(arrays.Resize(a.first, len(width)+1)[:0], 0)
	n := int32(0)
	for _, w := range width {
		n += w
		a.first = append(a.first, n)
	}
	if int(n) > cap(a.entry) {
		a.entry = make([]entry, n, n+n/16)
		return
	}
	a.entry = a.entry[:n]
	clear(a.entry)
}

// grow appends a slice of the given width, to be filled lane by lane.
func (a *sliced) grow(width int) []entry {
	n := len(a.entry)
	if n+width > cap(a.entry) {
		a.entry = append(a.entry, make([]entry, width)...)
	}
	a.entry = a.entry[:n+width]
	a.first = append(a.first, int32(n+width))
	return a.entry[n:]
}

// pad fills a lane of entries beyond the end of its row.
func pad(of []entry, lane int, col int) {
	for k := range of {
		of[k].col[lane], of[k].val[lane] = int32(col), 0
	}
}

// row returns the slice that holds row i.
func (a *sliced) row(i int) []entry { return a.entry[a.first[i/lanes]:a.first[i/lanes+1]] }

// padded returns n rounded up to whole slices.
func padded(n int) int { return (n + lanes - 1) / lanes * lanes }

// resizePadded returns a slice for n unknowns, of padded length, zero from n on.
func resizePadded(s []float32, n int) []float32 {
	s = arrays.Resize(s, padded(n))
	clear(s[n:])
	return s
}
