package amg

// split parts the unknowns into red ones, of which no two are joined and which are eliminated, and
// black ones, which the conjugate gradients run on.
type split struct {
	kind    []uint8   // by number
	unknown []unknown // by number
	row     []int32   // the unknown at each place; -1 where there is none
	parent  []int32   // of the unknown at each place
	zone    []zone
	zones   int // in use
}

// unknown is what the sums over rows need of one.
type unknown struct {
	place  int32
	parent int32
	x      float64 // of the first guess
	size   float32
}

const (
	// zoneRows is the unknowns of a zone, whole slices: about 1 µs of a sweep.
	zoneRows = PartRows
	// serialZones is the most zones that are swept over serially: about 4 µs, of which sharing would save half and cost as much.
	serialZones = 4
	// zonePlaces leaves room for red unknowns to begin with a whole slice.
	zonePlaces = zoneRows + lanes
)

// zone is a run of unknowns and their places. What is read in a loop over it is mostly its own, which the same
// worker wrote in the loop before.
//
// Black unknowns come first, those joined to black ones, the dirty ones, at their head; red ones begin
// with the next whole slice. Places without an unknown follow both.
type zone struct {
	begin, clean, black int                       // places: of the first unknown, of the first clean one, behind the last
	red, end            int                       // of the first red one, behind the last
	width               [zonePlaces / lanes]int32 // of the slices
	matrix              sliced                    // N, slices counted from begin
	largest             float64                   // diagonal entry of L
}

// kinds of unknowns, in the order of their places.
const (
	dirty = iota
	clean
	red
)

// arrange gives the unknowns of a zone their places, and the slices their widths.
func (t *split) arrange(number int, m *Matrix, fine *Level, x []float64) {
	lo := number * zoneRows
	hi := min(lo+zoneRows, len(t.unknown))
	z := &t.zone[number]
	count := t.sortOut(m, number, lo, hi)
	z.begin = number * zonePlaces
	z.clean = z.begin + count[dirty]
	z.black = z.clean + count[clean]
	z.red = padded(z.black)
	z.end = z.red + count[red]
	next := [3]int{z.begin, z.clean, z.red}
	row, parents, ptr := t.row[:(number+1)*zonePlaces], t.parent[:(number+1)*zonePlaces], m.Part[number].Ptr
	z.width = [zonePlaces / lanes]int32{}
	for i := lo; i < hi; i++ {
		kind := t.kind[i]
		p := next[kind]
		next[kind]++
		row[p], parents[p] = int32(i), fine.Parent[i]
		t.unknown[i] = unknown{int32(p), fine.Parent[i], x[i], fine.Size[i]}
		width := &z.width[(p-z.begin)/lanes]
		*width = max(*width, ptr[i-lo+1]-ptr[i-lo])
	}
	for s := range padded(count[dirty]) / lanes {
		z.width[s]++ // for the row's own column
	}
	for _, idle := range [2][2]int{{z.black, z.red}, {z.end, z.begin + zonePlaces}} {
		for p := idle[0]; p < idle[1]; p++ {
			row[p], parents[p] = -1, 0
		}
	}
}

// sortOut finds the kinds of a zone's unknowns, the first of which is lo, counts them, and notes the largest diagonal.
func (t *split) sortOut(m *Matrix, number, lo, hi int) (count [3]int) {
	kinds, diag, reds, rows := t.kind[lo:hi], m.Diag[lo:hi], m.Red[lo:hi], &m.Part[number]
	diag, reds = diag[:len(kinds)], reds[:len(kinds)]
	p, top := int32(0), 0.0
	for i, q := range rows.Ptr[1:] {
		kind := dirty
		if d := diag[i]; d > 0 {
			if d > top {
				top = d
			}
			kind = kindOf(reds[i], rows.Col[p:q], m.Red)
		}
		kinds[i] = uint8(kind)
		count[kind]++
		p = q
	}
	t.zone[number].largest = top
	return count
}

// kindOf is the kind of an unknown that is joined to those in col.
func kindOf(own bool, col []int32, reds []bool) int {
	if own {
		return red
	}
	for _, j := range col {
		if !reds[j] {
			return dirty
		}
	}
	return clean
}

// slices gives where the entries of the slices from lo up to hi begin, places of the zone.
func (z *zone) slices(lo, hi int) []int32 {
	return z.matrix.first[(lo-z.begin)/lanes : (hi-z.begin)/lanes+1]
}
