package trimesh

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/predicates"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// newTriangle is a triangle of the new surface: vertices of the mesh by their numbers, points of the seam by -1 minus theirs.
type newTriangle struct {
	v    [3]int32
	cell int32 // of the region; Gone: it is a piece of a triangle that reaches out of the region
	old  int32 // of a piece: the triangle in seam.triangles
}

// refilling is scratch of the new surface in the region.
type refilling struct {
	cuts  []latticeCut
	loops []int32 // points of the loops of a cell, one loop after the other
	ends  []int32 // of each loop in loops
	arcs  []int32 // points of a cell's arcs at which they begin

	chords    [][2]int32 // of faces within the region, from and to
	chordsAt  []listPart // of a face
	faceAt    keyed      // face → chordsAt
	perimeter []perimeterPoint
	apex      []r3.Vec
}

// refiller makes the new surface in the region of a Rebuilder.
type refiller struct{ *Rebuilder }

// refill adds the new surface in all cells of the region. ok is false if it could not be done in some cells; the region is wanted larger around them.
//
// On each face of a cell the surface's edges are arcs: where the region ends those of the mesh, elsewhere chords between cuts of the face's edges. The arcs join into loops, and each loop is filled by a cone.
func (r refiller) refill() (ok bool, err error) {
	if err := r.cutLattice(); err != nil {
		return false, err
	}
	ok = true
	for i := range r.region.cells {
		if !r.traceLoops(i) {
			return false, errDegenerate
		}
		if !r.fillLoops(int32(i)) {
			ok = false
			r.surround(r.region.cells[i])
		}
	}
	if r.seam.degenerate {
		return false, errDegenerate
	}
	return ok, nil
}

// surround wants the neighbours of a cell behind its faces in the region. They are added when all cells have been refilled, or have failed to.
func (r refiller) surround(cell [3]int32) {
	for axis := range 3 {
		r.wanted = append(r.wanted, shifted(cell, axis, -1), shifted(cell, axis, 1))
	}
}

// cutLattice adds the points at which the new surface passes lattice edges within the region.
func (r refiller) cutLattice() error {
	f, s := &r.refilling, &r.seam
	f.cuts = f.cuts[:0]
	for _, cell := range r.region.cells {
		low := r.inside(cell)
		mixed := false
		for corner := int32(1); corner < 8; corner++ {
			mixed = mixed || low != r.inside([3]int32{cell[0] + corner&1, cell[1] + corner>>1&1, cell[2] + corner>>2})
		}
		if !mixed {
			continue
		}
		for axis := range 3 {
			for side := range int32(4) {
				n := shifted(shifted(cell, (axis+1)%3, side&1), (axis+2)%3, side>>1)
				if r.inside(n) == r.inside(shifted(n, axis, 1)) {
					continue
				}
				if !r.within(axis, n) {
					continue // a lattice edge on the region's boundary has the point of the mesh
				}
				if _, fresh := r.newCuts.add(latticeKey(axis, n), int32(len(f.cuts))); fresh {
					f.cuts = append(f.cuts, latticeCut{axis: axis, node: n})
				}
			}
		}
	}
	if err := r.placeCuts(f.cuts); err != nil {
		return err
	}
	for i := range f.cuts {
		c := &f.cuts[i]
		c.point = int32(len(s.points))
		s.points = append(s.points, seamPoint{
			at: r.onEdge(c), axis: int8(c.axis), kind: onLatticeEdge, out: r.inside(c.node), cell: c.node, origin: r.originNear(c.axis, c.node), told: c.told, vertex: Gone, next: Gone, above: Gone,
		})
	}
	return nil
}

// within tells whether all four cells of a lattice edge are in the region.
func (r refiller) within(axis int, node [3]int32) bool {
	b, c := (axis+1)%3, (axis+2)%3
	p := shifted(node, b, -1)
	return r.region.has(node) && r.region.has(p) && r.region.has(shifted(node, c, -1)) && r.region.has(shifted(p, c, -1))
}

// originNear is that of what has been there around a lattice edge.
func (r refiller) originNear(axis int, node [3]int32) int32 {
	b, c := (axis+1)%3, (axis+2)%3
	p := shifted(node, b, -1)
	for _, cell := range [4][3]int32{node, p, shifted(node, c, -1), shifted(p, c, -1)} {
		if o := r.origins.find(latticeKey(0, cell)); o != Gone {
			return r.mesh.Origin[o]
		}
	}
	return r.Origin
}

// pointsOn are the points of the surface on a lattice edge: the lowest one, or Gone, and how many there are.
func (r refiller) pointsOn(axis int, node [3]int32) (lowest, count int32) {
	if c := r.newCuts.find(latticeKey(axis, node)); c != Gone {
		return r.refilling.cuts[c].point, 1
	}
	if e := r.seam.edgePoints.find(latticeKey(axis, node)); e != Gone && !r.within(axis, node) {
		return r.seam.crossed[e].lowest, r.seam.crossed[e].count
	}
	return Gone, 0
}

// traceLoops lists the loops of a cell. ok is false if the arcs don't join.
func (r refiller) traceLoops(i int) (ok bool) {
	f, s := &r.refilling, &r.seam
	f.loops, f.ends, f.arcs = f.loops[:0], f.ends[:0], f.arcs[:0]
	ok = true
	cell := r.region.cells[i]
	for axis := range 3 {
		ok = r.addArcs(axis, cell, shifted(cell, axis, -1), true) && ok
		above := shifted(cell, axis, 1)
		ok = r.addArcs(axis, above, above, false) && ok
	}
	for _, start := range f.arcs {
		if s.points[start].next == Gone {
			continue
		}
		p := start
		for s.points[p].next != Gone {
			f.loops = append(f.loops, p)
			p, s.points[p].next = s.points[p].next, Gone
		}
		ok = ok && p == start
		f.ends = append(f.ends, int32(len(f.loops)))
	}
	return ok
}

// addArcs adds the arcs in a face of a cell that is above it or below; beyond is the cell on the other side. They have the cell's surface on their left, seen from outside of the surface.
func (r refiller) addArcs(axis int, face, beyond [3]int32, above bool) (ok bool) {
	if !r.region.has(beyond) {
		ok = true
		for i := r.seam.faceSegments.find(latticeKey(axis, face)); i != Gone; i = r.seam.segments[i].next {
			if g := &r.seam.segments[i]; above {
				ok = r.link(g.to, g.from) && ok
			} else {
				ok = r.link(g.from, g.to) && ok
			}
		}
		return ok
	}
	ok = true
	for _, chord := range r.chords(axis, face) {
		if above {
			ok = r.link(chord[0], chord[1]) && ok
		} else {
			ok = r.link(chord[1], chord[0]) && ok
		}
	}
	return ok
}

// link lets a point be followed by another.
func (r refiller) link(from, to int32) bool {
	p := &r.seam.points[from]
	if p.next != Gone {
		return false
	}
	p.next = to
	r.refilling.arcs = append(r.refilling.arcs, from)
	return true
}

// fillLoops adds the triangles of a cell's loops. ok is false if the cones of two loops meet.
func (r refiller) fillLoops(cell int32) (ok bool) {
	f := &r.refilling
	if len(f.ends) == 0 {
		return true
	}
	for try := range apexTries {
		f.apex = f.apex[:0]
		first := int32(0)
		for _, end := range f.ends {
			f.apex = append(f.apex, r.apex(f.loops[first:end], cell, try))
			first = end
		}
		if !r.conesMeet() {
			ok = true
			break
		}
	}
	if !ok {
		return false
	}
	first := int32(0)
	for k, end := range f.ends {
		r.addCone(f.loops[first:end], f.apex[k], cell)
		first = end
	}
	return true
}

// apexTries is how many places of apexes are tried: each time they are further out, those of small loops more.
const apexTries = 4

// apex is the mean of a loop's points, pushed away from the middle of its cell, but not out of it. If all of them are in one face it is in front of the face.
func (r refiller) apex(loop []int32, cell int32, try int) r3.Vec {
	low, high := r.seam.points[loop[0]].at, r.seam.points[loop[0]].at
	var sum r3.Vec
	for _, p := range loop {
		x := r.seam.points[p].at
		sum = r3.Add(sum, x)
		low, high = boxes.Min(low, x), boxes.Max(high, x)
	}
	x := reproducible.Scale(1/float64(len(loop)), sum)
	corner := r.region.cells[cell]
	size := max(high.X-low.X, high.Y-low.Y, high.Z-low.Z) / r.lattice.H
	for axis := range 3 {
		from, to := r.lattice.plane(axis, corner[axis]), r.lattice.plane(axis, corner[axis]+1)
		if coordinate(&low, axis) == coordinate(&high, axis) && (coordinate(&low, axis) == from || coordinate(&low, axis) == to) {
			depth := r.lattice.H * size / 4
			for range try {
				depth *= size / 2
			}
			if coordinate(&low, axis) == to {
				depth = -depth
			}
			apex := x
			setCoordinate(&apex, axis, coordinate(&low, axis)+depth)
			return r.outOfShape(apex, x)
		}
	}
	for axis := range 3 {
		from, to := r.lattice.plane(axis, corner[axis]), r.lattice.plane(axis, corner[axis]+1)
		at := coordinate(&x, axis)
		room := min(at-from, to-at)
		if at+at > from+to {
			room = -room
		}
		// The face is further away than the apex goes.
		setCoordinate(&x, axis, at-float64(room*float64(try)/6))
	}
	return x
}

// mostNearer is how often an apex comes halfway nearer to its loop, until it is out of a shape that is taken away.
const mostNearer = 8

// outOfShape is an apex, or a place between it and one amid its loop, that is not in a shape which is taken away: else some of what was there would come back.
func (r refiller) outOfShape(apex, amid r3.Vec) r3.Vec {
	for range mostNearer {
		r.places = append(r.places[:0], apex)
		if !r.inShape(r.places) {
			break
		}
		apex = reproducible.Scale(.5, r3.Add(apex, amid))
	}
	return apex
}

// coneTriangle is triangle i of a loop's cone.
func (r refiller) coneTriangle(loop []int32, apex *r3.Vec, i int) [3]r3.Vec {
	return [3]r3.Vec{r.seam.points[loop[i]].at, r.seam.points[loop[(i+1)%len(loop)]].at, *apex}
}

// conesMeet tells whether the cones of two loops of a cell have a point in common.
func (r refiller) conesMeet() bool {
	f := &r.refilling
	start := int32(0)
	for k, end := range f.ends {
		other := end
		for l := k + 1; l < len(f.ends); l++ {
			for i := range end - start {
				a := r.coneTriangle(f.loops[start:end], &f.apex[k], int(i))
				for j := range f.ends[l] - other {
					b := r.coneTriangle(f.loops[other:f.ends[l]], &f.apex[l], int(j))
					if predicates.TrianglesMeet(&a, &b) {
						return true
					}
				}
			}
			other = f.ends[l]
		}
		start = end
	}
	return false
}

// addCone adds the triangles of a loop: one if it has three points on lattice edges, otherwise a cone.
func (r refiller) addCone(loop []int32, apex r3.Vec, cell int32) {
	s := &r.seam
	if len(loop) == 3 {
		corner := true
		for _, p := range loop {
			corner = corner && s.points[p].kind == onLatticeEdge
		}
		if corner {
			r.fresh = append(r.fresh, newTriangle{[3]int32{-1 - loop[0], -1 - loop[1], -1 - loop[2]}, cell, Gone})
			return
		}
	}
	p := int32(len(s.points))
	origin, told := s.points[loop[0]].origin, true
	for _, q := range loop {
		told = told && s.points[q].told
	}
	s.points = append(s.points, seamPoint{at: apex, kind: offLattice, origin: origin, told: told, vertex: Gone, next: Gone, above: Gone})
	for i := range loop {
		r.fresh = append(r.fresh, newTriangle{[3]int32{-1 - loop[i], -1 - loop[(i+1)%len(loop)], -1 - p}, cell, Gone})
	}
}
