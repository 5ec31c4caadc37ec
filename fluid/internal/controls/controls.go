// Package controls has liquid follow control surfaces: closed meshes that move as a designer wants the liquid to (Raveendran et al. 2012, §5).
//
// A substep goes through Set so: BeginSubstep moves the surfaces; Seed puts liquid into shapes that hold next to none; Rasterise finds, on the graph of the substep, the rows in them and the faces
// between those and the rest, and what velocity the surfaces give these; Refill adds to the rows' sources what the shapes lack; Free or TakeFree takes the
// velocity that the liquid has without control, if some of it counts; Prescribe has the faces keep their velocities in the pressure solve;
// Release ends that and measures the force. Restore undoes a substep.
//
// The surfaces are scanned along the axes on a lattice of the finest cells. A face that no line of cells' centres goes through along its normal reads them along each axis, and
// takes the plane of the crossing that is nearest.
package controls

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/raster"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

const litre = 1e-3 // m³

// Config is what never changes.
type Config struct {
	Origin   [3]float64 // a corner of the lattice of the finest cells, m
	CellSize float64    // their edge, m
	Domain   r3.Box     // m
	Density  *float64   // kg/m³
	Pool     *par.Pool
	Cells    Cells
	Ledger   *components.Ledger
	Warn     func(knob, text string)
}

// Cells is what controls ask of the mesh.
type Cells interface {
	// Measure writes what part of the cell at each place solids leave open, and what part of that is liquid.
	Measure(liquid, open []float32, at []r3.Vec)
	// Put fills a ball from its middle outwards with a volume, m³, or as much as there is room for, of liquid that has a velocity, m/s, and books it. It
	// returns what the liquid has grown by, or, if the volume is too little for the cells, how much is needed, roughly.
	Put(in *shapes.Ball, volume float64, velocity r3.Vec) (took, needed float64)
	// SpreadOver adds a source, m³/s, to those of the rows in a list, by their volumes, and books it with what their components are to hold. It
	// takes no more than half of what is there in a step, and returns what it added.
	SpreadOver(list []int32, rate float64, rows []float64) float64
	// RowsIn appends the rows in a region.
	RowsIn(dst []int32, in shapes.SDF) []int32
}

// Control is a surface and what it does.
type Control struct {
	control.Def
	Told control.Status

	player, before control.Player // now, and before the substep
	now, next      control.Mesh   // at the end of the substep, and as much later
	weights        painted
	surface        raster.Surface
	raster         raster.Raster
	blend          float64 // of this substep: see blendOf
	present        bool    // some of the surface is in the domain
	mean           crossing
	impulse        [3]float64 // what it has given the liquid in the step, N·s
	column         column
	awaits         bool   // its shape is still to be filled by its column
	rests          bool   // the rest of what its column has not brought is to come
	gaps           int    // in Told.Error
	gap            []bool // per cell of the lattice: see findGaps
	patches        []bool // scratch of appendPatches, with, per axis and cell, the patches that are near in both directions
	nearby         [3][][2]int32
	kept           kept
	known          known
	rows           []int32
	seed           seed
}

// Set is the controls of a liquid.
type Set struct {
	Config
	All []*Control // in the order in which they were added
	Out remedies.Out

	dt float64    // s
	up [3]float64 // against gravity
	owners
	beyond  []bool       // per row: it is outside of the shape that owner takes it for one in
	touched []bool       // per row: a body that moves freely is there
	toward  [][3]float64 // per row: the area of such bodies' surfaces in it, into the bodies, m²
	faces   []face
	cut     []bool // per face of the graph: it is one of faces
	regions regions
	raised  [3]float64 // what raise gave the liquid, N·s
	skin    []skinRow

	attraction attraction

	free []float64 // per face of the graph: the velocity without control, m/s

	Impulse []float64    // per row: of the solve without control, Pa·s
	kept    []float64    // per face of the graph: the velocity before the solves, m/s
	bodies  []rigid.Body // before them
	borne   []bool       // scratch of Keep, per component
	midway  bool         // a substep has moved the surfaces and is not over

	pts      []r3.Vec // scratch of measure
	fraction []float32
	open     []float32
	depth    []float32  // scratch of findDeepest
	parts    []cellPart // scratch of lacks: per cell of a lattice,
	weighed  []int32    // and those of them that are in the shape
	overlaps []*Control // scratch: see findOverlaps
	heap     []int32    // scratch of lacks: see listHeap
	list     []int32    // scratch of refill
	told     []control.Status
}

// face is a face of the graph at a control surface.
type face struct {
	face    int32
	control int16   // index in All
	outward float64 // +1 if the face points out of the shape, else -1
	blend   float64 // part of the surface's velocity in the face's
	speed   float64 // of the surface, along the face's normal, m/s, with
	pull    float64 // what brings the liquid's surface onto it
	before  float64 // the face's velocity before the solve, m/s
}

// Active tells whether some control acts.
func (s *Set) Active() bool {
	for _, c := range s.All {
		if c.Strength > 0 {
			return true
		}
	}
	return false
}

// AppendActing lists the controls that act, to be left out.
func (s *Set) AppendActing(dst []remedies.Choice) []remedies.Choice {
	for _, c := range s.All {
		if c.Strength > 0 {
			dst = append(dst, remedies.Choice{Kind: remedies.Controls, One: true, ID: c.Told.ID})
		}
	}
	return dst
}

// acts tells whether the control acts in this substep.
func (c *Control) acts() bool { return c.Strength > 0 && c.present }
