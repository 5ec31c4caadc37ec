package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/capacity"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// This is the one file of the package that knows by name what is behind the seam.

// method is a discretisation and a tracker with what else they offer. The parts of one method may ask each other for their arrays.
type method struct {
	disc    fv.Discretisation
	surface fv.Tracker
	volumes fv.Volumes
	edits   fv.Editor
	sources flows.Sources
	sides   flows.SideFlow
	forces  fv.Forces
	parts   fv.Sleeper
	reader  fv.Reader
	coder   fv.Coder
	spray   *droplets.Spray // liquid that the tracker has lost
	shaped  controls.Cells  // what controls ask
	white   whitewater.Liquid
}

// mostLabel is the greatest label of a surface.
const mostLabel = cubes.MostLabel

// coarsestLevel bounds Plan.InvisibleLevel.
const coarsestLevel = layout.MaxLevel

// blocksMethod is adaptive blocks, with their level set, another tracker or without a surface.
func blocksMethod(l *simulation) method {
	m := newBlocks(l)
	of := method{
		disc: m, surface: &m.Surface, volumes: &m.Volumes, edits: &m.Edits, sources: &m.Sources, sides: &m.Flow,
		forces: &m.Forces, parts: &m.Sleep, reader: &m.Queries, coder: &m.State, spray: m.Spray, shaped: &m.Controls, white: &m.White,
	}
	switch l.def.Tracker {
	case NoSurface:
		of.follow(m, cubes.NoSurface{Surface: &m.Surface})
	case ExplicitMesh:
		e := l.def.extent()
		of.surface = m.TrackMesh(l.def.SurfaceDetail, e.MaxMemory-e.Beside-float64(e.Cells(l.def.CellSize)*e.BytesPerCell))
	case Contouring:
		of.surface = m.TrackContour(l.def.SurfaceDetail, l.def.Thickening)
	}
	return of
}

// follow has blocks take the liquid from a tracker that is not their level set.
func (of *method) follow(m *cubes.Blocks, surface fv.Tracker) {
	m.Follow(surface)
	of.surface, of.volumes = surface, cubes.Measured{Volumes: &m.Volumes}
}

// newBlocks makes adaptive blocks.
func newBlocks(l *simulation) *cubes.Blocks {
	d := &l.def
	c := cubes.Config{CellSize: d.CellSize, Domain: d.Domain, Open: d.Sides.open(), Coarsest: uint8(layout.MaxLevel + 1 - d.Levels)}
	c.Place(d.Sides.passed())
	return cubes.New(c, l.pool, &l.graph, &l.solver.Components)
}

// extent is the domain and what cells in it cost.
func (d Def) extent() *capacity.Extent {
	passed := d.Sides.passed()
	e := &capacity.Extent{
		Domain: d.Domain, MaxMemory: float64(d.MaxMemory), BytesPerCell: cubes.BytesPerCell, Beside: float64(d.WhiteWater * whitewater.BytesPerParticle),
		Cells: func(cellSize float64) float64 { return layout.MostCells(d.Domain, cellSize, passed) },
	}
	if d.Tracker == ExplicitMesh {
		e.Surface = func(cellSize float64) float64 {
			return cubes.LeastMesh(d.Domain, cellSize/float64(max(1, d.SurfaceDetail)))
		}
	}
	return e
}
