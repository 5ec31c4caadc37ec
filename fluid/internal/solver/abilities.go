package solver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/bodies"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/controls"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/hearing"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
	"github.com/meniscus3d/meniscus/fluid/sounds"
)

// Abilities are what a solver can do besides. What it can't is nil or false, and calls for it say so. They don't change.
type Abilities struct {
	// Tiles are the regions by which fields and droplets are looked up.
	Tiles boxes.Tiles
	// Coupling is what coupled bodies ask of the liquid. Its Regular and Warn are set by who owns the bodies.
	Coupling *bodies.Config
	// Flows lets liquid in and out, Controls has it follow surfaces. Emitters tells that emitters let liquid in, be it without Flows.
	Flows    *Flows
	Controls controls.Cells
	// WhiteWater is what spray, foam and bubbles ask, Sounds what one hears.
	WhiteWater whitewater.Liquid
	Sounds     Sounds
	// Spray is liquid that the surface has lost.
	Spray *droplets.Spray
	Foam  Foam
	// Views are cameras that the resolution follows.
	Views Views
	// Cut shows the cells.
	Cut Cut
	// Parts is sleep of parts of the liquid.
	Parts Parts
	// Tension, Viscosity and Wind tell which forces there are, Edits whether Edit does something, Queries whether rays and volumes are answered, and Momentum
	// whether there is a balance of momentum.
	Tension, Viscosity, Wind, Edits, Queries, Momentum, Emitters bool
}

// Flows is what emitters, sinks, open sides and currents act through.
type Flows struct {
	Sources flows.Sources
	Through flows.SideFlow
	Volumes flows.Volumes
}

// Views has the resolution follow cameras.
type Views interface {
	SetViews(...query.View) error
	Views() []query.View
	// WantsFiner tells whether views see something that is to be finer than it is, by what the last step could afford, if the surface is to have finest cells
	// so many deep, cells coarser by so many levels where nobody looks, and so many cells per pixel at most.
	WantsFiner(band, invisible int, gain float64) bool
	// RestartSizing has so many plans set levels at once.
	RestartSizing(plans int)
	// AppendParts lists the parts of one resolution each.
	AppendParts(dst []query.Part) []query.Part
}

// Cut shows the cells, for overlays.
type Cut interface {
	// AppendCutAway appends the faces that a cut through the cells lays bare, as fluid.Liquid.CutAway has it.
	AppendCutAway(dst []query.CellFace, plane query.Plane) []query.CellFace
}

// Parts lets parts of the liquid sleep that are calm.
type Parts interface {
	// Measure counts a step of dt seconds for parts that are calm, none if stirred.
	Measure(dt float64, stirred bool)
	MaySleep() bool
	KeepAwake()
	KeepAwakeIn([]r3.Box)
	KeepAwakeByFields(*fields.Index)
	FieldsReachLiquid(*fields.Index) bool
	// Update puts parts to sleep that were calm for long enough, and wakes others.
	Update()
	CodeSleep(*codec.Codec)
}

// Foam is what floats on the surface.
type Foam interface {
	HasFoam() bool
	// FadeFoam lets it fade while the liquid sleeps.
	FadeFoam(dt float64)
}

// Sounds tells what one hears of a step; up is against gravity.
type Sounds interface {
	EndStep(dt float64, up r3.Vec, asleep bool, b hearing.Bodies) []sounds.Source
}
