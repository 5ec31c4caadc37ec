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

// Blocks is the adaptive grid: its cells and faces, what solids leave of them, and the velocity and pressure there.
type Blocks struct {
	Config
	Dt, Drift float64 // of the substep: its length, and the time from the middle of the last one to that of this one, s
	Gravity   r3.Vec  // with the fields that are the same everywhere, m/s²
	Density   float64 // kg/m³

	Pool       *par.Pool
	Graph      *graph.Graph
	Components *graph.Components // of Graph

	Grid  *layout.Grid
	Set   *levelset.Field  // φ
	Faces advect.Faces     // m/s, per face of the grid
	Press []float64        // Pa, per cell: the last solve's, to start the next from
	Vel   *layout.Velocity // faces, ready to be sampled

	State   State
	Queries Queries
	Edits   Edits
	Forces  Forces

	Sizer     *sizing.Sizer
	Solids    *cutting.Discretiser
	Walls     *walls.Set // the step's, which whoever reads the solids sets; see MarkWalls
	Carrier   *advect.Transport
	Spreader  *advect.Extrapolation
	Slip      *advect.Slip
	Mesh      *isomesh.Mesh
	Tension   *forces.Tension   // nil until there is surface tension
	Viscosity *forces.Viscosity // nil until there is viscosity
	Foam      *forces.Foam
	White     WhiteWater

	Spray    *droplets.Spray // liquid that no cell holds
	Surface  Surface
	Sources  Sources // through openings and open sides
	Controls Controls
	Flow     Flow // through sides of the domain that have a current

	Survey   Survey
	Sleep    BlockSleep
	Volumes  Volumes
	Impulse  []float64 // per row: pressure impulse, Pa·s
	Fraction []float32 // per cell: what of it is liquid

	ThinWalls ThinWalls

	tally [layout.Edge * layout.Edge * layout.Edge]float32   // scratch of LiquidOf
	wall  func(body int32, x r3.Vec) r3.Vec                  // of ExtrapolateVelocity
	store func(b int32)                                      // storeBlock
	shut  func(body int32, axis uint8, slot int32, x r3.Vec) // shutFace

	Centres layout.Centres // scratch
}

// New makes the grid of a liquid without any, and its surface. graph is the one that steps fill, components are those of its rows.
func New(c Config, pool *par.Pool, gr *graph.Graph, components *graph.Components) *Blocks {
	m := &Blocks{Config: c, Pool: pool, Graph: gr, Components: components}
	m.State.m, m.Queries.m, m.Edits.m, m.Forces.m, m.Surface.m = m, m, m, m, m
	m.Survey.m, m.Sleep.m, m.Volumes.m, m.ThinWalls.m, m.White.m = m, m, m, m, m
	m.Grid = layout.New(c.Origin, c.CellSize, c.Dim, c.Coarsest)
	m.Grid.OnGrow(func(n int) {
		for a := range m.Faces {
			m.Faces[a] = arrays.Lengthen(m.Faces[a], n)
		}
		m.Press, m.Fraction = arrays.Lengthen(m.Press, n), arrays.Lengthen(m.Fraction, n)
	})
	m.Set = levelset.NewField(m.Grid, pool)
	m.Vel = layout.NewVelocity(m.Grid)
	m.Sizer = sizing.New(m.Grid, c.Domain)
	sizing.BeyondOpen(m.Sizer, c.Domain, c.Open)
	m.Solids = cutting.New(m.Grid, pool, reproducible.Array(c.Domain.Min), reproducible.Array(c.Domain.Max), c.Open)
	m.Carrier = advect.New(m.Grid, pool, m.Vel)
	m.Spreader = advect.NewExtrapolation(m.Grid, pool)
	m.Mesh = isomesh.NewMesh(m.Grid, pool)
	m.Foam = forces.NewFoam(m.Grid, pool)
	m.Spray, m.Sources.m, m.Controls.m, m.Flow.m = droplets.NewSpray(), m, m, m
	m.ThinWalls.initHooks()
	m.Forces.mirroring.init(m)
	m.store, m.shut = m.storeBlock, m.shutFace
	m.Slip = advect.NewSlip(m.Grid, pool, fixedSolids(m.Solids))
	n := m.Grid.Bases()
	m.Survey.init()
	m.Sleep.Sleep = layout.NewSleep(m.Grid, &m.Survey.Survey, m.Solids.Asleep)
	m.Volumes.init(n, pool.Workers())
	m.Grid.OnGrow(m.Volumes.grow)
	return m
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
}
