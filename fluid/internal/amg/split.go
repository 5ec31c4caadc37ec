package amg

// split parts the unknowns into red ones, of which no two are joined and which are eliminated, and
// black ones, which the conjugate gradients run on. Taken in their order, which on a grid makes a
// chequerboard, an unknown is red unless it is joined to a red one before.
type split struct {
	joins   []uint8   // entries of each row whose column is red, up to 255; then the unknown's kind
	unknown []unknown // by number
	row     []int32   // the unknown at each place; -1 where there is none
	zone    []zone
	zones   int // in use
}

// unknown is what the sums over rows need of one.
type unknown struct {
	place  int32
	parent int32
	size   float32
}

const (
	// zoneRows is the unknowns of a zone, whole slices: about 1 µs of a sweep.
	zoneRows = 512
	// zonePlaces leaves room for red unknowns to begin with a whole slice.
	zonePlaces = zoneRows + lanes
)

// zone is a run of unknowns and their places. What it reads in a loop is mostly its own, which the same
// worker wrote in the loop before.
//
// Black unknowns come first, those joined to black ones, the dirty ones, at their head; red ones begin
// with the next whole slice. Places without an unknown follow both.
type zone struct {
	begin, clean, black int    // places: of the first unknown, of the first clean one, behind the last
	red, end            int    // of the first red one, behind the last
	matrix              sliced // N, slices counted from begin
}

// kinds of unknowns, in the order of their places.
const (
	dirty = iota
	clean
	red
)

// forced is in joins of an unknown that must be black.
const forced = 255

// paint counts the red unknowns that each is joined to: red ones have none.
func (t *split) paint(m *Matrix, k *Coupling) {
	clear(t.joins)
	if k.groups() > 0 {
		for _, i := range k.Col {
			t.joins[i] = forced
		}
	}
	joins, p := t.joins, int32(0)
	for i, q := range m.Ptr[1:] {
		if joins[i] == 0 {
			if !(m.Diag[i] > 0) {
				joins[i] = forced
			} else {
				for _, j := range m.Col[p:q] {
					joins[j] = min(joins[j], forced-1) + 1
				}
			}
		}
		p = q
	}
}

// arrange gives the unknowns of a zone their places.
func (t *split) arrange(number int, m *Matrix, fine *Level) {
	lo := number * zoneRows
	hi := min(lo+zoneRows, len(t.unknown))
	z := &t.zone[number]
	count := t.sortOut(m, lo, hi)
	z.begin = number * zonePlaces
	z.clean = z.begin + count[dirty]
	z.black = z.clean + count[clean]
	z.red = padded(z.black)
	z.end = z.red + count[red]
	next := [3]int{z.begin, z.clean, z.red}
	row := t.row[:(number+1)*zonePlaces]
	for i := lo; i < hi; i++ {
		kind := t.joins[i]
		p := next[kind]
		next[kind]++
		row[p] = int32(i)
		t.unknown[i] = unknown{int32(p), fine.Parent[i], fine.Size[i]}
	}
	for p := z.black; p < z.red; p++ {
		row[p] = -1
	}
	for p := z.end; p < len(row); p++ {
		row[p] = -1
	}
}

// sortOut finds the kinds of the unknowns lo ≤ i < hi, and counts them.
func (t *split) sortOut(m *Matrix, lo, hi int) (count [3]int) {
	joins, ptr := t.joins[lo:hi], m.Ptr[lo:hi+1]
	for i, n := range joins {
		kind := dirty // without branches, which would be hard to predict
		if int32(n) == ptr[i+1]-ptr[i] {
			kind = clean
		}
		if n == forced {
			kind = dirty
		}
		if n == 0 {
			kind = red
		}
		joins[i] = uint8(kind)
		count[kind]++
	}
	return count
}

// of is the zone of unknown i.
func (t *split) of(i int32) *zone { return &t.zone[i/zoneRows] }

// slices gives where the entries of the slices from lo up to hi begin, places of the zone.
func (z *zone) slices(lo, hi int) []int32 {
	return z.matrix.first[(lo-z.begin)/lanes : (hi-z.begin)/lanes+1]
}
