package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Crates, m and kg/m³: cargo, and one that is put aboard at the side.
const (
	crateEdge    = 0.25
	crateDensity = 600.0
	loadDensity  = 2200.0
	mostCrates   = 12
)

// When the programme puts the load aboard and knocks the hole, s.
const (
	loadAt = 6.0
	holeAt = 13.0
)

// boat is the harbour, the lighter and what happens to it, without any picture.
type boat struct {
	play.Base
	harbour
	vessel  *vessel
	paddle  paddle
	crates  []crate
	manual  bool // a player steers
	loaded  bool
	holed   bool
	mark    int     // of the course, that the pilot steers for
	draft   float64 // m, as level and keel stood lately
	heel    float64 // rad, likewise
	onCrate func(c crate)
	onHole  func()
}

type crate struct {
	body  physics.Body
	ratio float64 // density to water's
}

// newBoat moors the lighter in a harbour, at the draft that its cargo gives it.
func newBoat(h harbour, def fluid.Def) (*boat, error) {
	def.Domain, def.Resources.MaxMemory = h.domain, 16<<30
	b := &boat{harbour: h}
	return b, b.Begin(def, b.build)
}

// build adds the bodies, then the water, and bails the hull.
func (b *boat) build() (err error) {
	if err = b.addWalls(b.World()); err != nil {
		return err
	}
	if b.paddle, err = b.newPaddle(b.World()); err != nil {
		return err
	}
	if b.vessel, err = newVessel(b.World(), b.berth); err != nil {
		return err
	}
	cargo := []r3.Vec{{X: 0.02}, {X: 0.42, Z: -0.17}, {X: 0.42, Z: 0.17}}
	load := float64(len(cargo)) * crateDensity * crateEdge * crateEdge * crateEdge
	b.draft = b.vessel.draftFor(load, b.density())
	at := b.berth
	at.Y = b.level - b.draft + depth/2
	if err = b.moor(at); err != nil {
		return err
	}
	for _, c := range cargo {
		c.Y = -depth/2 + plate + crateEdge/2
		if err = b.addCrate(r3.Add(at, c), crateDensity); err != nil {
			return err
		}
	}
	b.Liquid().Couple(b.World().Coupling())
	if err = b.Liquid().Fill(fluid.Below(b.level)); err != nil {
		return err
	}
	// To the middle of the plates, so that none is left along them.
	half := r3.Vec{X: (length - plate) / 2, Y: depth / 2, Z: (beam - plate) / 2}
	low := r3.Sub(at, half)
	low.Y += plate / 2
	return b.Liquid().Drain(fluid.Box(r3.Box{Min: low, Max: r3.Add(at, r3.Add(half, r3.Vec{Y: .1}))}))
}

// moor moves the vessel so that the hull's middle is at a point.
func (b *boat) moor(at r3.Vec) error {
	v := b.vessel
	by := r3.Sub(at, v.hull.Position())
	for _, body := range []physics.Body{v.hull, v.rudder} {
		if err := body.SetPose(r3.Add(body.Position(), by), body.Rotation()); err != nil {
			return err
		}
	}
	return nil
}

func (b *boat) density() float64 { return b.Liquid().Def().Physics.Density }

func (b *boat) addCrate(at r3.Vec, density float64) error {
	body, err := b.World().AddBody(physics.BodyDef{Kind: physics.Dynamic, Name: "crate", Position: at, Rotation: b.vessel.hull.Rotation(), AngularDamping: .15})
	if err == nil {
		_, err = body.AddShape(physics.ShapeDef{Geometry: physics.Box(physics.Centred(crateEdge, crateEdge, crateEdge)), Density: density, Material: physics.Material{Friction: .8}})
	}
	if err != nil {
		return err
	}
	c := crate{body, density / b.density()}
	b.crates = append(b.crates, c)
	if b.onCrate != nil {
		b.onCrate(c)
	}
	return nil
}

// Cue steers, moves the paddle, and does what the programme has for now.
func (b *boat) Cue() error {
	if !b.loaded && b.Time >= loadAt {
		if err := b.load(); err != nil {
			return err
		}
	}
	if !b.holed && !b.manual && b.Time >= holeAt {
		if err := b.hole(); err != nil {
			return err
		}
	}
	if !b.manual {
		b.pilot()
	}
	if err := b.vessel.steer(b.submerged); err != nil {
		return err
	}
	return b.paddle.beat(play.Timestep)
}

// submerged reports whether a point is in the water.
func (b *boat) submerged(p r3.Vec) bool {
	var s [1]fluid.Sample
	b.Liquid().Sample(s[:], []r3.Vec{p})
	return s[0].Height > 0 // whatever solid is there
}

// load puts a heavy crate aboard, at the side.
func (b *boat) load() error {
	b.loaded = true
	if len(b.crates) >= mostCrates {
		return nil
	}
	ahead, up, side := b.vessel.axes()
	at := r3.Add(b.vessel.hull.Position(), r3.Add(r3.Scale(.1, up), r3.Add(r3.Scale(.22, side), r3.Scale(-.28, ahead))))
	return b.addCrate(at, loadDensity)
}

// hole lets the water in.
func (b *boat) hole() error {
	b.holed = true
	err := b.vessel.hole()
	if b.onHole != nil {
		b.onHole()
	}
	return err
}

// course is what the pilot goes round, m.
var course = []r3.Vec{{X: 1.8, Z: 1.5}, {X: 3.6}, {X: 1.8, Z: -1.7}, {X: -1.8, Z: -1.7}, {X: -3.4}, {X: -1.8, Z: 1.7}}

// pilot steers for the next mark of the course.
func (b *boat) pilot() {
	v := b.vessel
	to := r3.Sub(course[b.mark], v.hull.Position())
	if math.Hypot(to.X, to.Z) < 1.4 {
		b.mark = (b.mark + 1) % len(course)
		to = r3.Sub(course[b.mark], v.hull.Position())
	}
	off := math.Remainder(math.Atan2(-to.Z, to.X)-v.heading(), 2*math.Pi)
	v.throttle, v.wheel = 1-.5*min(math.Abs(off), 1), max(-1, min(2*off, 1))
	if b.holed {
		v.throttle = 0
	}
}

// memory is the time over which draft and heel are averaged, s.
const memory = 1.0

// Advanced books the time of a step that was taken, and how the boat lies.
func (b *boat) Advanced() {
	b.Base.Advanced()
	share := play.Timestep / memory
	b.draft += share * (b.surface() - b.vessel.keel() - b.draft)
	b.heel += share * (b.vessel.heel() - b.heel)
}

// surface is the water's mean height along the walls, m.
func (b *boat) surface() float64 {
	var at [8]r3.Vec
	var s [8]fluid.Sample
	lo, hi := b.domain.Min, b.domain.Max
	for i := range at {
		along, z := float64(i/2)/3, lo.Z+.2
		if i%2 == 1 {
			z = hi.Z - .2
		}
		at[i] = r3.Vec{X: lo.X + 1 + along*(hi.X-lo.X-1.5), Y: b.level / 2, Z: z}
	}
	b.Liquid().Sample(s[:], at[:])
	sum := 0.0
	for i := range s {
		sum += at[i].Y + s[i].Height
	}
	return sum / float64(len(s))
}

// Subject is what a chasing camera follows: a place over the boat, so that the quay is in the picture too.
func (b *boat) Subject() r3.Vec {
	at := b.vessel.hull.Position()
	at.Y = b.level + .5
	return at
}

// aboard is what the crates in the hold weigh, kg.
func (b *boat) aboard() (load float64) {
	for _, c := range b.crates {
		if b.vessel.carries(c.body.Position()) {
			load += c.body.Mass()
		}
	}
	return load
}

// Readings is how the boat lies.
func (b *boat) Readings() []report.Reading {
	readings := []report.Reading{
		{Name: "draft", Value: 100 * b.draft, Unit: "cm"},
		{Name: "draft by weight", Value: 100 * b.vessel.draftFor(b.aboard(), b.density()), Unit: "cm"},
		{Name: "heel", Value: b.heel * 180 / math.Pi, Unit: "°"},
		{Name: "speed", Value: b.vessel.speed(), Unit: "m/s"},
	}
	if b.holed {
		readings[1] = report.Reading{Name: "freeboard", Value: 100 * (depth - b.draft), Unit: "cm"}
	}
	return readings
}

// Bodies reports the vessel and the crates as they are.
func (b *boat) Bodies() []report.Body {
	out := []report.Body{b.Describe(b.vessel.hull, plateDensity/b.density()), b.Describe(b.vessel.rudder, 1)}
	for _, c := range b.crates {
		out = append(out, b.Describe(c.body, c.ratio))
	}
	return out
}

// take hands the boat to the player, who changes throttle and wheel by as much.
func (b *boat) take(throttle, wheel float64) error {
	v := b.vessel
	if !b.manual {
		b.manual, v.throttle, v.wheel = true, 0, 0
	}
	v.throttle, v.wheel = max(-1, min(v.throttle+throttle, 1)), max(-1, min(v.wheel+wheel, 1))
	return nil
}
