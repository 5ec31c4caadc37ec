// Package stuffing fills what a distance field encloses with tetrahedra whose dihedral angles are bounded, by isosurface stuffing on the graded
// body-centred cubic lattice of package bcc. It knows nothing of liquid: the field's inside is filled, and solids are cut off.
//
// Distances are negative inside of what is filled, and negative inside of solids. What is filled is where max(inside, -solid) < 0. The papers
// have the opposite sign.
//
// The lattice's vertices that a zero of the field is too near to are moved there along an edge of the lattice; edges that the surface still cuts get a
// vertex at the cut, and tetrahedra that it cuts are divided by one of a few stencils. The bounds on the angles hold for tetrahedra of the uniform
// lattice, of whichever size. Those between leaves of different sizes are not cut: where the surface passes such a transition it goes along their
// faces, through vertices of theirs that are moved towards the surface as far as the angles around allow. So the bounds hold for any field and any
// lattice; what a transition costs is a surface that is off by up to half an edge of the coarser leaves, a fifth where it is smooth (TestTransitions).
// CheckCuts tells where that happens.
//
// The layout's sides are solid and planes of the lattice: half of a tetrahedron that crosses one is filled. Corners there that are inside move along the
// side to where the surface ends, as far as the angles allow (TestPool).
//
// Sources: Labelle, Shewchuk 2007, Isosurface stuffing; Chentanez, Feldman, Labelle, O'Brien, Shewchuk 2007 §3.3.
package stuffing

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/tets/bcc"
)

// Distance writes signed distances, m, at pts into dst, negative inside. Several workers call it at a time, each with slices of its own.
type Distance func(dst []float64, pts []r3.Vec)

// Field is what is to be filled. Values that are no numbers count as outside, those of solids as no solid.
type Field struct {
	Inside []float64 // per vertex of the lattice, m, negative inside
	Solid  []float64 // per vertex, m, negative in solids; nil for none

	// InsideAt and SolidAt find the zeros along edges. Where one is nil its field is linear along an edge.
	InsideAt, SolidAt Distance
}

// Alpha is how near to a vertex the surface may cut an edge, as a share of the edge's length: of long edges, as long as a leaf's, and of short ones,
// √3/2 of that. Least and Most bound all dihedral angles, degrees.
type Alpha struct {
	Long, Short float64
	Least, Most float64
}

// The two best pairs: GreatLeast has the greatest least angle, SmallMost the smallest greatest one. TestBounds shows that no tetrahedron of any
// stencil goes beyond the bounds, and that some come as near as a hundredth of a degree. The bounds are as good as those that Labelle and Shewchuk
// prove (10.7843° to 164.7440°, and 8.9165° to 158.8112°).
var (
	GreatLeast = Alpha{.28511, .39882, 10.784, 164.739}
	SmallMost  = Alpha{.26649, .36918, 8.971, 158.742}
)

// Options say how a Mesher stuffs.
type Options struct {
	Alpha Alpha // GreatLeast if zero

	// Snap closes gaps between the surface and solids that are thinner than this share of a leaf's edge, and moves vertices that are as near to a
	// solid onto it. Chentanez et al. 2007 §3.3.1 have an eighth.
	Snap float64

	// Rounds is how many times a zero along an edge is approached by a call of the field's Distance functions; 6 if zero. The error falls from round to
	// round as that of the secant method does.
	Rounds int
}

// grain is how many vertices, edges or tetrahedra a worker takes at a time.
const grain = 4096

// Mesher makes meshes, one after another, in memory that it keeps.
type Mesher struct {
	Options
	Mesh Mesh

	pool  *par.Pool
	l     *bcc.Lattice
	f     Field
	leaf  [levels]float64 // m, edge of leaves by level
	scale [levels]float64 // 1/m: quarters / leaf
	lo    [3]float64      // of the layout, m
	hi    [3]float64
	state []uint8  // per vertex: sign, whether it is a centre, as the field has it
	after []uint8  // the same once vertices are moved
	sides []uint8  // per vertex: which sides of the layout it lies on
	fixed []uint32 // per vertex, a bit each: it belongs to a tetrahedron between leaves of different sizes
	near  []uint32 // per vertex, a bit each: an edge of it is cut

	filled []uint32 // per tetrahedron, a bit each: all its corners are on the surface, and it is filled
	needed []uint32 // per vertex, a bit each: it is a corner of such a one

	cuts    []cut
	cutOf   []int32 // per edge: its cut, where its ends have opposite signs
	snapped []int32 // per vertex: the cut that it was moved to, or noCut
	partner []int32 // per vertex beyond: the centre within
	index   []int32 // per vertex: its number in the mesh, or -1; of one beyond that of the middle of its edge to the partner

	classes classes
	scratch
	adjacency
	moves
}

// levels is how many sizes of leaves there may be.
const levels = 16

const noCut = -1

// scratch is what the loops count by chunk, and by worker.
type scratch struct {
	counts   []int32    // per chunk
	tets     []tetCount // per chunk of tetrahedra
	boxes    [][2][3]float64
	crossed  []crossed
	searches []search // per worker
}

// Stuff fills the inside of a field on a lattice. The mesh is the Mesher's own: it is good until the next call. Neighbours and geometry come from Connect.
//
// It panics if the field has not one value per vertex.
func (m *Mesher) Stuff(pool *par.Pool, l *bcc.Lattice, f *Field) *Mesh {
	if n := l.Vertices(); len(f.Inside) != n || f.Solid != nil && len(f.Solid) != n || f.Solid == nil && f.SolidAt != nil {
		panic(fmt.Sprintf("stuffing: %d vertices, %d distances and %d of solids", n, len(f.Inside), len(f.Solid)))
	}
	m.pool, m.l, m.f = pool, l, *f
	m.setDefaults()
	m.measureLeaves()
	m.readSigns()
	m.surveyTets()
	m.findCuts()
	m.findZeros()
	m.warp()
	m.countTets()
	m.numberVertices()
	m.fillTets()
	m.settle()
	m.snapVertices()
	m.l, m.f = nil, Field{}
	return &m.Mesh
}

func (m *Mesher) setDefaults() {
	if m.Alpha == (Alpha{}) {
		m.Alpha = GreatLeast
	}
	if m.Rounds <= 0 {
		m.Rounds = 6
	}
	m.searches = arrays.Lengthen(m.searches, m.pool.Workers())
}
