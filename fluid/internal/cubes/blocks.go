// Package cubes is the liquid on adaptive blocks of cubes (Kim, Ihm, Cha 2006), with its surface as a particle level set. It
// stands behind package fluid's seam: what knows of blocks, cells or φ is here and in the packages below.
package cubes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/advect"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/forces"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/graph"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/track/isomesh"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Cells is what all parts of Blocks work on: the layout, what solids leave of its cells, the graph of those that are liquid, and what is stored on cells and
// faces.
type Cells struct {
	Config
	Dt, Drift float64 // of the substep: its length, and the time from the middle of the last one to that of this one, s
	Gravity   r3.Vec  // with the fields that are the same everywhere, m/s²
	Density   float64 // kg/m³

	Pool       *par.Pool
	Graph      *graph.Graph
	Components *graph.Components // of Graph

	Grid     *layout.Grid
	Set      *levelset.Field  // φ
	Faces    advect.Faces     // m/s, per face of the grid
	Press    []float64        // Pa, per cell: the last solve's, to start the next from
	Vel      *layout.Velocity // faces, ready to be sampled
	Solids   *cutting.Discretiser
	Mesh     Mesh            // of the graph
	Walls    *walls.Set      // the step's, which whoever reads the solids sets; see ThinWalls.Mark
	Spray    *droplets.Spray // liquid that no cell holds
	Impulse  []float64       // per row: pressure impulse, Pa·s
	Fraction []float32       // per cell: what of it is liquid
	Centres  layout.Centres  // scratch
}

// Blocks is the adaptive grid: its cells, and the parts that work on them.
type Blocks struct {
	Cells

	State    State
	Queries  Queries
	Edits    Edits
	Forces   Forces
	White    WhiteWater
	Surface  Surface
	Sources  Sources // through openings and open sides
	Controls Controls
	Flow     Flow // through sides of the domain that have a current

	Survey    Survey
	Sleep     BlockSleep
	Volumes   Volumes
	ThinWalls ThinWalls

	Sizer     *sizing.Sizer
	Vorticity *layout.Vorticity
	Carrier   *advect.Transport
	Spreader  *advect.Extrapolation
	Slip      *advect.Slip
	Foam      *forces.Foam

	wall  func(body int32, x r3.Vec) r3.Vec                  // of ExtrapolateVelocity
	store func(b int32)                                      // storeBlock
	shut  func(body int32, axis uint8, slot int32, x r3.Vec) // shutFace
}

// New makes the grid of a liquid without any, and its surface. graph is the one that steps fill, components are those of its rows.
func New(c Config, pool *par.Pool, gr *graph.Graph, components *graph.Components) *Blocks {
	m := &Blocks{Cells: Cells{Config: c, Pool: pool, Graph: gr, Components: components}}
	m.Cells.init()
	m.Sizer = sizing.New(m.Grid, c.Domain)
	sizing.BeyondOpen(m.Sizer, c.Domain, c.Open)
	m.Vorticity = layout.NewVorticity(m.Vel)
	m.Carrier = advect.New(m.Grid, pool, m.Vel)
	m.Spreader = advect.NewExtrapolation(m.Grid, pool)
	m.Foam = forces.NewFoam(m.Grid, pool)
	m.Slip = advect.NewSlip(m.Grid, pool, fixedSolids(m.Solids))
	m.store, m.shut = m.storeBlock, m.shutFace
	m.join()
	m.Grid.OnGrow(m.Volumes.grow)
	return m
}

// init makes what the cells store, without liquid.
func (m *Cells) init() {
	c := &m.Config
	m.Grid = layout.New(c.Origin, c.CellSize, c.Dim, c.Coarsest)
	m.Grid.SetBalance(c.Balance)
	m.Grid.OnGrow(func(n int) {
		for a := range m.Faces {
			m.Faces[a] = arrays.Lengthen(m.Faces[a], n)
		}
		m.Press, m.Fraction = arrays.Lengthen(m.Press, n), arrays.Lengthen(m.Fraction, n)
	})
	m.Set = levelset.NewField(m.Grid, m.Pool)
	m.Set.Whole = m.isWhole
	m.Spray = droplets.NewSpray()
	m.Vel = layout.NewVelocity(m.Grid)
	m.Solids = cutting.New(m.Grid, m.Pool, reproducible.Array(c.Domain.Min), reproducible.Array(c.Domain.Max), c.Open)
	m.Mesh = ownCells{m.Solids, m.Graph}
}

// join makes the parts, each with the cells and the parts that it asks.
func (m *Blocks) join() {
	c, survey := &m.Cells, &m.Survey.Survey
	m.Survey.init(c, &m.Surface)
	m.ThinWalls.init(c, survey)
	m.Volumes.init(c, &m.Survey, &m.Surface, m.ThinWalls.ClipBack)
	m.Sleep = BlockSleep{m: c, Sleep: layout.NewSleep(m.Grid, survey, m.Solids.Asleep), survey: &m.Survey, volumes: &m.Volumes}
	m.Sources = Sources{m: c, survey: &m.Survey, volumes: &m.Volumes, surface: &m.Surface}
	m.Controls = Controls{m: c, sources: &m.Sources, volumes: &m.Volumes}
	m.Flow = Flow{m: c, survey: &m.Survey, sources: &m.Sources, volumes: &m.Volumes}
	m.Forces = Forces{m: c, spreader: m.Spreader, surface: &m.Surface, mirroring: makeMirroring(c)}
	m.Edits = Edits{m: c, survey: &m.Survey, surface: &m.Surface}
	m.Edits.pouring = pouring{m: c, survey: &m.Survey, surface: &m.Surface}
	m.Queries = Queries{m: c, survey: &m.Survey, surface: &m.Surface}
	m.White = WhiteWater{m: c, survey: survey}
	m.State = State{m: c, survey: &m.Survey, surface: &m.Surface, sleep: &m.Sleep, volumes: &m.Volumes, sizer: m.Sizer, foam: m.Foam}
	m.Surface = Surface{m: c, survey: survey, volumes: &m.Volumes, sources: &m.Sources, mesh: isomesh.NewMesh(m.Grid, m.Pool), foam: m.Foam}
}

// fixedSolids is what walls along which liquid slips are made of.
func fixedSolids(d *cutting.Discretiser) *advect.Solids {
	open, volume := d.Fixed()
	return &advect.Solids{Open: open, Volume: volume, Row: &d.Row, In: d.TouchedByFixed}
}

// Config is what never changes.
type Config struct {
	CellSize float64 // the finest cells' edge, m
	Domain   r3.Box  // m
	Open     [6]bool // sides of the domain, in the order -x, +x, -y, …
	Origin   [3]float64
	Dim      [3]int // base cells
	Coarsest uint8  // level of the coarsest blocks
	Balance  layout.Balance
	PerCell  int // how many rows a cell of liquid makes; 0 means 1
}
