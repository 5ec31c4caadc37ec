// Package cutting turns the graded lattice of package bcc, the distance of a liquid's surface at its vertices, and solids into the finite-volume graph with
// pressures at vertices: which vertices are liquid, which edges are open and how far, where bodies meet liquid.
//
// A vertex stands for its Voronoi cell, an edge for the polygon across which the cells of its two ends meet. Solids cut polygons rather than fill cells: a
// solid's distance is taken as linear along the sides of a polygon, from its values at their ends, which are circumcentres of tetrahedra. What is left of
// cells is summed up from the pyramids on the polygons. Sides of the domain are planes, and cut exactly. A wall that is thinner than a cell, which lies between
// these places, shuts the edges between whose ends it stands.
//
// Faces are orthogonal to the lines between the places of the two pressures, so that a pressure that is linear in space is exact on any layout, wherever
// solids, the domain's sides and the surface are.
//
// Sources: Batty, Xenos, Houston 2010 (pressures at vertices with Voronoi cells, the surface by ghost fluid); Ng, Min, Gibou 2009 (cut cells).
package cutting

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// none is no row, and no entry in a list.
const none int32 = -1

// Discretiser fills a graph. It holds what its parts have in common.
type Discretiser struct {
	lattice
	pool   *par.Pool
	domain domain

	// Up is against gravity; 0: there is none.
	Up [3]float64

	// Walls tells Fill to sum up the area of walls in cells, by which the graph's Check tells whether they are closed. In builds that check it is set.
	Walls bool

	// Open is the fraction of each edge's polygon that solids and the domain's sides leave, Middle the centroid of that, m, and Volume what they leave of
	// each vertex's cell, m³. Of an edge that is shut Middle is that of the lattice.
	Open   []float64
	Middle [][3]float64
	Volume []float64
	// Row is each vertex's row, or -1.
	Row []int32
	// State of each edge: Idle, InGraph or Shut.
	State []uint8
	// Asleep tells per base cell whether the liquid of its vertices lies still and stays out of the graph. Edges from there to rows are shut.
	Asleep []bool

	within []float64    // per edge: the fraction of the polygon within the domain
	fixed  []float64    // per edge: what of it the domain's sides and what never moves take, m²
	filled [][2]float64 // per edge: what solids fill of the pyramids on its polygon, and on its sides that lie in the domain's, from the first and from the second end, m³
	room   []float64    // per vertex: the volume of its cell within the domain, m³

	work []scratch // per worker

	static static
	bodies bodyCuts
	merge  merge
	rows   numbering
	faces  faceList
	wet    coupling
	levels hierarchy
	air    airSearch
}

// lattice is the lattice of the layout at hand.
type lattice struct {
	g *layout.Grid
	l *bcc.Lattice
}

// The states of an edge.
const (
	Idle    uint8 = iota // no liquid on either end
	InGraph              // open, with a row on an end
	Shut                 // solid all over, with liquid on an end
)

// New makes a discretiser for a domain, m, and which of its sides are open (-x, +x, -y, …). The domain may end anywhere in the layout.
func New(g *layout.Grid, pool *par.Pool, lo, hi [3]float64, open [6]bool) *Discretiser {
	d := &Discretiser{lattice: lattice{g: g}, pool: pool, domain: makeDomain(g, lo, hi, open), Walls: graph.Checking}
	n := g.Bases()
	d.Asleep = make([]bool, n)
	d.work = make([]scratch, pool.Workers())
	d.static.d, d.bodies.d, d.merge.d, d.rows.d, d.faces.d = d, d, d, d, d
	d.wet.d, d.levels.d, d.air.d = d, d, d
	d.static.init(n)
	d.bodies.hits, d.merge.known, d.rows.counts = make([]*job, n), make([]mergeKey, n), make([]count, n+1)
	d.air.init(n)
	return d
}

// SetStatic replaces the static solids; nil means none. thick tells how thick their thinnest wall in a box is, m; nil: no wall is thin.
func (d *Discretiser) SetStatic(f shapes.Distance, thick func(box r3.Box) float64) {
	d.static.distance, d.static.thickness = f, thick
	d.Forget()
}

// Forget makes the next Solids measure all static solids anew.
func (d *Discretiser) Forget() { d.static.forget() }

// ForgetBodies makes the next Solids measure anew also bodies that stand still.
func (d *Discretiser) ForgetBodies() { d.bodies.forget(0) }

// Solids measures what static solids, the domain's sides and bodies leave open of a lattice, that of the grid's Cur layout. The graph's Bodies are
// filled later, by Fill, from what is found here.
func (d *Discretiser) Solids(l *bcc.Lattice, bodies []rigid.Solid) {
	d.l = l
	d.Open, d.Middle, d.State = arrays.Resize(d.Open, l.Edges()), arrays.Resize(d.Middle, l.Edges()), arrays.Resize(d.State, l.Edges())
	d.within, d.fixed, d.filled = arrays.Resize(d.within, l.Edges()), arrays.Resize(d.fixed, l.Edges()), arrays.Resize(d.filled, l.Edges())
	d.Volume, d.room = arrays.Resize(d.Volume, l.Vertices()), arrays.Resize(d.room, l.Vertices())
	d.Row = arrays.Resize(d.Row, l.Vertices())
	for w := range d.work {
		d.work[w].resize(l)
	}
	d.static.findKeys()
	par.Each(d.pool, d.g.Bases(), 1, &d.static, (*static).update)
	d.bodies.measure(bodies)
	d.merge.run()
}

// fillGrain is how many base cells make a chunk of Fill's loops.
const fillGrain = 4

// Fill makes the graph of the vertices where phi < 0.
//
// phi: len vertices, m: signed distance of the surface, negative in liquid. Fill makes it negative in voids, and at corners of
// cells beside walls thinner than a cell what it is on their side.
// u: len edges, m/s: velocities along the edges; nil: all are 0.
func (d *Discretiser) Fill(gr *graph.Graph, phi, u []float64, bodies int) {
	d.rows.run(gr, phi)
	d.faces.run(gr, phi, u)
	d.wet.run(gr, phi, bodies)
	d.levels.run(gr)
	d.air.findBubbles(gr, phi)
}

// cellEdge is the edge of the cell that a vertex is the centre of, or of the finest at a corner, m.
func (t *lattice) cellEdge(v int32) float64 { return t.g.CellSize(t.l.Level[v]) }
