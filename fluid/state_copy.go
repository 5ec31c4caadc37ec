package fluid

import (
	"errors"
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// Hash is a fingerprint of all that decides the steps to come: liquids that go on alike, with the same calls, plans and bodies, have equal hashes, on
// every machine, for any build and for any number of workers. Two that differ in a bit have different ones, but for one pair in 2⁶⁴. It takes a third
// of what CopyTo takes, and does not allocate once there was as much state.
//
// Shapes of a game's own, and bodies of its own engine, must be as exact: what the compiler fuses, for GOAMD64=v3 and for
// arm64, it rounds otherwise, unless products are converted, as in float64(x*y) + z. Package reproducible has what they need.
//
// What the clock has taught the budget doesn't count: runs within a budget in wall time have equal hashes as long as
// their plans are the same (Replay).
func (l *Liquid) Hash() uint64 {
	defer l.enter(&callguard.Hash).leave()
	c := &l.sim.codec
	c.Write()
	l.sim.codeAlike(c)
	for p, code := range addedParts {
		if l.sim.hasAdded(p) {
			code(&l.sim, c)
		}
	}
	return codec.Checksum(0, c.Bytes())
}

// CopyTo makes dst what l is: the same calls then give the same bits in both, and copied back it undoes what has
// happened since. It does not allocate once dst has held as much.
//
// dst must come from New with the same Def but for Budget, Workers, MaxMemory, WhiteWater, SurfaceWaves, gravity and material; an error says what differs, and dst is
// as it was. Emitters, sinks, fields, obstacles and controls become those of l, shapes and Clips shared. Bodies are the game's to copy: dst
// stays coupled to its own, which must be what those of l are already, under the same indices and IDs, or the error says which are
// not; physics.World.CopyTo does that. Events are not copied, nor is a plan that waits for the next step (Replay); hashes differ where WhiteWater does.
func (l *Liquid) CopyTo(dst *Liquid) error {
	defer l.enter(&callguard.CopyTo).leave()
	if dst == l {
		return nil
	}
	if dst == nil {
		return errors.New("fluid: CopyTo: there is no liquid to copy to")
	}
	defer dst.enter(&callguard.IntoCopy).leave()
	to, from := &dst.sim.codec, &l.sim.codec
	from.Write()
	l.sim.def.code(from, &l.sim.can)
	to.Check(from.Bytes(), version)
	dst.sim.def.code(to, &dst.sim.can)
	if err := to.End(); err != nil {
		return fmt.Errorf("fluid: CopyTo: %w", err)
	}
	if err := l.sim.around.Coupling.SameBodies(dst.sim.around.Coupling); err != nil {
		return fmt.Errorf("fluid: CopyTo: %w", err)
	}
	from.Write()
	l.sim.code(from)
	dst.sim.def.Budget = l.sim.def.Budget
	l.sim.around.Flows.CopyTo(dst.sim.around.Flows)
	l.sim.around.Controls.CopyTo(&dst.sim.around.Controls)
	if l.sim.copySurroundings(&dst.sim) {
		dst.sim.updateStaticObstacles()
	}
	dst.guard.Reading = true
	to.Read(from.Bytes(), version)
	dst.sim.code(to)
	l.sim.vacated.CopyTo(&dst.sim.vacated)
	l.sim.around.Obstacles.CopyFaults(dst.sim.around.Obstacles)
	l.sim.record.causes.CopyTo(&dst.sim.record.causes)
	l.sim.out.detail.copyTo(dst.sim.out.detail)
	return to.End()
}

// copySurroundings makes dst have the fields and obstacles of l, and all its IDs. It tells whether the obstacles that stand still are others.
func (l *simulation) copySurroundings(dst *simulation) (restacks bool) {
	l.ids.emitters.CopyTo(&dst.ids.emitters)
	l.ids.sinks.CopyTo(&dst.ids.sinks)
	l.ids.fields.CopyTo(&dst.ids.fields)
	l.ids.obstacles.CopyTo(&dst.ids.obstacles)
	l.ids.controls.CopyTo(&dst.ids.controls)
	l.around.Fields.CopyTo(&dst.around.Fields)
	return l.around.Obstacles.CopyTo(dst.around.Obstacles)
}
