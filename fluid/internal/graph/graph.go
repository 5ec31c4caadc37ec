// Package graph is the finite-volume graph that every discretisation fills and every
// stage of the pressure solve reads: cells that hold liquid, faces between them.
package graph

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
)

// Air stands where a face's side is not liquid.
const Air int32 = -1 << 31

// Graph has one row per liquid cell and one entry per open face that touches a row.
//
// A face points from side A to side B along its normal, which is also the way from the centre of one cell to that of the other. A side is a
// row or Air; of cubes it may be composite besides.
//
// Most of it is neutral: any discretisation into cells fills it, and pressure, the coupling of bodies, gravity and tension ask for no more.
// What only cubes have is a part of its own, Cubes, from which follows what else there is of faces. So a graph of cubes leaves Normals,
// FaceCentres, FirstFace and RowFaces nil, any other leaves Cubes empty. Who reads a graph needn't know which it is: its methods serve both.
type Graph struct {
	Rows   int
	Cell   []int32      // row → cell, where the discretisation stores it
	Size   []float32    // of the row's cell, m: a cube's edge; of others, what multigrid is to scale by (amg.Level)
	Volume []float32    // open volume of the row's cell, m³
	Centre [][3]float64 // of the row's cell, where its pressure is, m
	// Walls is the area of walls and fixed solids in each row's cell, as a vector into them, m². It may be nil, and cubes leave it so: the solve
	// needs it not, and Check tells by it whether cells are closed.
	Walls [][3]float64

	A, B        []int32
	Normals     [][3]float64 // unit vectors from A to B
	FaceCentres [][3]float64 // centroids of the open part, m
	Slot        []int32      // the face's place where the discretisation stores velocities
	Area        []float64    // whole, m²
	Dist        []float64    // between the two centres, times θ at the free surface, m
	Open        []float64    // fraction of the area that is not solid
	Jump        []float64    // pressure in the air beyond the face, Pa; means nothing between two rows
	U           []float64    // velocity along the normal, m/s
	// Held tells of each face whether it keeps its velocity in the solve, as a wall does that moves so: no pressure accelerates the liquid on it. It
	// is empty where none does.
	Held []bool

	// FirstFace and RowFaces list the faces of each row, those of row r from FirstFace[r] up to FirstFace[r+1]: see ListFaces.
	FirstFace, RowFaces []int32

	// Parts are runs of rows and faces that lie together, one per base cell: those of part b go up
	// to where part b+1 begins. Connectivity has an entry for each. There may be none of either.
	Parts        []Part
	Connectivity []Connectivity

	Cubes Cubes

	Bodies  []BodyCoupling
	Bubbles []Bubble

	// Levels group the rows for multigrid: Levels[0] maps rows to aggregates, and so on. There may be none.
	Levels []Aggregation
}

// BodyCoupling is where one body meets the liquid: K of Klingner et al. 2006, the area of the body's
// surface in each row as a vector into the body, and its moment about the centre of mass.
type BodyCoupling struct {
	Row []int32      // ascending
	K   [][6]float64 // m² and m³
	// Gap and what follows of it may be left out: Gap nil, More and Less zero. Then a row presses on the body as its centre does.
	//
	// Gap is, per row and axis, the volume between the plane through the row's centre and the
	// body's surface, m³; negative where the centre is inside the body. More and Less are the inertia of
	// liquid of unit density in the positive and in the negative ones: m³, m⁴ and m⁵.
	Gap        [][3]float64
	More, Less [6][6]float64
	// Area is the wetted area, m²; Volume the part of the body under the surface and Whole all of
	// it that is on the grid, m³; Moment is Volume's about the centre of mass, m⁴.
	Area, Volume, Whole float64
	Moment              [3]float64
	// Steps is the inertia of liquid of unit density, like More and Less, that the rows and gaps leave out at the surface, where they end in
	// steps, or count twice: m³ and m⁴. With its weight the body is pressed on as by still liquid.
	Steps [6][6]float64
	// Films is, per row, the area in K of films of liquid between the body and solids that the row is at the rim of; empty if there are none.
	Films [][3]float64
	// Sealed is the area of the body's films that lead to air, m²: liquid presses on the other side of the body only.
	Sealed float64
	// Rests is like Steps, of Films, but their weight alone acts: they stay where they are.
	Rests [6][6]float64
	// Still is the wrench, m³ and m⁴, per weight of liquid, that rows exert on what is porous of the body where the liquid is still.
	Still [6]float64
}

// Aggregation maps the unknowns of one level to those of the next coarser one, which are numbered in
// order of their first.
type Aggregation struct {
	Parent []int32
	Count  int       // unknowns of the coarser level
	Size   []float32 // edge of each coarser unknown, m
}

// Part is the first row and the first face of a run.
type Part struct{ Row, Face int32 }

// Connectivity tells how the rows of a part are connected.
type Connectivity struct {
	Connected bool // the part's own faces join all of its rows, of which there are some
	// Simple parts are joined or have no rows, and all parts that their faces lead to are joined: Below has the first
	// rows of those, or -1. Air tells of a joined part whether a face leads from one of its rows to air.
	Simple, Air bool
	Below       [3]int32
}

// Faces is the number of faces.
func (g *Graph) Faces() int { return len(g.A) }

// IsHeld tells whether a face keeps its velocity in the solve.
func (g *Graph) IsHeld(f int32) bool { return len(g.Held) > 0 && g.Held[f] }

// cubic tells whether the cells are cubes, so that Cubes says more of them. Methods that serve all who read a graph ask it, and nobody else.
func (g *Graph) cubic() bool { return g.FirstFace == nil }

// Normal is the unit vector along which a face points.
func (g *Graph) Normal(f int) (n [3]float64) {
	if !g.cubic() {
		return g.Normals[f]
	}
	n[g.Cubes.Axis[f]] = 1
	return n
}

// FaceCentre is the centre of a face, m.
func (g *Graph) FaceCentre(f int) [3]float64 {
	if !g.cubic() {
		return g.FaceCentres[f]
	}
	return g.cubeFaceCentre(f)
}

// FacesOf lists the faces of a row, with -1 in between where a cube has none on a side.
func (g *Graph) FacesOf(r int32) []int32 {
	if !g.cubic() {
		return g.RowFaces[g.FirstFace[r]:g.FirstFace[r+1]]
	}
	return g.Cubes.Sides[r][:]
}

// ListFaces fills FirstFace and RowFaces from A and B, the faces of each row in ascending order. That makes the graph one that is not cubic.
func (g *Graph) ListFaces() {
	g.FirstFace, g.RowFaces = arrays.Resize(g.FirstFace, g.Rows+2), arrays.Resize(g.RowFaces, 2*g.Faces())
	first := g.FirstFace // first[r+2] counts the faces of row r, then first[r+1] is where the next one of row r goes
	clear(first)
	for f, a := range g.A {
		for _, r := range [2]int32{a, g.B[f]} {
			if r >= 0 {
				first[r+2]++
			}
		}
	}
	for r := range g.Rows {
		first[r+2] += first[r+1]
	}
	for f, a := range g.A {
		for _, r := range [2]int32{a, g.B[f]} {
			if r >= 0 {
				g.RowFaces[first[r+1]] = int32(f)
				first[r+1]++
			}
		}
	}
	g.FirstFace, g.RowFaces = first[:g.Rows+1], g.RowFaces[:first[g.Rows]]
}
