// Package flows is what comes into the liquid and goes out of it: emitters, sinks, currents through the domain's sides, what leaves through open
// sides, and the drops of emitters whose rate is too low for the mesh. It books what comes and goes, and knows neither cells nor how the surface is
// tracked.
//
// A substep goes through Flows so: BeginSubstep; when the surface has moved Apply; when the pressure is about to be solved for SetVelocity and
// AddSources; and after it Sides.SetVelocity. Restore undoes all that.
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
	// MaxRate is the highest, litres/s, of an emitter or a sink.
	MaxRate = 1e6
)

// Config is what never changes.
type Config struct {
	droplets.Config         // of the drops; its regions are the mesh's tiles
	Flow            [6]bool // sides of the domain that a current may flow through,
	Open            [6]bool // and those that are open
	CFL             float64 // how many cells' edges liquid may pass in a substep

	Sources Sources
	Through SideFlow
	Volumes Volumes
	Ledger  *components.Ledger // for what comes and goes

	// Acceleration is what gravity and fields accelerate liquid by at a place, m/s².
	Acceleration func(x r3.Vec) r3.Vec
	// Solids are those that stand still and the others.
	Solids func() ([]shapes.SDF, []rigid.Solid)
	Warn   func(knob, text string)
}

// Sources puts liquid in and takes it out, through openings and open sides.
type Sources interface {
	Opening(shapes.SDF) query.Opening
	// Claim has what liquid appears in a box in this substep be of a label's surface, if the tracker has labels, and notes that what the last opening
	// has taken on has a velocity, m/s; SetClaimed gives it that. BeginClaims forgets what was noted.
	Claim(box r3.Box, label int32, velocity r3.Vec)
	BeginClaims()
	SetClaimed()
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

// SideFlow is what passes through the domain's sides that are Flow.
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

// Volumes is the book of the liquid's volume, component by component.
type Volumes interface {
	// GainAt books a volume that has come to a place. EachFormer visits where the liquid was, with the room there.
	GainAt(x r3.Vec, volume float64)
	EachFormer(visit func(room float64, centre r3.Vec))
}

// Substep is what the stages of a substep have in common.
type Substep struct {
	Dt    float64 // s
	Drift float64 // from the middle of the last substep to that of this one, s
	Up    r3.Vec  // against gravity and the fields that are the same everywhere
	Seed  uint64  // what drops' places follow from
}

// shared is what all flows have in common.
type shared struct {
	Config
	Substep
}

// Flows is all that comes in and goes out.
type Flows struct {
	shared
	Emitters Emitters
	Sinks    Sinks
	Sides    Sides
	Drops    Drops
	outflow  outflow
	met      [2]r3.Vec // scratch: a place, and the velocity there
}

// New makes flows without emitters, sinks and currents.
func New(c Config) *Flows {
	f := &Flows{shared: shared{Config: c}}
	f.Drops.Drops.Config, f.Drops.around.shared = c.Config, &f.shared
	f.Drops.shared, f.Sides.shared = &f.shared, &f.shared
	f.Emitters.shared, f.Emitters.drops = &f.shared, &f.Drops
	f.Sinks.shared, f.Sinks.drops = &f.shared, &f.Drops
	return f
}

// BeginSubstep begins a substep, and notes what one that goes wrong is to leave as it was.
func (f *Flows) BeginSubstep(s Substep) {
	f.Substep = s
	f.Drops.Keep()
	for _, e := range f.Emitters.All {
		e.before, e.passed = e.Debt, 0
	}
	for _, s := range f.Sinks.All {
		s.before, s.took, s.passed = s.debt, 0, 0
	}
	for side := range f.Sides.side {
		f.Sides.side[side].passed = 0
	}
	f.outflow = outflow{}
}

// Restore takes back what emitters, sinks and drops did in a substep.
func (f *Flows) Restore() {
	f.Drops.Restore()
	for _, e := range f.Emitters.All {
		e.Debt = e.before
	}
	for _, s := range f.Sinks.All {
		s.debt = s.before
	}
}

// Apply lets all that comes in and goes out act on the surface, once it has moved. closed tells which components of the liquid no air touched in
// the last substep.
func (f *Flows) Apply(closed []bool) {
	f.Sources.BeginClaims()
	if f.Drops.advance() {
		f.Sinks.takeDrops()
	}
	f.Emitters.apply()
	f.Sides.apply()
	f.Sinks.vent(closed)
	f.RemoveOutflow()
}

// RemoveOutflow takes away the liquid that has left through open sides. A surface that is cut there may be measured as more in some blocks; as a whole nothing
// comes in.
func (f *Flows) RemoveOutflow() {
	left := 0.
	parts := f.Sources.RemoveOutflow()
	for _, volume := range parts {
		left += volume
	}
	f.Ledger.DrainedL += max(0, left) / litre
	f.outflow.note(parts, left, &f.Regions)
}

// SetVelocity sets the velocity in the openings of emitters that run and just within the sides through which a current comes in.
func (f *Flows) SetVelocity() {
	f.Emitters.setVelocity()
	f.Sides.setInflowVelocity()
}

// AddSources adds what emitters, drops, sinks and currents bring to the rows' sources, m³/s.
func (f *Flows) AddSources(rows []float64) {
	f.Emitters.addSources(rows)
	f.Drops.join(rows)
	f.Sinks.draw(rows)
	f.Sides.addSources(rows)
}

// AppendOpenings lists where emitters run, where sinks are to let air in, in the middle of what of them is in the domain, and where
// drops may become liquid on the mesh.
func (f *Flows) AppendOpenings(dst []r3.Box) []r3.Box {
	dst = f.Emitters.appendOpenings(dst)
	dst = f.Sinks.appendBubbles(dst)
	return f.Drops.AppendPuddles(dst)
}

// AppendDisturbed lists where emitters, sinks, drops and currents act on the liquid, m.
func (f *Flows) AppendDisturbed(dst []r3.Box) []r3.Box {
	dst = f.Emitters.appendOpenings(dst)
	for _, s := range f.Sinks.All {
		dst = append(dst, s.Opening().Bounds())
	}
	return f.Sides.appendFlowing(f.Drops.appendMoving(dst))
}

// Active tells whether something acts on the liquid all the time. Sinks that reach none don't.
func (f *Flows) Active() bool {
	return f.Emitters.run() || f.Sinks.wet() || f.Drops.Moving() || f.Sides.flow()
}

// LeaveOut has what of all is left out do nothing in the next substep.
func (f *Flows) LeaveOut(c remedies.Choice) {
	f.Drops.Out, f.Emitters.Out = c.Of(remedies.Drops), c.Of(remedies.Emitters)
	f.Sinks.Out, f.Sides.Out = c.Of(remedies.Sinks), c.Of(remedies.Currents)
}

// AppendActing lists what acts on the liquid, to be left out.
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

// WarnOfFaults names the emitters and sinks whose shapes told numbers that are none.
func (f *Flows) WarnOfFaults() {
	for _, e := range f.Emitters.All {
		e.nameFault(f.Warn, "EmitterDef.Shape", "emitter", e.ID)
	}
	for _, s := range f.Sinks.All {
		s.nameFault(f.Warn, "AddSink", "sink", s.ID)
	}
}

// CopyTo makes dst have the same emitters and sinks.
func (f *Flows) CopyTo(dst *Flows) {
	arrays.CopyEach(&dst.Emitters.All, f.Emitters.All, func(to, from *Emitter) { *to = *from })
	arrays.CopyEach(&dst.Sinks.All, f.Sinks.All, func(to, from *Sink) { *to = *from })
}
