package play

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Scenario is a liquid, bodies and what is to happen, without any picture.
type Scenario interface {
	Liquid() *fluid.Liquid
	// World has the bodies whose shapes, contacts and joints the window shows, and which the mouse drags.
	World() *physics.World
	// Cue does what is due; it is called before each step.
	Cue() error
	// Advanced books a step of the liquid that was taken.
	Advanced()
	// Subject is what a chasing camera follows, m.
	Subject() r3.Vec
	// Bodies and Readings are how things stand, for the report; the readings are shown too.
	Bodies() []report.Body
	Readings() []report.Reading
	Close()
}

// Watcher is a Scenario that is told what each step reports, before Advanced.
type Watcher interface{ Stepped(r *fluid.Report) }

// Viewed is a Scenario that is told where the camera is before each picture, and in a headless run before each step.
type Viewed interface{ SeenFrom(p view.Pose) }

// look tells a scenario where the camera is.
func look(s Scenario, p view.Pose) {
	if v, ok := s.(Viewed); ok {
		v.SeenFrom(p)
	}
}

// advance books a step that was taken.
func advance(s Scenario, r *fluid.Report) {
	if w, ok := s.(Watcher); ok {
		w.Stepped(r)
	}
	s.Advanced()
}

// Base is what scenarios have in common. They embed it, and begin with Begin.
type Base struct {
	Time   float64 // s that were played
	liquid *fluid.Liquid
	world  *physics.World
}

// Begin makes the liquid, and a world without bodies that has its gravity. Then it builds what else there is, in this order. If anything
// fails the liquid is closed.
func (b *Base) Begin(def fluid.Def, build ...func() error) (err error) {
	if b.liquid, err = fluid.New(def); err != nil {
		return err
	}
	b.world = physics.NewWorld(physics.WorldDef{Gravity: b.liquid.Def().Physics.Gravity})
	for _, f := range build {
		if err := f(); err != nil {
			b.liquid.Close()
			return err
		}
	}
	return nil
}

// Liquid is the scenario's.
func (b *Base) Liquid() *fluid.Liquid { return b.liquid }

// World is that of the scenario's bodies.
func (b *Base) World() *physics.World { return b.world }

// Close ends the liquid.
func (b *Base) Close() { b.liquid.Close() }

// Cue has nothing to do.
func (b *Base) Cue() error { return nil }

// Advanced books a step's time.
func (b *Base) Advanced() { b.Time += Timestep }

// Bodies are none.
func (b *Base) Bodies() []report.Body { return nil }

// Describe reports a body as it is. ratio is its density over the liquid's.
func (b *Base) Describe(body physics.Body, ratio float64) report.Body {
	at := body.Position()
	return report.Body{
		Name: body.Name(), DensityRatio: ratio, Position: [3]float64{at.X, at.Y, at.Z},
		SubmergedFraction: b.liquid.BodyLoad(body.Index()).Fraction, Speed: r3.Norm(body.Velocity()),
	}
}
