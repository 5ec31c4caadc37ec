package fluid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/droplets"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// leastDue, m³, is the least that leaves an emitter that is removed.
const leastDue = 1e-9

// betweenSteps stands for the number of a substep.
const betweenSteps = 255

// releaseDebt lets what is due from an emitter that is removed fall.
func (l *simulation) releaseDebt(e *emitter, id uint64) {
	if !(e.debt >= leastDue) {
		return
	}
	l.rereadSolids()
	if o := l.sources.Opening(e.opening()); o != nil {
		due := e.debt
		l.releaseDrops(e, o.Place(), id, betweenSteps)
		l.ledger.HeldL += (due - e.debt) / litre
		if !l.out.stale {
			l.takeDroplets()
		}
	}
}

// releaseDrops makes drops of what is due from an emitter in a substep, side by side in its opening, of which it gives the middle.
func (l *simulation) releaseDrops(e *emitter, middle r3.Vec, id uint64, substep int) {
	seed := id ^ droplets.Shuffled(uint64(l.out.steps)<<8^uint64(substep))
	if !l.world.drops.Release(e.opening(), middle, e.debt, e.Velocity, seed, (*dropSurroundings)(l)) {
		l.warn("AddEmitter", "too many drops of emitters are under way; what else is due waits until there are fewer")
		return
	}
	l.ledger.EmittedL += e.debt / litre
	e.debt = 0
}

// advanceDrops moves the drops of emitters on by dt seconds.
func (l *simulation) advanceDrops(dt float64) {
	d, around := &l.world.drops, (*dropSurroundings)(l)
	some := len(d.All) > 0
	d.Fall(dt, around)
	if !some {
		return
	}
	for i := range d.Left {
		l.ledger.DrainedL += d.Left[i].Volume / litre
	}
	for i := range d.Joined {
		l.volumes.GainAt(d.Joined[i].X, d.Joined[i].Volume)
	}
	d.Settle(around)
	l.takeDrops()
}

// joinReach, in finest cells, is how far from a drop that meets liquid that liquid grows.
const joinReach = 1.5

// joinDrops has the liquid around grow by the drops that met it.
func (l *simulation) joinDrops(rows []float64) {
	d := &l.world.drops
	for i := range d.Joined {
		l.sources.Join(d.Joined[i].X, joinReach*l.def.CellSize, d.Joined[i].Volume/l.step.dt, rows)
	}
}

// leaveFilm leaves what the ledger misses lying in drops where liquid was a step ago, if the grid holds none any more: it has spread to a film
// that no cell can tell.
func (l *simulation) leaveFilm() {
	d := &l.world.drops
	missing := -l.account().DriftL * litre
	if !(missing >= droplets.LeastVolume) {
		return
	}
	whole, count := 0., 0
	l.volumes.EachFormer(func(room float64, _ r3.Vec) { whole, count = whole+room, count+1 })
	if count == 0 || !d.HasRoom(count) {
		return
	}
	l.volumes.EachFormer(func(room float64, x r3.Vec) { d.Add(x, r3.Vec{}, missing*room/whole) })
	l.ledger.HeldL += missing / litre
}

// dropSurroundings are what acts on the drops of a liquid's emitters.
type dropSurroundings simulation

// Acceleration is what gravity and the fields accelerate liquid by at a place, m/s².
func (s *dropSurroundings) Acceleration(x r3.Vec) r3.Vec { return (*simulation)(s).accelerationAt(x) }

// InLiquid tells which places, m, are in liquid.
func (s *dropSurroundings) InLiquid(dst []bool, pts []r3.Vec) { s.sources.InLiquid(dst, pts) }

// Fill puts drops' volume, m³, into the grid around a place, and returns what it took on.
func (s *dropSurroundings) Fill(x r3.Vec, volume float64) float64 {
	return s.sources.FillAround(x, volume)
}

// SolidDistance is how far a place is from the nearest closed side of the domain, obstacle or body, m, at least.
func (s *dropSurroundings) SolidDistance(x r3.Vec) float64 {
	l := (*simulation)(s)
	d, probe := l.sideDistance(reproducible.Array(x)), &l.world.probe
	for _, s := range l.world.obstacles.StaticShapes() {
		if b := s.Bounds(); distanceOutside(&b, x) < d {
			d = min(d, probe.Distance(s.Eval, x))
		}
	}
	for i := range l.coupling.Solids {
		if s := &l.coupling.Solids[i]; distanceOutside(&s.Bounds, x) < d {
			d = min(d, probe.Distance(s.Distance, x))
		}
	}
	return d
}

// distanceOutside is how far a place is outside of a box, m, at least; 0 if it is in it.
func distanceOutside(b *r3.Box, x r3.Vec) float64 {
	return max(0, b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}
