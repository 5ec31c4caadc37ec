// Package stuffed is finite volumes in the tetrahedra of a mesh that fits surface and solids, as Klingner et al. 2006 and Chentanez et al. 2007 have them:
// a row of the graph for each tetrahedron, a face for each triangle that two share or that leads to the air. Mesh and graph are made anew in each step.
//
// The pressure's gradient across a face is the difference of the two pressures over how far apart they are along the face's normal (Chentanez et al. 2007
// eq. 7). The line between them is not along the normal, so that a pressure that is linear in space is exact on the inside of a uniform lattice alone, where
// barycentre and circumcentre are one: TestHydrostatic states by how much it fails elsewhere. Divergence is integrated, without the 1/V of eq. 8, so that the
// matrix is symmetric.
//
// A velocity per tetrahedron follows from those on its four faces (Klingner et al. 2006 eq. 3), and from these one per vertex.
package stuffed

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/stuffing"
)

// none is no row, vertex or tetrahedron.
const none int32 = -1

// Centres are where the pressures of tetrahedra are.
type Centres uint8

// The centres. The circumcentre is that of the lattice's tetrahedron, of which a half at a wall is a part. Where the lattice is not uniform, and at the
// surface, where circumcentres may lie outside of their tetrahedra, the barycentre stands for it.
const (
	Barycentres   Centres = iota // Chentanez et al. 2007
	Circumcentres                // Klingner et al. 2006
)

// snap is how near to a solid, in edges of a cell, vertices of the surface are moved onto it (Chentanez et al. 2007 §3.3.1).
const snap = 1. / 8

// Discretiser fills a graph.
type Discretiser struct {
	Centres Centres
	// Up is against gravity; 0: there is none.
	Up [3]float64
	// Walls tells Fill to sum up the area of walls in tetrahedra, by which the graph's Check tells whether they are closed.
	Walls bool
	// Asleep tells per base cell whether the liquid of its tetrahedra lies still and stays out of the graph. Near tells whether solids are near one.
	Asleep []bool
	Near   func(b int32) bool

	// Mesh is that of the last Fill. Row is each tetrahedron's row, or -1; VertexRow, of each vertex of the lattice that is one of the mesh, the first row at it, or -1.
	Mesh      *stuffing.Mesh
	Row       []int32
	VertexRow []int32

	g       *layout.Grid
	pool    *par.Pool
	mesher  stuffing.Mesher
	solids  solids
	solidAt stuffing.Distance // of solids

	l       *bcc.Lattice
	gr      *graph.Graph
	runs    []int32      // per base cell, and one more: its first tetrahedron
	first   []int32      // likewise: its first row
	faces   []int32      // likewise: its first face
	faceOf  [][4]int32   // per tetrahedron: the graph's face opposite of each corner, or the owner of what shuts it, as ^owner
	owner   []int32      // per boundary face: a body, or fixed, or free
	walls   []int32      // boundary faces that are solid
	nearest []float64    // per entry of walls: the distance of its owner, m
	pts     []r3.Vec     // per entry of walls: the face's middle, m
	normals [][3]float64 // of gr.Walls, if asked for
	mark    []int32      // per vertex of the lattice: scratch of Spread
	around  []int32      // likewise
}

// What a boundary face leads to, if no body.
const (
	fixed int32 = -1
	free  int32 = -2
)

// shutBy is what faceOf has of a face that an owner shuts.
func shutBy(owner int32) int32 { return -2 - owner }

// New makes a discretiser for a domain, m, which may end anywhere in the layout.
func New(g *layout.Grid, pool *par.Pool, lo, hi [3]float64) *Discretiser {
	d := &Discretiser{g: g, pool: pool, Walls: graph.Checking, Asleep: make([]bool, g.Bases())}
	d.mesher.Snap = snap
	d.solids.init(g, lo, hi)
	d.solids.work = make([]probe, pool.Workers())
	d.solidAt = d.solids.distance
	return d
}

// SetStatic replaces the static solids; nil means none.
func (d *Discretiser) SetStatic(f shapes.Distance) { d.solids.static = f }

// Fill makes the mesh of what is liquid of a lattice, that of the grid's Cur layout, and its graph.
//
// phi: len vertices, m: signed distance of the surface, negative in liquid.
// bodies are those whose coupling is filled.
func (d *Discretiser) Fill(gr *graph.Graph, l *bcc.Lattice, phi []float64, bodies []rigid.Solid) {
	d.l, d.gr = l, gr
	field := stuffing.Field{Inside: phi}
	if d.solids.measure(d, phi, bodies) {
		field.Solid, field.SolidAt = d.solids.vertex, d.solidAt
	}
	d.Mesh = d.mesher.Stuff(d.pool, l, &field)
	d.mesher.Connect(d.pool)
	d.findOwners(&field)
	d.findRows()
	d.findFaces()
	d.couple(bodies)
	d.l, d.gr = nil, nil
}
