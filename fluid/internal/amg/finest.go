package amg

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// finest is the system L with its red unknowns eliminated,
//
//	S = L_bb - L_br D_r⁻¹ L_rb,
//
// which is never formed. Conjugate gradients on the black unknowns have half the length and about
// half the iterations of those on all (Hageman, Young 1981, ch. 8). The stored matrix is N = I - D⁻¹L. In red rows and in those of
// clean unknowns D is the diagonal of L, and N has no diagonal. In dirty rows
//
//	D = max(1.1 L_ii, Σ|L_ij|/2),
//
// j = i included: the smoother updates all black unknowns at once, and by Gershgorin it then never
// amplifies an error (the ℓ1-Jacobi smoother of Baker, Falgout, Kolev, Yang 2011).
//
// Vectors are by place, and zero where there is no unknown. Loops are over zones.
type finest struct {
	split
	n         int
	diag, inv []float32 // D·scale and its inverse, 0 for an empty row

	b    []float32 // D⁻¹ · residual of the black unknowns; the red part is zero, but while cycleReduced runs
	x    []float32 // smoother's scratch
	y    []float32 // residual after smoothing, then the preconditioned residual
	lift []float32 // red part of the solution for black zeros; the black part stays zero
}

// dirtyScale is D over L_ii in dirty rows. It exceeds 1 to damp a checkerboard of black unknowns that have
// no red neighbours. From 1.05 to 1.25 the iteration counts are the same.
const dirtyScale = 1.1

// roundDown scales the entries of N, so that a row's sum in single precision never exceeds that
// in double precision: where a liquid is all but enclosed S would else not be positive.
const roundDown = 1 - 1./(1<<24)

// setFinest sets up the finest level, but for its rows, which coarsen fills with those of the next level. It lists the children of all
// coarser levels.
func (s *Solver) setFinest() {
	f := &s.fine
	f.n = len(s.m.Diag)
	f.zones = par.Chunks(f.n, zoneRows)
	for len(f.zone) < f.zones {
		f.zone = append(f.zone, zone{})
	}
	n := f.zones * zonePlaces
	f.row, f.parent, f.diag, f.inv = arrays.Resize(f.row, n), arrays.Resize(f.parent, n), arrays.Resize(f.diag, n), arrays.Resize(f.inv, n)
	f.b, f.x, f.y, f.lift = arrays.Resize(f.b, n), arrays.Resize(f.x, n), arrays.Resize(f.y, n), arrays.Resize(f.lift, n)
	par.Each(s.pool, s.depth+f.zones, 1, s, (*Solver).layOut)
	s.unit = f.matrixScale()
	s.perUnit = 1 / s.unit
	s.placeCoupling()
}

// placeCoupling copies the coupling, with places for columns.
func (s *Solver) placeCoupling() {
	k, p := s.coupling, &s.placed
	if k.groups() == 0 {
		p.Ptr = p.Ptr[:0]
		return
	}
	p.Ptr, p.Val, p.Apply = append(p.Ptr[:0], k.Ptr...), k.Val, k.Apply
	p.Col = arrays.Resize(p.Col, len(k.Col))
	for e, i := range k.Col {
		p.Col[e] = s.fine.unknown[i].place
	}
}

// layOut lists the children of a level or sets up a zone: item i of the loop over both.
func (s *Solver) layOut(_ int, i int32) {
	if i, isLevel := par.Between(int(i), s.depth, s.fine.zones); isLevel {
		s.level[i].listChildren(&s.levels[i], i > 0)
	} else {
		s.layOutZone(i)
	}
}

// layOutZone assigns places to the unknowns of a zone, and makes room for their rows.
func (s *Solver) layOutZone(number int) {
	f := &s.fine
	f.arrange(number, s.m, &s.levels[0], s.x)
	z := &f.zone[number]
	lo, hi := z.begin, z.begin+zonePlaces
	clear(f.b[lo:hi])
	clear(f.x[lo:hi]) // drop non-finite numbers of an earlier solve
	clear(f.y[lo:hi])
	clear(f.lift[lo:hi])
	z.matrix.lay(z.width[:])
	for p := lo; p < hi; p++ {
		if f.row[p] < 0 {
			f.diag[p], f.inv[p] = 0, 0
		}
	}
}

// setScale sets D in the row at a place, from its diagonal and its other entries, and returns the factor from L to N in that row.
func (s *Solver) setScale(place int, diag float64, val []float64, isDirty bool) (by float64) {
	if isDirty {
		sum := diag
		for _, v := range val {
			sum += math.Abs(v)
		}
		diag = max(dirtyScale*diag, sum/2)
	}
	f := &s.fine
	f.diag[place], f.inv[place] = 0, 0
	if !(diag > 0) {
		return 0
	}
	inv := 1 / diag
	f.diag[place], f.inv[place] = float32(diag*s.unit), float32(inv*s.perUnit)
	return -roundDown * inv
}

// sumFinest fills the rows of i's children, unknowns of the finest level, and their D, and sums them in u. It returns the
// row sum. It also sets residual = b - L x there.
func (s *Solver) sumFinest(l *level, i int32, u *rowAccumulator) (dir float32) {
	f, m, unit := &s.fine, s.m, s.unit
	unknowns, sizes, own := f.unknown, s.levels[0].Size, l.size[i]
	for c := l.child[i]; c >= 0; c = l.sibling[c] {
		number := c / zoneRows
		z, part, me := &f.zone[number], &m.Part[number], &unknowns[c]
		p, q := part.Ptr[c%zoneRows], part.Ptr[c%zoneRows+1]
		col, val := part.Col[p:q], part.Val[p:q]
		val = val[:len(col)]
		place, lane, diag := int(me.place), uint32(me.place)%lanes, m.Diag[c]
		isDirty, size := place < z.clean, sizes[c]
		u.noteChild(me.place, isDirty || place >= z.red)
		by := s.setScale(place, s.weight(c, diag), val, isDirty)
		of := z.matrix.row(place - z.begin)
		u.weight += f.diag[place]
		if isDirty && by < 0 { // a row with D = 0 takes no coarse correction, as it restricts no residual
			e := &of[len(col)]
			e.col[lane], e.val[lane] = me.place, float32(roundDown+float64(by*diag))
		}
		sum, b := diag, s.rhs[c]
		left := b - float64(diag*me.x)
		of = of[:len(col)]
		for k, j := range col {
			o, v := &unknowns[j], val[k]
			sum += v
			left -= float64(v * o.x)
			e := &of[k]
			e.col[lane], e.val[lane] = o.place, float32(v*by)
			if o.parent != i {
				u.add(o.parent, float32(float32(v*unit)*(size+sizes[j])))
			}
		}
		s.residual[c] = left
		u.left += float64(left * left)
		u.rhs += float64(b * b)
		if sum >= roundoff*diag {
			dir += float32(float32(sum*unit) * (size / own))
		}
	}
	return dir
}

// reduceZone sets the residual of a zone's red and dirty unknowns after smoothing from zero, in y.
func (s *Solver) reduceZone(_ int, number int32) {
	f := &s.fine
	z := &f.zone[number]
	f.multiply(z, z.begin, padded(z.clean), f.y, f.b)
	f.solveRed(z, f.y, f.b)
}

// prolongZone adds the coarse solution to a zone's red and dirty unknowns of x, which begins as b.
func (s *Solver) prolongZone(_ int, number int32) {
	f, coarse := &s.fine, s.level[0].x
	z := &f.zone[number]
	for _, run := range [2][2]int{{z.begin, padded(z.clean)}, {z.red, padded(z.end)}} {
		lo, hi := run[0], run[1]
		prolong(f.x[lo:hi], f.b[lo:hi], coarse, f.parent[lo:hi])
	}
}

// smoothBlackZone sets the black part of a zone's y to b + N x.
func (s *Solver) smoothBlackZone(_ int, number int32) {
	s.fine.smoothBlack(&s.fine.zone[number], s.fine.y, s.fine.x)
}

// solveRedZone solves for the red part of a zone's y, given the black part.
func (s *Solver) solveRedZone(_ int, number int32) {
	s.fine.solveRed(&s.fine.zone[number], s.fine.y, s.fine.y)
}

// smoothBlack sets the black part of out to b + N x.
func (f *finest) smoothBlack(z *zone, out, x []float32) {
	lo, hi := z.begin, z.red
	accumulate(out[lo:hi], f.b[lo:hi], x, z.slices(lo, hi), z.matrix.entry)
}

// solveRed sets the red part of out to the solution that the black part of x gives.
func (f *finest) solveRed(z *zone, out, x []float32) { f.multiply(z, z.red, padded(z.end), out, x) }

// multiply sets the places from lo up to hi of out to N x.
func (f *finest) multiply(z *zone, lo, hi int, out, x []float32) {
	multiply(out[lo:hi], x, z.slices(lo, hi), z.matrix.entry)
}
