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
		// A plane further off than half a cell's diagonal, .87h, misses the cell.
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
		if b < len(s.ClipBlocks) && s.ClipBlocks[b] {
			s.sums[b] = alone(cells, s.Phi[first:], float32(h)) * h * h * h
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
	for z := 1; z <= n; z++ {
		for y := 1; y <= n; y++ {
			for x := 1; x <= n; x++ {
				at := x + e*(y+e*z)
				f := float32(0)
				switch c := t[at] * inv; {
				case c >= 1.5:
				case c <= -1.5:
					f = 1
				default:
					shift := -inv * .083 * (bend(t, at, 1, h) + bend(t, at, e, h) + bend(t, at, e*e, h))
					for o := range 8 {
						f += eighth(t, at, 1-2*(o&1), e*(1-(o&2)), e*e*(1-(o&4)/2), inv, shift)
					}
					f /= 8
				}
				cells[i] = f
				sum += float64(f)
				i++
			}
		}
	}
	return sum
}

// bend is the second difference of φ along an axis, m, where it is that of a curved surface; where it
// is too large for that, two surfaces are near. Interpolation overestimates φ by 3/32 of it in the
// middle of an eighth, less 1/96 for the mean over the eighth: .083 of it.
func bend(t []float32, at, step int, h float32) float32 {
	if b := t[at-step] + t[at+step] - 2*t[at]; abs32(b) < .6*h {
		return b
	}
	return 0
}

// eighth is the liquid fraction of the eighth of the cell at t[at] that lies towards the neighbours
// dx, dy and dz away. shift, in cells, is added to φ.
func eighth(t []float32, at, dx, dy, dz int, inv, shift float32) float32 {
	c, cx, cy, cz := t[at], t[at+dx], t[at+dy], t[at+dz]
	cxy, cxz, cyz, cxyz := t[at+dx+dy], t[at+dx+dz], t[at+dy+dz], t[at+dx+dy+dz]
	x0, x1, x2, x3 := cx-c, cxy-cy, cxz-cz, cxyz-cyz
	a0, a1, a2, a3 := c+.25*x0, cy+.25*x1, cz+.25*x2, cyz+.25*x3
	y0, y1 := a1-a0, a3-a2
	b0, b1 := a0+.25*y0, a2+.25*y1
	gz := b1 - b0
	phi := 2 * (inv*(b0+.25*gz) + shift) // in edges of the eighth
	switch {
	case phi >= 1:
		return 0
	case phi <= -1:
		return 1
	}
	gy := y0 + .25*(y1-y0)
	l0, l1 := x0+.25*(x1-x0), x2+.25*(x3-x2)
	return CellFraction(phi, inv*(l0+.25*(l1-l0)), inv*gy, inv*gz)
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
	alpha := .5 - float64(phi)/sum
	switch {
	case !(alpha > 0):
		return 0
	case alpha >= 1:
		return 1
	case alpha > .5:
		return float32(1 - cornerVolume(1-alpha, a/sum, b/sum, c/sum))
	}
	return float32(cornerVolume(alpha, a/sum, b/sum, c/sum))
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
