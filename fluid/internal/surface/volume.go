package surface

import "math"

// Fraction writes the liquid fraction of every cell of Cur, 0 to 1.
//
// dst: len = grid cells.
//
// Each eighth of a cell is cut by the plane that φ, interpolated, has in its middle. One plane for
// the whole cell would take a sheet thinner than a cell for half a cell: it has φ = 0 on two sides.
func (s *LevelSet) Fraction(dst []float32) {
	if len(dst) < s.g.Cells() {
		panic("surface: Fraction: dst is shorter than the grid's cells")
	}
	s.dst = dst
	s.pool.For(s.g.Bases(), 8, s.fractionChunk)
	s.dst = nil
}

// Volume is the liquid on the grid at the last Fraction call, m³.
func (s *LevelSet) Volume() float64 {
	sum := 0.
	for _, v := range s.sums {
		sum += v
	}
	return sum
}

func (s *LevelSet) fractionBlocks(worker, lo, hi int) {
	tile := s.work[worker].tile[:]
	for b := lo; b < hi; b++ {
		l, first := s.g.Cur.Level[b], s.g.Cur.First[b]
		n := 1 << l
		cells := s.dst[first : first+1<<(3*l)]
		h := s.g.CellSize(l)
		if b < len(s.ClipBlocks) && s.ClipBlocks[b] {
			s.sums[b] = alone(cells, s.Phi[first:], float32(h)) * h * h * h
			continue
		}
		// A plane further off than half a cell's diagonal, .87h, misses the cell; without one, and without a
		// thin wall, all cells are on one side.
		if phi := s.Phi[first]; s.low[b] > float32(h) {
			full := float32(0)
			if phi < 0 {
				full = 1
			}
			for i := range cells {
				cells[i] = full
			}
			s.sums[b] = float64(full) * float64(len(cells)) * h * h * h
			continue
		}
		s.gatherNew(int32(b), tile, false)
		s.sums[b] = fractions(cells, tile, n, float32(h)) * h * h * h
	}
}

// alone is fractions where a thin wall may stand between a cell and the next: each by its own φ.
func alone(cells, phi []float32, h float32) (sum float64) {
	for i := range cells {
		cells[i] = max(0, min(1, .5-phi[i]/h))
		sum += float64(cells[i])
	}
	return sum
}

func fractions(cells, t []float32, n int, h float32) (sum float64) {
	e := n + 2
	inv := 1 / h
	i := 0
	var q eighths
	for z := 1; z <= n; z++ {
		for y := 1; y <= n; y++ {
			row := t[1+e*(y+e*z):][:n]
			for x, phi := range row {
				f := float32(0)
				switch c := phi * inv; {
				case c >= 1.5:
				case c <= -1.5:
					f = 1
				default:
					at := x + 1 + e*(y+e*z)
					f = fraction(&q, t, at, e, h, inv)
				}
				cells[i] = f
				sum += float64(f)
				i++
			}
		}
	}
	return sum
}

// fraction is the liquid fraction of the cell at t[at].
func fraction(q *eighths, t []float32, at, e int, h, inv float32) float32 {
	bx, rx := bend(t, at, 1, h)
	by, ry := bend(t, at, e, h)
	bz, rz := bend(t, at, e*e, h)
	shift := -inv * .083 * (bx + by + bz)
	// A plane of these slopes reaches half of their sum from the cell's centre; a tenth more, where they change.
	c, reach := inv*t[at]+shift, .55*inv*(rx+ry+rz)+.05
	switch {
	case c > reach:
		return 0
	case c < -reach:
		return 1
	}
	q.set(t, at, e)
	return q.sum(inv, shift) / 8
}

// bend is the second difference of φ along an axis, m, where it is that of a curved surface; where it
// is too large for that, two surfaces are near. Interpolation overestimates φ by 3/32 of it in the
// middle of an eighth, less 1/96 for the mean over the eighth: .083 of it. rise is the greater of the first differences.
func bend(t []float32, at, step int, h float32) (b, rise float32) {
	low, high := t[at-step]-t[at], t[at+step]-t[at]
	if b = low + high; abs32(b) >= .6*h {
		b = 0
	}
	return b, max(abs32(low), abs32(high))
}

// eighths holds what the eighths of a cell have in common, for the planes of cells below, at and above
// its own. Eighth o lies towards the high neighbour along x, y and z where bit 0, 1 and 2 of o is 0.
type eighths [3]struct {
	dx [3][2]float32 // from the middle of a row to its neighbours, for the rows at, above and below
	dy [4]float32    // a quarter of the way there: from the middle row to those beside it
	ay [4]float32    // a quarter of the way there too
}

// set reads the 27 values around t[at].
func (q *eighths) set(t []float32, at, e int) {
	at -= 1 + e*e
	for i := range q {
		p := &q[i]
		low, mid, high := t[at-e:][:3], t[at:][:3], t[at+e:][:3]
		p.dx[0] = [2]float32{mid[2] - mid[1], mid[0] - mid[1]}
		p.dx[1] = [2]float32{high[2] - high[1], high[0] - high[1]}
		p.dx[2] = [2]float32{low[2] - low[1], low[0] - low[1]}
		m0, m1 := mid[1]+.25*p.dx[0][0], mid[1]+.25*p.dx[0][1]
		h0, h1 := high[1]+.25*p.dx[1][0]-m0, high[1]+.25*p.dx[1][1]-m1
		l0, l1 := low[1]+.25*p.dx[2][0]-m0, low[1]+.25*p.dx[2][1]-m1
		p.dy = [4]float32{h0, h1, l0, l1}
		p.ay = [4]float32{m0 + .25*h0, m1 + .25*h1, m0 + .25*l0, m1 + .25*l1}
		at += e * e
	}
}

// sum is that of the eighths' liquid fractions. shift, in cells, is added to φ.
func (q *eighths) sum(inv, shift float32) (f float32) {
	for o := range 8 {
		p := &q[2-o>>2*2]
		here := q[1].ay[o&3]
		gz := p.ay[o&3] - here
		phi := 2 * (inv*(here+.25*gz) + shift) // in edges of the eighth
		if phi >= 1 {
			continue
		}
		if phi <= -1 {
			f++
			continue
		}
		dy := q[1].dy[o&3]
		x, y := o&1, 1+o>>1&1
		l0 := q[1].dx[0][x] + .25*(q[1].dx[y][x]-q[1].dx[0][x])
		l1 := p.dx[0][x] + .25*(p.dx[y][x]-p.dx[0][x])
		f += CellFraction(phi, inv*(l0+.25*(l1-l0)), inv*(dy+.25*(p.dy[o&3]-dy)), inv*gz)
	}
	return f
}

// CellFraction is the part of a cell where a linear φ is negative.
//
// phi: at the cell's centre, in cells.
// gx, gy, gz: gradient, cells per cell; need not have length 1.
//
// Source: Scardovelli, Zaleski 2000 eq. 2.
func CellFraction(phi, gx, gy, gz float32) float32 {
	a, b, c := float64(abs32(gx)), float64(abs32(gy)), float64(abs32(gz))
	sum := a + b + c
	if !(sum > 1e-6) {
		if phi < 0 {
			return 1
		}
		return 0
	}
	// Distance of the plane from the corner deepest in the liquid, as a part of the way to
	// the opposite corner.
	inv := 1 / sum
	alpha := .5 - float64(phi)*inv
	switch {
	case !(alpha > 0):
		return 0
	case alpha >= 1:
		return 1
	case alpha > .5:
		return float32(1 - cornerVolume(1-alpha, a*inv, b*inv, c*inv))
	}
	return float32(cornerVolume(alpha, a*inv, b*inv, c*inv))
}

// cornerVolume is the unit cube's volume under a x + b y + c z = alpha, for a+b+c = 1 and alpha ≤ ½.
func cornerVolume(alpha, a, b, c float64) float64 {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
		if a > b {
			a, b = b, a
		}
	}
	ab := a + b
	cube := func(v float64) float64 { return v * v * v }
	// With a this small the cubic terms cancel to less than rounding leaves: a prism.
	const flat = 1e-5
	switch {
	case alpha < a:
		return cube(alpha) / (6 * a * b * c)
	case alpha < b:
		return alpha*(alpha-a)/(2*b*c) + a*a/max(6*b*c, math.SmallestNonzeroFloat64)
	case a < flat || alpha >= ab && ab <= c:
		return (2*alpha - ab) / (2 * c)
	case alpha < c:
		return (cube(alpha) - cube(alpha-a) - cube(alpha-b)) / (6 * a * b * c)
	}
	return (cube(alpha) - cube(alpha-a) - cube(alpha-b) - cube(alpha-c)) / (6 * a * b * c)
}
