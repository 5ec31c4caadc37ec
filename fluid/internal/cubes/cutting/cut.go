package cutting

// panes is four squares that a solid's surface may run through. Distances are in their edges.
type panes struct {
	d       [4][4]float64 // at their corners: (0, 0), (1, 0), (0, 1), (1, 1), of each the four squares'
	middles [4]float64
	crooked float64 // the squares where the middle is further than this from the mean of the corners are to be cut up

	// Of the others, cutPanes finds what is solid.
	again uint64     // those that are to be cut up, as bits
	solid [4]float64 // the part of each that is solid
	x, y  [4]float64 // its moments about the square's low corner
}

// put makes a square one of the four.
func (p *panes) put(i int, d *[4]float64, middle float64) {
	p.d[0][i], p.d[1][i], p.d[2][i], p.d[3][i], p.middles[i] = d[0], d[1], d[2], d[3], middle
}

func cutPanesGo(p *panes) {
	p.again = 0
	for i, middle := range p.middles {
		a, b, c, e := p.d[0][i], p.d[1][i], p.d[2][i], p.d[3][i]
		least, most := min(a, b, c, e), max(a, b, c, e)
		mixed, less := least < 0 && most >= 0, 0.
		p.solid[i], p.x[i], p.y[i] = 0, 0, 0
		if mixed {
			off := float64((a+b+c+e)*.25) - middle
			if max(off, -off) > p.crooked {
				p.again |= 1 << i
				continue
			}
			less = curvatureCorrection(off)
		}
		p.solid[i], p.x[i], p.y[i] = cutSquare(a-less, b-less, c-less, e-less)
	}
}

// cutSquare gives the part of a unit square whose corners (0,0), (1,0), (0,1) and (1,1) have the signed distances a, b, c and
// e that is solid, where that is < 0, and that part's moments. The edge between inside and outside is
// straight, so that a plane is cut exactly.
//
// It sums up the triangles from the corner (0,0) to what of the square's sides is solid, and to the cuts from where the surface leaves it
// to where it comes in.
func cutSquare(a, b, c, e float64) (area, x, y float64) {
	corners := [5]float64{a, b, e, c, a}
	var at [4]float64 // where the surface is on each side, from one corner to the next
	for i := range at {
		at[i] = corners[i] / (corners[i] - corners[i+1])
	}
	if b < 0 || e < 0 {
		from, to := within(b, e, at[1])
		area, x, y = to-from, 2*(to-from), float64((from+to)*(to-from))
	}
	if e < 0 || c < 0 {
		from, to := within(e, c, at[2])
		area, x, y = area+(to-from), x+float64((2-(from+to))*(to-from)), y+2*(to-from)
	}
	cuts := [4][2]float64{{at[0], 0}, {1, at[1]}, {1 - at[2], 1}, {0, 1 - at[3]}}
	var p [2]float64
	for i, q := range &cuts {
		if corners[i] < 0 && corners[i+1] >= 0 {
			p = q
		}
	}
	for i, q := range &cuts {
		switch {
		case corners[i] < 0 && corners[i+1] >= 0:
			p = q
		case corners[i] >= 0 && corners[i+1] < 0:
			twice := float64(p[0]*q[1]) - float64(p[1]*q[0])
			area += twice
			x += float64((p[0] + q[0]) * twice)
			y += float64((p[1] + q[1]) * twice)
		}
	}
	return area * .5, x * (1. / 6), y * (1. / 6)
}

// within is what of a side from one corner to the next is solid, where the surface is at some part of it.
func within(first, next, at float64) (from, to float64) {
	from, to = at, at
	if first < 0 {
		from = 0
	}
	if next < 0 {
		to = 1
	}
	return from, to
}

// A solid fraction below least is taken as none and above 1-least as all: what is left
// would only be a leak or a sliver the solver can't see.
const least = 2e-3

func tidy(solid float64) float64 {
	switch {
	case solid < least:
		return 0
	case solid > 1-least:
		return 1
	}
	return solid
}

// octants is the part of a unit cube that is solid, and that part's centroid, from its corner
// distances less some in units of its edge, by the trilinear values at the middles of the eight octants.
func octants(d *[8]float64, less float64) (solid, x, y, z float64) {
	a, b := quarters(d[0]-less, d[1]-less)
	c, e := quarters(d[2]-less, d[3]-less)
	f, g := quarters(d[4]-less, d[5]-less)
	p, q := quarters(d[6]-less, d[7]-less)
	a, c = quarters(a, c)
	b, e = quarters(b, e)
	f, p = quarters(f, p)
	g, q = quarters(g, q)
	a, f = quarters(a, f)
	b, g = quarters(b, g)
	c, p = quarters(c, p)
	e, q = quarters(e, q)
	a, b, c, e = octant(a), octant(b), octant(c), octant(e)
	f, g, p, q = octant(f), octant(g), octant(p), octant(q)
	solid = a + b + c + e + f + g + p + q
	if solid == 0 {
		return 0, .5, .5, .5
	}
	x = .25 + .5*(b+e+g+q)/solid
	y = .25 + .5*(c+e+p+q)/solid
	z = .25 + .5*(f+g+p+q)/solid
	return solid, x, y, z
}

// octant is what an octant adds to the solid part of a cube, by the distance at its middle in units of the cube's edge.
func octant(d float64) float64 { return float64(max(0, min(1, .5-2*d)) / 8) }

// quarters is the linear values a quarter and three quarters of the way from one to another.
func quarters(lo, hi float64) (a, b float64) {
	return float64(.75*lo) + float64(.25*hi), float64(.25*lo) + float64(.75*hi)
}

// extent is the least and the greatest of a cell's corner distances.
func extent(d *[8]float64) (lo, hi float64) {
	return min(d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]), max(d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7])
}
