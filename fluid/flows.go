package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// newFlows makes what comes in and goes out.
func newFlows(l *simulation) *flows.Flows {
	d, tiles := &l.def, l.disc.Tiles()
	return flows.New(flows.Config{
		Config: droplets.Config{
			CellSize: d.CellSize, Gap: float64(walls.Gap * d.CellSize), MaxSpeed: maxMotion, Domain: d.Domain,
			Regions: droplets.Regions{Origin: tiles.Origin, Edge: tiles.Edge, Dim: tiles.Dim},
		},
		Flow: d.Sides.are(Flow), Open: d.Sides.open(), CFL: d.Solver.CFL,
		Sources: l.sources, Through: l.sides, Volumes: l.volumes, Ledger: (*components.Ledger)(&l.ledger),
		Acceleration: l.world.fields.At, Warn: l.warn,
		Solids: func() ([]shapes.SDF, []rigid.Solid) { return l.world.obstacles.StaticShapes(), l.coupling.Solids },
	})
}

// betweenSteps stands for the number of a substep.
const betweenSteps = 255

// seed is another one for each substep.
func (o *output) seed(substep int) uint64 { return uint64(o.steps)<<8 ^ uint64(substep) }
