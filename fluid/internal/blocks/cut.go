package blocks

// cutSquare gives the part of a unit square whose corners have the signed distances d, less some (order
// (0,0), (1,0), (0,1), (1,1)), that is solid, where that is < 0, and that part's centroid. The edge
// between inside and outside is straight, so that a plane is cut exactly.
func cutSquare(d *[4]float64, less float64) (solid, cx, cy float64) {
	a, b, c, e := d[0]-less, d[1]-less, d[2]-less, d[3]-less
	if a < 0 && b < 0 && c < 0 && e < 0 {
		return 1, .5, .5
	}
	if a >= 0 && b >= 0 && c >= 0 && e >= 0 {
		return 0, .5, .5
	}
	var p outline
	if a < 0 {
		p.to(0, 0)
	}
	if a < 0 != (b < 0) {
		p.to(a/(a-b), 0)
	}
	if b < 0 {
		p.to(1, 0)
	}
	if b < 0 != (e < 0) {
		p.to(1, b/(b-e))
	}
	if e < 0 {
		p.to(1, 1)
	}
	if e < 0 != (c < 0) {
		p.to(1-e/(e-c), 1)
	}
	if c < 0 {
		p.to(0, 1)
	}
	if c < 0 != (a < 0) {
		p.to(0, 1-c/(c-a))
	}
	p.side(p.firstX, p.firstY)
	if p.area < 1e-12 {
		return 0, .5, .5
	}
	return p.area, p.momentX / p.area, p.momentY / p.area
}

// outline sums up the area and its moments within a polygon that is walked around.
type outline struct {
	area, momentX, momentY float64
	firstX, firstY         float64
	x, y                   float64
	begun                  bool
}

// to goes on to the next corner.
func (p *outline) to(x, y float64) {
	if !p.begun {
		p.begun, p.firstX, p.firstY = true, x, y
	} else {
		p.side(x, y)
	}
	p.x, p.y = x, y
}

func (p *outline) side(x, y float64) {
	c := float64(p.x*y) - float64(x*p.y)
	p.area += float64(c / 2)
	p.momentX += (p.x + x) * c / 6
	p.momentY += (p.y + y) * c / 6
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
