package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/internal/walls"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Taps whose rate is too low for the grid let drops out. They move freely under gravity until they join the liquid, leave through an open side, or
// lie on a solid. Those that lie close to each other run together, and become liquid on the grid as soon as it can hold them. Their liquid
// counts as held from the start.

// tapDrop is a sphere of liquid.
type tapDrop struct {
	x, v   r3.Vec  // m, m/s
	volume float64 // m³
}

// drops are those of the taps, in the order in which they came.
type drops struct {
	all    []tapDrop
	kept   []tapDrop   // before the substep
	volume float64     // of all, m³
	joined []tapDrop   // that met liquid in the substep
	lying  []int32     // of all: those that lie on something
	head   []int32     // per base cell: the last of lying there, or -1
	next   []int32     // per place in lying: the one before it in the same base cell, or -1
	pts    [1]r3.Vec   // scratch of distanceOf
	dist   [1]float32  // likewise
	spot   shapes.Ball // scratch of poolDrops
	heap   []float64   // likewise, per base cell: what lies there, m³
}

const (
	// maxDrops is the most drops. Then taps owe what they would let out.
	maxDrops = 20_000
	// dropsPerSecond is the most drops a tap lets out in a second, as long as dropEdge allows, and leastDrop, m³, the least drop: a twentieth
	// of a millilitre drips from a tap.
	dropsPerSecond = 120
	leastDrop      = 5e-8
	// leastPaid, m³, is the least that a tap which is removed lets out.
	leastPaid = 1e-9
	// dropEdge, in finest cells, is the edge of a cube as large as the largest drop that leaves a tap, if that is no more than mostDrops at once.
	dropEdge  = .6
	mostDrops = 16
	// puddleEdge, in finest cells, is the edge of a cube as large as the least that the grid takes on from drops that lie within puddleReach
	// cells of one.
	puddleEdge, puddleReach = .95, 1.5
	// lyingSpeed, m/s, is the greatest speed of a drop on a solid that others may run together with, and restingSpeed that of one that stays.
	lyingSpeed, restingSpeed = .1, 1e-3
	// slideTime, s, is how long a drop slides on a wet solid before its speed has halved.
	slideTime = .05
)

// add adds a drop.
func (d *drops) add(x, v r3.Vec, volume float64) {
	d.all = append(d.all, tapDrop{x, v, volume})
	d.volume += volume
}

// measure adds up the volume.
func (d *drops) measure() {
	d.volume = 0
	for i := range d.all {
		d.volume += d.all[i].volume
	}
}

// moving tells whether some drop moves.
func (d *drops) moving() bool {
	for i := range d.all {
		if d.all[i].v != (r3.Vec{}) {
			return true
		}
	}
	return false
}

// drip lets a tap have what it owes fall from its mouth in drops.
func (l *Liquid) drip(e *emitter, mouth SDF, deep *mouthCell, id uint64) {
	if e.debt >= max(leastDrop, float64(e.Rate*litre)/dropsPerSecond) {
		l.letOut(e, mouth, deep, id, l.step.report.Substeps)
	}
}

// payOff lets a tap that is removed have what it owes fall.
func (l *Liquid) payOff(e *emitter, id uint64) {
	if !(e.debt >= leastPaid) {
		return
	}
	l.rereadSolids()
	mouth := e.mouth()
	if deep, ok := l.readMouth(mouth); ok {
		paid := e.debt
		l.letOut(e, mouth, &deep, id, betweenSteps)
		l.ledger.HeldL += (paid - e.debt) / litre
		if !l.out.stale {
			l.takeDroplets()
		}
	}
}

// betweenSteps stands for the number of a substep.
const betweenSteps = 255

// letOut makes drops of what a tap owes in a substep, side by side in its mouth.
func (l *Liquid) letOut(e *emitter, mouth SDF, deep *mouthCell, id uint64, substep int) {
	d, edge := &l.world.drops, dropEdge*l.def.CellSize
	n := int(max(1, min(mostDrops, math.Ceil(e.debt/float64(edge*edge*edge)))))
	if len(d.all)+n > maxDrops {
		l.warn("AddEmitter", "too many drops of taps are under way; what else is due waits until there are fewer")
		return
	}
	seed := shuffled(id ^ shuffled(uint64(l.out.steps)<<8^uint64(substep)))
	each := e.debt / float64(n)
	for k := range n {
		d.add(l.placeIn(mouth, deep.centre, seed+uint64(k)), e.Velocity, each)
	}
	l.ledger.EmittedL += e.debt / litre
	e.debt = 0
}

// shuffled is a number whose bits depend on all of those of another.
func shuffled(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// placeIn is a place in a mouth where there is no solid, chosen by a seed, or else the middle.
func (l *Liquid) placeIn(mouth SDF, middle r3.Vec, seed uint64) r3.Vec {
	const tries = 8
	box := l.inDomain(mouth.Bounds())
	size := r3.Sub(box.Max, box.Min)
	l.m.Pts, l.m.Dist = l.m.Pts[:0], arrays.Resize(l.m.Dist, tries)
	for range tries {
		seed = shuffled(seed)
		part := func(bits uint64) float64 { return float64(bits&(1<<20-1)) / (1 << 20) }
		l.m.Pts = append(l.m.Pts, r3.Vec{X: box.Min.X + float64(part(seed)*size.X), Y: box.Min.Y + float64(part(seed>>20)*size.Y), Z: box.Min.Z + float64(part(seed>>40)*size.Z)})
	}
	mouth.Eval(l.m.Dist, l.m.Pts)
	for i, x := range l.m.Pts {
		if l.m.Dist[i] < 0 && boxes.Contains(box, x) && l.distanceToSolids(x) > 0 {
			return x
		}
	}
	return middle
}

// dropsFall moves the drops on by dt seconds.
func (l *Liquid) dropsFall(dt float64) {
	d := &l.world.drops
	d.joined = d.joined[:0]
	if len(d.all) == 0 {
		return
	}
	d.lying = d.lying[:0]
	n := 0
	for i := range d.all {
		p := d.all[i]
		lies := l.moveDrop(&p, dt)
		switch {
		case !boxes.Contains(l.def.Domain, p.x):
			l.ledger.DrainedL += p.volume / litre
			continue
		case l.m.Set.Phi[l.m.CellAt(reproducible.Array(p.x))] < 0:
			d.joined = append(d.joined, p)
			l.m.GainAt(p.x, p.volume)
			continue
		case lies:
			d.lying = append(d.lying, int32(n))
		}
		d.all[n] = p
		n++
	}
	d.all = d.all[:n]
	l.runTogether()
	l.poolDrops()
	d.sweep()
	d.measure()
	l.drainDrops()
}

// drainDrops has drains take the drops in them.
func (l *Liquid) drainDrops() {
	d, took := &l.world.drops, false
	for _, s := range l.world.sinks {
		mouth := s.mouth()
		box, left := mouth.Bounds(), float64(s.rate*litre*l.m.Dt)
		for i := range d.all {
			if p := &d.all[i]; left > 0 && boxes.Contains(box, p.x) && d.distanceOf(mouth.Eval, p.x) < 0 {
				part := min(left, p.volume)
				p.volume, left, took = p.volume-part, left-part, true
				s.took += part
			}
		}
		l.ledger.DrainedL += s.took / litre
	}
	if took {
		d.sweep()
		d.measure()
	}
}

// keepTaps notes what a substep that goes wrong is to leave as it was.
func (l *Liquid) keepTaps() {
	w := &l.world
	w.drops.kept = append(w.drops.kept[:0], w.drops.all...)
	for _, e := range w.emitters {
		e.before = e.debt
	}
	for _, s := range w.sinks {
		s.before, s.took = s.debt, 0
	}
}

// restoreTaps takes back what taps, drains and drops did in a substep.
func (l *Liquid) restoreTaps() {
	w := &l.world
	w.drops.all = append(w.drops.all[:0], w.drops.kept...)
	w.drops.measure()
	for _, e := range w.emitters {
		e.debt = e.before
	}
	for _, s := range w.sinks {
		s.debt = s.before
	}
}

// moveDrop moves a drop by its velocity, along solids where it meets them, and gives it what accelerates it. It tells whether it lies on one.
func (l *Liquid) moveDrop(p *tapDrop, dt float64) (lies bool) {
	gap := float64(walls.Gap * l.def.CellSize)
	a := l.accelerationAt(p.x)
	if d := l.distanceToSolids(p.x); d <= float64(1.5*gap) {
		normal := l.normalOfSolids(p.x)
		if d < gap { // else its way along the solid would end at once
			p.x = r3.Add(p.x, reproducible.Scale(min(gap-d, l.def.CellSize), normal))
		}
		p.v, a = slideAlong(p.v, normal), slideAlong(a, normal)
		p.v = reproducible.Scale(1/(1+dt/slideTime), p.v)
		speed := reproducible.Norm(p.v)
		if lies = speed < lyingSpeed; speed < restingSpeed && reproducible.Norm(a) < restingSpeed/dt {
			p.v, a = r3.Vec{}, r3.Vec{}
		}
	}
	p.x = l.stopAtSolids(p.x, reproducible.Scale(dt, p.v), gap/2)
	p.v = r3.Add(p.v, reproducible.Scale(dt, a))
	if speed := reproducible.Norm(p.v); speed > maxMotion {
		p.v = reproducible.Scale(maxMotion/speed, p.v)
	}
	return lies
}

// slideAlong is a vector without what of it leads into a solid that has a normal.
func slideAlong(v, normal r3.Vec) r3.Vec {
	return r3.Sub(v, reproducible.Scale(min(0, reproducible.Dot(v, normal)), normal))
}

// stopAtSolids is where a way from x ends: where it leads to, or before it comes as near to a solid as gap, m.
func (l *Liquid) stopAtSolids(x, way r3.Vec, gap float64) r3.Vec {
	long := reproducible.Norm(way)
	if long == 0 {
		return x
	}
	const most = 64
	done := 0.
	for range most {
		d := l.distanceToSolids(r3.Add(x, reproducible.Scale(done/long, way)))
		if d <= gap {
			break
		}
		if done += d - float64(gap/2); done >= long {
			return r3.Add(x, way)
		}
	}
	return r3.Add(x, reproducible.Scale(done/long, way))
}

// distanceToSolids is how far a place is from the nearest closed side of the domain, obstacle or body, m, at least.
func (l *Liquid) distanceToSolids(x r3.Vec) float64 {
	d := l.sideDistance(reproducible.Array(x))
	for _, s := range l.world.static.Shapes() {
		if b := s.Bounds(); outOf(&b, x) < d {
			d = min(d, l.world.drops.distanceOf(s.Eval, x))
		}
	}
	for i := range l.coupling.solid {
		if s := &l.coupling.solid[i]; outOf(&s.Bounds, x) < d {
			d = min(d, l.world.drops.distanceOf(s.Distance, x))
		}
	}
	return d
}

// distanceOf is the distance of a place from a solid, m; infinite if the solid tells none.
func (d *drops) distanceOf(solid func([]float32, []r3.Vec), x r3.Vec) float64 {
	d.pts[0] = x
	solid(d.dist[:], d.pts[:])
	if v := float64(d.dist[0]); finite(v) {
		return v
	}
	return math.Inf(1)
}

// outOf is how far a place is outside of a box, m, at least; 0 if it is in it.
func outOf(b *r3.Box, x r3.Vec) float64 {
	return max(0, b.Min.X-x.X, x.X-b.Max.X, b.Min.Y-x.Y, x.Y-b.Max.Y, b.Min.Z-x.Z, x.Z-b.Max.Z)
}

// normalOfSolids is the direction out of the nearest solid.
func (l *Liquid) normalOfSolids(x r3.Vec) r3.Vec {
	h := .05 * l.def.CellSize
	slope := func(v r3.Vec) float64 {
		return l.distanceToSolids(r3.Add(x, v)) - l.distanceToSolids(r3.Sub(x, v))
	}
	n := r3.Vec{X: slope(r3.Vec{X: h}), Y: slope(r3.Vec{Y: h}), Z: slope(r3.Vec{Z: h})}
	if long := reproducible.Norm(n); long > 0 && !math.IsInf(long, 1) {
		return reproducible.Scale(1/long, n)
	}
	return l.upAt(x)
}

// joinDrops has the liquid around grow by the drops that met it.
func (l *Liquid) joinDrops(rows []float64) {
	w, gr := &l.world, &l.graph
	for i := range w.drops.joined {
		p := &w.drops.joined[i]
		w.rows = w.rows[:0]
		total, reach := 0., 1.5*l.def.CellSize
		l.m.EachBase(boxes.Grown(r3.Box{Min: p.x, Max: p.x}, reach), func(b int32) {
			for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
				if arm := r3.Sub(reproducible.Vector(gr.Centre[r]), p.x); reproducible.Dot(arm, arm) < float64(reach*reach) && !l.solver.Closed[l.solver.Label[r]] {
					w.rows = append(w.rows, r)
					total += float64(gr.Volume[r])
				}
			}
		})
		for _, r := range w.rows {
			rows[r] += p.volume / l.m.Dt * float64(gr.Volume[r]) / total
		}
	}
}

// absorbDrops takes away the drops within a shape that an edit has made liquid or air of.
func (l *Liquid) absorbDrops(s SDF) {
	d := &l.world.drops
	if len(d.all) == 0 {
		return
	}
	l.m.Pts = l.m.Pts[:0]
	for i := range d.all {
		l.m.Pts = append(l.m.Pts, d.all[i].x)
	}
	l.m.Dist = arrays.Resize(l.m.Dist, len(l.m.Pts))
	s.Eval(l.m.Dist, l.m.Pts)
	for i := range d.all {
		if l.m.Dist[i] < 0 {
			d.all[i].volume = 0
		}
	}
	d.sweep()
	d.measure()
}

// radius is that of the sphere, m.
func (p *tapDrop) radius() float64 { return reproducible.Cbrt(p.volume * 3 / (4 * math.Pi)) }
