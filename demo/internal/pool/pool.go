// Package pool is the main job without any picture: a pool with steps and a column, a spout that pours,
// and crates, a ball and a dinghy that drop in.
package pool

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// timestep is the length of a step, s.
const timestep = 1.0 / 60

// pourFor is how long the spout pours unless a player shuts it sooner, s: long enough to fill a hand's breadth,
// and then the pool comes to rest.
const pourFor = 5.0

// most is how many toys the pool takes; more would only pile up.
const most = 40

// Pool is the liquid, the bodies and what is to happen.
type Pool struct {
	// Toys are those in the pool.
	Toys []Toy
	// OnDrop, if not nil, is told each further one.
	OnDrop func(t Toy)

	liquid  *fluid.Liquid
	world   *physics.World
	spout   fluid.EmitterID
	pouring bool
	poured  bool // the spout has run its time
	dropped int  // of the programme
	chance  *rand.Rand
	time    float64 // s
}

// New makes the pool full and empty of toys, of a liquid in Domain, whatever the definition says of its own.
// The seed is for how the toys lie when they are dropped.
func New(def fluid.Def, seed int) (*Pool, error) {
	def.Domain = Domain
	liq, err := fluid.New(def)
	if err != nil {
		return nil, err
	}
	p := &Pool{
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
func (p *Pool) Liquid() *fluid.Liquid { return p.liquid }

// World is that of the pool's bodies.
func (p *Pool) World() *physics.World { return p.world }

// Close ends the liquid.
func (p *Pool) Close() { p.liquid.Close() }

// Cue drops what the programme has for now, and shuts the spout when it has poured enough; call it before
// each step.
func (p *Pool) Cue() error {
	if !p.poured && p.time >= pourFor {
		p.poured = true
		if p.pouring {
			if err := p.TogglePouring(); err != nil {
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
func (p *Pool) Advanced() {
	p.time += timestep
	for i := range p.Toys {
		t := &p.Toys[i]
		t.submerged += (p.liquid.Load(t.Body.Index()).Fraction - t.submerged) * timestep / draftMemory
	}
}

func (p *Pool) drop(d toyDef) error {
	t, err := d.drop(p.world, p.chance, p.liquid.Def().Density)
	if err != nil {
		return err
	}
	p.Toys = append(p.Toys, t)
	if p.OnDrop != nil {
		p.OnDrop(t)
	}
	return nil
}

// DropRandom drops one more toy unless the pool is full.
func (p *Pool) DropRandom() error {
	if len(p.Toys) >= most {
		return nil
	}
	return p.drop(random(p.chance))
}

// TogglePouring opens or shuts the spout.
func (p *Pool) TogglePouring() error {
	p.pouring = !p.pouring
	if p.pouring {
		return p.liquid.StartEmitter(p.spout)
	}
	return p.liquid.StopEmitter(p.spout)
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
