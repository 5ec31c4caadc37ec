package fluid

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/capacity"
	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Def describes a liquid. The zero value of every field but Domain and CellSize is usable.
type Def struct {
	// Domain is the box the liquid lives in, m. Required.
	Domain r3.Box
	// CellSize is the edge of the finest cells, m. Required, > 0.
	CellSize float64
	// Sides says what bounds the domain on each side. The zero value is six walls. A side that is Flow takes or gives what SetCurrent says.
	Sides Sides
	// Method chooses what the liquid is known by. With BoundaryOnly CellSize is how long the edges of the surface's triangles are to be, and what is said of cells is said of them.
	Method Method
	// Discretisation chooses what cells space is divided into.
	Discretisation Discretisation
	// Faithful has Tetrahedra keep pressures in the tetrahedra of a mesh that is fit to surface and solids in each step, and velocities across their faces, as
	// Klingner et al. 2006 and Chentanez et al. 2007 do, to compare with. It costs some three times as much, its pools creep, and air that liquid encloses has no
	// pressure. All Sides must be Walls.
	Faithful bool
	// Tracker chooses how the surface is followed.
	Tracker Tracker
	// Budget is what a step may take. The zero value means no limit.
	Budget Budget
	// BodyMask is the set of categories of bodies that the liquid takes, if their engine is [engine.Filtering]: it and the others ignore each
	// other. 0 means all. A body of category 0 no liquid takes.
	BodyMask uint64
	// WhiteWater is how many particles of spray, foam and bubbles there may be, up to 2²⁰: see Surface.WhiteWater. 0 means none. They spread over a
	// surface as large as the domain's volume to the power of ⅔; a room wants 20,000 to 50,000.
	WhiteWater int
	// Sounds has each step list Events.Sounds, what one would hear. That takes two passes over the cells, and changes no state.
	Sounds bool
	// SurfaceWaves adds small waves to the surface that is shown.
	SurfaceWaves SurfaceWaves

	Physics   Physics
	Numerics  Numerics
	Resources Resources
}

// Physics is what the liquid is made of, and its weight. The zero value is water on earth, without viscosity and tension.
type Physics struct {
	// Gravity is an acceleration in any direction, m/s². Zero means that of the coupled bodies, if their engine is [engine.Gravitating], and
	// (0, -9.81, 0) without, unless Weightless is set.
	Gravity    r3.Vec
	Weightless bool
	// Density is the liquid's, kg/m³. 0 means 1000, water.
	Density float64
	// Viscosity is kinematic, m²/s. 0 is inviscid; water is 1e-6, honey about 7e-3: see With. It holds the liquid at walls and bodies, which it drags. What
	// spreads by less than 1e-5 CellSize² in a substep is less than the transport's own and left out.
	Viscosity float64
	// SurfaceTension is γ, N/m. 0 means none; water is 0.072. Tension needs substeps as short as the waves that it makes on the finest cells: drops
	// of millimetres need a Numerics.MaxSubsteps of 16 to 40 at 1/60 s. With fewer it acts more weakly, and a warning says how many would do.
	SurfaceTension float64
	// ContactAngle, rad, is the angle in the liquid at which tension has the surface meet walls, obstacles and bodies, with Contouring, ExplicitMesh or Method BoundaryOnly:
	// less than π/2 and the liquid wets them, more and it beads. 0 imposes none: the surface is as bent there as it goes on in them; with BoundaryOnly it is π/2.
	ContactAngle float64
}

// Numerics is how finely and how exactly the liquid is computed. The zero value of every field is a good default.
type Numerics struct {
	// Levels is how many cell sizes the grid may use, each twice the one before: 1 (uniform) to 4. 0 means 4.
	Levels int
	// Band is how many finest cells deep at least the grid is finest at the surface and at bodies, where the
	// budget allows and the camera looks; beyond, cells grow by a level every 8. 0 means 8.
	//
	// It is waves that ask for so many. Standing waves of 16 to 64 cells on water 40 cells deep, whose surface lies anywhere on the grid, have a period that is off
	// from that of a grid that is finest throughout by so much at most, at so many of the unknowns and so much of the time with 8:
	//
	//	Band       1    3    4    5    6    7    8    12
	//	period     .81  .51  .31  .22  .18  .15  .07  .06 %
	//	decay      .56  .22  .09  .09  .09  .03  .03  .03 % of the height in a period
	//	unknowns   .49  .55  .62  .68  .74  .80  1    1.11
	//	time       .72  .73  .77  .81  .86  .89  1    1.05
	//
	// Cells themselves take .3 % off the period, as the root of the mean square. Dam fronts and how boxes float and heave are the same to 1 % from 1 to 8, the force of jets to 2 %.
	Band int
	// BodyBand is how many finest cells around a body that moves the grid does not follow the camera, so that the body's motion doesn't either: what
	// the camera changes comes to it as waves from further away. 0 means 2, which holds what touches the body.
	BodyBand int
	// InvisibleLevel is by how many levels the surface may be coarser where the camera does not look, 1 to 3. 0 means 1.
	InvisibleLevel int
	// ViewGain is how many cells a pixel of a camera's picture may have at most: with 1/8, say, cells are as large as 8 pixels where they aren't finest. It takes
	// effect where cameras look, see SetView, and leaves out detail that is far away. 0 means 1, no cell smaller than a pixel.
	ViewGain float64
	// Sizing has cells be finer inside of the liquid where it turns, or is near the surface or a body.
	Sizing Sizing
	// SurfaceDetail is how many times finer than the cells Contouring or ExplicitMesh follows the surface: 1, 2 or 4. 0 means 2 for Contouring and for
	// ExplicitMesh with a ContactAngle, where 1 has too few vertices at the rim of a drop, which tears as it spreads; 1 for other ExplicitMesh. With the others it is 1.
	SurfaceDetail int
	// ExactMotion has ExplicitMesh look for everything that collides on the way of each motion, and stop it there, and search for each distance. Else the mesh moves freely, and what meets at the
	// end of a step moves together or is cut out and made anew: a step takes some 70 % of the time, but what passes wholly through something thinner than a step's way is not seen.
	ExactMotion bool
	// Thickening has Contouring keep sheets and threads that are thinner than its samples, where a surface without would tear and lose them. They get back what
	// the surface lost as it moved, no more than the ledger misses.
	Thickening bool
	// Tolerance is the pressure solve's relative residual where time allows. 0 means 1e-4.
	Tolerance float64
	// MaxIterations caps the pressure solve. 0 means 60.
	MaxIterations int
	// MaxSubsteps caps how often a step is split to keep the CFL number and surface tension stable, 1 to 64. 0 means 4, and 64 for BoundaryOnly. Drops of millimetres need 16
	// to 40: tension needs substeps of √(Density·CellSize³/(4π·SurfaceTension)), in s, or less.
	MaxSubsteps int
	// CFL is how many of its cells the liquid may cross in a substep. 0 means 4, and 1 for BoundaryOnly.
	CFL float64
	// FirstOrder leaves the velocity transport at linear interpolation, without the anti-diffusion that takes off 95 % of
	// its leading error where neither the surface nor a solid is near. The flow then loses more of its energy.
	FirstOrder bool
	// Undamped leaves slow motion to itself. Else motion dies away within seconds, as it does in real water, where no liquid
	// for a block around has moved faster than a centimetre per second for half a second; and calm liquid can sleep.
	Undamped bool
}

// Resources is what of the machine the liquid may use. No bit of a step depends on it.
type Resources struct {
	// Workers is how many goroutines share a step, the caller included. 0 means one per CPU. Fewer do for a while where other
	// threads want their processors: see Report.Workers.
	Workers int
	// MoveThreads lets a worker that wakes on the processor of Step's caller move to another, on Linux: it changes its thread's
	// affinity and sets it back at once. Without, the two may take turns for some milliseconds when a step begins after a pause.
	// Try it where steps in a game's loop take longer than steps in a row.
	MoveThreads bool
	// MaxMemory refuses a domain whose grid could need more than this many bytes. 0 means 4 GiB. An ExplicitMesh must have room besides for as large a
	// surface as the domain's, at some 8 kB a vertex. Where it is to have more vertices than fit it gets longer edges: see SurfaceReport.Coarser.
	MaxMemory int64
}

// Side is what bounds the domain on one side.
type Side uint8

// What a side lets through.
const (
	Wall Side = iota // no liquid passes; bodies do, but for walls of their own, such as physics.World.AddRoom makes
	Open             // liquid leaves and counts as drained
	Flow             // what Liquid.SetCurrent says comes in or goes out; until then, and above the current's level, a wall
)

// Sides holds a Side for the low and the high end of each axis.
type Sides struct{ MinX, MaxX, MinY, MaxY, MinZ, MaxZ Side }

// list is the sides in the order of the fields.
func (s Sides) list() [6]Side { return [6]Side{s.MinX, s.MaxX, s.MinY, s.MaxY, s.MinZ, s.MaxZ} }

// are tells which sides are of a kind.
func (s Sides) are(kind Side) (are [6]bool) {
	for i, is := range s.list() {
		are[i] = is == kind
	}
	return are
}

// open tells which sides are.
func (s Sides) open() [6]bool { return s.are(Open) }

// passed tells beyond which sides there are base cells: what passes there is interpolated between them and those within.
func (s Sides) passed() (passed [6]bool) {
	for i, is := range s.list() {
		passed[i] = is != Wall
	}
	return passed
}

// Budget bounds a step by wall time or by work, not both.
type Budget struct {
	// Step is wall time per call of Step. 0 means no limit.
	Step time.Duration
	// Work is a machine-independent limit, in thousands of unknowns. 0 means no limit.
	// The same calls then give the same plan, and so the same bits, on every run.
	Work float64
}

// Discretisation chooses what cells space is divided into.
type Discretisation uint8

// The discretisations.
const (
	Cubes      Discretisation = iota // adaptive blocks of cubes (Kim, Ihm, Cha 2006)
	Tetrahedra                       // a graded body-centred cubic lattice of tetrahedra (Klingner et al. 2006; Chentanez et al. 2007)
)

func (c Discretisation) String() string {
	if c > Tetrahedra {
		return fmt.Sprintf("Discretisation(%d)", uint8(c))
	}
	return [...]string{"Cubes", "Tetrahedra"}[c]
}

// Tracker chooses how the surface is followed.
type Tracker uint8

// The trackers.
const (
	LevelSet     Tracker = iota // narrow-band level set with marker particles
	Contouring                  // semi-Lagrangian contouring, finer than the cells (Bargteil et al. 2006)
	ExplicitMesh                // a moving triangle mesh that never meets itself, finer than the cells (Brochu, Bridson 2009; Müller 2009)
	NoSurface                   // none: the liquid fills the domain, all of whose Sides are Walls, but for solids
)

func (t Tracker) String() string {
	if t > NoSurface {
		return fmt.Sprintf("Tracker(%d)", uint8(t))
	}
	return [...]string{"LevelSet", "Contouring", "ExplicitMesh", "NoSurface"}[t]
}

// mustHaveSurface is the error of a call that there is no surface for.
func (d *Def) mustHaveSurface(call string) error {
	if d.Tracker == NoSurface {
		return fmt.Errorf("fluid: %s: Def.Tracker is NoSurface: the domain is full of liquid, and stays so", call)
	}
	return nil
}

const litre = 1e-3 // m³

// withDefaults fills in what the zero values stand for.
func (d Def) withDefaults() Def {
	d.Numerics.Levels = cmp.Or(d.Numerics.Levels, 4)
	d.Numerics.Band = cmp.Or(d.Numerics.Band, 8)
	d.BodyMask = cmp.Or(d.BodyMask, ^uint64(0))
	d.Numerics.BodyBand = cmp.Or(d.Numerics.BodyBand, 2)
	d.Numerics.InvisibleLevel = cmp.Or(d.Numerics.InvisibleLevel, 1)
	d.Numerics.ViewGain = cmp.Or(d.Numerics.ViewGain, 1)
	d.Numerics.Sizing = d.Numerics.Sizing.withDefaults()
	if !d.Physics.Weightless {
		d.Physics.Gravity = cmp.Or(d.Physics.Gravity, r3.Vec{Y: -9.81})
	}
	d.Physics.Density = cmp.Or(d.Physics.Density, 1000)
	d.Resources.MaxMemory = cmp.Or(d.Resources.MaxMemory, 4<<30)
	switch {
	case d.Method == BoundaryOnly:
		d.Numerics.SurfaceDetail = cmp.Or(d.Numerics.SurfaceDetail, 1)
		d.Numerics.MaxSubsteps, d.Numerics.CFL = cmp.Or(d.Numerics.MaxSubsteps, 64), cmp.Or(d.Numerics.CFL, 1)
	case d.Tracker == Contouring, d.Tracker == ExplicitMesh && d.Physics.ContactAngle != 0:
		d.Numerics.SurfaceDetail = cmp.Or(d.Numerics.SurfaceDetail, 2)
	case d.Tracker == ExplicitMesh:
		d.Numerics.SurfaceDetail = cmp.Or(d.Numerics.SurfaceDetail, 1)
	}
	d.SurfaceWaves.Strength = cmp.Or(d.SurfaceWaves.Strength, 1)
	d.SurfaceWaves.Fade = cmp.Or(d.SurfaceWaves.Fade, 2)
	s := &d.Numerics
	s.Tolerance = cmp.Or(s.Tolerance, 1e-4)
	s.MaxIterations = cmp.Or(s.MaxIterations, 60)
	s.MaxSubsteps = cmp.Or(s.MaxSubsteps, 4)
	s.CFL = cmp.Or(s.CFL, 4)
	return d
}

// Validate reports every field that is out of its limits, each by name.
func (d Def) Validate() error {
	d = d.withDefaults()
	var errs []error
	bad := func(is bool, format string, args ...any) {
		if is {
			errs = append(errs, fmt.Errorf("fluid: Def."+format, args...))
		}
	}
	size := r3.Sub(d.Domain.Max, d.Domain.Min)
	bad(!geom.FiniteVec(d.Domain.Min) || !geom.FiniteVec(d.Domain.Max) || size.X <= 0 || size.Y <= 0 || size.Z <= 0, "Domain: %v to %v is not a box of finite, positive size", d.Domain.Min, d.Domain.Max)
	bad(!(d.CellSize >= capacity.MinCellSize && d.CellSize <= capacity.MaxCellSize), "CellSize: %v m; must be %g to %g", d.CellSize, capacity.MinCellSize, capacity.MaxCellSize)
	bad(d.Resources.MaxMemory < 0, "Resources.MaxMemory: %d bytes; must be > 0, or 0 for 4 GiB", d.Resources.MaxMemory)
	bad(d.Numerics.Levels < 1 || d.Numerics.Levels > 4, "Numerics.Levels: %d; must be 1 to 4, or 0 for 4", d.Numerics.Levels)
	bad(d.Numerics.Band < 1 || d.Numerics.Band > maxBand, "Numerics.Band: %d cells; must be 1 to %d, or 0 for 8", d.Numerics.Band, maxBand)
	bad(d.Numerics.BodyBand < 1 || d.Numerics.BodyBand > maxBand, "Numerics.BodyBand: %d cells; must be 1 to %d, or 0 for 2", d.Numerics.BodyBand, maxBand)
	bad(d.Numerics.InvisibleLevel < 1 || d.Numerics.InvisibleLevel > 3, "Numerics.InvisibleLevel: %d levels; must be 1 to 3, or 0 for 1", d.Numerics.InvisibleLevel)
	bad(!geom.FiniteVec(d.Physics.Gravity) || reproducible.Norm(d.Physics.Gravity) > 1e4, "Physics.Gravity: %v m/s²; must be finite and at most 1e4 long", d.Physics.Gravity)
	inRange := func(name string, v, lo, hi float64, unit string) {
		bad(!(v >= lo && v <= hi), "%s: %v%s; must be %v to %v", name, v, unit, lo, hi)
	}
	inRange("Physics.Density", d.Physics.Density, leastDensity, mostDensity, " kg/m³")
	inRange("Physics.Viscosity", d.Physics.Viscosity, 0, mostViscosity, " m²/s")
	inRange("Physics.SurfaceTension", d.Physics.SurfaceTension, 0, mostTension, " N/m")
	inRange("Budget.Step", d.Budget.Step.Seconds(), 0, 3600, " s")
	inRange("Budget.Work", d.Budget.Work, 0, 1e9, " k unknowns")
	d.Numerics.Sizing.check(inRange)
	inRange("Numerics.ViewGain", d.Numerics.ViewGain, leastGain, mostGain, " cells per pixel")
	inRange("Numerics.Tolerance", d.Numerics.Tolerance, 1e-14, 1e-1, "")
	inRange("Numerics.CFL", d.Numerics.CFL, 0.1, 6, " cells")
	inRange("Numerics.MaxIterations", float64(d.Numerics.MaxIterations), 1, 1e6, "")
	inRange("Numerics.MaxSubsteps", float64(d.Numerics.MaxSubsteps), 1, mostSubsteps, "")
	inRange("Resources.Workers", float64(d.Resources.Workers), 0, 256, "")
	bad(d.Budget.Step > 0 && d.Budget.Work > 0, "Budget: Step and Work are both set; choose one")
	for _, s := range d.Sides.list() {
		if s > Flow {
			bad(true, "Sides: unknown side %d; use Wall, Open or Flow", s)
			break
		}
	}
	d.checkMethod(bad)
	bad(d.Discretisation > Tetrahedra, "Discretisation: %v; must be Cubes or Tetrahedra", d.Discretisation)
	bad(d.Faithful && d.Discretisation != Tetrahedra, "Faithful: is set with Discretisation %v; must be false but for Tetrahedra", d.Discretisation)
	bad(d.Faithful && d.Sides != (Sides{}), "Sides: %v; must all be Wall if Faithful is set", d.Sides)
	bad(d.Faithful && d.Physics.Viscosity != 0, "Physics.Viscosity: %v m²/s; must be 0 if Faithful is set", d.Physics.Viscosity)
	bad(d.Tracker > NoSurface, "Tracker: %v is not available; use LevelSet, Contouring, ExplicitMesh or NoSurface", d.Tracker)
	fine := d.Tracker == Contouring || d.Tracker == ExplicitMesh || d.Method == BoundaryOnly
	a, n := d.Physics.ContactAngle, d.Numerics.SurfaceDetail
	bad(a != 0 && !(fine && a > 0 && a < math.Pi), "Physics.ContactAngle: %v rad; must be between 0 and π, or 0 for none, with Tracker Contouring or ExplicitMesh or Method BoundaryOnly, and 0 with others", a)
	bad(n != 0 && n != 1 && (!fine || n != 2 && n != 4), "Numerics.SurfaceDetail: %d; must be 1, 2 or 4, or 0, with Tracker Contouring or ExplicitMesh, and 0 or 1 with others", n)
	bad(d.Numerics.ExactMotion && d.Tracker != ExplicitMesh, "Numerics.ExactMotion: is set with Tracker %v; must be false but for ExplicitMesh", d.Tracker)
	bad(d.Numerics.Thickening && d.Tracker != Contouring, "Numerics.Thickening: is set with Tracker %v; must be false but for Contouring", d.Tracker)
	bad(d.Tracker == NoSurface && d.Sides != (Sides{}), "Sides: %v; must all be Wall for Tracker NoSurface", d.Sides)
	bad(d.WhiteWater < 0 || d.WhiteWater > whitewater.MostParticles, "WhiteWater: %d particles; must be 0 to %d", d.WhiteWater, whitewater.MostParticles)
	bad(d.WhiteWater != 0 && d.Tracker == NoSurface, "WhiteWater: %d particles; must be 0 for Tracker NoSurface", d.WhiteWater)
	d.SurfaceWaves.validate(&d, inRange)
	if len(errs) == 0 {
		err := d.extent().Check(d.CellSize)
		bad(err != nil, "%w", err)
	}
	return errors.Join(errs...)
}

// Limits of the material: kg/m³, m²/s, N/m.
const (
	leastDensity  = 1e-3
	mostDensity   = 1e5
	mostViscosity = 1e3
	mostTension   = 1e3
)

// mostSubsteps bounds Numerics.MaxSubsteps.
const mostSubsteps = 64

// maxBand is more cells than any grid has across.
const maxBand = 1 << 20
