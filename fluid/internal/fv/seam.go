// Package fv is liquid in finite volumes: a solver.Solver for any mesh of cells and any way to follow the surface. Advance is a substep on one screen.
//
// A discretisation divides space into cells and fills the graph; a tracker follows the surface. Their interfaces are declared here: each is asked once per
// stage, with batches, never per cell. What package flows alone asks is declared there. Lengths are in m, times in s, velocities in m/s, volumes in m³,
// pressures in Pa.
package fv

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/layout/sizing"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// Cells are a division of space into cells, with the velocity and the pressure on them: what liquid in finite volumes can't do without, in the order in which
// a step calls it.
type Cells interface {
	// Layout tells which part of space has which resolution.
	Layout() *layout.Grid
	// BeginSubstep begins a substep of dt; drift is the time from the middle of the last one to that of this one.
	BeginSubstep(dt, drift float64)
	// MeasureSolids measures what solids, the domain's sides and what SetStatic has named leave of cells and faces, where liquid may come in this
	// substep: see query.Reach. Without a reach that is everywhere.
	MeasureSolids(solids []rigid.Solid, reach *query.Reach)
	SetStatic(distance shapes.Distance, thickness func(box r3.Box) float64)
	// Discretise fills the graph of the cells that the tracker says are liquid, with what it knows of so many bodies.
	Discretise(bodies int)
	// AdvectVelocity carries the old velocity to the graph's faces.
	AdvectVelocity(secondOrder bool)
	// StartPressure is the last pressure as an impulse per row, Pa·s, to begin the solve with and to solve into; KeepPressure remembers it, and
	// ScalePressure multiplies what is remembered.
	StartPressure() []float64
	KeepPressure()
	ScalePressure(by float64)
	// BoundVelocity shortens what is faster than a limit and finds the greatest speed, MaxSpeed. It returns a face whose velocity is not finite, else -1.
	BoundVelocity(fastest []float64, run int, limit float64) (bad int)
	MaxSpeed() float64
	// ExtrapolateVelocity stores the graph's velocity and extends it beyond the liquid. wall is the velocity of a solid at a place on it.
	ExtrapolateVelocity(wall func(body int32, x r3.Vec) r3.Vec)
	// Publish makes the state of the substep the settled one, with that of the tracker. Revert takes back what a substep or an edit has changed so
	// far: moved tells whether the surface was, atRest leaves no motion. Stop takes all motion from the settled state.
	Publish()
	Revert(moved, atRest bool)
	Stop()
	// Velocity and Held tell of the settled state: the velocity at places, and how much liquid there is.
	Velocity(dst, at []r3.Vec)
	Held() float64
}

// Method is cells with what else they offer. What they can't do is nil. The parts of one method may ask each other for their arrays.
type Method struct {
	Cells Cells
	Coder Coder

	Tracker   Tracker   // nil: the domain is full of liquid
	Foam      Foam      // nil: none floats
	Sizing    Sizing    // nil: the resolution never changes
	Solids    Solids    // nil: solids are measured anew each time
	Walls     ThinWalls // zero: a wall thinner than a cell is none
	Volumes   Volumes   // nil: nothing makes up for what the liquid gains or loses
	Edits     Editor
	Sources   flows.Sources
	Through   flows.SideFlow
	Tension   Tension
	Viscosity Viscosity
	Wind      Wind
	Parts     Sleeper
	Reader    Reader
	Spray     *droplets.Spray   // liquid that the tracker has lost
	Shaped    controls.Cells    // what controls ask
	White     whitewater.Liquid // what white water asks
	Cut       solver.Cut        // what overlays ask
	Tets      func() int        // how many tetrahedra have liquid in them

	Start      func()        // ends the making of the cells
	SetGravity func(r3.Vec)  // for cells that depend on it,
	SetDensity func(float64) // and on this
	Balance    func()        // has the pressure in the air fit that of still liquid where cells of two sizes meet at the surface
}

// Sizing changes the resolution by the surface, views, bodies and what a step may cost.
type Sizing interface {
	// Resize gives every part of the mesh the resolution that the surface, views, requests and target ask for, and carries the state over to it. Demand
	// is the last outcome.
	Resize(*sizing.Requests) sizing.Outcome
	Demand() sizing.Outcome
	// Refresh and, when solids are measured, CarryOver carry the state over to a layout that was changed outside of a step; Settle makes that the one
	// that the next step begins with.
	Refresh()
	CarryOver()
	Settle()
	solver.Views
}

// Solids are measured once where nothing has moved.
type Solids interface {
	// ForgetBodies and ForgetSolids have bodies, or all, measured anew next time.
	ForgetBodies()
	ForgetSolids()
}

// ThinWalls are walls thinner than a cell: Set is those of the substep, for the caller to set. Then Mark finds the cells near them.
type ThinWalls struct {
	Set  *walls.Set
	Mark func()
}

// Tracker is the liquid's surface as the cells have it, whatever follows it.
type Tracker interface {
	// Advance moves the surface with the old velocity, so that the liquid grows by a volume, m³; no number: nobody knows by what. When emitters, sinks and open sides have acted on it, Complete continues it into solids.
	Advance(growth float64)
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
	// NoteMotion measures how the components move when the pressure has acted. ForgetMotion tells that the velocity was changed since.
	NoteMotion()
	ForgetMotion()
	// Measure measures the liquid after a change that no step made.
	Measure()
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
	Union(s shapes.SDF, label int32, solids []query.Solid, velocity func(x r3.Vec) r3.Vec, trim func()) []droplets.Drop
	Subtract(s shapes.SDF)
	LeaveAir(s, gone shapes.SDF, up r3.Vec, drift func() float64)
	SetVelocity(s shapes.SDF, velocity func(x r3.Vec) (r3.Vec, error)) error
	MassIn(box r3.Box, weight func(x r3.Vec) float64) float64
	AddVelocity(box r3.Box, fastest float64, gain func(x r3.Vec) r3.Vec)
	Publish()
}

// Tension is the surface's. UseTension makes ready for it.
type Tension interface {
	UseTension()
	CapillaryStep(tension float64) float64
	ApplySurfaceTension(tension, contactAngle float64, solids []rigid.Solid)
}

// Viscosity is the liquid's. UseViscosity makes ready for it, KeepAdvected notes the velocity before forces have acted.
type Viscosity interface {
	UseViscosity()
	KeepAdvected()
	ApplyViscosity(viscosity float64, solids *rigid.NoSlip)
	ExtendShear(viscosity, tension float64)
}

// Wind drags the surface along.
type Wind interface {
	DragSurface(wind r3.Vec, drag func(speed float64) float64)
}

// Sleeper lets parts of the liquid sleep that are calm.
type Sleeper interface {
	solver.Parts
	Damp()
	CountParts() (wet, asleep int)
	// SleepsIn reports whether some part near a box, m, sleeps.
	SleepsIn(box r3.Box) bool
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

// Coder writes and reads the state: Code the mesh, the surface and the fields on them, then CodeMeasured what steps measure and carry on. Resume makes anew
// what is not written. Most is more bytes than that takes.
type Coder interface {
	Code(*codec.Codec)
	CodeMeasured(*codec.Codec)
	Resume()
	Most() int
}
