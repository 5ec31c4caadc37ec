package flows

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
)

const dt = 1. / 64

// vessel is a liquid without a mesh: every opening is the same one, and the liquid is one number.
type vessel struct {
	Sources
	SideFlow
	opening port
	gained  float64 // m³, by component
	added   float64 // m³/s, by sources of rows
	joined  float64 // m³/s, by drops
	speed   [6]float64
	wet     float64 // m² of a side
	dry     float64
}

// port is an opening that takes at most a volume, and nothing below least.
type port struct {
	query.Opening
	shut, sealed bool
	room, least  float64 // m³
	emptied      bool
}

func (m *port) Place() r3.Vec       { return r3.Vec{Y: 1} }
func (m *port) Capacity() float64   { return 1 }
func (m *port) FillGrowth() float64 { return 0 }
func (m *port) DrawGrowth() float64 { return 0 }
func (m *port) Sealed() bool        { return m.sealed }
func (m *port) Empty()              { m.emptied = true }
func (m *port) Fill(volume, _ float64) (took, needed float64) {
	if volume < m.least {
		return 0, m.least
	}
	return min(volume, m.room), 0
}
func (m *port) InsertBubble(most float64) float64 {
	if most < m.least {
		return 0
	}
	return m.least
}

func (v *vessel) KeepInflow(took float64, _ int32, _ r3.Vec) float64 { return took }
func (v *vessel) BeginInflow()                                       {}
func (v *vessel) SetInflowVelocity()                                 {}

func (v *vessel) Opening(shapes.SDF) query.Opening {
	if v.opening.shut {
		return nil
	}
	return &v.opening
}
func (v *vessel) BubbleRadius() float64                    { return .1 }
func (v *vessel) MostlyLiquid(r3.Vec) bool                 { return false }
func (v *vessel) FillAround(r3.Vec, float64) float64       { return 0 }
func (v *vessel) RemoveOutflow() []float64                 { return nil }
func (v *vessel) InLiquid(dst []bool, _ []r3.Vec)          { clear(dst) }
func (v *vessel) WetAround(r3.Box) bool                    { return true }
func (v *vessel) HasRowsAround(r3.Box) bool                { return true }
func (v *vessel) Join(_ r3.Vec, _, r float64, _ []float64) { v.joined += r }
func (v *vessel) Distribute(_ shapes.SDF, _, rate float64, _ []float64) float64 {
	v.added += rate
	return rate
}
func (v *vessel) GainAt(_ r3.Vec, volume float64) { v.gained += volume }
func (v *vessel) EachFormer(visit func(float64, r3.Vec)) {
	visit(1, r3.Vec{Y: .5})
	visit(3, r3.Vec{Y: 1})
}
func (v *vessel) Begin()                                      {}
func (v *vessel) Read(int, r3.Vec, float64) bool              { return true }
func (v *vessel) Area(int) (float64, float64)                 { return v.wet, v.dry }
func (v *vessel) Balance([6]float64)                          {}
func (v *vessel) Book(int, float64)                           {}
func (v *vessel) Add(_ int, rate float64, _ []float64)        { v.added += rate }
func (v *vessel) SetSideVelocity(side int, u float64, _ bool) { v.speed[side] = u }
func (v *vessel) Draw(_ int, speed, _ float64, _ []float64) float64 {
	return speed * v.wet
}

// sideOf implements SideFlow for a vessel: its methods Fill and Sealed differ from an opening's.
type sideOf struct {
	*vessel
	sealed bool
	room   float64
}

func (s *sideOf) Sealed(int) bool                             { return s.sealed }
func (s *sideOf) Refill(int)                                  {}
func (s *sideOf) Fill(_ int, v float64) float64               { return min(v, s.room) }
func (s *sideOf) JustWithin(int) r3.Box                       { return r3.Box{} }
func (s *sideOf) AddToSealed(int, float64, []float64) float64 { return 0 }

type scene struct {
	*Flows
	v      *vessel
	sides  *sideOf
	ledger components.Ledger
	warned []string
	step   uint64
}

func newScene() *scene {
	s := &scene{v: &vessel{}}
	s.v.opening.room = math.Inf(1)
	s.sides = &sideOf{vessel: s.v}
	domain := r3.Box{Min: r3.Vec{X: -2, Y: 0, Z: -2}, Max: r3.Vec{X: 2, Y: 4, Z: 2}}
	s.Flows = New(Config{
		Config: droplets.Config{
			CellSize: .1, Gap: .002, MaxSpeed: 100, Domain: domain,
			Regions: droplets.Regions{Origin: [3]float64{-2, 0, -2}, Edge: .8, Dim: [3]int{5, 5, 5}},
		},
		Flow: [6]bool{0: true, 1: true}, Open: [6]bool{3: true}, CFL: 2,
		Sources: s.v, Through: s.sides, Volumes: s.v, Ledger: &s.ledger,
		Acceleration: func(r3.Vec) r3.Vec { return r3.Vec{Y: -10} },
		Solids:       func() ([]shapes.SDF, []rigid.Solid) { return nil, nil },
		Warn:         func(knob, text string) { s.warned = append(s.warned, knob+": "+text) },
	})
	return s
}

// substep runs a substep; closed marks the components that no air touches.
func (s *scene) substep(closed ...bool) {
	s.step++
	s.BeginSubstep(Substep{Dt: dt, Drift: dt, Up: r3.Vec{Y: 1}, Seed: s.step})
	s.Apply(closed)
	s.AddSources(nil)
}

func (s *scene) emitter(rate float64) *Emitter {
	e := &Emitter{ID: 7, Rate: rate, Running: true}
	e.SetShape(shapes.Sphere(r3.Vec{Y: 1}, .1))
	s.Emitters.All = append(s.Emitters.All, e)
	return e
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

// A source brings what an opening has no room for, and the ledger counts all of it.
func TestEmitterGivesItsRate(t *testing.T) {
	s := newScene()
	e := s.emitter(64)
	s.v.opening.room = .25e-3
	s.substep()
	near(t, "emitted, l", s.ledger.EmittedL, 1)
	near(t, "gained, m³", s.v.gained, 1e-3)
	near(t, "source, m³/s", s.v.added, .75e-3/dt)
	near(t, "debt, m³", e.Debt, 0)
}

// An opening that is shut or sealed is listed as blocked, and its debt is dropped.
func TestEmitterIsBlocked(t *testing.T) {
	for _, shut := range []bool{true, false} {
		s := newScene()
		e := s.emitter(64)
		s.v.opening.shut, s.v.opening.sealed, s.v.opening.room = shut, !shut, 0
		s.substep()
		if !slices.Equal(s.Emitters.Blocked, []int64{7}) || s.ledger.EmittedL != 0 || e.Debt != 0 || s.v.added != 0 || s.v.opening.emptied == shut {
			t.Errorf("shut %v: blocked %v, %g l came, %g m³ are due", shut, s.Emitters.Blocked, s.ledger.EmittedL, e.Debt)
		}
	}
}

// A rate too low for the mesh leaves in drops, which fall; a reverted substep changes neither drops nor debts.
func TestWeakEmitterDrips(t *testing.T) {
	s := newScene()
	e := s.emitter(.01)
	s.v.opening.least = 1
	for len(s.Drops.All) == 0 && s.step < 100 {
		s.substep()
	}
	near(t, "emitted, l", s.ledger.EmittedL, .01*dt*float64(s.step))
	near(t, "in drops, m³", s.Drops.Volume, s.ledger.EmittedL*litre)
	near(t, "debt, m³", e.Debt, 0)
	was, y := len(s.Drops.All), s.Drops.All[0].X.Y
	s.substep()
	if len(s.Drops.All) == was && s.Drops.All[0].X.Y == y {
		t.Error("drops do not fall")
	}
	s.Restore()
	if len(s.Drops.All) != was || s.Drops.All[0].X.Y != y || e.Debt != 0 {
		t.Errorf("%d drops, had %d; %g m³ are due", len(s.Drops.All), was, e.Debt)
	}
}

// The debt of a removed emitter leaves in drops, and counts as held.
func TestReleaseOfWhatIsDue(t *testing.T) {
	s := newScene()
	e := s.emitter(1)
	e.Debt = 2e-6
	if !s.Emitters.HasDebt(e) || !s.Emitters.Release(e, 1) {
		t.Fatal("nothing is due")
	}
	near(t, "emitted, l", s.ledger.EmittedL, 2e-3)
	near(t, "held, l", s.ledger.HeldL, 2e-3)
	if s.Emitters.HasDebt(e) {
		t.Errorf("%g m³ are due still", e.Debt)
	}
}

// A sink draws its rate less the drops in it; where no air touches the liquid it inserts a bubble once enough is due.
func TestSinkDrawsItsRate(t *testing.T) {
	s := newScene()
	sink := &Sink{Rate: 1}
	sink.SetShape(shapes.Sphere(r3.Vec{Y: 1}, .1))
	s.Sinks.All = append(s.Sinks.All, sink)
	s.Drops.Add(r3.Vec{Y: 1}, r3.Vec{}, 1e-6)
	s.substep()
	near(t, "drained, l", s.ledger.DrainedL, dt)
	near(t, "rows, m³/s", s.v.added, -(1e-3 - 1e-6/dt))
	if len(s.Drops.All) > 0 {
		t.Error("the drop is there still")
	}
	s.v.opening.sealed, s.v.opening.least = true, 1.5e-3*dt
	at := s.ledger.DrainedL
	s.substep(false, true)
	near(t, "drained, l, before there is a bubble", s.ledger.DrainedL-at, dt)
	if len(s.AppendOpenings(nil)) != 1 {
		t.Error("nothing tells where the bubble is to be")
	}
	s.substep(false, true)
	near(t, "drained, l, with one", s.ledger.DrainedL-at, 3.5*dt)
}

// The ledger counts inflow through a side, a source in its wet part and filling above that, and outflow.
func TestCurrents(t *testing.T) {
	s := newScene()
	s.v.wet, s.v.dry, s.sides.room = .5, .25, .1*dt
	if !s.Sides.SetCurrent(0, Current{Velocity: 2, Level: 1}) || s.Sides.SetCurrent(0, Current{Velocity: 2, Level: 1}) || !s.Active() {
		t.Error("a change of the current is not told")
	}
	s.Sides.SetCurrent(1, Current{Velocity: -1})
	s.substep()
	near(t, "emitted, l", s.ledger.EmittedL, 1100*dt)
	near(t, "drained, l", s.ledger.DrainedL, 500*dt)
	near(t, "rows, m³/s", s.v.added, 1)
	s.Sides.SetVelocity()
	if s.v.speed != [6]float64{2, 1} {
		t.Errorf("velocities %v", s.v.speed)
	}
	if u, ok := s.Sides.Speed([3]float64{-1.99, 1, 0}, 0, .1); !ok || u != 2 {
		t.Errorf("%g m/s at the side, %v", u, ok)
	}
	near(t, "to the nearest side, m", s.Sides.Distance([3]float64{0, 3.5, 1.5}), .5)
	s.sides.sealed = true
	s.substep()
	if len(s.warned) != 1 || !strings.HasPrefix(s.warned[0], "SetCurrent: ") {
		t.Errorf("warned of %q", s.warned)
	}
}

// The volume that the ledger misses of a film becomes drops where the liquid was, in proportion to the room there.
func TestFilm(t *testing.T) {
	s := newScene()
	s.ledger.FilledL = 4e-3
	s.Drops.LeaveFilm()
	if len(s.Drops.All) != 2 {
		t.Fatalf("%d drops", len(s.Drops.All))
	}
	near(t, "first, m³", s.Drops.All[0].Volume, 1e-6)
	near(t, "second, m³", s.Drops.All[1].Volume, 3e-6)
	near(t, "drift, l", s.ledger.Drift(), 0)
}

// Thin jets are followed to where they leave the domain.
func TestJets(t *testing.T) {
	s := newScene()
	e := s.emitter(1)
	e.Velocity = r3.Vec{X: 1}
	jets := s.Emitters.AppendJets(nil)
	if len(jets) == 0 || len(jets) > longestJet {
		t.Fatalf("%d places", len(jets))
	}
	for _, b := range jets {
		x := b.Min
		if !boxes.Contains(s.Domain, x) || math.Abs(1-5*x.X*x.X-x.Y) > 1e-9 {
			t.Errorf("%v is on no parabola", x)
		}
	}
	e.SetShape(shapes.Sphere(r3.Vec{Y: 1}, .5))
	if len(s.Emitters.AppendJets(nil)) > 0 {
		t.Error("a wide jet is followed")
	}
}

// The state of flows is decoded as it was encoded.
func TestFlowsAreCoded(t *testing.T) {
	fill := func(s *scene, by float64) {
		e := s.emitter(1 + by)
		e.Debt = by
		if _, err := e.Move(r3.Vec{X: by}, quat.Number{}, s.Domain); err != nil {
			t.Fatal(err)
		}
		sink := &Sink{Rate: 2 + by, debt: by}
		sink.SetShape(shapes.Sphere(r3.Vec{Y: 1}, .1))
		s.Sinks.All = append(s.Sinks.All, sink)
		s.Sides.SetCurrent(1, Current{Velocity: by, Level: by})
		s.Sides.side[1].debt = by
		s.Drops.Add(r3.Vec{Y: 1 + by}, r3.Vec{}, 1e-6)
	}
	code := func(s *scene, c *codec.Codec) {
		s.CodeOpenings(c)
		s.Sides.Code(c)
		s.CodeLater(c, s.Domain)
	}
	from, to := newScene(), newScene()
	fill(from, .25)
	fill(to, 0)
	var w, r, again codec.Codec
	w.Write()
	code(from, &w)
	r.Read(w.Bytes(), math.MaxInt)
	code(to, &r)
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	again.Write()
	code(to, &again)
	if !slices.Equal(w.Bytes(), again.Bytes()) || to.Emitters.All[0].Opening().Bounds() != from.Emitters.All[0].Opening().Bounds() || !to.HasLater() {
		t.Error("what was read is not what was written")
	}
	to.ForgetLater()
	if to.HasLater() {
		t.Error("some of what version 8 added is left")
	}
	other := newScene()
	from.CopyTo(other.Flows)
	if len(other.Emitters.All) != 1 || other.Emitters.All[0].Debt != .25 || other.Emitters.All[0] == from.Emitters.All[0] || other.Sinks.All[0].debt != .25 {
		t.Error("a copy is not the same")
	}
}
