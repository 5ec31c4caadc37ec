package trimesh

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// seamPoint is a point where an edge of the mesh passes a plane of the lattice, where a triangle passes a lattice edge, or one that the new surface adds.
type seamPoint struct {
	at     r3.Vec
	axis   int8     // of the plane, or of the lattice edge
	kind   int8     // onMeshEdge, onLatticeEdge or offLattice
	out    bool     // on a lattice edge: outside is towards the higher node
	tied   bool     // on an edge of the mesh: another one, or a vertex, is in the same place
	cell   [3]int32 // above the lattice face on which the point is, or the lower node of the lattice edge
	along  float64  // of an edge of the mesh, 0 to 1 from its first vertex
	origin int32
	told   bool  // it is where a shape has its surface, not the mesh
	vertex int32 // of the new mesh
	next   int32 // scratch: the point that follows on a loop
	above  int32 // the next point of the same lattice edge
}

const (
	onMeshEdge int8 = iota
	onLatticeEdge
	offLattice
)

// seamSegment is where a triangle passes a lattice face: with the triangle's part above the plane on its right, seen from outside.
type seamSegment struct {
	from, to int32 // points
	triangle int32
	axis     int8
	cell     [3]int32 // above the face
	next     int32    // segment of the same face
}

// cutEdge is the points at which the mesh passes a lattice edge, a list from below by seamPoint.above: the lowest one, and how many there are.
type cutEdge struct {
	lowest, count int32
	tied          bool // two are in the same place
}

// meshEdge lists the points of an edge of the mesh in the order from its first vertex.
type meshEdge struct{ first, count int32 }

// cutTriangle is a triangle that touches the region, with its segments.
type cutTriangle struct{ triangle, first, count int32 }

// seam is the mesh near the region cut by the lattice. Points, segments and what is cut are never removed while the region grows.
type seam struct {
	points    []seamPoint
	segments  []seamSegment
	triangles []cutTriangle
	edges     []meshEdge
	crossed   []cutEdge

	faceSegments keyed // lattice face → its first segment
	edgePoints   keyed // lattice edge → crossed
	edgeCuts     keyed // mesh edge → edges
	seen         keyed // mesh triangle → triangles

	linePoints []int32 // scratch: of the triangle that is being cut, on lattice edges
	degenerate bool    // the lattice meets the mesh in places that rounding can't tell apart
}

func (s *seam) clear() {
	s.points, s.segments, s.triangles, s.edges, s.crossed = s.points[:0], s.segments[:0], s.triangles[:0], s.edges[:0], s.crossed[:0]
	s.faceSegments.clear()
	s.edgePoints.clear()
	s.edgeCuts.clear()
	s.seen.clear()
	s.degenerate = false
}

// cutMeshEdge finds where an edge of the mesh passes planes of the lattice. The points are the same for all triangles of the edge.
func (r *Rebuilder) cutMeshEdge(e int32) meshEdge {
	s := &r.seam
	if at := s.edgeCuts.find(uint64(e)); at != Gone {
		return s.edges[at]
	}
	s.edgeCuts.add(uint64(e), int32(len(s.edges)))
	ends := r.mesh.Edge[e]
	p, q := &r.mesh.Position[ends[0]], &r.mesh.Position[ends[1]]
	first := len(s.points)
	for axis := range 3 {
		i, j := r.lattice.index(axis, coordinate(p, axis)), r.lattice.index(axis, coordinate(q, axis))
		for k := min(i, j) + 1; k <= max(i, j); k++ {
			x, along := r.onPlane(p, q, axis, k)
			s.points = append(s.points, seamPoint{
				at: x, axis: int8(axis), kind: onMeshEdge, tied: x == *p || x == *q, cell: r.cellAbove(&x, axis, k), along: along, origin: r.mesh.Origin[ends[0]], vertex: Gone, next: Gone, above: Gone,
			})
		}
	}
	found := s.points[first:]
	slices.SortFunc(found, func(a, b seamPoint) int { return cmp.Compare(a.along, b.along) })
	for i := 1; i < len(found); i++ {
		if found[i].along == found[i-1].along || found[i].at == found[i-1].at {
			found[i].tied, found[i-1].tied = true, true
		}
	}
	s.edges = append(s.edges, meshEdge{int32(first), int32(len(found))})
	return s.edges[len(s.edges)-1]
}

// onPlane is where the edge from p to q passes a plane: exactly on it.
func (r *Rebuilder) onPlane(p, q *r3.Vec, axis int, i int32) (x r3.Vec, along float64) {
	level := r.lattice.plane(axis, i)
	a, b := coordinate(p, axis), coordinate(q, axis)
	along = (level - a) / (b - a)
	x = r3.Add(*p, reproducible.Scale(along, r3.Sub(*q, *p)))
	setCoordinate(&x, axis, level)
	return x, along
}

// cellAbove is the cell above the face on which a point of the plane i lies.
func (r *Rebuilder) cellAbove(x *r3.Vec, axis int, i int32) [3]int32 {
	cell := r.lattice.cell(x)
	cell[axis] = i
	return cell
}

// cutTriangle finds the segments of a triangle on all faces of the lattice that it passes.
func (r *Rebuilder) cutTriangle(t int32) {
	s := &r.seam
	if _, first := s.seen.add(uint64(t), int32(len(s.triangles))); !first {
		return
	}
	v, first := r.mesh.Triangle[t], int32(len(s.segments))
	s.linePoints = s.linePoints[:0]
	var cells [3][3]int32
	var cuts [3]meshEdge
	for i, w := range v {
		cells[i] = r.lattice.cell(&r.mesh.Position[w])
		cuts[i] = r.cutMeshEdge(r.mesh.Sides[t][i])
	}
	for axis := range 3 {
		a, b, c := cells[0][axis], cells[1][axis], cells[2][axis]
		for i := min(a, b, c) + 1; i <= max(a, b, c); i++ {
			up, down := Gone, Gone
			for side := range 3 {
				from, to := cells[side][axis], cells[(side+1)%3][axis]
				if from < i && to >= i {
					up = s.pointAt(cuts[side], axis, i)
				} else if from >= i && to < i {
					down = s.pointAt(cuts[side], axis, i)
				}
			}
			r.follow(t, axis, up, down)
		}
	}
	s.triangles = append(s.triangles, cutTriangle{t, first, int32(len(s.segments)) - first})
}

// pointAt is the point of an edge of the mesh on a plane.
func (s *seam) pointAt(e meshEdge, axis int, i int32) int32 {
	for p := e.first; p < e.first+e.count; p++ {
		if x := &s.points[p]; int(x.axis) == axis && x.cell[axis] == i {
			return p
		}
	}
	return Gone
}

// follow adds the segments of a triangle in one plane: from face to face, from where its boundary goes up through the plane to where it comes down.
func (r *Rebuilder) follow(t int32, axis int, up, down int32) {
	s := &r.seam
	u, d := s.points[up].at, s.points[down].at
	at, end := s.points[up].cell, s.points[down].cell
	from, b, c := up, (axis+1)%3, (axis+2)%3
	for at != end {
		// Which line comes first? x is the axis along which the segment moves on, y that of the lattice edge which it passes.
		x, y := b, c
		if at[b] == end[b] || at[c] != end[c] && r.passes(&u, &d, c, at[c], end[c]) < r.passes(&u, &d, b, at[b], end[b]) {
			x, y = c, b
		}
		share := r.passes(&u, &d, x, at[x], end[x])
		place := coordinate(&u, y) + float64(share*(coordinate(&d, y)-coordinate(&u, y)))
		node, step := at, int32(1)
		if end[x] > at[x] {
			node[x]++
		} else {
			step = -1
		}
		if r.lattice.index(y, place) != at[y] {
			s.degenerate = true
			return
		}
		// The normal is on the left: going up along b it points up along c, going up along c it points down along b.
		to := r.linePoint(t, y, node, place, (step > 0) == (x == b))
		s.addSegment(t, axis, at, from, to)
		at[x], from = at[x]+step, to
	}
	s.addSegment(t, axis, at, from, down)
}

// passes is the share of the way from u to d at which the next line between the cells at and end is met.
func (r *Rebuilder) passes(u, d *r3.Vec, axis int, at, end int32) float64 {
	if end > at {
		at++
	}
	a := coordinate(u, axis)
	return (r.lattice.plane(axis, at) - a) / (coordinate(d, axis) - a)
}

// linePoint is where a triangle passes a lattice edge. Both planes of the edge share it.
func (r *Rebuilder) linePoint(t int32, axis int, node [3]int32, place float64, out bool) int32 {
	s := &r.seam
	for _, p := range s.linePoints {
		if x := &s.points[p]; int(x.axis) == axis && shifted(x.cell, axis, node[axis]-x.cell[axis]) == node {
			s.degenerate = s.degenerate || x.cell != node || x.out != out
			return p
		}
	}
	at := r.lattice.node(node)
	setCoordinate(&at, axis, place)
	v, p := r.mesh.Triangle[t], int32(len(s.points))
	s.points = append(s.points, seamPoint{at: at, axis: int8(axis), kind: onLatticeEdge, out: out, cell: node, origin: r.mesh.Origin[min(v[0], v[1], v[2])], vertex: Gone, next: Gone, above: Gone})
	s.linePoints = append(s.linePoints, p)
	s.addToEdge(axis, node, p)
	return p
}

// addToEdge adds a point to the list of its lattice edge.
func (s *seam) addToEdge(axis int, node [3]int32, p int32) {
	e, first := s.edgePoints.add(latticeKey(axis, node), int32(len(s.crossed)))
	if first {
		s.crossed = append(s.crossed, cutEdge{lowest: Gone})
	}
	list := &s.crossed[e]
	list.count++
	place := coordinate(&s.points[p].at, axis)
	at := &list.lowest
	for *at != Gone && coordinate(&s.points[*at].at, axis) <= place {
		list.tied = list.tied || coordinate(&s.points[*at].at, axis) == place
		at = &s.points[*at].above
	}
	s.points[p].above, *at = *at, p
}

func (s *seam) addSegment(t int32, axis int, cell [3]int32, from, to int32) {
	n := int32(len(s.segments))
	s.segments = append(s.segments, seamSegment{from: from, to: to, triangle: t, axis: int8(axis), cell: cell, next: Gone})
	if head, first := s.faceSegments.add(latticeKey(axis, cell), n); !first {
		// The new one comes second, so that the table needs no change.
		s.segments[n].next, s.segments[head].next = s.segments[head].next, n
	}
}
