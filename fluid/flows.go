package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// newFlows makes what comes in and goes out.
func newFlows(l *simulation) *flows.Flows {
	d, tiles, can := &l.def, &l.can.Tiles, l.can.Flows
	if can == nil {
		can = &solver.Flows{}
	}
	return flows.New(flows.Config{
		Config: droplets.Config{
			CellSize: d.CellSize, Gap: float64(walls.Gap * d.CellSize), MaxSpeed: maxMotion, Domain: d.Domain,
			Regions: droplets.Regions{Origin: tiles.Origin, Edge: tiles.Edge, Dim: tiles.Dim},
		},
		Flow: d.Sides.are(Flow), Open: d.Sides.open(), CFL: d.Numerics.CFL,
		Sources: can.Sources, Through: can.Through, Volumes: can.Volumes, Ledger: &l.around.Ledger,
		Acceleration: l.around.Fields.At, Warn: l.record.warn,
		Solids: func() ([]shapes.SDF, []rigid.Solid) {
			return l.around.Obstacles.StaticShapes(), l.around.Coupling.Solids
		},
	})
}

// betweenSteps stands for the number of a substep.
const betweenSteps = 255
