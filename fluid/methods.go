package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/capacity"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes"
	"github.com/meniscus3d/meniscus/fluid/internal/fv"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/surfaceonly"
	"github.com/meniscus3d/meniscus/fluid/internal/tets"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/contour"
	"github.com/meniscus3d/meniscus/fluid/internal/track/levelset"
	"github.com/meniscus3d/meniscus/fluid/internal/track/mesh"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// This is the one file of the package that knows by name what solvers there are, and what they are made of.

// mostLabel is the greatest label of a surface, and coarsestLevel bounds Plan.InvisibleLevel.
const mostLabel, coarsestLevel = track.MostLabel, layout.MaxLevel

// maker makes the solver of a definition, and tells what that can do.
type maker func(c solver.Config, d *Def) (solver.Solver, solver.Abilities)

// finiteVolumes makes liquid in finite volumes, with a method.
func finiteVolumes(pick func(s *fv.Solver, d *Def) fv.Method) maker {
	return func(c solver.Config, d *Def) (solver.Solver, solver.Abilities) {
		s := fv.New(c)
		s.Use(pick(s, d))
		return s, s.Abilities()
	}
}

// pickSolver is the solver that a definition asks for.
func pickSolver(d *Def) maker {
	if d.Method == BoundaryOnly {
		return boundaryOnly
	}
	return finiteVolumes(pickMethod)
}

// boundaryOnly makes liquid that is nothing but its surface.
func boundaryOnly(c solver.Config, _ *Def) (solver.Solver, solver.Abilities) {
	s := surfaceonly.New(c)
	return s, s.Abilities()
}

// pickMethod is the method that a definition asks for.
func pickMethod(s *fv.Solver, d *Def) fv.Method {
	switch {
	case d.Faithful:
		return stuffedMethod(s, d)
	case d.Discretisation == Tetrahedra:
		return latticeMethod(s, d)
	}
	m := newBlocks(s, d)
	m.Track(trackerOf(m, d))
	return blocksMethod(m)
}

// trackerOf makes the tracker that a definition asks for.
func trackerOf(m *cubes.Blocks, d *Def) track.Tracker {
	switch d.Tracker {
	case NoSurface:
		return track.Everywhere{}
	case ExplicitMesh:
		e := d.extent()
		return mesh.New(m.Surroundings(), d.Numerics.SurfaceDetail, e.MaxMemory-e.Beside-float64(e.Cells(d.CellSize)*e.BytesPerCell), !d.Numerics.ExactMotion)
	case Contouring:
		return contour.NewTracker(m.Grid, m.Pool, d.Numerics.SurfaceDetail, d.Numerics.Thickening)
	default:
		return levelset.Share(m.Set, m.Spray, m.HasRoom)
	}
}

// blocksMethod is adaptive blocks that have a tracker.
func blocksMethod(m *cubes.Blocks) fv.Method {
	return fv.Method{
		Cells: m, Coder: &m.State, Tracker: &m.Surface, Foam: &m.Surface, Sizing: m, Solids: m, Walls: fv.ThinWalls{Set: m.Walls, Mark: m.ThinWalls.Mark},
		Volumes: &m.Volumes, Edits: &m.Edits, Sources: &m.Sources, Through: &m.Flow, Tension: &m.Forces, Viscosity: &m.Forces, Wind: &m.Forces,
		Parts: &m.Sleep, Reader: &m.Queries, Spray: m.Spray, Shaped: &m.Controls, White: &m.White,
		Cut: m, Start: m.Start, SetGravity: m.SetGravity, SetDensity: m.SetDensity, Balance: m.Forces.BalanceJunctions,
	}
}

// latticeMethod is a lattice of tetrahedra with the tracker that the definition asks for. All that stands on its blocks it shares with cubes.
func latticeMethod(s *fv.Solver, d *Def) fv.Method {
	m := tets.New(blocksOf(d), s.Pool, &s.Graph, &s.Pressure.Components)
	m.Track(trackerOf(m.Blocks, d))
	all := blocksMethod(m.Blocks)
	all.Cells, all.Coder, all.Sizing, all.Solids = m, &m.State, m, m
	all.Viscosity, all.Balance = &m.Forces, nil
	all.Cut, all.Tets, all.Start, all.SetGravity = m, m.Tetrahedra, m.Start, m.SetGravity
	return all
}

// stuffedMethod is tetrahedra of a mesh that is fit to surface and solids, with the tracker that the definition asks for.
func stuffedMethod(s *fv.Solver, d *Def) fv.Method {
	m := tets.NewStuffed(blocksOf(d), s.Pool, &s.Graph, &s.Pressure.Components)
	m.Track(trackerOf(m.Blocks, d))
	all := blocksMethod(m.Blocks)
	all.Cells, all.Coder, all.Sizing, all.Solids = m, &m.State, m, m
	all.Viscosity, all.Balance = nil, nil
	all.Tets, all.Start, all.SetGravity = m.Tetrahedra, m.Start, m.SetGravity
	return all
}

// newBlocks makes adaptive blocks.
func newBlocks(s *fv.Solver, d *Def) *cubes.Blocks {
	return cubes.New(blocksOf(d), s.Pool, &s.Graph, &s.Pressure.Components)
}

// blocksOf is what blocks of a definition are made of.
func blocksOf(d *Def) cubes.Config {
	c := cubes.Config{CellSize: d.CellSize, Domain: d.Domain, Open: d.Sides.open(), Coarsest: uint8(layout.MaxLevel + 1 - d.Numerics.Levels)}
	c.Place(d.Sides.passed())
	return c
}

// extent is the domain and what cells in it cost.
func (d Def) extent() *capacity.Extent {
	passed := d.Sides.passed()
	e := &capacity.Extent{
		Domain: d.Domain, MaxMemory: float64(d.Resources.MaxMemory), BytesPerCell: cubes.BytesPerCell, Beside: float64(d.WhiteWater * whitewater.BytesPerParticle),
		Cells: func(cellSize float64) float64 { return layout.MostCells(d.Domain, cellSize, passed) },
	}
	switch {
	case d.Method == BoundaryOnly:
		e.BytesPerCell, e.Cells = 0, func(float64) float64 { return 0 }
		return e
	case d.Faithful:
		e.BytesPerCell = tets.StuffedBytesPerCell
	case d.Discretisation == Tetrahedra:
		e.BytesPerCell = tets.BytesPerCell
	}
	if d.Tracker == ExplicitMesh {
		e.Surface = func(cellSize float64) float64 {
			return mesh.LeastBytes(d.Domain, cellSize/float64(max(1, d.Numerics.SurfaceDetail)))
		}
	}
	return e
}
