// Package flows handles the liquid that enters and leaves: emitters, sinks, currents through the domain's sides, outflow through open
// sides, and the drops of emitters whose rate is too low for the mesh. It keeps the ledger of these volumes. It does not depend on the discretisation or
// the tracker.
//
// The order of calls in a substep is: BeginSubstep; Apply when the surface has moved; SetVelocity and AddSources before the pressure solve;
// Sides.SetVelocity after it. Restore reverts a substep.
package flows

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

const (
	litre = 1e-3 // m³
	// MaxRate is the highest rate of an emitter or sink, litres/s.
	MaxRate = 1e6
)

// Config is constant after New.
type Config struct {
	droplets.Config         // of the drops; its regions are the mesh's tiles
	Flow            [6]bool // sides of the domain that a current may flow through
	Open            [6]bool // open sides
	CFL             float64 // most cells that liquid may cross in a substep

	Sources Sources // nil: nothing comes in or goes out
	Through SideFlow
	Volumes Volumes
	Ledger  *components.Ledger // for what comes and goes

	// Acceleration returns the acceleration by gravity and fields at a place, m/s².
	Acceleration func(x r3.Vec) r3.Vec
	// Solids returns the static solids, and the moving ones.
	Solids func() ([]shapes.SDF, []rigid.Solid)
	Warn   func(knob, text string)
}

// Sources adds and removes liquid in openings and at open sides.
type Sources interface {
	Opening(shapes.SDF) query.Opening
	// KeepInflow keeps what the last opening took, m³, labels it for trackers with labels, and records its velocity, m/s. It returns the
	// volume that was added, m³. SetInflowVelocity sets the recorded velocities. BeginInflow clears the records.
	KeepInflow(took float64, label int32, velocity r3.Vec) float64
	BeginInflow()
	SetInflowVelocity()
	FillAround(x r3.Vec, volume float64) (took float64)
	BubbleRadius() float64
	RemoveOutflow() (left []float64)
	InLiquid(dst []bool, pts []r3.Vec)
	MostlyLiquid(x r3.Vec) bool
	WetAround(r3.Box) bool
	HasRowsAround(r3.Box) bool
	Distribute(s shapes.SDF, grow, rate float64, rows []float64) float64
	Join(x r3.Vec, reach, rate float64, rows []float64)
	SetVelocityIn(s shapes.SDF, grow float64, velocity r3.Vec)
}

// SideFlow is the flow through the domain's sides that are Flow.
type SideFlow interface {
	Begin()
	JustWithin(side int) r3.Box
	Read(side int, up r3.Vec, level float64) (some bool)
	Area(side int) (wet, dry float64)
	Sealed(side int) bool
	Refill(side int)
	Fill(side int, volume float64) (took float64)
	Book(side int, depth float64)
	Balance(speed [6]float64)
	Add(side int, rate float64, rows []float64)
	AddToSealed(side int, speed float64, rows []float64) (came float64)
	Draw(side int, speed, most float64, rows []float64) (drawn float64)
	SetVelocity(side int, u float64)
	SetSideVelocity(side int, u float64, comesIn bool)
}

// Volumes is the target volume of each component.
type Volumes interface {
	// GainAt adds a volume, m³, at a place. EachFormer visits the places that held liquid a step ago, with the room there.
	GainAt(x r3.Vec, volume float64)
	EachFormer(visit func(room float64, centre r3.Vec))
}

// Substep is the common input of a substep's stages.
type Substep struct {
	Dt    float64 // s
	Drift float64 // s from the middle of the last substep to that of this one
	Up    r3.Vec  // against gravity and the uniform fields
	Seed  uint64  // of the drops' places
}

// shared is common to all flows.
type shared struct {
	Config
	Substep
}

// Flows is everything that enters and leaves a liquid.
type Flows struct {
	shared
	Emitters Emitters
	Sinks    Sinks
	Sides    Sides
	Drops    Drops
	outflow  outflow
	probed   [2]r3.Vec // scratch: a place, and the velocity there
}

// New returns flows without emitters, sinks and currents.
func New(c Config) *Flows {
	f := &Flows{shared: shared{Config: c}}
	f.Drops.Drops.Config, f.Drops.around.shared = c.Config, &f.shared
	f.Drops.shared, f.Sides.shared = &f.shared, &f.shared
	f.Emitters.shared, f.Emitters.drops = &f.shared, &f.Drops
	f.Sinks.shared, f.Sinks.drops = &f.shared, &f.Drops
	return f
}

// BeginSubstep begins a substep, and keeps the state for Restore.
func (f *Flows) BeginSubstep(s Substep) {
	f.Substep = s
	f.Drops.Keep()
	for _, e := range f.Emitters.All {
		e.debtBefore, e.emitted = e.Debt, 0
	}
	for _, s := range f.Sinks.All {
		s.debtBefore, s.took, s.removed = s.debt, 0, 0
	}
	for side := range f.Sides.side {
		f.Sides.side[side].passed = 0
	}
	f.outflow = outflow{}
}

// Restore reverts what emitters, sinks and drops did in a substep.
func (f *Flows) Restore() {
	f.Drops.Restore()
	for _, e := range f.Emitters.All {
		e.Debt = e.debtBefore
	}
	for _, s := range f.Sinks.All {
		s.debt = s.debtBefore
	}
}

// Apply adds and removes liquid at the surface, once it has moved. closed marks the components of the liquid that no air touched in
// the last substep.
func (f *Flows) Apply(closed []bool) {
	if f.Sources == nil {
		return
	}
	f.Sources.BeginInflow()
	if f.Drops.advance() {
		f.Sinks.takeDrops()
	}
	f.Emitters.apply()
	f.Sides.apply()
	f.Sinks.vent(closed)
	f.RemoveOutflow()
}

// RemoveOutflow removes the liquid that has left through open sides. Rounding at the cut may add volume to single blocks, but never to the
// sum.
func (f *Flows) RemoveOutflow() {
	if f.Sources == nil {
		return
	}
	left := 0.
	parts := f.Sources.RemoveOutflow()
	for _, volume := range parts {
		left += volume
	}
	f.Ledger.DrainedL += max(0, left) / litre
	f.outflow.record(parts, left, &f.Regions)
}

// SetVelocity sets the velocity in the openings of running emitters and just within the sides with inflow.
func (f *Flows) SetVelocity() {
	if f.Sources == nil {
		return
	}
	f.Emitters.setVelocity()
	f.Sides.setInflowVelocity()
}

// AddSources adds the sources of emitters, drops, sinks and currents to rows, m³/s.
func (f *Flows) AddSources(rows []float64) {
	if f.Sources == nil {
		return
	}
	f.Emitters.addSources(rows)
	f.Drops.join(rows)
	f.Sinks.draw(rows)
	f.Sides.addSources(rows)
}

// AppendOpenings appends where the mesh must be fine: at running emitters, where sinks let air in, and where drops may become liquid
// on the mesh, m.
func (f *Flows) AppendOpenings(dst []r3.Box) []r3.Box {
	dst = f.Emitters.appendOpenings(dst)
	dst = f.Sinks.appendBubbles(dst)
	return f.Drops.AppendPuddles(dst)
}

// AppendDisturbed appends where emitters, sinks, drops and currents act on the liquid, m.
func (f *Flows) AppendDisturbed(dst []r3.Box) []r3.Box {
	dst = f.Emitters.appendOpenings(dst)
	for _, s := range f.Sinks.All {
		dst = append(dst, s.Opening().Bounds())
	}
	return f.Sides.appendFlowing(f.Drops.appendMoving(dst))
}

// Active reports whether something acts on the liquid all the time. Sinks that reach no liquid don't count.
func (f *Flows) Active() bool {
	return f.Emitters.running() || f.Sinks.wet() || f.Drops.Moving() || f.Sides.Flowing()
}

// LeaveOut makes the next substep skip what a choice leaves out.
func (f *Flows) LeaveOut(c remedies.Choice) {
	f.Drops.Out, f.Emitters.Out = c.Of(remedies.Drops), c.Of(remedies.Emitters)
	f.Sinks.Out, f.Sides.Out = c.Of(remedies.Sinks), c.Of(remedies.Currents)
}

// AppendActing appends what acts on the liquid, as candidates to leave out.
func (f *Flows) AppendActing(dst []remedies.Choice) []remedies.Choice {
	if len(f.Drops.Joined) > 0 {
		dst = append(dst, remedies.Choice{Kind: remedies.Drops})
	}
	for _, e := range f.Emitters.All {
		if e.Running {
			dst = append(dst, remedies.Choice{Kind: remedies.Emitters, One: true, ID: e.ID})
		}
	}
	for _, s := range f.Sinks.All {
		dst = append(dst, remedies.Choice{Kind: remedies.Sinks, One: true, ID: s.ID})
	}
	for side := range f.Sides.side {
		if f.Sides.side[side].Velocity != 0 {
			dst = append(dst, remedies.Choice{Kind: remedies.Currents, One: true, ID: int64(side)})
		}
	}
	return dst
}

// WarnOfFaults warns of emitters and sinks whose shapes returned invalid numbers.
func (f *Flows) WarnOfFaults() {
	for _, e := range f.Emitters.All {
		e.warnOfFault(f.Warn, "EmitterDef.Shape", "emitter", e.ID)
	}
	for _, s := range f.Sinks.All {
		s.warnOfFault(f.Warn, "AddSink", "sink", s.ID)
	}
}

// CopyTo copies the emitters and sinks into dst.
func (f *Flows) CopyTo(dst *Flows) {
	arrays.CopyEach(&dst.Emitters.All, f.Emitters.All, func(to, from *Emitter) { *to = *from })
	arrays.CopyEach(&dst.Sinks.All, f.Sinks.All, func(to, from *Sink) { *to = *from })
}
