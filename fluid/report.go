package fluid

import (
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// Report says what a step did. Its slices are valid until the next step.
type Report struct {
	Step     int     // number of the step, from 1
	Time     float64 // simulated time at its end, s
	Dt       float64 // that it was to advance by, s
	Started  time.Time
	Duration time.Duration
	Substeps int
	// Workers is how many goroutines shared the step's loops at its end: Def.Resources.Workers, or fewer for some seconds after other threads
	// have taken their processors time and again.
	Workers int

	Stages [StageCount]StageReport
	// StageSpans are the stages one by one, as they ran; Work is what the workers did, if Liquid.Profile
	// asked for it, and LostSpans how many stretches of it found no room.
	StageSpans  []Span
	WorkerSpans []Span
	LostSpans   int

	// Cells and Unknowns are counted per level, 0 the finest; valid until the next step.
	Cells, Unknowns []int
	// Tetrahedra is how many of them have liquid in them, for Def.Discretisation Tetrahedra. A step that sleeps counts what there is.
	Tetrahedra int
	// Nonzeros counts the pressure matrix's diagonal and upper entries.
	Nonzeros int
	// Iterations and Residual are the pressure solve's; Residual is the true, relative one.
	Iterations int
	Residual   float64

	View   View   // that the grid followed, the first of several
	Views  []View // all that it followed, if there were several; valid until the next step
	Budget Budget // that the plan had to keep
	Plan   Plan
	Ledger Ledger
	// Surface is what an ExplicitMesh has done; zero for the other trackers, and in a step that sleeps.
	Surface SurfaceReport
	// WhiteWater counts Surface.WhiteWater.
	WhiteWater WhiteWaterReport
	// Momentum is what passed between the liquid and what is around it, if Liquid.TrackMomentum asked for it.
	Momentum Momentum
	// Controls is what each control did, in the order in which they were added.
	Controls []ControlReport
	// MaxSpeed is the liquid's, m/s.
	MaxSpeed float64
	// AsleepBlocks is how many blocks of liquid were left alone because nothing moves there; they have no unknowns.
	AsleepBlocks int

	Warnings []Warning
	// Err says why the step was rolled back or refused: which check failed, by how much, and where or for which body. It is nil otherwise.
	Err error
}

// Missed tells whether the step took longer than its budget of wall time.
func (r *Report) Missed() bool { return r.Budget.Step > 0 && r.Duration > r.Budget.Step }

// Asleep tells whether all of the liquid was left alone because nothing moves: such a step has no plan.
func (r *Report) Asleep() bool { return r.AsleepBlocks > 0 && r.Plan == (Plan{}) }

// UnknownCount is the number of pressure unknowns on all levels.
func (r *Report) UnknownCount() int {
	n := 0
	for _, u := range r.Unknowns {
		n += u
	}
	return n
}

// StageReport is the time a stage took over all substeps and what it handled.
type StageReport struct {
	Duration time.Duration
	Count    int // cells, faces, bodies, triangles or particles, as Stage.String says
}

// Stage numbers the parts of a step in the order in which they run.
type Stage uint8

// The stages.
const (
	StagePlan        = Stage(solver.StagePlan)
	StageSizing      = Stage(solver.StageSizing)
	StageSurface     = Stage(solver.StageSurface)
	StageBodies      = Stage(solver.StageBodies)
	StageDiscretise  = Stage(solver.StageDiscretise)
	StageAdvect      = Stage(solver.StageAdvect)
	StageForces      = Stage(solver.StageForces)
	StageVolume      = Stage(solver.StageVolume)
	StageControl     = Stage(solver.StageControl)
	StageSolve       = Stage(solver.StageSolve)
	StageUpdate      = Stage(solver.StageUpdate)
	StageExtrapolate = Stage(solver.StageExtrapolate)
	StagePublish     = Stage(solver.StagePublish)
	StageMesh        = Stage(solver.StageMesh)
	StageWhiteWater  = Stage(solver.StageWhiteWater)
	StageCount       = Stage(solver.StageCount)
)

var stageNames = [StageCount]string{"Plan", "Sizing", "Surface", "Bodies", "Discretise", "Advect",
	"Forces", "Volume", "Control", "Solve", "Update", "Extrapolate", "Publish", "Mesh", "WhiteWater"}

func (s Stage) String() string {
	if s < StageCount {
		return stageNames[s]
	}
	return "Unknown"
}

// Plan is what the budget chose for a step, and why. Liquid.Replay has another run follow it. That of a step that sleeps is zero.
type Plan struct {
	TargetUnknowns   int     // 0: no limit
	ViewGain         float64 // cells per pixel of distance: 1 refines as far as pixels show it
	InvisibleLevel   int     // levels by which the invisible surface is coarser than the finest
	InvisibleCoarser bool    // invisible surface is coarser still: the target does not hold InvisibleLevel
	Tolerance        float64
	MaxIterations    int
	Substeps         int
	Changes          int // blocks that may change their level by choice; 0: no limit of time
	DetailInterval   int // substeps from one upkeep of detail, such as seeding markers, to the next
	WhiteWater       int // particles of white water that there may be, of Def.WhiteWater: fewer are made as it comes near
	// CutAfter, if not 0, is the number of pressure iterations of the step after which only time for the later stages was
	// left: each solve from then on took at most four.
	CutAfter int
	// SurfaceExtrapolated says that there was no time left to extract the surface at the step's end: it is the last step's, extrapolated by
	// its velocities, or with ExplicitMesh that of half a step before. That happens in at most two steps in a row.
	SurfaceExtrapolated bool
	Reason              string
}

// Reductions is what the plan reduced to keep the budget, in words, and whether the surface is extrapolated.
func (p *Plan) Reductions() string {
	if p.SurfaceExtrapolated {
		return p.Reason + ", mesh carried on"
	}
	return p.Reason
}

// Ledger accounts for the liquid, in litres. Emitted is what emitters and currents let in, Drained what sinks, open sides and currents let out.
// Held is what is there now; Drift is Held - (Filled + Emitted - Drained).
type Ledger struct {
	FilledL, EmittedL, DrainedL, HeldL, DriftL float64
}

// SurfaceReport is what the mesh of Def.Tracker ExplicitMesh has done in a step.
type SurfaceReport struct {
	Vertices, Triangles int // that there are at the end of the step
	Merges, Splits      int // parts of the surface that were joined, and cut apart
	// Collisions is how often the motion was changed for the surface not to pass through itself. Repairs is how often that was not enough, so
	// that a tangle was cut out and the surface made anew there, on a lattice.
	Collisions, Repairs int
	// Refused is how many changes by emitters, sinks, solids and the like could not be made to the mesh.
	Refused int
	// Flown is how many pieces too small for any cell have become Surface.Droplets.
	Flown int
	// Coarser is how many times longer than Def.Numerics.SurfaceDetail asks for edges are to be, since Def.Resources.MaxMemory has no room for more vertices; 0 or 1: not.
	Coarser float64
	// Late is the greatest part of a substep's motion, 0 to 1, that could not be done.
	Late float64
}

// Warning names a limit that was reached and the knob that raises it. The step in which it is reached first has it in its report, the next ones don't,
// until it has not been reached for a second.
type Warning struct {
	Knob, Text string
}

// Surface is the liquid's surface as triangles. Its slices are valid until the next step.
type Surface struct {
	Positions  []float32 // xyz per vertex, m
	Normals    []float32 // xyz per vertex, unit, out of the liquid
	Velocities []float32 // xyz per vertex, m/s: Positions + Velocities·t shows it t seconds on
	Foam       []float32 // per vertex, 0 clear to 1 white
	Labels     []uint8   // per vertex, what Labelled says, for Def.Tracker ExplicitMesh; nil for others
	Indices    []uint32  // three per triangle, counter-clockwise seen from the air
	// Free is how many of Indices belong to the free surface; the rest close the mesh along the domain's sides.
	Free int
	// Droplets are liquid too thin for the grid, and drops of emitters too weak for it: xyz and radius each, m.
	Droplets []float32
	// DropletVelocities are xyz each, m/s.
	DropletVelocities []float32
	// WhiteWater has no weight: Def.WhiteWater asks for it.
	WhiteWater WhiteWater
}

// Events lists what happened in the last step.
type Events struct {
	Entered, Left []BodyEvent
	Splashes      []Splash
	Blocked       []EmitterID     // emitters whose Shape was shut or flooded
	Sounds        []sounds.Source // what one would hear, if Def.Sounds asks for it
}

// BodyEvent names a body by its index in Bodies, as it was in that step, and its identity, which it keeps.
type BodyEvent struct {
	Index int
	ID    uint64
}

// Splash is a sudden push between a body and the liquid, from where they meet to the end of the step.
type Splash struct {
	Body     BodyEvent
	Impulse  float64 // N·s
	Position r3.Vec  // m
	Speed    float64 // of the body against the liquid, m/s
}

// Sample is the liquid at a point. In solids the liquid's velocity and surface go on as if there were none.
type Sample struct {
	Inside   bool    // Medium is MediumLiquid
	Medium   Medium  // what there is
	Height   float64 // of the surface above the point against gravity and the fields, m; negative in the air
	Velocity r3.Vec  // m/s
	Pressure float64 // Pa, 0 in air and solids
}

// BodyLoad is what the liquid did to a body in the last step.
type BodyLoad struct {
	Submerged     float64 // volume under the surface, m³
	Fraction      float64 // of the body's volume
	Wetted        float64 // area, m²; of boxes, whose edges cells round off, a tenth too little
	Force, Torque r3.Vec  // N, and N·m about the centre of mass, averaged over the step
}

// LevelBox is a block of the grid, for overlays.
type LevelBox struct {
	Box   r3.Box
	Level int // 0 the finest
	Wet   bool
}
