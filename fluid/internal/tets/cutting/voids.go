package cutting

// A void is a vertex of air that liquid encloses. Its pressure is that of the air at any depth, so that the liquid around it accelerates into it. The void then
// moves on to the next vertex instead of closing, along floors and walls for minutes, and drives a flow in the whole tank. The lattice does not resolve voids: they
// become liquid. Larger air that liquid encloses is a bubble.

// fillVoids marks a base cell's voids with 1 in Row, other vertices with -1.
func (n *numbering) fillVoids(_ int, b int32) {
	d, l := n.d, n.d.l
	lo, hi := l.VertexRuns.Of(b)
	for v := lo; v < hi; v++ {
		d.Row[v] = none
		if !(n.phi[v] < 0) && !l.Beyond[v] && n.isEnclosed(v) {
			d.Row[v] = 1
		}
	}
}

// isEnclosed tells whether a vertex of air has liquid across all its open edges, and any, and that no other air. A cavity right under the surface closes by
// itself; filled at once it would cause a jet.
func (n *numbering) isEnclosed(v int32) (wet bool) {
	d, l := n.d, n.d.l
	edges := l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]]
	for _, e := range edges {
		if d.Open[e] > 0 {
			if !(n.phi[d.across(e, v)] < 0) {
				return false
			}
			wet = true
		}
	}
	for _, e := range edges {
		if d.Open[e] > 0 && n.airBeside(d.across(e, v), v) {
			return false
		}
	}
	return wet
}

// airBeside tells whether a vertex has air across an open edge, other than one vertex.
func (n *numbering) airBeside(v, other int32) bool {
	d, l := n.d, n.d.l
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]] {
		if u := d.across(e, v); u != other && d.Open[e] > 0 && !(n.phi[u] < 0) {
			return true
		}
	}
	return false
}

// across is the other end of an edge of a vertex.
func (t *lattice) across(e, v int32) int32 {
	if ends := &t.l.Ends[e]; ends[0] != v {
		return ends[0]
	}
	return t.l.Ends[e][1]
}

// setVoidPhi makes φ negative in the voids.
func (n *numbering) setVoidPhi() {
	d := n.d
	for v, mark := range d.Row {
		if mark == 1 {
			n.phi[v] = -d.cellEdge(int32(v)) / 2
		}
	}
}
