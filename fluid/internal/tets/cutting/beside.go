package cutting

import "github.com/meniscus3d/meniscus/fluid/internal/geom"

// The surface's distance at a corner of cells is interpolated from those in the middles of the cells around. Where a wall thinner than a cell stands between these it
// is a mean over what is on both of its sides: air, at the bottom of a full cup that stands in the dry. So corners beside such walls get the distance from those
// middles that an open edge leads to, each taken to go on as a level surface does.

// partCorners sets φ at corners beside thin walls.
func (n *numbering) partCorners() {
	d, l := n.d, n.d.l
	n.corners = n.corners[:0]
	for b := range int32(d.g.Bases()) {
		if st := &d.static.bases[b]; st.thin {
			n.listCorners(b, &st.list)
		}
		for j := d.bodies.hits[b]; j != nil; j = j.next {
			if j.at.Thin {
				n.listCorners(b, &j.list)
			}
		}
	}
	for _, v := range n.corners {
		sum, count := 0., 0.
		for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
			if u := d.across(e, v); l.Cell[u] >= 0 && d.Open[e] > 0 {
				by := geom.Sub(&l.Position[v], &l.Position[u])
				sum += float64(d.Open[e] * (n.phi[u] + geom.Dot(&by, &d.Up)))
				count += d.Open[e]
			}
		}
		if count > 0 {
			n.phi[v] = sum / count
		}
	}
}

// listCorners lists the corners of cells that are on edges that a solid with thin walls covers a part of; some more than once.
func (n *numbering) listCorners(b int32, list *coverList) {
	l := n.d.l
	for i := range list.covers {
		if c := &list.covers[i]; c.taken > 0 {
			for _, v := range l.Ends[l.EdgeRuns[b]+c.edge] {
				if l.Cell[v] < 0 && !l.Beyond[v] {
					n.corners = append(n.corners, v)
				}
			}
		}
	}
}
