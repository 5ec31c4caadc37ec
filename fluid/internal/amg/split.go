package amg

// split colours the unknowns: no two red ones are neighbours, and they are eliminated; the
// conjugate gradients run on the black ones.
type split struct {
	kind    []uint8   // per unknown
	unknown []unknown // per unknown
	row     []int32   // per place: its unknown, or -1
	parent  []int32   // per place: its unknown's parent
	zone    []zone
	zones   int // in use
}

// unknown is the data of an unknown that sums over rows need.
type unknown struct {
	place  int32
	parent int32
	x      float64 // first guess
}

const (
	// zoneRows is the number of unknowns in a zone, whole slices: about 1 µs of a sweep.
	zoneRows = PartRows
	// serialZones is the largest number of zones that are swept on the caller alone: about 4 µs, of which helpers would save half and cost as much.
	serialZones = 4
	// zonePlaces leaves room for the red unknowns to begin at a whole slice.
	zonePlaces = zoneRows + lanes
)

// zone is a run of unknowns and their places. A loop over zones reads mostly the zone's own data, which the same
// worker wrote in the loop before.
//
// The order of places is: dirty black unknowns, which have black neighbours; clean black ones; red ones, from
// the next whole slice on. Places without an unknown follow the black ones and the red ones.
type zone struct {
	begin, clean, black int                       // places: first unknown, first clean one, end of the black ones
	red, end            int                       // first red one, end of the red ones
	width               [zonePlaces / lanes]int32 // of the slices
	matrix              sliced                    // N, slices counted from begin
	largest             float64                   // diagonal entry of L
}

// Kinds of unknowns, in the order of their places.
const (
	dirty = iota
	clean
	red
)

// arrange assigns places to the unknowns of a zone, and sets the widths of its slices.
func (t *split) arrange(number int, m *Matrix, fine *Level, x []float64) {
	lo := number * zoneRows
	hi := min(lo+zoneRows, len(t.unknown))
	z := &t.zone[number]
	count := t.countKinds(m, number, lo, hi)
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
		t.unknown[i] = unknown{int32(p), fine.Parent[i], x[i]}
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

// countKinds sets the kinds of a zone's unknowns, from lo on, counts them, and sets the zone's largest diagonal.
func (t *split) countKinds(m *Matrix, number, lo, hi int) (count [3]int) {
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

// kindOf returns the kind of an unknown with the neighbours in col.
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

// slices returns where the entries of the slices between the places lo and hi begin.
func (z *zone) slices(lo, hi int) []int32 {
	return z.matrix.first[(lo-z.begin)/lanes : (hi-z.begin)/lanes+1]
}
