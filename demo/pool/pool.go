package main

import (
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/play"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// pourFor is how long the spout pours unless a player shuts it sooner, s: long enough to fill a hand's breadth,
// and then the pool comes to rest.
const pourFor = 5.0

// most is how many toys the pool takes; more would only pile up.
const most = 40

// pool is the liquid, the bodies and what is to happen, without any picture.
type pool struct {
	liquid  *fluid.Liquid
	world   *physics.World
	spout   fluid.EmitterID
	pouring bool
	poured  bool // the spout has run its time
	toys    []toy
	dropped int // of the programme
	chance  *rand.Rand
	time    float64 // s
	onDrop  func(t toy)
}

// newPool makes the pool full and empty of toys.
func newPool(cell float64, budget time.Duration, seed int) (*pool, error) {
	liq, err := fluid.New(fluid.Def{Domain: domain, CellSize: cell, Budget: fluid.Budget{Step: budget}, MaxMemory: 16 << 30})
	if err != nil {
		return nil, err
	}
	p := &pool{
		liquid: liq, world: physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}}),
		chance: rand.New(rand.NewPCG(uint64(seed), 0x706f6f6c)), pouring: true,
	}
	if err = buildBodies(p.world); err == nil {
		liq.Couple(p.world)
		p.spout, err = buildLiquid(liq)
	}
	if err != nil {
		liq.Close()
		return nil, err
	}
	return p, nil
}

// Liquid is the pool's.
func (p *pool) Liquid() *fluid.Liquid { return p.liquid }

// World is that of the pool's bodies.
func (p *pool) World() *physics.World { return p.world }

// Close ends the liquid.
func (p *pool) Close() { p.liquid.Close() }

// Cue drops what the programme has for now, and shuts the spout when it has poured enough; call it before
// each step.
func (p *pool) Cue() error {
	if !p.poured && p.time >= pourFor {
		p.poured = true
		if p.pouring {
			if err := p.togglePouring(); err != nil {
				return err
			}
		}
	}
	for p.dropped < len(programme) && programme[p.dropped].at <= p.time {
		if err := p.drop(programme[p.dropped]); err != nil {
			return err
		}
		p.dropped++
	}
	return nil
}

// draftMemory is the time over which a toy's draft is averaged, s: two of its bobs.
const draftMemory = 2.0

// Advanced books the time of a step that was taken, and the toys' drafts.
func (p *pool) Advanced() {
	p.time += play.Timestep
	for i := range p.toys {
		t := &p.toys[i]
		t.submerged += (p.liquid.Load(t.body.Index()).Fraction - t.submerged) * play.Timestep / draftMemory
	}
}

func (p *pool) drop(d toyDef) error {
	t, err := d.drop(p.world, p.chance, p.liquid.Def().Density)
	if err != nil {
		return err
	}
	p.toys = append(p.toys, t)
	if p.onDrop != nil {
		p.onDrop(t)
	}
	return nil
}

// dropRandom drops one more toy unless the pool is full.
func (p *pool) dropRandom() error {
	if len(p.toys) >= most {
		return nil
	}
	return p.drop(random(p.chance))
}

// togglePouring opens or shuts the spout.
func (p *pool) togglePouring() error {
	p.pouring = !p.pouring
	if p.pouring {
		return p.liquid.StartEmitter(p.spout)
	}
	return p.liquid.StopEmitter(p.spout)
}

// Subject is what a chasing camera follows: the dinghy, or where it will come.
func (p *pool) Subject() r3.Vec {
	for _, t := range p.toys {
		if t.kind == dinghy {
			return t.body.Position()
		}
	}
	return dinghyHome()
}

// Bodies reports the toys as they are.
func (p *pool) Bodies() []report.Body {
	var out []report.Body
	for _, t := range p.toys {
		at := t.body.Position()
		out = append(out, report.Body{
			Name: t.name, DensityRatio: t.ratio, Position: [3]float64{at.X, at.Y, at.Z},
			SubmergedFraction: t.submerged, Speed: r3.Norm(t.body.Velocity()),
		})
	}
	return out
}

// Readings has nothing to tell beside the bodies.
func (p *pool) Readings() []report.Reading { return nil }
