package pool

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
	"github.com/meniscus3d/meniscus/physics"
)

// Scene is what a saved pool calls itself.
const Scene = "pool"

// saved is what Save writes of a pool before its world, on a line of JSON.
type saved struct {
	Scene    string
	Cell     float64 // m
	Cells    fluid.Discretisation
	Tracker  fluid.Tracker
	White    int     // particles of white water that there may be
	Time     float64 // s
	Pouring  bool
	Poured   bool
	Dropped  int
	Thrown   int
	Drains   int
	Draining bool
	Dice     []byte
	Toys     []savedToy
}

type savedToy struct {
	Name      string
	Body      physics.BodyID
	Submerged float64
}

// longestSaved, bytes, is more than the line can have.
const longestSaved = 1 << 14

// mostDrains is how often the drain of a saved pool may have been opened.
const mostDrains = 10_000

// CopyTo makes dst what p is, but for the liquid.
func (p *Pool) CopyTo(dst *Pool) {
	if dst.world == nil {
		dst.world = physics.NewWorld(physics.WorldDef{})
	}
	p.world.CopyTo(dst.world)
	dst.Toys = append(dst.Toys[:0], p.Toys...)
	dst.thrown, dst.drains, dst.draining, dst.drain = p.thrown, p.drains, p.draining, p.drain
	dst.cell, dst.cells, dst.tracker, dst.white, dst.pouring, dst.poured, dst.dropped, dst.dice, dst.time = p.cell, p.cells, p.tracker, p.white, p.pouring, p.poured, p.dropped, p.dice, p.time
}

// Hash is the bodies'.
func (p *Pool) Hash() uint64 { return p.world.Hash() }

// Save writes the pool, but for the liquid.
func (p *Pool) Save(w io.Writer) error {
	s := saved{Scene: Scene, Cell: p.cell, Cells: p.cells, Tracker: p.tracker, White: p.white, Time: p.time, Pouring: p.pouring, Poured: p.poured, Dropped: p.dropped, Thrown: p.thrown, Drains: p.drains, Draining: p.draining, Toys: []savedToy{}}
	for _, t := range p.Toys {
		s.Toys = append(s.Toys, savedToy{t.name, t.Body.ID(), t.submerged})
	}
	var err error
	if s.Dice, err = p.dice.MarshalBinary(); err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(&s); err != nil {
		return err
	}
	return p.world.Save(w)
}

// Restore makes the pool of a dump as it was when its state was taken. So many workers share a step; 0 means one per processor.
func Restore(d *fluidtrace.Dump, workers int) (*Pool, error) {
	f, err := os.Open(filepath.Join(d.Dir, fluidtrace.GameFile))
	if err != nil {
		return nil, fmt.Errorf("the dump is not of a pool: %w", err)
	}
	defer f.Close()
	p, err := load(f, workers)
	if err != nil {
		return nil, err
	}
	if err := d.Restore(p.liquid); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Replay repeats a step of a dump, after the inputs that preceded it.
func (p *Pool) Replay(t *fluidtrace.StepRecord) (fluid.Report, error) {
	for _, note := range t.Notes {
		if err := p.Do(note); err != nil {
			return fluid.Report{}, err
		}
	}
	r, err := t.Replay(p.liquid)
	p.Advanced()
	return r, err
}

// load makes the pool that Save wrote, of a liquid that is to be restored still.
func load(r io.Reader, workers int) (*Pool, error) {
	in := bufio.NewReaderSize(r, longestSaved)
	var s saved
	line, err := in.ReadSlice('\n')
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil || s.Scene != Scene {
		return nil, fmt.Errorf("not a pool that was saved: scene %q: %w", s.Scene, err)
	}
	if !(s.Cell >= Finest && s.Cell <= Coarsest) {
		return nil, fmt.Errorf("a saved pool has cells of %v m; must be %v to %v", s.Cell, Finest, Coarsest)
	}
	p, err := New(fluid.Def{CellSize: s.Cell, Discretisation: s.Cells, Tracker: s.Tracker, WhiteWater: s.White, Resources: fluid.Resources{Workers: workers}}, 0)
	if err != nil {
		return nil, err
	}
	if err := p.become(&s, in); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// become makes a new pool what was saved.
func (p *Pool) become(s *saved, world io.Reader) error {
	if err := p.world.Restore(world); err != nil {
		return err
	}
	if s.Thrown < 0 || s.Drains < 0 || s.Drains > mostDrains || s.Draining && s.Drains == 0 {
		return fmt.Errorf("a saved pool with %d throws and %d drains", s.Thrown, s.Drains)
	}
	for n := range s.Drains {
		if err := p.turnDrain(); err != nil {
			return err
		}
		if n < s.Drains-1 || !s.Draining {
			if err := p.turnDrain(); err != nil {
				return err
			}
		}
	}
	p.thrown = s.Thrown
	if s.Dropped < 0 || s.Dropped > len(programme) || len(s.Toys) > most {
		return fmt.Errorf("a saved pool with %d toys, %d of %d by the programme", len(s.Toys), s.Dropped, len(programme))
	}
	for _, t := range s.Toys {
		def, known := named(t.Name)
		body := p.world.Body(t.Body)
		if !known || !body.Valid() {
			return fmt.Errorf("a saved pool with %q as body %d, which is none", t.Name, t.Body)
		}
		p.Toys = append(p.Toys, Toy{def, body, t.Submerged})
	}
	p.time, p.pouring, p.poured, p.dropped, p.grabBody = s.Time, s.Pouring, s.Poured, s.Dropped, findGrabBody(p.world)
	return p.dice.UnmarshalBinary(s.Dice)
}

// named is what of the programme has that name.
func named(name string) (toyDef, bool) {
	for _, d := range programme {
		if d.name == name {
			return d, true
		}
	}
	return toyDef{}, false
}

// Box makes a black box for the pool, which fills in what FlightRecorderOptions need of it and notes what is done to it.
func (p *Pool) Box(o fluidtrace.FlightRecorderOptions) (*fluidtrace.FlightRecorder, error) {
	o.Liquid, o.Game = p.liquid, fluidtrace.GameSnapshots(p)
	box, err := fluidtrace.NewFlightRecorder(o)
	if err == nil {
		p.OnInput = box.Note
	}
	return box, err
}
