// Package bcc is the graded body-centred cubic lattice of tetrahedra on a layout: vertices at the centres and at the corners of the layout's cells,
// tetrahedra between them, and the Voronoi cells of the vertices as polygons across the tetrahedra's edges. It knows nothing of liquid.
//
// Where two cells of one size share a face, four tetrahedra stand around the line between their centres; one whose edge has a smaller cell's corner in
// its middle is bisected. Where a cell meets four smaller ones, half-pyramids on the small faces and quadrisected tetrahedra on the other side fill the
// room. The layout must be balanced: cells that share a face or an edge differ by one level at most.
//
// On each side of the layout lies a layer of further cells, of the size of those that they mirror. Their centres are vertices, so that what is within
// the layout is filled; Voronoi cells end at the layout's sides.
//
// A point's tetrahedron follows from the octree, without a walk (Locate). Values at vertices are interpolated by barycentric coordinates (Interpolate), those at
// circumcentres by the Voronoi cell that the point is in (Voronoi).
//
// Sources: Labelle, Shewchuk 2007; Chentanez, Feldman, Labelle, O'Brien, Shewchuk 2007 §3.1.
package bcc

// Shape is the kind of a tetrahedron.
type Shape uint8

// The shapes. Tetrahedra of one kind are similar: they differ by the size of their leaf.
const (
	Whole        Shape = iota // of the uniform lattice: two edges as long as the cell's, four of √3/2 of that
	Bisected                  // half a whole one
	Quadrisected              // a quarter of a whole one
	HalfPyramid               // half of a small cell's face, and its centre
	Tip                       // a centre, a corner of its cell, and the middles of two edges there: see Core
	Core                      // the centres of two cells, and the middles of two edges of their face that share a corner: a face with such edges has it and two tips
)

// Runs are where what belongs to each base cell begins in a list: base cell b has the entries Runs[b] to Runs[b+1].
type Runs []int32

// Of is the range of a base cell's entries.
func (r Runs) Of(b int32) (lo, hi int32) { return r[b], r[b+1] }

// Lattice is the lattice of one layout. The zero value is empty; Build makes it. Reading is safe from several goroutines. All lists are in the order of base cells, and within one in an order that depends on the levels there and around
// alone. Lengths are in m.
type Lattice struct {
	// VertexRuns, EdgeRuns and TetRuns tell what belongs to each base cell. A base cell's vertices are the centres of its cells, in their order, then those
	// corners for which it is the base cell that holds them (by its low sides, not by its high ones), then centres beyond the layout's sides.
	VertexRuns, EdgeRuns, TetRuns Runs

	Position [][3]float64 // per vertex
	Cell     []int32      // per vertex: the layout's cell that it is the centre of, of a corner and beyond the sides -1
	Level    []uint8      // per vertex: of the cell, of a corner that of the finest cell at it
	Beyond   []bool       // per vertex: it is the centre of a cell beyond the layout

	// Ends are the two vertices of each edge, one within the layout at least and the first one within; edges to vertices beyond are left out. Dist is
	// between them. The edge's polygon, across which the Voronoi cells of the two meet, has Area and its centroid at Middle; its corners are the Centres of
	// the tetrahedra around the edge, Ring[RingRuns[e]:RingRuns[e+1]], in order, counter-clockwise as the second vertex sees it. Where the edge lies on a
	// side of the layout the ring's ends do too, and the side closes the polygon. Some of these are Centres that are no tetrahedron's. Diagonals of cells'
	// faces, and a few other edges, have polygons of area 0, exactly, with the mean of the ring's corners for a centroid; no area is negative.
	Ends     [][2]int32
	Dist     []float64
	Area     []float64 // m²
	Middle   [][3]float64
	RingRuns []int32
	Ring     []int32

	// VertexEdges[VertexEdgeRuns[v]:VertexEdgeRuns[v+1]] are the edges of a vertex, in ascending order. Volume is that of its Voronoi cell within the layout, m³.
	VertexEdgeRuns []int32
	VertexEdges    []int32
	Volume         []float64

	// Corners are the four vertices of each tetrahedron, such that (b-a)×(c-a)·(d-a) > 0, and Centres their circumcentres. Behind these, Centres goes on
	// with the corners of polygons on the layout's sides that are no circumcentres: where two sides meet, and below a tip that stands on a side.
	Corners [][4]int32
	Shapes  []Shape
	Centres [][3]float64

	plan
}

// Vertices is the number of vertices.
func (l *Lattice) Vertices() int { return len(l.Position) }

// Edges is the number of edges.
func (l *Lattice) Edges() int { return len(l.Ends) }

// Tets is the number of tetrahedra.
func (l *Lattice) Tets() int { return len(l.Corners) }

// Normal is the unit vector along an edge, from its first vertex to its second.
func (l *Lattice) Normal(e int32) [3]float64 {
	a, b, d := &l.Position[l.Ends[e][0]], &l.Position[l.Ends[e][1]], l.Dist[e]
	return [3]float64{(b[0] - a[0]) / d, (b[1] - a[1]) / d, (b[2] - a[2]) / d}
}
