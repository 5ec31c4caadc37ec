package trimesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
)

// polygon cuts plane polygons with holes into triangles by cutting off ears. Corners are told apart by names.
//
// Signs are exact in the coordinate plane on which the polygons' shadow is largest.
//
// Source: Eberly 2008, Triangulation by Ear Clipping.
type polygon struct {
	u, v      int // coordinate axes of the plane, from which the polygon is seen from its front
	corners   []polygonCorner
	loops     []polygonLoop
	ring      []int32 // corners of one loop with its holes
	triangles [][3]int32
}

type polygonCorner struct {
	name int32
	u, v float64
}

// polygonLoop is corners first to end, counter-clockwise if it is no hole.
type polygonLoop struct {
	first, end int32
	area       float64 // twice, negative for a hole
	rightmost  int32   // corner
}

// begin forgets what was there. Polygons will be in the plane of a triangle, and seen from its front.
func (g *polygon) begin(a, b, c r3.Vec) {
	n := geom.TwiceArea(a, b, c)
	axis := 0
	for k := 1; k < 3; k++ {
		if math.Abs(coordinate(&n, k)) > math.Abs(coordinate(&n, axis)) {
			axis = k
		}
	}
	g.u, g.v = (axis+1)%3, (axis+2)%3
	if coordinate(&n, axis) < 0 {
		g.u, g.v = g.v, g.u
	}
	g.corners, g.loops = g.corners[:0], g.loops[:0]
}

// add adds a corner to the loop that is begun.
func (g *polygon) add(name int32, x r3.Vec) {
	g.corners = append(g.corners, polygonCorner{name, coordinate(&x, g.u), coordinate(&x, g.v)})
}

// close ends a loop.
func (g *polygon) close() {
	first := int32(0)
	if n := len(g.loops); n > 0 {
		first = g.loops[n-1].end
	}
	l := polygonLoop{first: first, end: int32(len(g.corners)), rightmost: first}
	o := &g.corners[first]
	for i := l.first; i < l.end; i++ {
		p, q := &g.corners[i], o
		if i+1 < l.end {
			q = &g.corners[i+1]
		}
		l.area += float64((p.u-o.u)*(q.v-o.v)) - float64((p.v-o.v)*(q.u-o.u))
		if p.u > g.corners[l.rightmost].u {
			l.rightmost = i
		}
	}
	g.loops = append(g.loops, l)
}

// turn is the sign of the area of three corners: +1 if they are counter-clockwise.
func (g *polygon) turn(i, j, k int32) int {
	a, b, c := &g.corners[i], &g.corners[j], &g.corners[k]
	p, q := float64((a.u-c.u)*(b.v-c.v)), float64((a.v-c.v)*(b.u-c.u))
	// Shewchuk 1997, section 4.2: beyond (3 + 16 ε) ε times the sum of the sizes the rounded sign is right.
	det, bound := p-q, 4*0x1p-53*(math.Abs(p)+math.Abs(q))
	switch {
	case det > bound:
		return 1
	case -det > bound:
		return -1
	}
	at := func(p *polygonCorner, z float64) r3.Vec { return r3.Vec{X: p.u, Y: p.v, Z: z} }
	return predicates.Orient(at(a, 0), at(b, 0), at(c, 0), at(a, 1))
}

// triangulate cuts all loops into triangles of names. ok is false if rounding has made them cross.
func (g *polygon) triangulate() (triangles [][3]int32, ok bool) {
	g.triangles = g.triangles[:0]
	for i := range g.loops {
		if g.loops[i].area > 0 {
			g.ring = g.ring[:0]
			for k := g.loops[i].first; k < g.loops[i].end; k++ {
				g.ring = append(g.ring, k)
			}
			if !g.addHoles() || !g.cutEars() {
				return nil, false
			}
		}
	}
	return g.triangles, g.allUsed()
}

// allUsed tells whether each loop has an area, and each hole has been cut open.
func (g *polygon) allUsed() bool {
	for _, l := range g.loops {
		if l.area == 0 || l.area < 0 && l.rightmost != Gone {
			return false
		}
	}
	return true
}

// addHoles joins the holes that the ring surrounds to it by bridges, the rightmost first.
func (g *polygon) addHoles() bool {
	for {
		next := -1
		for i, l := range g.loops {
			if l.area < 0 && l.rightmost != Gone && (next < 0 || g.corners[l.rightmost].u > g.corners[g.loops[next].rightmost].u) && g.surrounds(g.ring, l.rightmost) {
				next = i
			}
		}
		if next < 0 {
			return true
		}
		if !g.bridge(&g.loops[next]) {
			return false
		}
		g.loops[next].rightmost = Gone
	}
}

// surrounds tells whether a corner is inside a ring.
func (g *polygon) surrounds(ring []int32, k int32) (in bool) {
	x := &g.corners[k]
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		p, q := &g.corners[a], &g.corners[b]
		if (p.v > x.v) == (q.v > x.v) {
			continue
		}
		if p.v > q.v {
			a, b = b, a
		}
		if g.turn(a, b, k) > 0 {
			in = !in
		}
	}
	return in
}

// bridge cuts a hole open: at the nearest corner of the ring that its rightmost corner sees.
func (g *polygon) bridge(hole *polygonLoop) bool {
	h, best, least := hole.rightmost, -1, math.Inf(1)
	for i, k := range g.ring {
		du, dv := g.corners[k].u-g.corners[h].u, g.corners[k].v-g.corners[h].v
		if d := float64(du*du) + float64(dv*dv); d < least && g.opens(i, h) && g.sees(h, k) {
			best, least = i, d
		}
	}
	if best < 0 {
		return false
	}
	n := len(g.ring)
	for k := range hole.end - hole.first {
		g.ring = append(g.ring, hole.first+(h-hole.first+k)%(hole.end-hole.first))
	}
	g.ring = append(g.ring, h, g.ring[best])
	// The hole comes between corner best, which is there twice, and the next.
	slices.Reverse(g.ring[best+1 : n])
	slices.Reverse(g.ring[n:])
	slices.Reverse(g.ring[best+1:])
	return true
}

// opens tells whether the way from corner i of the ring to a corner begins inside.
func (g *polygon) opens(i int, to int32) bool {
	n := len(g.ring)
	before, at, after := g.ring[(i+n-1)%n], g.ring[i], g.ring[(i+1)%n]
	if g.turn(before, at, after) > 0 {
		return g.turn(at, after, to) > 0 && g.turn(before, at, to) > 0
	}
	return g.turn(at, after, to) > 0 || g.turn(before, at, to) > 0
}

// sees tells whether nothing is between two corners: no side of the ring nor of a hole.
func (g *polygon) sees(a, b int32) bool {
	for i, p := range g.ring {
		if g.blocks(a, b, p, g.ring[(i+1)%len(g.ring)]) {
			return false
		}
	}
	for _, l := range g.loops {
		if l.area >= 0 || l.rightmost == Gone {
			continue
		}
		for p := l.first; p < l.end; p++ {
			q := p + 1
			if q == l.end {
				q = l.first
			}
			if g.blocks(a, b, p, q) {
				return false
			}
		}
	}
	return true
}

// blocks tells whether the side p-q meets a-b elsewhere than at an end that they share.
func (g *polygon) blocks(a, b, p, q int32) bool {
	if p == a || p == b || q == a || q == b {
		other, shared := q, p
		if q == a || q == b {
			other, shared = p, q
		}
		if other == a || other == b {
			return true
		}
		// Along each other they may lie.
		far := a + b - shared
		return g.turn(a, b, other) == 0 && g.dot(shared, other, far) > 0
	}
	s, t := g.turn(a, b, p)*g.turn(a, b, q), g.turn(p, q, a)*g.turn(p, q, b)
	return s <= 0 && t <= 0
}

// dot is (b-a)·(c-a).
func (g *polygon) dot(a, b, c int32) float64 {
	o, p, q := &g.corners[a], &g.corners[b], &g.corners[c]
	return float64((p.u-o.u)*(q.u-o.u)) + float64((p.v-o.v)*(q.v-o.v))
}

// cutEars cuts the ring into triangles: at each time the best ear of a few. A corner between neighbours on a line, but for rounding, would be left over as a triangle without an area by an ear
// beside it: an ear that leaves none comes first.
func (g *polygon) cutEars() bool {
	for len(g.ring) > 3 {
		best := g.bestEar(earSlack)
		if best < 0 {
			if best = g.bestEar(0); best < 0 {
				return false
			}
		}
		g.take(best)
		g.ring = slices.Delete(g.ring, best, best+1)
	}
	if g.turn(g.ring[0], g.ring[1], g.ring[2]) <= 0 {
		return false
	}
	g.take(1)
	return true
}

// earSlack is how close a corner may come to the side along which an ear is cut off, in lengths of that side, before it counts as in the ear.
const earSlack = 1e-6

// bestEar is the corner of the ring with the best ear; negative if there is none.
func (g *polygon) bestEar(slack float64) int {
	best, most := -1, -1.0
	for i := range g.ring {
		if q := g.quality(i); q > most && g.ear(i, slack) {
			best, most = i, q
			if q > goodEar && len(g.ring) > 48 {
				break
			}
		}
	}
	return best
}

// goodEar is the quality of an ear for which no better one is looked for in a large polygon: that of an equilateral triangle is 0.87.
const goodEar = 0.3

// around are the corners of the ring before i, at it and after it.
func (g *polygon) around(i int) (a, b, c int32) {
	n := len(g.ring)
	return g.ring[(i+n-1)%n], g.ring[i], g.ring[(i+1)%n]
}

func (g *polygon) take(i int) {
	a, b, c := g.around(i)
	g.triangles = append(g.triangles, [3]int32{g.corners[a].name, g.corners[b].name, g.corners[c].name})
}

// quality is twice the area of an ear over the square of its longest side.
func (g *polygon) quality(i int) float64 {
	a, b, c := g.around(i)
	long := max(g.dot(a, b, b), g.dot(b, c, c), g.dot(c, a, a))
	if long == 0 {
		return -1
	}
	return g.area(a, b, c) / long
}

// area is twice that of three corners.
func (g *polygon) area(a, b, c int32) float64 {
	x, y, z := &g.corners[a], &g.corners[b], &g.corners[c]
	return float64((y.u-x.u)*(z.v-x.v)) - float64((y.v-x.v)*(z.u-x.u))
}

// ear tells whether the triangle at a corner of the ring can be cut off: no other corner is in it, nor closer than slack to the side that is cut.
func (g *polygon) ear(i int, slack float64) bool {
	a, b, c := g.around(i)
	if g.turn(a, b, c) <= 0 {
		return false
	}
	least := -slack * g.dot(c, a, a)
	for _, k := range g.ring {
		if k != a && k != b && k != c && g.turn(a, b, k) >= 0 && g.turn(b, c, k) >= 0 && (g.turn(c, a, k) >= 0 || g.area(c, a, k) > least) {
			return false
		}
	}
	return true
}
