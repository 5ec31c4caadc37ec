package amg

// lanes is how many rows a slice holds: the single-precision numbers in a 256-bit register.
const lanes = 8

// entry is one entry of each of the eight rows of a slice: a cache line.
type entry struct {
	col [lanes]int32
	val [lanes]float32
}

// sliced is a sparse matrix in slices of eight rows, each as wide as its longest row: slice s has
// entry[first[s]:first[s+1]]. What is missing in a shorter row has the value 0 and some
// valid column. The order of a row's entries is that in which they were put.
// Source: Kreutzer, Hager, Wellein, Fehske, Bishop 2014 (SELL-C).
type sliced struct {
	first []int32
	entry []entry
}

// reset empties the matrix.
func (a *sliced) reset() { a.first, a.entry = append(a.first[:0], 0), a.entry[:0] }

// put writes an entry of the slice being made: the row in the given lane has it at place at. Rows
// without an entry at that place point to the column idle.
func (a *sliced) put(at int32, lane int, col int32, val float32, idle int32) {
	if int(at) == len(a.entry) {
		a.entry = append(a.entry, entry{col: [lanes]int32{idle, idle, idle, idle, idle, idle, idle, idle}})
	}
	e := &a.entry[at]
	e.col[lane], e.val[lane] = col, val
}

// endSlice closes the slice being made.
func (a *sliced) endSlice() { a.first = append(a.first, int32(len(a.entry))) }

// padded is n rounded up to whole slices.
func padded(n int) int { return (n + lanes - 1) / lanes * lanes }

// resizePadded returns a slice for n unknowns, of padded length, that is zero behind them.
func resizePadded(s []float32, n int) []float32 {
	s = resize(s, padded(n))
	clear(s[n:])
	return s
}
