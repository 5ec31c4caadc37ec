package cutting

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// cover is what a solid covers of the polygon of an edge, and fills of the pyramids on it.
type cover struct {
	edge   int32 // counted from the first of its base cell
	values int32 // where in coverList.values the distances at the corners of the polygon begin, then those at the edge's ends; none: it is covered all over
	area   float64
	taken  float64   // of area, m², what counts as this solid's, where several cover the same
	x      vec       // centroid of area, m
	at     vec       // centroid of taken, m
	own    [2]filled // of filled, what solids that never move don't fill as well
	filled [2]filled // of the pyramids from the first and from the second end; moments are about the solid's centre
	fine   bool      // its values are also those of what it is cut up into
	way    float64   // how far from the first end it is, as a part of the edge: half, on the polygon, unless thin
	thin   bool      // a wall thinner than a cell shuts it, which may fill little of the pyramids
}

// coverList is what a solid covers of a base cell's edges, in ascending order.
type coverList struct {
	covers []cover
	values []float64
	pores  []pores // likewise, of a porous body
}

func (c *coverList) clear() { c.covers, c.values, c.pores = c.covers[:0], c.values[:0], c.pores[:0] }

// Lists grow by fewCovers covers at least, with room for fewValues distances each, so that a body that moves on makes few of them grow.
const fewCovers, fewValues = 128, 9

// add appends a cover. It writes in place.
func (c *coverList) add(edge int32) *cover {
	n := len(c.covers)
	if n < cap(c.covers) {
		c.covers = c.covers[:n+1]
	} else {
		c.covers = append(slices.Grow(c.covers, max(n, fewCovers)), cover{})
		c.values = slices.Grow(c.values, fewValues*(cap(c.covers)-n))
	}
	to := &c.covers[n]
	*to = cover{edge: edge, values: none, way: .5}
	return to
}

// least is the part of a polygon that is not looked at: a solid that covers less covers nothing, and what less is left open is shut. It would only be a leak
// or a sliver.
const least = 2e-3

// candidate is an edge that a solid may be at. Its polygon is covered all over, or is to be cut.
type candidate struct {
	edge int32 // of the lattice
	full bool
	// middle is where in scratch.d the distance in the middle of the polygon is, if it is to be cut, or none.
	middle int32
	// fine is where the further distances of one that is cut up are, or none.
	fine int32
	// walled tells that a wall thinner than a cell stands between its ends, and shuts it.
	walled bool
	// slab is how much of such a wall there is on the edge for each m² of the polygon, m, if slabbed, and way how far from the first end, as a part of the edge.
	slabbed   bool
	slab, way float64
}

// cutter measures what a solid covers.
type cutter struct {
	distance shapes.Distance
	bounds   r3.Box // m
	centre   vec    // of moments, m
	sides    uint8  // of the domain that are near, as bits
	wall     wall
}

// isNear tells whether a place is within reach of the solid's bounds, m.
func (c *cutter) isNear(x *vec, reach float64) bool {
	lo, hi := &c.bounds.Min, &c.bounds.Max
	return x[0] >= lo.X-reach && x[0] <= hi.X+reach && x[1] >= lo.Y-reach && x[1] <= hi.Y+reach && x[2] >= lo.Z-reach && x[2] <= hi.Z+reach
}

// ringReach, in edges of the larger of the cells at an edge's ends, is more than the way from there to the corners of its polygon.
const ringReach = 1.2

// cut fills a list with what a solid covers of a base cell's edges.
func (t *lattice) cut(s *scratch, dom *domain, c *cutter, b int32, to *coverList) {
	to.clear()
	s.begin(float64(touch * dom.finest))
	t.findNear(s, c, b)
	if len(s.x) == 0 {
		return
	}
	s.evaluate(c.distance)
	t.keepTouched(s, dom, c.sides)
	s.evaluate(c.distance)
	t.findWalled(s, c)
	t.keepCut(s)
	s.evaluate(c.distance)
	t.cutUp(s)
	s.evaluate(c.distance)
	for i := range s.list {
		t.coverEdge(s, dom, c, &s.list[i], t.l.EdgeRuns[b], to)
	}
}

// coverEdge adds what a solid covers of an edge to a list, where edges are counted from a first one.
func (t *lattice) coverEdge(s *scratch, dom *domain, c *cutter, e *candidate, first int32, to *coverList) {
	v := to.add(e.edge - first)
	if e.middle == none {
		v.thin = e.walled && !e.full
		t.coverWhole(s, dom, c, v, e.edge)
		if v.thin && e.slabbed {
			t.fillSlab(c, v, e)
		}
		return
	}
	from := len(to.values)
	to.values = t.appendValues(to.values, s, e)
	v.values, v.fine = int32(from), e.fine != none
	touched := t.coverPart(s, dom, c, v, e.edge, to.values[from:])
	if e.walled {
		v.thin, touched = true, true
		t.coverWhole(s, dom, c, v, e.edge)
	}
	if e.slabbed {
		t.fillSlab(c, v, e)
		touched = v.area > 0 || e.slab > 0
	}
	if !touched {
		to.covers = to.covers[:len(to.covers)-1]
	}
	if !touched || v.values == none {
		to.values = to.values[:from]
	}
}

// beyondRing are the values of an edge after those at the corners of its polygon: at its two ends, in the middle of the polygon, and at the ends' feet.
const beyondRing = 5

// appendValues appends the distances at the corners of an edge's polygon, at its ends, in the middle of the polygon and at the ends' feet.
func (t *lattice) appendValues(dst []float64, s *scratch, e *candidate) []float64 {
	l := t.l
	for _, k := range l.Ring[l.RingRuns[e.edge]:l.RingRuns[e.edge+1]] {
		dst = append(dst, s.atCentre(k))
	}
	ends := l.Ends[e.edge]
	dst = append(dst, s.atVertex(ends[0]), s.atVertex(ends[1]), sound(s.d[e.middle], s.touch), s.atFoot(ends[0]), s.atFoot(ends[1]))
	if e.fine != none {
		for _, d := range s.d[e.fine:][:fineValues(int(l.RingRuns[e.edge+1]-l.RingRuns[e.edge]))] {
			dst = append(dst, sound(d, s.touch))
		}
	}
	return dst
}

// cutUp requests further distances of those edges that are to be cut up.
func (t *lattice) cutUp(s *scratch) {
	for i := range s.list {
		e := &s.list[i]
		if e.fine = none; e.middle == none || e.walled || e.slabbed {
			continue
		}
		if s.values = t.appendValues(s.values[:0], s, e); t.isCrooked(e.edge, s.values) {
			e.fine = int32(len(s.x))
			s.x = t.finePlaces(s.x, e.edge)
		}
	}
}

// keepCut keeps the candidates that the solid touches by its distance at all corners, and requests that in the middle of those that it is to cut.
func (t *lattice) keepCut(s *scratch) {
	l, n := t.l, 0
	for _, e := range s.list {
		if e.middle = none; !e.full {
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range l.Ends[e.edge] {
				d, foot := s.atVertex(v), s.atFoot(v)
				low, high = min(low, d, foot), max(high, d, foot)
			}
			for _, k := range l.Ring[l.RingRuns[e.edge]:l.RingRuns[e.edge+1]] {
				d := s.atCentre(k)
				low, high = min(low, d), max(high, d)
			}
			if low >= 0 && !e.walled {
				continue
			}
			if e.full = high < s.least(); !e.full && low < 0 {
				e.middle = int32(len(s.x))
				s.x = append(s.x, reproducible.Vector(l.Middle[e.edge]))
			}
		}
		s.list[n] = e
		n++
	}
	s.list = s.list[:n]
}

// findNear lists the base cell's edges that the bounds come near to, and requests the distances at their ends.
func (t *lattice) findNear(s *scratch, c *cutter, b int32) {
	s.list = s.list[:0]
	l := t.l
	for e := l.EdgeRuns[b]; e < l.EdgeRuns[b+1]; e++ {
		p, q := l.Ends[e][0], l.Ends[e][1]
		reach := float64(ringReach * max(t.cellEdge(p), t.cellEdge(q)))
		if c.isNear(&l.Position[p], reach) || c.isNear(&l.Position[q], reach) {
			s.list = append(s.list, candidate{edge: e})
			s.wishVertex(l, p)
			s.wishVertex(l, q)
		}
	}
}

// keepTouched keeps the candidates that the solid may touch by its distance at their ends, tells which are covered all over, and requests the distances
// at the corners of the others.
func (t *lattice) keepTouched(s *scratch, dom *domain, sides uint8) {
	l, n := t.l, 0
	for _, e := range s.list {
		p, q := l.Ends[e.edge][0], l.Ends[e.edge][1]
		dp, dq := s.atVertex(p), s.atVertex(q)
		bound := float64(ringReach * max(t.cellEdge(p), t.cellEdge(q)))
		if min(dp, dq) > bound {
			continue
		}
		ring := l.Ring[l.RingRuns[e.edge]:l.RingRuns[e.edge+1]]
		feet := [2]foot{t.footOf(dom, sides, p), t.footOf(dom, sides, q)}
		reach := max(t.ringRadius(p, ring), t.distanceTo(p, &feet[0]), t.distanceTo(q, &feet[1]))
		if min(dp, dq) > reach {
			continue
		}
		if e.full = max(dp, dq) < -reach; !e.full {
			for _, k := range ring {
				s.wishCentre(l, k)
			}
			for i, v := range l.Ends[e.edge] {
				s.wishFoot(v, &feet[i])
			}
		}
		s.list[n] = e
		n++
	}
	s.list = s.list[:n]
}

// ringRadius is how far the corners of an edge's polygon are from an end, m.
func (t *lattice) ringRadius(v int32, ring []int32) float64 {
	x, most := &t.l.Position[v], 0.
	for _, k := range ring {
		most = max(most, geom.Distance2(&t.l.Centres[k], x))
	}
	return math.Sqrt(most)
}

// cellRadius is how far the corners of a vertex's cell are from it, m.
func (t *lattice) cellRadius(v int32) (most float64) {
	l := t.l
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		most = max(most, t.ringRadius(v, l.Ring[l.RingRuns[e]:l.RingRuns[e+1]]))
	}
	return most
}

// outline fills s.poly with the polygon of an edge within the domain, with values at its corners; nil: 0.
func (t *lattice) outline(s *scratch, dom *domain, sides uint8, e int32, values []float64) {
	l := t.l
	ring := l.Ring[l.RingRuns[e]:l.RingRuns[e+1]]
	s.poly.clear()
	for i, k := range ring {
		d := 0.
		if values != nil {
			d = values[i]
		}
		s.poly.add(l.Centres[k], d)
	}
	if sides == 0 {
		return
	}
	dom.clip(&s.poly, &s.other, &s.values, sides)
}

// coverWhole covers an edge's polygon all over, as far as it is in the domain.
func (t *lattice) coverWhole(s *scratch, dom *domain, c *cutter, to *cover, e int32) {
	l := t.l
	to.area, to.x = l.Area[e], l.Middle[e]
	if c.sides != 0 {
		n := l.Normal(e)
		t.outline(s, dom, c.sides, e, nil)
		to.area, to.x = s.poly.measure(&n)
	}
	to.taken, to.at, to.values = to.area, to.x, none
	if to.thin {
		return
	}
	for i, v := range l.Ends[e] {
		pyramid := to.area * l.Dist[e] / 6
		to.filled[i].volume = pyramid
		for a := range to.x {
			to.filled[i].moment[a] = float64(pyramid * (float64(.75*to.x[a]) + float64(.25*l.Position[v][a]) - c.centre[a]))
		}
	}
	if c.sides != 0 {
		for i := range s.poly.d {
			s.poly.d[i] = -1
		}
		for i := range to.filled {
			t.addSides(s, dom, c.sides, e, i, &solidAt{ends: [2]float64{-1, -1}, feet: [2]float64{-1, -1}, about: &c.centre}, nil, &to.filled[i])
		}
	}
}

// coverPart measures what a solid covers of an edge's polygon, by its distances at the corners, at the ends and in the middle, and tells whether it touches
// anything.
func (t *lattice) coverPart(s *scratch, dom *domain, c *cutter, to *cover, e int32, values []float64) bool {
	l, n := t.l, t.l.Normal(e)
	t.outline(s, dom, c.sides, e, values)
	p := &s.poly
	if len(p.x) == 0 {
		return false
	}
	ring := int(l.RingRuns[e+1] - l.RingRuns[e])
	at := solidOf(values, ring, &c.centre)
	finely := len(values) > ring+beyondRing
	if low, high := extent(p.d); min(low, at.ends[0], at.ends[1], at.feet[0], at.feet[1]) >= 0 {
		return false
	} else if !finely && max(high, at.ends[0], at.ends[1], at.feet[0], at.feet[1]) < 0 {
		t.coverWhole(s, dom, c, to, e)
		return true
	}
	area, x := p.measure(&n)
	var open float64
	var middle vec
	if finely = finely && area > (1-least)*l.Area[e]; !finely { // not as a whole within the domain
		at.bend = t.bendOf(e, values).all
	}
	if c.sides != 0 {
		for i := range to.filled {
			t.addSides(s, dom, c.sides, e, i, &at, nil, &to.filled[i])
		}
	}
	if finely {
		open, middle = t.coverFinely(s, c, to, e, values)
	} else {
		open, middle = t.coverBent(s, c, to, e, values)
	}
	switch whole := l.Area[e]; {
	case open <= least*whole:
		to.area, to.x = area, x
	case area-open <= least*whole:
		to.area, to.x = 0, x
	default:
		to.area = area - open
		for a := range x {
			to.x[a] = x[a] + (x[a]-middle[a])*open/to.area
		}
	}
	to.taken, to.at = to.area, to.x
	return to.area > 0 || to.filled[0].volume != 0 || to.filled[1].volume != 0
}

// solidOf is a solid by its values at an edge, whose polygon has so many corners.
func solidOf(values []float64, ring int, about *vec) solidAt {
	return solidAt{ends: [2]float64(values[ring:]), feet: [2]float64(values[ring+3:]), about: about}
}

// coverBent is coverPart's measure of the polygon s.poly: what is open of it, m², and its centroid. What the solid fills of the pyramids goes to a cover.
func (t *lattice) coverBent(s *scratch, c *cutter, to *cover, e int32, values []float64) (open float64, middle vec) {
	l, p, n := t.l, &s.poly, t.l.Normal(e)
	bend, ring := t.bendOf(e, values), l.RingRuns[e+1]-l.RingRuns[e]
	for i, v := range l.Ends[e] {
		to.filled[i].addPyramid(p, &l.Position[v], values[int(ring)+i], &c.centre, bend.all, nil)
	}
	for i := range p.d {
		p.d[i] -= bend.off
	}
	p.clip(&s.other, p.d)
	return s.other.measure(&n)
}

// bend is how a solid's distance bends about the polygon of an edge.
type bend struct {
	all float64 // the sum of its second derivatives, 1/m
	off float64 // by how much values that are linear between the corners of the polygon exceed it in the polygon on average, m
}

// sharpest, in edges of the polygon's circle, bounds off: where the solid has an edge it does not bend but breaks.
const sharpest = .15

// bendOf is the bend by the distances at the corners of an edge's polygon, at its ends and in its middle.
func (t *lattice) bendOf(e int32, values []float64) (to bend) {
	dev := t.deviationOf(e, values)
	if !(dev.square > 0) {
		return to
	}
	limit := sharpest * math.Sqrt(dev.square)
	off, along := max(-limit, min(limit, dev.across)), max(-limit, min(limit, dev.along))
	half := t.l.Dist[e] / 2
	// In the plane of the polygon a distance of curvature k along each way exceeds that in the middle by k/2 times the square of the way.
	to.all = 4*off/dev.square + 2*along/float64(half*half)
	to.off = 2. / 3 * off
	return to
}

// deviation is how far a distance is from linear about the polygon of an edge.
type deviation struct {
	across float64 // by how much the mean of the values at the corners of the polygon exceeds that in its middle, m
	along  float64 // likewise of those at the edge's ends
	square float64 // of how far the corners are from the middle, m², in the mean
}

// deviationOf is that of an edge's values. Of polygons whose corners, or whose edge's ends, have their mean elsewhere than in the middle, it leaves out what the distance
// differs by between the two, by its slope.
func (t *lattice) deviationOf(e int32, values []float64) (to deviation) {
	l := t.l
	corners := l.Ring[l.RingRuns[e]:l.RingRuns[e+1]]
	ring, middle := len(corners), &l.Middle[e]
	mean := 0.
	var centre vec // of the corners, from the middle
	for i, k := range corners {
		mean += values[i] / float64(ring)
		by := geom.Sub(&l.Centres[k], middle)
		to.square += geom.Dot(&by, &by) / float64(ring)
		for a := range centre {
			centre[a] += by[a] / float64(ring)
		}
	}
	to.across, to.along = mean-values[ring+2], float64(.5*(values[ring]+values[ring+1]))-values[ring+2]
	var half vec // way along the edge, from the middle
	for a := range half {
		half[a] = float64((l.Position[l.Ends[e][0]][a]+l.Position[l.Ends[e][1]][a])/2) - middle[a]
	}
	if float64(evenly*to.square) < max(geom.Dot(&centre, &centre), geom.Dot(&half, &half)) {
		slope := t.slopeIn(e, values[:ring], mean, &centre)
		to.across -= geom.Dot(&slope, &centre)
		to.along -= geom.Dot(&slope, &half)
	}
	return to
}

// evenly is the square of the part of a polygon's radius within which two places in it count as one.
const evenly = 1e-12

// slopeIn is the slope, in its plane, of the linear field that fits best the values at the corners of an edge's polygon, whose mean is that at a centre from its middle.
func (t *lattice) slopeIn(e int32, values []float64, mean float64, centre *vec) (slope vec) {
	l, n := t.l, t.l.Normal(e)
	u := perpendicular(&n)
	v := geom.Cross(&n, &u)
	var uu, uv, vv, ud, vd float64
	for i, k := range l.Ring[l.RingRuns[e]:l.RingRuns[e+1]] {
		by := geom.Sub(&l.Centres[k], &l.Middle[e])
		by = geom.Sub(&by, centre)
		x, y, d := geom.Dot(&by, &u), geom.Dot(&by, &v), values[i]-mean
		uu, uv, vv = uu+float64(x*x), uv+float64(x*y), vv+float64(y*y)
		ud, vd = ud+float64(x*d), vd+float64(y*d)
	}
	det := float64(uu*vv) - float64(uv*uv)
	if !(det > float64(evenly*(uu+vv)*(uu+vv))) {
		return slope
	}
	p, q := (float64(vv*ud)-float64(uv*vd))/det, (float64(uu*vd)-float64(uv*ud))/det
	for a := range slope {
		slope[a] = float64(p*u[a]) + float64(q*v[a])
	}
	return slope
}

// perpendicular is a unit vector at a right angle to another one.
func perpendicular(n *vec) vec {
	least := 0
	for a := range n {
		if math.Abs(n[a]) < math.Abs(n[least]) {
			least = a
		}
	}
	var axis vec
	axis[least] = 1
	u := geom.Cross(n, &axis)
	size := math.Sqrt(geom.Dot(&u, &u))
	for a := range u {
		u[a] /= size
	}
	return u
}

// extent is the least and the greatest of some values.
func extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
