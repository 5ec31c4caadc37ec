package levelset

import (
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Markers are particles just under the surface. Where φ has one in the air, the level set has lost liquid: φ is united with the marker's
// sphere, or, where the grid can not hold that, the marker becomes a droplet.
//
// They are kept in the order of their base cells, and within one in the order of seeding.
//
// Source: Enright, Fedkiw, Ferziger, Mitchell 2002 §3, with markers in the liquid alone: the volume controller takes back what liquid is gained.
type Markers struct {
	// PerCell is how many markers a cell at the surface should have. 0: none. Default 4.
	PerCell int
	// Smooth is the bend of the surface in a cell, the sum of φ's second differences along the axes in cells, below which it
	// needs no markers: on a ball of R cells it is 2/R. Default .2: what the grid resolves well is not lost.
	Smooth float32
	// Max is the most markers. Default 400 000; with its buffers one takes about 100 bytes.
	Max int
	// Cadence is how many steps pass between two reseedings, which drop markers of no use and add markers where there are
	// too few. 0 means 1.
	Cadence int
	// Every is how many steps pass between two seedings of a block. Default 4.
	Every int

	// Spray gets the markers that the grid can't hold.
	Spray *droplets.Spray

	// Position of each marker, in base cells.
	Position []layout.Point
	// Radius of each, m, below 0, as φ is there. 0: dropped.
	Radius []float32
	// Refused counts the seeds that Max turned away in the last Publish.
	Refused int

	// Room tells whether liquid can be at a place, from several workers: in a solid, where φ is only extrapolated, no marker becomes
	// a droplet, and at walls no marker is seeded. nil: everywhere.
	Room func(p layout.Point) bool

	s        *Field
	position []layout.Point // the other buffer
	radius   []float32
	key      []int32   // base cell of each marker
	start    []int32   // per base cell, the first of its markers; len = bases+1
	cursor   [][]int32 // per part of the markers and base cell: see sort
	list     []int32   // per base cell, from start on: its escaped markers; from its end back: its strays
	escaped  []int32   // per base cell: how many have; or unjudged
	strays   []int32   // per base cell
	extent   []extent  // per base cell, of its escaped markers
	seeded   []seeds   // per base cell
	stage    []stage   // per worker
	dt       float64
	v        *layout.Velocity
}

// stage collects what one worker keeps and seeds until its place is known.
type stage struct {
	position []layout.Point
	radius   []float32
}

// extent is the range of places in a base cell, 0 to 1.
type extent struct{ low, high [3]float32 }

// seeds says where a block's markers are: in its worker's stage, or where they were.
type seeds struct {
	worker   int32
	from, to int32
}

const (
	asBefore     = -1 // stands for the worker of a block that was left as it is
	unclassified = -1 // stands for the number of escaped markers of a block whose turn has not come
)

// A marker's sphere touches the surface, within what the grid resolves, cells.
// Source: Enright et al. 2002 §3.1.
const (
	minRadius = .1
	maxRadius = .5
)

// depth is how far from the surface markers are seeded, cells; they are dropped 1.5 times deeper.
const depth = 1.

func newMarkers(s *Field, spray *droplets.Spray) *Markers {
	n := s.g.Bases()
	m := &Markers{PerCell: 4, Smooth: .2, Max: 400_000, Every: 4, Spray: spray, s: s}
	m.start = make([]int32, n+1)
	m.cursor = make([][]int32, s.pool.Workers())
	for i := range m.cursor {
		m.cursor[i] = make([]int32, n)
	}
	m.escaped = make([]int32, n)
	m.strays = make([]int32, n)
	m.extent = make([]extent, n)
	m.seeded = make([]seeds, n)
	m.stage = make([]stage, s.pool.Workers())
	return m
}

// Len is the number of markers.
func (m *Markers) Len() int { return len(m.Position) }

// Load replaces the markers by saved ones: Position and Radius as they were.
func (m *Markers) Load(position []layout.Point, radius []float32) {
	if len(position) != len(radius) {
		panic("surface: Markers.Load: lengths differ")
	}
	m.resize(len(position))
	copy(m.Radius, radius)
	for i, p := range position {
		if !inBox(p, m.s.g.Dim) {
			panic("surface: Markers.Load: a marker is outside of the grid")
		}
		m.Position[i] = p
	}
	m.locate()
}

// locate finds the base cells of markers that were put anywhere in the grid.
func (m *Markers) locate() {
	for i, p := range m.Position {
		m.key[i] = m.s.g.BaseAt(int(p.X), int(p.Y), int(p.Z))
	}
	m.sort()
}

func (m *Markers) clear() {
	m.resize(0)
	clear(m.start)
	m.Spray.Clear()
}

func (m *Markers) resize(n int) {
	if n > cap(m.Position) {
		c := min(max(n, 2*cap(m.Position)), max(n, m.Max))
		m.Position = append(make([]layout.Point, 0, c), m.Position...)
		m.Radius = append(make([]float32, 0, c), m.Radius...)
		m.position = make([]layout.Point, c)
		m.radius = make([]float32, c)
		m.key = make([]int32, c)
		m.list = make([]int32, c)
	}
	m.Position, m.Radius = m.Position[:n], m.Radius[:n]
}

// markerBatch is how many markers of a block are dealt with together.
const markerBatch = 512

// sample sets the worker's origin to the places of a block's markers lo to hi-1, at most markerBatch, in cells of a tile of the
// block's n³ cells, and its value to the tile's φ there.
func (m *Markers) sample(w *workspace, tile []float32, f *frame, n int, lo, hi int32) {
	for i, p := range m.Position[lo:hi] {
		k := i & (markerBatch - 1)
		w.origin[0][k], w.origin[1][k], w.origin[2][k] = f.local(p, .5)
	}
	linears(&w.value, tile, n+2, &w.origin, int(hi-lo))
}

// advance moves the markers, and corrects φ by those that have escaped.
func (m *Markers) advance(v *layout.Velocity, dt float64) {
	g := m.s.g
	m.v, m.dt = v, dt
	par.For(m.s.pool, g.Bases(), 4, m, (*Markers).moveBlocks)
	m.sort()
	flying := m.Spray.Len() // those that are born in this step have moved as markers
	par.For(m.s.pool, g.Bases(), 2, m, (*Markers).classifyBlocks)
	if m.convertStrays(v) {
		par.For(m.s.pool, g.Bases(), 2, m, (*Markers).correctBlocks)
	}
	m.Spray.Advance(dt, flying, m.s)
	m.v = nil
}
