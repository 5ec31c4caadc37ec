package fluid

import (
	"errors"
	"fmt"
	"io"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// The versions of the format: that which is written, and the oldest that is read.
const (
	version = 12
	oldest  = 1
)

// ErrNotSaved says that what Restore was given is not what Save wrote, or only a part of it, or was damaged.
var ErrNotSaved = codec.ErrNotSaved

// Save writes the state for Restore to go on from. What it writes has a version and a checksum, and is compressed.
//
// Shapes are code and aren't written, bodies neither: both are the game's. Events, and a plan that waits for the next
// step (Replay), are not part of the state.
func (l *Liquid) Save(w io.Writer) error {
	defer l.enter(&callguard.Save).leave()
	if w == nil {
		return errors.New("fluid: Save: there is nothing to write to")
	}
	c := &l.sim.codec
	c.Write()
	l.sim.code(c)
	return save(w, c.Bytes())
}

// save writes a state as a file.
func save(w io.Writer, state []byte) error {
	file, err := codec.Pack(state, version)
	if err == nil {
		_, err = w.Write(file)
	}
	if err != nil {
		return fmt.Errorf("fluid: Save: %w", err)
	}
	return nil
}

// Restore makes the state what it was when it was saved; the same calls then give the same bits as they would have then.
// It reads no more than Save wrote. An error says what is wrong, and leaves the liquid as it was.
//
// First the game makes what it can't read: a liquid with the same Def but for Budget, Workers, MaxMemory, WhiteWater, SurfaceWaves, gravity and material, with as many
// emitters, sinks, fields, obstacles and controls, added in the same order, and coupled to bodies under the same indices and IDs, restored before it.
// Those that were removed don't count, and ids stay what they are. Restore compares the bounds of shapes, the kinds of fields and the
// bodies' IDs; where all are and how they move, rates, which emitters run, and the view are restored. Until the next step VolumeIn and
// DensityIn don't know which room bodies take. The budget stays what it is: it's the machine's. With another WhiteWater the hash is another one.
func (l *Liquid) Restore(r io.Reader) error {
	defer l.enter(&callguard.Restore).leave()
	if r == nil {
		return errors.New("fluid: Restore: there is nothing to read from")
	}
	data, made, err := codec.Unpack(r, oldest, version, uint64(l.sim.most()))
	if err != nil {
		return fmt.Errorf("fluid: Restore: %w", err)
	}
	c := &l.sim.codec
	c.Check(data, made)
	l.sim.code(c)
	if err := c.End(); err != nil {
		return fmt.Errorf("fluid: Restore: %w", err)
	}
	l.guard.Reading = true
	c.Read(data, made)
	l.sim.code(c)
	return c.End()
}

// most is more bytes than the state can have: those of grid, surface and white water, and some for bodies.
func (l *simulation) most() int { return l.solver.Most() + l.whiteWater.Bytes() + 16<<20 }
