// Package fv is liquid in finite volumes: a solver.Solver for any mesh of cells and any way to follow the surface. Advance is a substep on one screen.
//
// A discretisation divides space into cells and fills the graph; a tracker follows the surface. Their interfaces are declared here: each is asked once per
// stage, with batches, never per cell. What package flows alone asks is declared there. Lengths are in m, times in s, velocities in m/s, volumes in m³,
// pressures in Pa.
package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
)

// Discretisation is a mesh of cells, with the velocity and the pressure on it, in the order in which a step calls it.
type Discretisation interface {
	// BeginSubstep begins a substep of dt; drift is the time from the middle of the last one to that of this one.
	BeginSubstep(dt, drift float64)
	// Resize gives every part of the mesh the resolution that the surface, views, wishes and target ask for, and carries the state over to it.
	Resize(*sizing.Wishes) sizing.Outcome
	// MeasureSolids measures what solids leave of cells and faces, where liquid may come in this substep: see query.Reach.
	MeasureSolids([]rigid.Solid, query.Reach)
	// StepWalls are the thin walls of the substep, for the caller to set; then MarkThinWalls finds the cells near them.
	StepWalls() *walls.Set
	MarkThinWalls()
	// Discretise fills the graph of the cells that the tracker says are liquid, with what it knows of so many bodies.
	Discretise(bodies int)
	// AdvectVelocity carries the old velocity to the graph's faces.
	AdvectVelocity(secondOrder bool)
	// StartPressure is the last pressure as an impulse per row, Pa·s, to begin the solve with and to solve into; KeepPressure remembers it.
	StartPressure() []float64
	KeepPressure()
	// BoundVelocity shortens what is faster than a limit and finds the greatest speed. It returns a face whose velocity is not finite, else -1.
	BoundVelocity(fastest []float64, run int, limit float64) (bad int)
	// ExtrapolateVelocity stores the graph's velocity and extends it beyond the liquid. wall is the velocity of a solid at a place on it.
	ExtrapolateVelocity(wall func(body int32, x r3.Vec) r3.Vec)
	// Publish makes the state of the substep the settled one, with that of the tracker. Revert takes back what a substep or an edit has changed so
	// far: moved tells whether the surface was, atRest leaves no motion. Stop takes all motion from the settled state.
	Publish()
	Revert(moved, atRest bool)
	Stop()

	// Outside of a step.
	Start()
	Refresh()
	CarryOver()
	Settle()
	RestartSizing(plans int)
	SetStatic(distance shapes.Distance, thickness func(box r3.Box) float64)
	ForgetBodies()
	ForgetSolids()
	RemeasureSolids([]rigid.Solid)
	SetGravity(r3.Vec)
	SetDensity(float64)
	SetViews(...query.View) error
	Views() []query.View

	// What it tells.
	MaxSpeed() float64
	Demand() sizing.Outcome
	OutputDelay() float64
	Velocity(dst, at []r3.Vec)
	Edges(dst []float64, at []r3.Vec)
	EdgeAt(x r3.Vec) float64
	Tiles() boxes.Tiles
	CellsInUse() int
	CountParts() (wet, asleep int)
	// AppendCells and AppendUnknowns append the numbers of cells and of the graph's rows by levels, the finest first.
	AppendCells(dst []int) []int
	AppendUnknowns(dst []int) []int
	AppendParts(dst []query.Part) []query.Part
}

// Tracker is the liquid's surface as the cells have it, whatever follows it.
type Tracker interface {
	// Advance moves the surface with the old velocity. When emitters, sinks and open sides have acted on it, Complete continues it into solids.
	Advance()
	Complete()
	// Report tells what a tracker with triangles of its own has done in the substep, once the state is published; others tell nothing.
	Report() query.SurfaceReport
	// ClearMoving and MarkMoving tell where solids move: the surface is looked after there in every substep.
	ClearMoving()
	MarkMoving(r3.Box)
	// SetDetailInterval has detail looked after in every n-th substep.
	SetDetailInterval(n int)

	// Distance writes signed distances, negative in the liquid.
	Distance(dst []float32, at []r3.Vec)
	// ExtractMesh makes the surface's triangles, and ExtrapolateMesh moves them on by their velocities.
	ExtractMesh() query.Triangles
	ExtrapolateMesh(dt float32) query.Triangles
}

// Foam floats on the surface.
type Foam interface {
	solver.Foam
	// SplashFoam lays foam within a radius of a place, as white as if the liquid there had changed its speed by so much.
	SplashFoam(x r3.Vec, radius, speed float64)
}

// Volumes keeps the liquid's volume, component by component: the graph's, whose sources it chooses.
type Volumes interface {
	// Note notes what is there when the surface has moved. MeasureComponents measures the n components of the new graph, and tells whether the
	// liquid is lost to the mesh. Correct has the surface keep their volumes, and returns what sources of the rows make up for, m³/s.
	Note()
	MeasureComponents(n int, a *components.Account) (lost bool)
	Correct(a *components.Account) (sources []float64)
	// Measure measures the liquid after a change that no step made; Held is what there is.
	Measure()
	Held() float64
	flows.Volumes
	// Defer has the next step leave what solids displace in it to the one after. Restart has it take the volumes that it finds for those to keep, Forget
	// does both after a step that was undone.
	Defer()
	Restart()
	Forget()
	DropGains()
}

// Editor changes the settled state by shapes.
type Editor interface {
	RefineAround(s shapes.SDF, solids []query.Solid, measure func())
	Union(s shapes.SDF, label int32, velocity func(x r3.Vec) r3.Vec, trim func())
	Subtract(s shapes.SDF)
	LeaveAir(s, gone shapes.SDF, up r3.Vec, drift func() float64)
	SetVelocity(s shapes.SDF, velocity func(x r3.Vec) (r3.Vec, error)) error
	MassIn(box r3.Box, weight func(x r3.Vec) float64) float64
	AddVelocity(box r3.Box, fastest float64, gain func(x r3.Vec) r3.Vec)
	Publish()
}

// Forces are those that need the mesh: surface tension, viscosity and wind.
type Forces interface {
	Use(tension, viscosity bool)
	CapillaryStep(tension float64) float64
	KeepAdvected()
	ApplySurfaceTension(tension, contactAngle float64, solids []rigid.Solid)
	BalanceJunctions()
	ApplyViscosity(viscosity float64, solids *rigid.NoSlip)
	ExtendShear(viscosity, tension float64)
	DragSurface(wind r3.Vec, drag func(speed float64) float64)
	ScalePressure(by float64)
}

// Sleeper lets parts of the liquid sleep that are calm.
type Sleeper interface {
	Damp()
	Measure(dt float64, stirred bool)
	MaySleep() bool
	KeepAwake()
	KeepAwakeIn([]r3.Box)
	KeepAwakeByFields(*fields.Index)
	FieldsReachLiquid(*fields.Index) bool
	Update()
}

// Reader answers queries about the settled state, at the time that it is shown for.
type Reader interface {
	Sample(dst []query.Sample, pts []r3.Vec, acceleration func(x r3.Vec) r3.Vec)
	Cast([]query.Ray, []query.Hit)
	VolumeIn(s shapes.SDF, solids []query.Solid) (liquid, open float64)
	// WetIn and NearWet tell whether there may be liquid in a box, and in or beside it.
	WetIn(r3.Box) bool
	NearWet(r3.Box) bool
}

// Coder writes and reads the state, in the parts that the format has: Code the mesh, the surface and the fields on them, then CodeVolumes,
// CodeSurvey and, at its place, CodeSleep. Resume makes anew what is not written. Most is more bytes than that takes.
type Coder interface {
	Code(*codec.Codec)
	CodeVolumes(*codec.Codec)
	CodeSurvey(*codec.Codec)
	CodeSleep(*codec.Codec)
	Resume()
	Most() int
}
