package trimesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// region is the cells whose surface is replaced. They come in the order in which they were added.
type region struct {
	cells   [][3]int32
	at      keyed // cell → cells
	checked int   // cells whose faces are known to be clean, or have a neighbour in the region
}

func (g *region) clear() {
	g.cells, g.checked = g.cells[:0], 0
	g.at.clear()
}

func (g *region) has(cell [3]int32) bool { return g.at.find(latticeKey(0, cell)) != Gone }

func (g *region) add(cell [3]int32) {
	if _, first := g.at.add(latticeKey(0, cell), int32(len(g.cells))); first {
		g.cells = append(g.cells, cell)
	}
}

// grow adds cells until the region can be refilled: each face towards a cell outside is clean. What is known of cells that were there before stays.
func (r *Rebuilder) grow() error {
	g := &r.region
	for g.checked < len(g.cells) {
		r.roundOff(g.checked)
		if len(g.cells) > mostCells {
			return errTooLarge
		}
		fresh := g.cells[g.checked:]
		r.gather(fresh)
		if err := r.sample(fresh); err != nil {
			return err
		}
		if r.seam.degenerate {
			return errDegenerate
		}
		last := len(g.cells)
		for _, cell := range fresh {
			r.checkFaces(cell)
		}
		g.checked = last
	}
	return nil
}

// roundOff adds cells where two of the region's meet in an edge alone.
func (r *Rebuilder) roundOff(from int) {
	g := &r.region
	for i := from; i < len(g.cells); i++ {
		cell := g.cells[i]
		for axis := range 3 {
			b, c := (axis+1)%3, (axis+2)%3
			for side := range int32(4) {
				p, q := shifted(cell, b, side&1*2-1), shifted(cell, c, side>>1*2-1)
				if g.has(shifted(p, c, side>>1*2-1)) && !g.has(p) && !g.has(q) {
					g.add(p)
				}
			}
		}
	}
}

// gather cuts all triangles of the label that may touch some cells.
func (r *Rebuilder) gather(cells [][3]int32) {
	for len(cells) > 0 {
		// A run of cells side by side is looked up at once.
		low, high, n := cells[0], cells[0], 1
		for ; n < len(cells) && n < 64; n++ {
			l, h := low, high
			for axis := range 3 {
				l[axis], h[axis] = min(l[axis], cells[n][axis]), max(h[axis], cells[n][axis])
			}
			if max(h[0]-l[0], h[1]-l[1], h[2]-l[2]) > 7 {
				break
			}
			low, high = l, h
		}
		box := r3.Box{Min: r.lattice.node(low), Max: r.lattice.node([3]int32{high[0] + 1, high[1] + 1, high[2] + 1})}
		r.hits = r.mesh.Boxes.Overlapping(r.hits[:0], &box)
		for _, t := range r.hits {
			if r.mesh.Label[t] != r.label {
				r.foreign = true
				continue
			}
			r.cutTriangle(t)
		}
		cells = cells[n:]
	}
}

// checkFaces adds the neighbours of a cell behind faces that are not clean.
func (r *Rebuilder) checkFaces(cell [3]int32) {
	for axis := range 3 {
		if below := shifted(cell, axis, -1); !r.region.has(below) && !r.clean(axis, cell) {
			r.region.add(below)
		}
		if above := shifted(cell, axis, 1); !r.region.has(above) && !r.clean(axis, above) {
			r.region.add(above)
		}
	}
}

// clean tells whether the surface can end at a face, given by the cell above it: the mesh passes each of its edges as the signs at its ends say, and it has simple curves in the face.
func (r *Rebuilder) clean(axis int, cell [3]int32) bool {
	b, c := (axis+1)%3, (axis+2)%3
	return r.cleanEdge(b, cell) && r.cleanEdge(c, cell) && r.cleanEdge(b, shifted(cell, c, 1)) && r.cleanEdge(c, shifted(cell, b, 1)) &&
		r.seam.simpleCurves(r.seam.faceSegments.find(latticeKey(axis, cell)))
}

// cleanEdge tells whether the mesh goes in and out by turns along a lattice edge, as the signs at its ends say.
func (r *Rebuilder) cleanEdge(axis int, node [3]int32) bool {
	in, high := r.inside(node), r.inside(shifted(node, axis, 1))
	e := r.seam.edgePoints.find(latticeKey(axis, node))
	if e == Gone {
		return in == high
	}
	if r.seam.crossed[e].tied {
		return false
	}
	for p := r.seam.crossed[e].lowest; p != Gone; p = r.seam.points[p].above {
		if r.seam.points[p].out != in {
			return false
		}
		in = !in
	}
	return in == high
}

// simpleCurves tells whether the segments of a face, a list by its head, are curves between lattice edges and closed curves: no point has two that come or two that go, nor is where another one is.
func (s *seam) simpleCurves(head int32) bool {
	ok := true
	for i := head; i != Gone; i = s.segments[i].next {
		from := &s.points[s.segments[i].from]
		ok = ok && from.next == Gone && !from.tied && !s.points[s.segments[i].to].tied
		from.next = s.segments[i].to
	}
	for i := head; i != Gone; i = s.segments[i].next {
		if p := s.segments[i].from; s.points[p].kind == onLatticeEdge {
			ok = s.points[s.follow(p)].kind == onLatticeEdge && ok
		}
	}
	for i := head; i != Gone; i = s.segments[i].next {
		if p := s.segments[i].from; s.points[p].next != Gone {
			ok = s.follow(p) == p && ok
		}
	}
	return ok
}

// follow goes along a curve to its end, and takes the links apart.
func (s *seam) follow(p int32) int32 {
	for s.points[p].next != Gone {
		p, s.points[p].next = s.points[p].next, Gone
	}
	return p
}

// latticeNode is a node with what is known of it.
type latticeNode struct {
	at       [3]int32
	inside   bool
	distance float64 // by the caller; for a union that of the shape
	winding  int32   // of the mesh
}

// sample finds what is inside of the nodes of some cells.
func (r *Rebuilder) sample(cells [][3]int32) error {
	first := len(r.nodes)
	for _, cell := range cells {
		for corner := range int32(8) {
			n := [3]int32{cell[0] + corner&1, cell[1] + corner>>1&1, cell[2] + corner>>2}
			if _, fresh := r.nodeAt.add(latticeKey(0, n), int32(len(r.nodes))); fresh {
				r.nodes = append(r.nodes, latticeNode{at: n})
			}
		}
	}
	return r.sampleNodes(r.nodes[first:])
}

// sampleNodes finds whether nodes are inside.
func (r *Rebuilder) sampleNodes(nodes []latticeNode) error {
	r.places = r.places[:0]
	for i := range nodes {
		r.places = append(r.places, r.lattice.node(nodes[i].at))
	}
	if err := r.sampleShape(r.places); err != nil {
		return err
	}
	for i := range nodes {
		n := &nodes[i]
		if r.mode != fromRepair {
			n.distance = r.values[i]
		}
		if r.mode != fromDistance {
			n.winding = r.windingAt(n.at)
		}
		n.inside = r.holds(n.winding > 0, n.distance < 0)
	}
	return nil
}

// sampleShape fills values with the caller's distances.
func (r *Rebuilder) sampleShape(at []r3.Vec) error {
	r.values = r.values[:0]
	if r.mode == fromRepair || len(at) == 0 {
		return nil
	}
	if r.mode == fromDistance {
		r.values = append(r.values, make([]float64, len(at))...)
		r.distance(r.values, at)
	} else {
		r.singles = append(r.singles[:0], make([]float32, len(at))...)
		r.shape(r.singles, at)
		for _, d := range r.singles {
			r.values = append(r.values, float64(d))
		}
	}
	for _, d := range r.values {
		if math.IsNaN(d - d) {
			return errNotFinite
		}
	}
	return nil
}

// holds tells whether a place is inside after the change.
func (r *Rebuilder) holds(mesh, shape bool) bool {
	switch r.mode {
	case fromDistance:
		return shape
	case fromUnion:
		return mesh || shape
	case fromDifference:
		return mesh && !shape
	}
	return mesh
}

// inside tells whether a node is inside after the change. It has been sampled.
func (r *Rebuilder) inside(n [3]int32) bool { return r.nodes[r.nodeAt.find(latticeKey(0, n))].inside }
