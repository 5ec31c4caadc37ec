package cutting

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A stick that is thinner than a cell covers a polygon wholly or not at all, by where it happens to lie, and fills of most cells nothing that their corners show.
// Such a body is taken for a porous one, made of samples: of the polygons of the six edges of the tetrahedron that a sample is in it covers so much that the
// pressures across them push it as the pressure's gradient there pushes its volume, at the place where it is: still liquid exactly by its weight, wherever the body
// lies and however thin it is. What it leaves open is the liquid's, and as for other bodies what the rows push the body by is what the body pushes the rows by.
//
// With λ the barycentric coordinates and e the edges' vectors the unit matrix is the sum of -∇λᵢ·∇λⱼ e eᵀ over a tetrahedron's edges. So the area is -V ∇λᵢ·∇λⱼ times
// the edge's length. It is less than 0 where two sides include an obtuse angle, as some do where levels meet. There each corner gets its λ of the sample, and as in its
// Voronoi cell, too, the unit matrix times twice the volume is about the sum of A/d e eᵀ over all edges, it is spread over these by their areas.

// pores is what is porous of a body at an edge.
type pores struct {
	edge  int32 // counted from the first of its base cell
	area  float64
	taken float64 // of area, m²
	x     vec     // centroid, m
	// soaked is the volume of samples that counts for the cell of the first and of the second end, m³.
	soaked [2]float64
}

// addSamples makes the part of a body that is porous cover a base cell's edges.
func (cuts *bodyCuts) addSamples(j *job) {
	d := cuts.d
	for i := range j.list.covers {
		c, cut := &j.list.covers[i], 1-j.at.Porous
		c.area *= cut
		for k := range c.filled {
			c.filled[k].scale(cut)
		}
	}
	edge := d.domain.baseEdge
	lo := reproducible.Vector(d.g.Corner(j.base))
	near := boxes.Grown(r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})}, float64(sideReach*edge))
	for i := range j.at.Samples {
		if x := j.at.Samples[i].X; boxes.Holds(&near, &x) {
			d.addSample(j, reproducible.Array(x), j.at.Porous*j.at.Samples[i].Volume)
		}
	}
	slices.SortStableFunc(j.list.pores, func(p, q pores) int { return int(p.edge - q.edge) })
	j.list.joinPores()
}

// addSample adds a sample of a volume, m³, to those of the base cell's edges that it is near to.
func (t *lattice) addSample(j *job, x vec, volume float64) {
	l := t.l
	tet, w := l.Locate(x)
	c := &l.Corners[tet]
	gradient, _ := geom.BarycentricGradients(&l.Position[c[0]], &l.Position[c[1]], &l.Position[c[2]], &l.Position[c[3]])
	for i := range 4 {
		for k := range i {
			if g, h := &gradient[i], &gradient[k]; geom.Dot(g, h) > float64(obtuse*geom.Dot(g, g)) {
				t.spreadSample(j, x, volume, c, &w)
				return
			}
		}
	}
	for i := range 4 {
		for k := range i {
			part := pores{area: -volume * geom.Dot(&gradient[i], &gradient[k]), x: x}
			t.addPores(j, t.edgeBetween(c[i], c[k]), part, c[i], volume*w[i]/3, volume*w[k]/3) // each corner has three edges
		}
	}
}

// spreadSample spreads a sample over all edges of a tetrahedron's corners.
func (t *lattice) spreadSample(j *job, x vec, volume float64, c *[4]int32, w *[4]float64) {
	l := t.l
	for i, v := range c {
		if l.Beyond[v] {
			continue
		}
		edges := l.VertexEdges[l.VertexEdgeRuns[v]:l.VertexEdgeRuns[v+1]]
		part := volume * w[i] / (2 * l.Volume[v])
		for _, e := range edges {
			t.addPores(j, e, pores{area: part * l.Area[e] / l.Dist[e], x: x}, v, volume*w[i]/float64(len(edges)), 0)
		}
	}
}

// addPores adds pores, whose area is per length of the edge, to an edge if it is the base cell's: with what soaks the cell of one end, and of the other.
func (t *lattice) addPores(j *job, e int32, p pores, end int32, soaked, other float64) {
	l := t.l
	if e < l.EdgeRuns[j.base] || e >= l.EdgeRuns[j.base+1] {
		return
	}
	p.edge, p.area = e-l.EdgeRuns[j.base], max(0, p.area*l.Dist[e])
	if p.soaked = [2]float64{soaked, other}; l.Ends[e][0] != end {
		p.soaked = [2]float64{other, soaked}
	}
	j.list.pores = append(j.list.pores, p)
}

// obtuse is the part of a gradient's square from which on its product with another counts as more than 0: more than rounding leaves of right angles.
const obtuse = 1e-9

// edgeBetween is the edge between two vertices, or none.
func (t *lattice) edgeBetween(p, q int32) int32 {
	l := t.l
	for _, e := range l.VertexEdges[l.VertexEdgeRuns[p]:l.VertexEdgeRuns[p+1]] {
		if t.across(e, p) == q {
			return e
		}
	}
	return none
}

// joinPores joins those of one edge, which lie side by side.
func (c *coverList) joinPores() {
	n := 0
	for i := range c.pores {
		p := &c.pores[i]
		if n == 0 || c.pores[n-1].edge != p.edge {
			c.pores[n] = *p
			n++
			continue
		}
		to := &c.pores[n-1]
		if to.area += p.area; p.area > 0 {
			for a := range to.x {
				to.x[a] += float64((p.x[a] - to.x[a]) * (p.area / to.area))
			}
		}
		to.soaked[0] += p.soaked[0]
		to.soaked[1] += p.soaked[1]
	}
	c.pores = c.pores[:n]
}

// mergePores takes what is porous of a body off what solids leave open of a base cell's edges: no more than a part of that, so that liquid always finds a way.
func (m *merge) mergePores(b int32, list *coverList) {
	d := m.d
	for i := range list.pores {
		p := &list.pores[i]
		e := d.l.EdgeRuns[b] + p.edge
		open := d.l.Area[e] * d.Open[e]
		if p.taken = max(0, min(p.area, mostPorous*open)); d.Open[e] < leastPorous {
			p.taken = 0
		}
		if p.taken > 0 {
			d.Open[e] = (float64(open) - p.taken) / d.l.Area[e]
		}
		d.filled[e][0] += p.soaked[0]
		d.filled[e][1] += p.soaked[1]
	}
}

// mostPorous is the part of what is open of a polygon that a porous body takes at most.
const mostPorous = .9

// leastPorous is the open part of a polygon below which porous bodies take nothing of it: less than least would be open, through which liquid would shoot.
const leastPorous = least / (1 - mostPorous)

// couplePores adds to the patches what is porous at a job's edges, and to Still what rows exert on all that the body has there where the liquid is still.
func (cp *coupling) couplePores(s *scratch, w *graph.BodyCoupling, j *job) {
	d, l := cp.d, cp.d.l
	for i := range j.list.pores {
		p := &j.list.pores[i]
		e := l.EdgeRuns[j.base] + p.edge
		if p.taken == 0 || d.Row[l.Ends[e][0]] == none && d.Row[l.Ends[e][1]] == none {
			continue
		}
		n, arm := l.Normal(e), armOf(&p.x, j.at)
		for a := range n {
			n[a] *= p.taken
		}
		push := wrench(&n, &arm)
		cp.pushEnds(s, w, e, &push)
		cp.addStill(w, e, &push)
	}
}

// addStill adds what rows at the ends of an edge exert where the liquid is still, on what has an area there.
func (cp *coupling) addStill(w *graph.BodyCoupling, e int32, push *[6]float64) {
	d, ends := cp.d, cp.d.l.Ends[e]
	deeper := 0.
	switch p, q := d.Row[ends[0]] != none, d.Row[ends[1]] != none; {
	case p && q:
		way := geom.Sub(&d.l.Position[ends[1]], &d.l.Position[ends[0]])
		deeper = geom.Dot(&way, &d.Up)
	case p:
		deeper = -cp.phi[ends[0]]
	case q:
		deeper = cp.phi[ends[1]]
	}
	for a, v := range push {
		w.Still[a] += float64(deeper * v)
	}
}

// addGapStill adds the weight of the liquid in a body's gaps.
func (cp *coupling) addGapStill(w *graph.BodyCoupling) {
	for a := range w.Still {
		for b, up := range cp.d.Up {
			w.Still[a] -= float64((w.More[a][b] + w.Less[a][b]) * up)
		}
	}
}
