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
func octants(d *[8]float64) (solid float64, x [3]float64) {
	v := *d
	for a := 1; a < 8; a *= 2 {
		for o := range v {
			if o&a == 0 {
				lo, hi := v[o], v[o|a]
				v[o], v[o|a] = .75*lo+.25*hi, .25*lo+.75*hi
			}
		}
	}
	for o := range v {
		part := max(0, min(1, .5-2*v[o])) / 8
		if part == 0 {
			continue
		}
		solid += part
		x[0] += part * float64(o&1)
		x[1] += part * float64(o>>1&1)
		x[2] += part * float64(o>>2)
	}
	if solid > 0 {
		for a := range x {
			x[a] = .25 + .5*x[a]/solid
		}
	}
	return solid, x
}

// extent is the least and the greatest of a cell's corner distances.
func extent(d *[8]float64) (lo, hi float64) {
	return min(d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]), max(d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7])
}
