package amg

// split parts the unknowns into red ones, of which no two are joined and which are eliminated, and
// black ones, which the conjugate gradients run on. Taken in their order, which on a grid makes a
// chequerboard, an unknown is red unless it is joined to a red one before.
//
// Black unknowns come first, those joined to black ones, the dirty ones, at their head; red ones
// begin with the next whole slice. An unknown's number in that order is its place.
type split struct {
	dirty, black, red int
	begin             int        // place of the first red one
	row               []int32    // the unknown at each place; -1 where there is none
	unknown           []unknown  // by number
	joins             []uint8    // entries of each row whose column is red, up to 255
	next              [][3]int32 // by chunk of rowGrain unknowns and kind, the next place
}

// unknown is what the sums over rows need of one.
type unknown struct {
	place  int32
	parent int32
	size   float32
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

// count finds the kinds of the unknowns lo ≤ i < hi, and counts them.
func (t *split) count(m *Matrix, lo, hi int) {
	var count [3]int32
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
	t.next[lo/rowGrain] = count
}

// arrange gives each kind and each chunk of unknowns its first place.
func (t *split) arrange() {
	var sum [3]int32
	for c := range t.next {
		for k, n := range t.next[c] {
			t.next[c][k] = sum[k]
			sum[k] += n
		}
	}
	t.dirty, t.black, t.red = int(sum[dirty]), int(sum[dirty]+sum[clean]), int(sum[red])
	t.begin = padded(t.black)
	t.row = resize(t.row, t.begin+padded(t.red))
	for p := t.black; p < t.begin; p++ {
		t.row[p] = -1
	}
	for p := t.begin + t.red; p < len(t.row); p++ {
		t.row[p] = -1
	}
	for c := range t.next {
		t.next[c][clean] += sum[dirty]
		t.next[c][red] += int32(t.begin)
	}
}

// number gives the unknowns lo ≤ i < hi their places.
func (t *split) number(fine *Level, lo, hi int) {
	next := &t.next[lo/rowGrain]
	for i := lo; i < hi; i++ {
		kind := t.joins[i]
		p := next[kind]
		next[kind]++
		t.row[p] = int32(i)
		t.unknown[i] = unknown{p, fine.Parent[i], fine.Size[i]}
	}
}
