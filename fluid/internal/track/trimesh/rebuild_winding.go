package trimesh

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// lineCrossing is a place at which a lattice line passes the mesh, and by how much the winding number rises there.
type lineCrossing struct {
	place float64
	rise  int32
}

// latticeLine lists its crossings from below.
type latticeLine struct{ first, count int32 }

// latticeLines counts how often a mesh winds around places on the lines of a lattice.
//
// An edge passes a plane of the lattice in one point, rounded, that is the same for all its triangles. So the mesh in that plane is closed polygons of rounded points, and what passes a line of the plane adds up
// to zero whatever is rounded: a coordinate on a line is above it.
type latticeLines struct {
	at        keyed // line by its axis and a node → lines
	lines     []latticeLine
	crossings []lineCrossing
	hits      []int32
}

func (l *latticeLines) clear() {
	l.at.clear()
	l.lines, l.crossings = l.lines[:0], l.crossings[:0]
}

// along are the crossings of the line along an axis through a node.
func (l *latticeLines) along(m *Mesh, lattice *Lattice, label int32, axis int, node [3]int32) []lineCrossing {
	node[axis] = 0
	at, first := l.at.add(latticeKey(axis, node), int32(len(l.lines)))
	if first {
		start := len(l.crossings)
		l.cross(m, lattice, label, axis, node)
		slices.SortFunc(l.crossings[start:], func(a, b lineCrossing) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(b.rise, a.rise)) })
		l.lines = append(l.lines, latticeLine{int32(start), int32(len(l.crossings) - start)})
	}
	line := l.lines[at]
	return l.crossings[line.first : line.first+line.count]
}

// cross finds the crossings of one line, in any order.
func (l *latticeLines) cross(m *Mesh, lattice *Lattice, label int32, axis int, node [3]int32) {
	box, ok := m.Boxes.Bounds()
	if !ok {
		return
	}
	b, c := (axis+1)%3, (axis+2)%3
	levelB, levelC := lattice.plane(b, node[b]), lattice.plane(c, node[c])
	setCoordinate(&box.Min, b, levelB)
	setCoordinate(&box.Max, b, levelB)
	setCoordinate(&box.Min, c, levelC)
	setCoordinate(&box.Max, c, levelC)
	l.hits = m.Boxes.Overlapping(l.hits[:0], &box)
	for _, t := range l.hits {
		if m.Label[t] != label {
			continue
		}
		up, down, ok := m.inPlane(t, c, levelC)
		if !ok || (coordinate(&up, b) < levelB) == (coordinate(&down, b) < levelB) {
			continue
		}
		share := (levelB - coordinate(&up, b)) / (coordinate(&down, b) - coordinate(&up, b))
		place := coordinate(&up, axis) + float64(share*(coordinate(&down, axis)-coordinate(&up, axis)))
		// From where the triangle goes up to where it comes down the normal is on the left, which for a way up along b is down along the line.
		rise := int32(-1)
		if coordinate(&up, b) < coordinate(&down, b) {
			rise = 1
		}
		l.crossings = append(l.crossings, lineCrossing{place, rise})
	}
}

// inPlane is where the boundary of a triangle goes up through a plane, and where it comes down.
func (m *Mesh) inPlane(t int32, axis int, level float64) (up, down r3.Vec, ok bool) {
	v := m.Triangle[t]
	for i := range 3 {
		above, next := coordinate(&m.Position[v[i]], axis) >= level, coordinate(&m.Position[v[(i+1)%3]], axis) >= level
		if above == next {
			continue
		}
		ok = true
		ends := m.Edge[m.Sides[t][i]]
		p, q := &m.Position[ends[0]], &m.Position[ends[1]]
		share := (level - coordinate(p, axis)) / (coordinate(q, axis) - coordinate(p, axis))
		x := r3.Add(*p, reproducible.Scale(share, r3.Sub(*q, *p)))
		if next {
			up = x
		} else {
			down = x
		}
	}
	return up, down, ok
}

// windingAt is how often the mesh winds around a node.
func (r *Rebuilder) windingAt(node [3]int32) (winding int32) {
	x := r.lattice.plane(0, node[0])
	for _, c := range r.lines.along(r.mesh, &r.lattice, r.label, 0, node) {
		if c.place >= x {
			break
		}
		winding += c.rise
	}
	return winding
}

// latticeCut is a lattice edge that the new surface passes, and where it does.
type latticeCut struct {
	axis  int
	node  [3]int32
	place float64 // share of the way to the higher node
	told  bool    // that is where a shape has its surface
	point int32
}

// Clamps of a cut keep triangles from degenerating at nodes: they are at least this share of an edge away.
const leastCut = 0.02

// toldWithin, in lattice edges, is rounding: a cut that is where the shape's surface is is told by the shape.
const toldWithin = 1e-9

// placeCuts finds where the surface passes lattice edges in the region.
func (r *Rebuilder) placeCuts(cuts []latticeCut) error {
	for i := range cuts {
		c := &cuts[i]
		low, high := r.nodes[r.nodeAt.find(latticeKey(0, c.node))], r.nodes[r.nodeAt.find(latticeKey(0, shifted(c.node, c.axis, 1)))]
		if r.mode == fromDistance {
			c.place = low.distance / (low.distance - high.distance)
			continue
		}
		c.place = r.lastChange(c, &low, &high)
		c.told = (low.distance < 0) != (high.distance < 0) && math.Abs(c.place-low.distance/(low.distance-high.distance)) < toldWithin
	}
	if r.mode == fromDistance {
		if err := r.refineCuts(cuts); err != nil {
			return err
		}
	}
	for i := range cuts {
		cuts[i].place = min(max(cuts[i].place, leastCut), 1-leastCut)
	}
	return nil
}

// refineCuts takes one step of the rule of false position.
func (r *Rebuilder) refineCuts(cuts []latticeCut) error {
	r.places = r.places[:0]
	for i := range cuts {
		r.places = append(r.places, r.onEdge(&cuts[i]))
	}
	if err := r.sampleShape(r.places); err != nil {
		return err
	}
	for i := range cuts {
		c, d := &cuts[i], r.values[i]
		low, high := r.nodes[r.nodeAt.find(latticeKey(0, c.node))].distance, r.nodes[r.nodeAt.find(latticeKey(0, shifted(c.node, c.axis, 1)))].distance
		if (d < 0) == (low < 0) {
			c.place += float64((1 - c.place) * d / (d - high))
		} else {
			c.place *= low / (low - d)
		}
	}
	return nil
}

// onEdge is the point of a cut.
func (r *Rebuilder) onEdge(c *latticeCut) r3.Vec {
	x := r.lattice.node(c.node)
	level := coordinate(&x, c.axis)
	setCoordinate(&x, c.axis, level+float64(c.place*(r.lattice.plane(c.axis, c.node[c.axis]+1)-level)))
	return x
}

// lastChange is where a lattice edge, followed from its outer end, first comes inside, for a difference where from its inner end it first leaves it: of several places the one
// at which nothing is lost, or nothing is left.
func (r *Rebuilder) lastChange(c *latticeCut, low, high *latticeNode) float64 {
	from, to := r.lattice.plane(c.axis, c.node[c.axis]), r.lattice.plane(c.axis, c.node[c.axis]+1)
	line := r.lines.along(r.mesh, &r.lattice, r.label, c.axis, c.node)
	start, winding := 0, int32(0)
	for ; start < len(line) && line[start].place < from; start++ {
		winding += line[start].rise
	}
	end := start
	for ; end < len(line) && line[end].place < to; end++ {
	}
	shape, flip := low.distance < 0, to
	flipped := shape == (high.distance < 0)
	if !flipped {
		flip = from + float64((to-from)*low.distance/(low.distance-high.distance))
	}
	first, last := 0.5, 0.5
	found, state := false, low.inside
	change := func(place float64) {
		if now := r.holds(winding > 0, shape); now != state {
			if state = now; !found {
				first, found = (place-from)/(to-from), true
			}
			last = (place - from) / (to - from)
		}
	}
	for i := start; i <= end; i++ {
		if !flipped && (i == end || line[i].place >= flip) {
			shape, flipped = !shape, true
			change(flip)
		}
		if i < end {
			winding += line[i].rise
			change(line[i].place)
		}
	}
	if low.inside == (r.mode != fromDifference) {
		return last
	}
	return first
}
