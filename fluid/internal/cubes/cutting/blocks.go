// Package cutting turns the adaptive block grid, a level set and the solids into the
// finite-volume graph: which cells are liquid, which faces are open and how far.
//
// Solids cut faces rather than fill cells: a face's open fraction comes from the signed
// distances at its corners, and a wall thinner than a cell, which lies
// between corners, shuts every face whose two cell centres it stands between.
package cutting

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"gonum.org/v1/gonum/spatial/r3"
)

// Discretiser fills a graph. It holds the fields that its parts have in common.
type Discretiser struct {
	topology
	pool   *par.Pool
	domain domain

	// Up is against gravity; 0: there is none.
	Up [3]float64

	// Open is the fraction of each face that solids and walls leave, and Volume what they leave of each cell, m³.
	Open   [3][]float64
	Volume []float32
	// Row is each cell's row, or -1.
	Row []int32
	// State of each face: Idle, InGraph or Shut.
	State [3][]uint8
	// Asleep tells per base cell whether the liquid of its block lies still and stays out of the graph: its faces are shut but
	// for those that liquid next to it, which is awake, has its surface at.
	Asleep []bool

	masks    []faceMasks // per base cell
	patterns []pattern   // likewise
	counts   []count     // likewise, and one more
	work     []scratch   // per worker

	// The arguments of the call that is running.
	gr  *graph.Graph
	phi []float32

	// What solids leave open.
	static staticSolids
	bodies bodyCuts
	// The graph.
	numbering rowNumbering
	search    faceSearch
	faces     faceList
	followers followers
	ghosts    ghostPressures
	coupling  coupling
	hierarchy hierarchy
	air       airSearch
	// The surface at and in solids.
	extension  extension
	separation separation
}

// The states of a face.
const (
	Idle    uint8 = iota // no liquid on either side, or too narrow to tell its velocity
	InGraph              // open, with liquid on a side
	Shut                 // solid all over, with liquid on a side
)

type count struct{ rows, faces, quads, wet int32 }

type scratch struct {
	ids   []int32 // row → its entry in met, or -1
	met   []patch // of the body at hand, in the order in which its rows were met
	films films   // likewise

	table [layout.Edge * layout.Edge * layout.Edge]int32 // place in the block at hand → joined unknown, or -1

	confined confined

	// Of the block at hand: what a solid's surface comes near to, and what that is cut into.
	dry     mask // where no liquid can be
	wet     mask // where it may be
	near    []nearCell
	faces   []cutFace
	squares []square
	cubes   []cube
	panes   panes   // of the squares at hand
	eighths eighths // of the cube at hand
	finest  int     // how often they may be cut up

	boxes, parts []cellBox // that a body may be near

	faceOf [3][layout.Edge * layout.Edge * layout.Edge]int32 // place in the block → the job's face there, or -1
	cellOf [layout.Edge * layout.Edge * layout.Edge]int32    // likewise, the job's cell

	pts   []r3.Vec
	dist  []float32 // there, m
	nodes [(layout.Edge + 1) * (layout.Edge + 1) * (layout.Edge + 1)]float64
	rows  nodeRows
	mids  [(layout.Edge + 2) * (layout.Edge + 2) * (layout.Edge + 2)]float32
	room  [layout.Edge * layout.Edge * layout.Edge]float32 // that walls leave of a cell within its faces; -1: no wall stands there
	gain  [layout.Edge * layout.Edge * layout.Edge]float32 // beyond them

	// Of the block at hand: the segments between cell centres that thin walls may be across.
	crossings []crossing
	centres   []shiftedCentre
	shiftedOf [(layout.Edge + 2) * (layout.Edge + 2) * (layout.Edge + 2)]int32 // place in mids → 1 + its entry in centres, or 0
	tracer    walls.Tracer
	rim       walls.Tracer // of goAround
	rims      []rim
	which     []int32 // those of centres at hand
	stuck     []int32
}

// New makes a discretiser for a domain, m, and which of its sides are open (-x, +x, -y, …).
func New(g *layout.Grid, pool *par.Pool, lo, hi [3]float64, open [6]bool) *Discretiser {
	d := &Discretiser{topology: topology{g}, pool: pool, domain: domain{lo, hi, open}}
	d.link()
	n := g.Bases()
	d.Asleep = make([]bool, n)
	d.counts, d.masks, d.patterns = make([]count, n+1), make([]faceMasks, n), make([]pattern, n)
	d.static.init(n)
	d.bodies.init(n)
	d.air.init(n)
	for b := range d.patterns {
		d.patterns[b].first = layout.None
	}
	for level := range d.faces.uniform {
		h := g.CellSize(uint8(level))
		d.faces.uniform[level] = uniformFaces{repeat(h * h), repeat(h)}
	}
	for w := range d.work {
		s := &d.work[w]
		s.squares, s.cubes = make([]square, 0, mostSquares), make([]cube, 0, mostCubes)
		most := max(len(s.mids), mostPoints)
		s.pts, s.dist = make([]r3.Vec, 0, most), make([]float32, most)
		s.boxes, s.parts = make([]cellBox, 0, mostBoxes), make([]cellBox, 0, mostBoxes)
		s.near, s.faces = make([]nearCell, 0, len(s.gain)), make([]cutFace, 0, len(s.gain))
		s.crossings, s.centres = make([]crossing, 0, 1024), make([]shiftedCentre, 0, 512)
		s.tracer, s.rim = walls.MakeTracer(crossingsAtOnce, raySteps, false), walls.MakeTracer(4*crossingsAtOnce, rimSteps, false)
		s.which, s.stuck = make([]int32, 0, centresAtOnce), make([]int32, 0, centresAtOnce)
	}
	g.OnGrow(d.grow)
	d.Forget()
	return d
}

// link gives the parts what they work on.
func (d *Discretiser) link() {
	d.work = make([]scratch, d.pool.Workers())
	d.static.topology, d.static.domain = d.topology, &d.domain
	d.bodies.topology, d.bodies.domain, d.bodies.work = d.topology, &d.domain, d.work
	d.numbering.d, d.search.d, d.faces.d, d.followers.d = d, d, d, d
	d.ghosts.d, d.coupling.d, d.hierarchy.d, d.air.d = d, d, d, d
	d.extension.d, d.separation.d = d, d
}

func (d *Discretiser) openBlocks(worker int, b int32) { d.openBlock(&d.work[worker], b) }

func (d *Discretiser) grow(n int) {
	for a := range 3 {
		d.Open[a] = arrays.Lengthen(d.Open[a], n)
		d.State[a] = arrays.Lengthen(d.State[a], n)
	}
	d.static.grow(n)
	d.Volume = arrays.Lengthen(d.Volume, n)
	d.Row = arrays.Lengthen(d.Row, n)
}

// SetStatic replaces the static solids; nil means none. thick tells how thick their thinnest wall in a box is, m.
func (d *Discretiser) SetStatic(f shapes.Distance, thick func(box r3.Box) float64) {
	d.static.distance, d.static.thickness = f, thick
	d.Forget()
}

// Forget makes the next Solids measure every block anew.
func (d *Discretiser) Forget() { d.static.forget() }

// ForgetBodies makes the next Solids measure anew also bodies that stand still.
func (d *Discretiser) ForgetBodies() { d.bodies.forget(0) }

// Solids measures what static solids, walls and bodies leave open, on the grid's Cur layout.
// The graph's Bodies are filled later, by Fill, from what is found here.
//
// near: where liquid may be. Where it can't be, what bodies that move fill of cells is measured roughly, and of their faces
// only the thin walls across them: without the walls in the air above it the liquid in a cup does not come to rest.
func (d *Discretiser) Solids(bodies []rigid.Solid, near Near) {
	d.bodies.measure(d.pool, bodies, near)
	par.Each(d.pool, d.g.Bases(), 2, d, (*Discretiser).openBlocks)
}

// fillGrain is how many blocks make a chunk of Fill's loops.
const fillGrain = 4

// Fill makes the graph of the cells where phi < 0.
func (d *Discretiser) Fill(gr *graph.Graph, phi []float32, bodies int) {
	d.gr, d.phi = gr, phi
	n := d.g.Bases()
	par.Each(d.pool, n, fillGrain, &d.numbering, (*rowNumbering).number)
	d.numbering.setVoidPhi()
	rows := int32(0)
	for b := range n {
		c := &d.counts[b]
		c.wet, rows = rows, rows+c.rows // wet: first row of the block
	}
	d.counts[n].wet = rows
	par.Each(d.pool, n, fillGrain, &d.search, (*faceSearch).countFaces)
	faces, quads := int32(0), int32(0)
	for b := range n {
		c := &d.counts[b]
		c.faces, faces = faces, faces+c.faces
		c.quads, quads = quads, quads+c.quads
	}
	d.counts[n].faces = faces
	d.resizeGraph(int(rows), int(faces), int(quads))
	for b, c := range d.counts {
		gr.Parts[b] = graph.Part{Row: c.wet, Face: c.faces}
	}
	par.Each(d.pool, n, fillGrain, &d.numbering, (*rowNumbering).place)
	d.coupling.clear(bodies)
	par.For(d.pool, bodies+par.Chunks(n, fillGrain), 1, d, (*Discretiser).fillOrWet)
	d.followers.listPairs()
	d.hierarchy.aggregate()
	d.air.findBubbles()
	d.gr, d.phi = nil, nil
}

func (d *Discretiser) resizeGraph(rows, faces, quads int) {
	gr, n := d.gr, d.g.Bases()
	gr.Rows, gr.Parts, gr.Connectivity = rows, arrays.Resize(gr.Parts, n+1), arrays.Resize(gr.Connectivity, n)
	gr.Cell, gr.Size, gr.Volume = arrays.Resize(gr.Cell, rows), arrays.Resize(gr.Size, rows), arrays.Resize(gr.Volume, rows)
	gr.Centre, gr.Cubes.Red, gr.Cubes.Sides = arrays.Resize(gr.Centre, rows), arrays.Resize(gr.Cubes.Red, rows), arrays.Resize(gr.Cubes.Sides, rows)
	gr.A, gr.B = arrays.Resize(gr.A, faces), arrays.Resize(gr.B, faces)
	gr.Cubes.Axis, gr.Slot = arrays.Resize(gr.Cubes.Axis, faces), arrays.Resize(gr.Slot, faces)
	gr.Area, gr.Dist, gr.Open = arrays.Resize(gr.Area, faces), arrays.Resize(gr.Dist, faces), arrays.Resize(gr.Open, faces)
	gr.Jump, gr.U = arrays.Resize(gr.Jump, faces), arrays.Resize(gr.U, faces)
	gr.Cubes.Quads, gr.Cubes.Regularised = arrays.Resize(gr.Cubes.Quads, quads), arrays.Resize(gr.Cubes.Regularised, quads)
	gr.Cubes.Shares, gr.Cubes.Still = arrays.Resize(gr.Cubes.Shares, quads), arrays.Resize(gr.Cubes.Still, quads)
	d.ghosts.junctions = arrays.Resize(d.ghosts.junctions, quads)
}
