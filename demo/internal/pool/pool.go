// Package pool is the main job without any picture: a pool with steps and a column, a spout that pours,
// and crates, a ball and a dinghy that drop in.
package pool

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// timestep is the length of a step, s.
const timestep = 1.0 / 60

// pourFor is how long the spout pours unless a player shuts it sooner, s: until the water stands 15 cm higher,
// and then the pool comes to rest.
const pourFor = 30.0

// most is how many toys the pool takes; more would only pile up.
const most = 40

// Pool is the liquid, the bodies and what is to happen.
type Pool struct {
	// Toys are those in the pool.
	Toys []Toy
	// OnDrop, if not nil, is told each further one.
	OnDrop func(t Toy)
	// OnInput, if not nil, is told what is done to the pool, before it is, as a line that Do reads.
	OnInput func(input string)

	cell     float64 // of the liquid, m
	cells    fluid.Discretisation
	tracker  fluid.Tracker
	white    int // particles of white water that there may be
	liquid   *fluid.Liquid
	world    *physics.World
	spout    fluid.EmitterID
	pouring  bool
	poured   bool // the spout has run its time
	dropped  int  // of the programme
	thrown   int
	drains   int // that were opened
	draining bool
	drain    fluid.SinkID // the last
	grabBody physics.Body // of a hand that holds something; the zero Body if there is none
	dice     rand.PCG
	chance   *rand.Rand // of dice
	time     float64    // s
}

// mostMemory, bytes, is enough for the finest cells.
const mostMemory = 16 << 30

// New makes the pool full and empty of toys, of a liquid in Domain, whatever the definition says of its own.
// The seed is for how the toys lie when they are dropped.
func New(def fluid.Def, seed int) (*Pool, error) {
	def.Domain, def.Resources.MaxMemory = Domain, mostMemory
	liq, err := fluid.New(def)
	if err != nil {
		return nil, err
	}
	p := &Pool{
		cell: def.CellSize, cells: def.Discretisation, tracker: def.Tracker, white: def.WhiteWater, liquid: liq, world: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}}), pouring: true,
	}
	p.dice.Seed(uint64(seed), 0x706f6f6c)
	p.chance = rand.New(&p.dice)
	if err = buildBodies(p.world); err == nil {
		liq.Couple(p.world.Coupling())
		p.spout, err = buildLiquid(liq)
	}
	if err != nil {
		liq.Close()
		return nil, err
	}
	return p, nil
}

// Liquid is the pool's.
func (p *Pool) Liquid() *fluid.Liquid { return p.liquid }

// World is that of the pool's bodies.
func (p *Pool) World() *physics.World { return p.world }

// Close ends the liquid.
func (p *Pool) Close() { p.liquid.Close() }

// What is done to a pool, as Do reads it.
const (
	nextToy   = "next toy" // of the programme
	oneMore   = "one more toy"
	turnSpout = "spout"
	pouredOut = "poured out"
	throwToy  = "throw"
	turnDrain = "drain"
)

// Cue drops what the programme has for now, shuts the spout when it has poured enough, and records what a Grabber does; call it
// before each step.
func (p *Pool) Cue() error {
	p.recordGrabs()
	if !p.poured && p.time >= pourFor {
		if err := p.input(pouredOut); err != nil {
			return err
		}
	}
	for p.dropped < len(programme) && programme[p.dropped].at <= p.time {
		if err := p.input(nextToy); err != nil {
			return err
		}
	}
	return nil
}

// DropRandom drops one more toy unless the pool is full.
func (p *Pool) DropRandom() error { return p.input(oneMore) }

// TogglePouring opens or shuts the spout.
func (p *Pool) TogglePouring() error { return p.input(turnSpout) }

// Throw throws a toy across the pool, each time the next one.
func (p *Pool) Throw() error { return p.input(throwToy) }

// ToggleDrain opens or shuts the drain.
func (p *Pool) ToggleDrain() error { return p.input(turnDrain) }

// input does something to the pool and tells.
func (p *Pool) input(input string) error {
	p.recordGrabs() // what it did came before
	if p.OnInput != nil {
		p.OnInput(input)
	}
	return p.Do(input)
}

// Do does to the pool what was done to another one, as OnInput was told. With that it needs no Cue.
func (p *Pool) Do(input string) error {
	switch input {
	case nextToy:
		if p.dropped == len(programme) {
			return errors.New("the programme has no more toys")
		}
		p.dropped++
		return p.drop(programme[p.dropped-1])
	case oneMore:
		if len(p.Toys) >= most {
			return nil
		}
		return p.drop(random(p.chance))
	case turnSpout:
		return p.pour(!p.pouring)
	case throwToy:
		return p.throw()
	case turnDrain:
		return p.turnDrain()
	case pouredOut:
		p.poured = true
		return p.pour(false)
	}
	if ok, err := p.applyGrab(input); ok {
		return err
	}
	return fmt.Errorf("%q is nothing that can be done to a pool", input)
}

func (p *Pool) pour(on bool) error {
	p.pouring = on
	if on {
		return p.liquid.StartEmitter(p.spout)
	}
	return p.liquid.StopEmitter(p.spout)
}

// draftMemory is the time over which a toy's draft is averaged, s: two of its bobs.
const draftMemory = 2.0

// Advanced books the time of a step that was taken, and the toys' drafts.
func (p *Pool) Advanced() {
	p.time += timestep
	for i := range p.Toys {
		t := &p.Toys[i]
		t.submerged += (p.liquid.BodyLoad(t.Body.Index()).Fraction - t.submerged) * timestep / draftMemory
	}
}

func (p *Pool) drop(d toyDef) error {
	t, err := d.drop(p.world, p.chance, p.liquid.Def().Physics.Density)
	if err != nil {
		return err
	}
	p.Toys = append(p.Toys, t)
	if p.OnDrop != nil {
		p.OnDrop(t)
	}
	return nil
}

// Subject is what a chasing camera follows: the dinghy, or where it will come.
func (p *Pool) Subject() r3.Vec {
	for _, t := range p.Toys {
		if t.Kind == Dinghy {
			return t.Body.Position()
		}
	}
	return dinghyHome()
}

// Bodies reports the toys as they are.
func (p *Pool) Bodies() []report.Body {
	var out []report.Body
	for _, t := range p.Toys {
		at := t.Body.Position()
		out = append(out, report.Body{
			Name: t.name, DensityRatio: t.Ratio, Position: [3]float64{at.X, at.Y, at.Z},
			SubmergedFraction: t.submerged, Speed: r3.Norm(t.Body.Velocity()),
		})
	}
	return out
}

// Readings has nothing to tell beside the bodies.
func (p *Pool) Readings() []report.Reading { return nil }
