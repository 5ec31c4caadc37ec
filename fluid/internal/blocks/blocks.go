// Package blocks turns the adaptive block grid, a level set and the solids into the
// finite-volume graph: which cells are liquid, which faces are open and how far.
//
// Solids cut faces rather than fill cells: a face's open fraction comes from the signed
// distances at its corners, and a wall thinner than a cell, which lies
// between corners, shuts every face whose two cell centres it stands between.
package blocks

import (
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"gonum.org/v1/gonum/spatial/r3"
)

// Discretiser fills a graph. Open and Volume are what solids leave of each face and cell.
type Discretiser struct {
	g    *grid.Grid
	pool *par.Pool

	static shapes.Distance // nil: none
	lo, hi [3]float64
	open   [6]bool                  // sides of the domain that liquid may leave through
	thick  func(box r3.Box) float64 // how thick the walls of static solids are there at least, m

	// Up is against gravity; 0: there is none.
	Up [3]float64

	// Fields per face and cell.
	fixedOpen   [3][]float64 // static solids and walls alone
	fixedVolume []float32
	Open        [3][]float64 // bodies taken off
	Volume      []float32
	Row         []int32 // cell → row or -1
	// State of each face: Idle, InGraph or Shut.
	State [3][]uint8
	// Asleep tells per base cell whether the liquid of its block lies still and stays out of the graph: its faces are shut but
	// for those that liquid next to it, which is awake, has its surface at.
	Asleep []bool

	known        []key    // per base cell: what the fixed fields were made for
	plain        []bool   // per base cell: no static solid and no wall touches it
	bare         []bool   // per base cell: no static solid touches it
	thinFixed    []bool   // per base cell: a static wall thinner than a cell stands in it
	merged       []merged // per base cell
	hits         []*job   // per base cell: the first body that touches it now, or nil
	round        int      // how often Solids was called
	phi          []float32
	separated    []float32 // what SeparateAtWalls makes of it
	where        []bool
	gr           *graph.Graph
	uniform      [4]uniformFaces // per level
	junctions    []junction      // per quad
	surfacePairs []surfacePair   // by leader
	ghosts       ghostPressures
	counts       []count
	masks        []faceMasks // per base cell
	patterns     []pattern   // likewise
	jobs         []bodyJobs
	queue        []jobAt // the jobs to be measured
	near         Near    // while they are
	work         []scratch
	table        []int32 // coarse base cell → unknown
	fine         []unknown
	coarse       []unknown
	joined       []unknown
	first        []int32 // per base cell: its first entry in fine
	start        []int32 // likewise in the level that is being made
	level        *graph.Aggregation
}

// The states of a face.
const (
	Idle    uint8 = iota // no liquid on either side, or too narrow to tell its velocity
	InGraph              // open, with liquid on a side
	Shut                 // solid all over, with liquid on a side
)

// key is what a block's fixed fields depend on: its level and those below it on each axis.
type key struct {
	level uint8
	low   [3]uint8
	first int32
}

type count struct{ rows, faces, quads, wet int32 }

type scratch struct {
	ids []int32 // row → its entry in met, or -1
	met []patch // of the body at hand, in the order in which its rows were met

	table [grid.Edge * grid.Edge * grid.Edge]int32 // place in the block at hand → joined unknown, or -1

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

	faceOf [3][grid.Edge * grid.Edge * grid.Edge]int32 // place in the block → the job's face there, or -1
	cellOf [grid.Edge * grid.Edge * grid.Edge]int32    // likewise, the job's cell

	pts   []r3.Vec
	dist  []float32 // there, m
	nodes [(grid.Edge + 1) * (grid.Edge + 1) * (grid.Edge + 1)]float64
	rows  nodeRows
	mids  [(grid.Edge + 2) * (grid.Edge + 2) * (grid.Edge + 2)]float32
	room  [grid.Edge * grid.Edge * grid.Edge]float32 // that walls leave of a cell within its faces; -1: no wall stands there
	gain  [grid.Edge * grid.Edge * grid.Edge]float32 // beyond them

	// Of the block at hand: the segments between cell centres that thin walls may be across.
	crossings []crossing
	centres   []shiftedCentre
	shiftedOf [(grid.Edge + 2) * (grid.Edge + 2) * (grid.Edge + 2)]int32 // place in mids → 1 + its entry in centres, or 0
	tracer    walls.Tracer
	which     []int32 // those of centres at hand
	stuck     []int32
}

// New makes a discretiser for a domain, m, and which of its sides are open (-x, +x, -y, …).
func New(g *grid.Grid, pool *par.Pool, lo, hi [3]float64, open [6]bool) *Discretiser {
	d := &Discretiser{g: g, pool: pool, lo: lo, hi: hi, open: open}
	n := g.Bases()
	d.thinFixed, d.Asleep = make([]bool, n), make([]bool, n)
	d.known, d.plain, d.bare = make([]key, n), make([]bool, n), make([]bool, n)
	d.merged, d.hits = make([]merged, n), make([]*job, n)
	d.counts, d.masks, d.patterns = make([]count, n+1), make([]faceMasks, n), make([]pattern, n)
	for b := range d.patterns {
		d.patterns[b].first = grid.None
	}
	for level := range d.uniform {
		h := g.CellSize(uint8(level))
		d.uniform[level] = uniformFaces{repeat(h * h), repeat(h)}
	}
	d.work = make([]scratch, pool.Workers())
	for w := range d.work {
		s := &d.work[w]
		s.squares, s.cubes = make([]square, 0, mostSquares), make([]cube, 0, mostCubes)
		most := max(len(s.mids), mostPoints)
		s.pts, s.dist = make([]r3.Vec, 0, most), make([]float32, most)
		s.boxes, s.parts = make([]cellBox, 0, mostBoxes), make([]cellBox, 0, mostBoxes)
		s.near, s.faces = make([]nearCell, 0, len(s.gain)), make([]cutFace, 0, len(s.gain))
		s.crossings, s.centres = make([]crossing, 0, 1024), make([]shiftedCentre, 0, 512)
		s.tracer = walls.MakeTracer(crossingsAtOnce, raySteps, false)
		s.which, s.stuck = make([]int32, 0, centresAtOnce), make([]int32, 0, centresAtOnce)
	}
	g.OnGrow(d.grow)
	d.Forget()
	return d
}

func (d *Discretiser) openBlocks(worker int, b int32) { d.openBlock(&d.work[worker], b) }

func (d *Discretiser) runJobs(worker int, i int32) {
	p := d.queue[i]
	d.runJob(&d.work[worker], &d.jobs[p.body][p.entry])
}

func (d *Discretiser) grow(n int) {
	for a := range 3 {
		d.fixedOpen[a] = arrays.Lengthen(d.fixedOpen[a], n)
		d.Open[a] = arrays.Lengthen(d.Open[a], n)
		d.State[a] = arrays.Lengthen(d.State[a], n)
	}
	d.fixedVolume = arrays.Lengthen(d.fixedVolume, n)
	d.Volume = arrays.Lengthen(d.Volume, n)
	d.Row = arrays.Lengthen(d.Row, n)
	d.separated = arrays.Lengthen(d.separated, n)
}

// SetStatic replaces the static solids; nil means none. thick tells how thick their thinnest wall in a box is, m.
func (d *Discretiser) SetStatic(f shapes.Distance, thick func(box r3.Box) float64) {
	d.static, d.thick = f, thick
	d.Forget()
}

// Forget makes the next Solids measure every block anew.
func (d *Discretiser) Forget() {
	for b := range d.known {
		d.known[b].first = grid.None
	}
}

// ForgetBodies makes the next Solids measure anew also bodies that stand still.
func (d *Discretiser) ForgetBodies() {
	for i := range d.jobs {
		d.jobs[i] = d.jobs[i][:0]
	}
}

// Solids measures what static solids, walls and bodies leave open, on the grid's Cur layout.
// The graph's Bodies are filled later, by Fill, from what is found here.
//
// near: where liquid may be. Where it can't be, what bodies that move fill of cells is measured roughly, and of their faces
// only the thin walls across them: without the walls in the air above it the liquid in a cup does not come to rest.
func (d *Discretiser) Solids(bodies []rigid.Solid, near Near) {
	d.round++
	d.near = near
	for len(d.jobs) < len(bodies) {
		d.jobs = append(d.jobs, nil)
	}
	for i := len(bodies); i < len(d.jobs); i++ {
		d.jobs[i] = d.jobs[i][:0]
	}
	d.queue = d.queue[:0]
	for i := range bodies {
		d.addJobs(int32(i), &bodies[i])
	}
	par.Each(d.pool, len(d.queue), 1, d, (*Discretiser).runJobs)
	d.near = Near{}
	d.linkHits()
	par.Each(d.pool, d.g.Bases(), 2, d, (*Discretiser).openBlocks)
}

// fillGrain is how many blocks make a chunk of Fill's loops.
const fillGrain = 4

// Fill makes the graph of the cells where phi < 0.
func (d *Discretiser) Fill(gr *graph.Graph, phi []float32, bodies int) {
	d.gr, d.phi = gr, phi
	n := d.g.Bases()
	par.Each(d.pool, n, fillGrain, d, (*Discretiser).numberRows)
	d.setVoidPhi()
	rows := int32(0)
	for b := range n {
		c := &d.counts[b]
		c.wet, rows = rows, rows+c.rows // wet: first row of the block
	}
	d.counts[n].wet = rows
	par.Each(d.pool, n, fillGrain, d, (*Discretiser).countFaces)
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
	par.Each(d.pool, n, fillGrain, d, (*Discretiser).placeRows)
	d.dryBodies(bodies)
	par.For(d.pool, bodies+par.Chunks(n, fillGrain), 1, d, (*Discretiser).fillOrWet)
	d.listSurfacePairs()
	d.aggregate()
	d.gr, d.phi = nil, nil
}

func (d *Discretiser) resizeGraph(rows, faces, quads int) {
	gr, n := d.gr, d.g.Bases()
	gr.Rows, gr.Parts, gr.Connectivity = rows, arrays.Resize(gr.Parts, n+1), arrays.Resize(gr.Connectivity, n)
	gr.Cell, gr.Size, gr.Volume = arrays.Resize(gr.Cell, rows), arrays.Resize(gr.Size, rows), arrays.Resize(gr.Volume, rows)
	gr.Centre, gr.Red, gr.Sides = arrays.Resize(gr.Centre, rows), arrays.Resize(gr.Red, rows), arrays.Resize(gr.Sides, rows)
	gr.A, gr.B = arrays.Resize(gr.A, faces), arrays.Resize(gr.B, faces)
	gr.Axis, gr.Slot = arrays.Resize(gr.Axis, faces), arrays.Resize(gr.Slot, faces)
	gr.Area, gr.Dist, gr.Open = arrays.Resize(gr.Area, faces), arrays.Resize(gr.Dist, faces), arrays.Resize(gr.Open, faces)
	gr.Jump, gr.U = arrays.Resize(gr.Jump, faces), arrays.Resize(gr.U, faces)
	gr.Quads, gr.Regularised = arrays.Resize(gr.Quads, quads), arrays.Resize(gr.Regularised, quads)
	gr.Shares, gr.Still = arrays.Resize(gr.Shares, quads), arrays.Resize(gr.Still, quads)
	d.junctions = arrays.Resize(d.junctions, quads)
}
