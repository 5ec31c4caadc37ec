package blocks

// cutSquare gives the part of a unit square whose corners have the signed distances d (order
// (0,0), (1,0), (0,1), (1,1)) that is solid, d < 0, and that part's centroid. The edge
// between inside and outside is straight, so that a plane is cut exactly.
func cutSquare(d [4]float64) (solid, cx, cy float64) {
	if d[0] < 0 && d[1] < 0 && d[2] < 0 && d[3] < 0 {
		return 1, .5, .5
	}
	if d[0] >= 0 && d[1] >= 0 && d[2] >= 0 && d[3] >= 0 {
		return 0, .5, .5
	}
	ring := [4]int{0, 1, 3, 2}
	place := [4][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}
	var poly [8][2]float64
	n := 0
	for e := range 4 {
		p, q := ring[e], ring[(e+1)%4]
		if d[p] < 0 {
			poly[n] = place[p]
			n++
		}
		if (d[p] < 0) != (d[q] < 0) {
			t := d[p] / (d[p] - d[q])
			for a := range 2 {
				poly[n][a] = place[p][a] + t*(place[q][a]-place[p][a])
			}
			n++
		}
	}
	for e := range n {
		p, q := poly[e], poly[(e+1)%n]
		c := p[0]*q[1] - q[0]*p[1]
		solid += c / 2
		cx += (p[0] + q[0]) * c / 6
		cy += (p[1] + q[1]) * c / 6
	}
	if solid < 1e-12 {
		return 0, .5, .5
	}
	return solid, cx / solid, cy / solid
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
// distances in units of its edge, by the trilinear values at the middles of the eight octants.
func octants(d *[8]float64) (solid, x, y, z float64) {
	v := *d
	v[0], v[1] = quarters(v[0], v[1])
	v[2], v[3] = quarters(v[2], v[3])
	v[4], v[5] = quarters(v[4], v[5])
	v[6], v[7] = quarters(v[6], v[7])
	v[0], v[2] = quarters(v[0], v[2])
	v[1], v[3] = quarters(v[1], v[3])
	v[4], v[6] = quarters(v[4], v[6])
	v[5], v[7] = quarters(v[5], v[7])
	v[0], v[4] = quarters(v[0], v[4])
	v[1], v[5] = quarters(v[1], v[5])
	v[2], v[6] = quarters(v[2], v[6])
	v[3], v[7] = quarters(v[3], v[7])
	for o := range v {
		v[o] = max(0, min(1, .5-2*v[o])) / 8
	}
	solid = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7]
	if solid == 0 {
		return 0, .5, .5, .5
	}
	x = .25 + .5*(v[1]+v[3]+v[5]+v[7])/solid
	y = .25 + .5*(v[2]+v[3]+v[6]+v[7])/solid
	z = .25 + .5*(v[4]+v[5]+v[6]+v[7])/solid
	return solid, x, y, z
}

// quarters is the linear values a quarter and three quarters of the way from one to another.
func quarters(lo, hi float64) (a, b float64) { return .75*lo + .25*hi, .25*lo + .75*hi }

// extent is the least and the greatest of a cell's corner distances.
func extent(d *[8]float64) (lo, hi float64) {
	return min(d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]), max(d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7])
}
