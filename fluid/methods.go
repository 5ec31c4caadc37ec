package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/extent"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/seam"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// This is the one file of the package that knows by name what is behind the seam.

// method is a discretisation and a tracker with what else they offer. The parts of one method may ask each other for their arrays.
type method struct {
	disc    seam.Discretisation
	surface seam.Tracker
	volumes seam.Volumes
	edits   seam.Editor
	sources flows.Sources
	sides   flows.SideFlow
	forces  seam.Forces
	parts   seam.Sleeper
	reader  seam.Reader
	coder   seam.Coder
	spray   *droplets.Spray // liquid that the tracker has lost
	shaped  controls.Cells  // what controls ask
	white   whitewater.Liquid
}

// mostLabel is the greatest label of a surface.
const mostLabel = adaptive.MostLabel

// coarsestLevel bounds Plan.InvisibleLevel.
const coarsestLevel = grid.MaxLevel

// blocksMethod is adaptive blocks, with their level set, another tracker or without a surface.
func blocksMethod(l *simulation) method {
	m := newBlocks(l)
	of := method{
		disc: m, surface: &m.Surface, volumes: &m.Volumes, edits: &m.Edits, sources: &m.Sources, sides: &m.Flow,
		forces: &m.Forces, parts: &m.Sleep, reader: &m.Queries, coder: &m.State, spray: m.Spray, shaped: &m.Controls, white: &m.White,
	}
	switch l.def.Tracker {
	case NoSurface:
		of.follow(m, adaptive.NoSurface{Surface: &m.Surface})
	case ExplicitMesh:
		e := l.def.extent()
		of.surface = m.TrackMesh(l.def.SurfaceDetail, e.MaxMemory-e.Beside-float64(e.Cells(l.def.CellSize)*e.BytesPerCell))
	case Contouring:
		of.surface = m.TrackContour(l.def.SurfaceDetail, l.def.Thickening)
	}
	return of
}

// follow has blocks take the liquid from a tracker that is not their level set.
func (of *method) follow(m *adaptive.Blocks, surface seam.Tracker) {
	m.Follow(surface)
	of.surface, of.volumes = surface, adaptive.Measured{Volumes: &m.Volumes}
}

// newBlocks makes adaptive blocks.
func newBlocks(l *simulation) *adaptive.Blocks {
	d := &l.def
	c := adaptive.Config{CellSize: d.CellSize, Domain: d.Domain, Open: d.Sides.open(), Coarsest: uint8(grid.MaxLevel + 1 - d.Levels)}
	c.Place(d.Sides.passed())
	return adaptive.New(c, l.pool, &l.graph, &l.solver.Components)
}

// extent is the domain and what cells in it cost.
func (d Def) extent() *extent.Extent {
	passed := d.Sides.passed()
	e := &extent.Extent{
		Domain: d.Domain, MaxMemory: float64(d.MaxMemory), BytesPerCell: adaptive.BytesPerCell, Beside: float64(d.WhiteWater * whitewater.BytesPerParticle),
		Cells: func(cellSize float64) float64 { return adaptive.MostCells(d.Domain, cellSize, passed) },
	}
	if d.Tracker == ExplicitMesh {
		e.Surface = func(cellSize float64) float64 {
			return adaptive.LeastMesh(d.Domain, cellSize/float64(max(1, d.SurfaceDetail)))
		}
	}
	return e
}
