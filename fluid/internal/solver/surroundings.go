package solver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/obstacles"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/sleep"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
)

// Config is what a solver is made with.
type Config struct {
	Settings Settings
	Pool     *par.Pool
	Around   *Surroundings
	Times    *Times
	Deadline Deadline
	Warn     func(knob, text string)
}

// Settings are what never changes of a liquid's definition.
type Settings struct {
	Domain         r3.Box  // m
	CellSize       float64 // of the finest cells, m
	Band, BodyBand int     // how many finest cells deep they are finest at the surface, and around bodies
	Full           bool    // the domain is full of liquid, without a surface
	CFL            float64
	MaxSubsteps    int
	FirstOrder     bool
	Undamped       bool
	Sounds         bool
	Sizing         Sizing
}

// Sizing is by how much the edges of cells inside of the liquid may be longer than the finest: see sizing.Field.
type Sizing struct {
	Distance  float64 // per distance from the surface and from what moves
	Vorticity float64 // in finest cells, where the liquid does not turn,
	Turn      float64 // 1/s: the vorticity where they are finest
}

// Material is what the liquid is, as calls change it.
type Material struct {
	Density, Viscosity, Tension, ContactAngle float64 // kg/m³, m²/s, N/m, rad
}

// HasTension tells whether surface tension acts.
func (m *Material) HasTension() bool { return m.Tension > 0 }

// HasViscosity tells whether viscosity acts.
func (m *Material) HasViscosity() bool { return m.Viscosity > 0 }

// Substep is the substep under way, or the last one.
type Substep struct {
	Dt     float64 // s
	Drift  float64 // from the middle of the one before to that of this one, s
	Whole  float64 // of the step, s
	Step   int     // how many steps there were before
	Number int     // of the substep in the step, from 0
	Of     int     // substeps of the step
}

// Seed is another one for each substep.
func (s *Substep) Seed() uint64 { return Seed(s.Step, s.Number) }

// Seed is that of a substep.
func Seed(step, substep int) uint64 { return uint64(step)<<8 ^ uint64(substep) }

// Surroundings is all that acts on the liquid, and what the liquid and its solver both keep the books of. Who makes the liquid owns it and its solver reads
// it; of what it points to the solver calls what its stages need, such as flows.Flows.Apply.
type Surroundings struct {
	Now      Substep
	Material Material

	Fields    fields.Set
	Wind      wind.Wind
	Obstacles *obstacles.Set
	Flows     *flows.Flows
	Controls  controls.Set

	Coupling *bodies.Coupling
	// Pushes and Coupled are of all liquids that couple the same bodies in a substep.
	Pushes  *bodies.Pushes
	Coupled []*bodies.Coupling

	Out   remedies.Choice // what the substep leaves out
	Sleep sleep.State     // for how long the liquid was calm

	Ledger components.Ledger
	// Before is the ledger when the call under way, or its last substep, began.
	Before components.Ledger
	// TracksMomentum has Report.Momentum be measured.
	TracksMomentum bool
}

// Up is where the liquid's surface faces, if nothing but gravity and the fields that are the same everywhere acts on it.
func (s *Surroundings) Up() r3.Vec { return query.Up(s.Fields.Gravity) }

// WithoutForces tells whether tension, viscosity and wind are left out.
func (s *Surroundings) WithoutForces() bool { return s.Out.Of(remedies.Forces).All() }

// Change is what has changed around the liquid. Changes may be added.
type Change uint16

// The changes, in the order in which a solver follows them.
const (
	Gravity     Change = 1 << iota // of Fields
	NewMaterial                    // Material
	Made                           // the surroundings are complete: part of the first Update
	Displaced                      // solids have come or gone, and their room is to be made up for by and by
	Obstacles                      // those that stand still are others
	Solids                         // where solids are is to be read anew
	Clock                          // Now has been read from a saved state
)

// Deadline is how long a solve may take.
type Deadline interface {
	// BeginSolve begins a substep's solve for so many unknowns.
	BeginSolve(unknowns int)
	// Late tells, before each iteration, whether the solve must do with what it has.
	Late() bool
}
