package fluid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Fill puts liquid into a shape. The part outside of the domain or within solids is ignored.
func (l *Liquid) Fill(s SDF) error {
	if err := validateSDF(s); err != nil {
		return fmt.Errorf("fluid: Fill: %w", err)
	}
	l.volumes.ledger.FilledL += max(0, l.edit(l.throughWalls(s), l.fillOpen))
	return nil
}

// fillOpen adds a shape to the level set, but not one that is wholly in solids: when they go, nothing may come of it that was never
// booked. The surface of others goes on in solids as it would without them.
func (l *Liquid) fillOpen(f func(dst []float32, pts []r3.Vec), box r3.Box) {
	w, phi, wet := &l.world, l.set.Phi, float32(l.def.CellSize/2)
	w.before = append(w.before[:0], phi...)
	l.set.SetBox(f, box)
	l.clearBeyond()
	for c, open := range l.solids.Volume {
		if open > 0 && phi[c] < w.before[c] && phi[c] < wet {
			return
		}
	}
	copy(phi, w.before)
}

// leaveAir takes the liquid out of where an obstacle was, whose level set goes on in solids, if the ledger is right then: but what
// an obstacle has pressed out and that has not come back elsewhere, since there was no room or no time, is there again.
func (l *Liquid) leaveAir(gone SDF) {
	w, drift := &l.world, 0.
	l.edit(l.throughWalls(gone), func(f func(dst []float32, pts []r3.Vec), box r3.Box) {
		drift = l.Ledger().DriftL
		w.before = append(w.before[:0], l.set.Phi...)
		l.set.SubtractBox(f, box)
	})
	if math.Abs(drift) <= math.Abs(l.Ledger().DriftL) {
		copy(l.set.Phi, w.before)
		l.publishEdit()
	}
}

// Drain takes the liquid out of a shape.
func (l *Liquid) Drain(s SDF) error {
	if err := validateSDF(s); err != nil {
		return fmt.Errorf("fluid: Drain: %w", err)
	}
	l.volumes.ledger.DrainedL += max(0, -l.edit(l.throughWalls(s), l.set.SubtractBox))
	return nil
}

// editPlans is how many plans after an edit set levels at once. While blocks are coarse, the surface
// seems nearer to them than it is, so that the first plans ask for too much.
const editPlans = 5

// edit merges a shape into the level set, with fine cells along its surface, and returns by how
// many litres the liquid grew. That may have the wrong sign by what the distance's rounding is worth.
func (l *Liquid) edit(s SDF, merge func(f func(dst []float32, pts []r3.Vec), box r3.Box)) float64 {
	l.refineAt(s)
	before := l.volumes.ledger.HeldL
	merge(s.Eval, s.Bounds())
	l.clearBeyond()
	l.absorbDroplets(s)
	l.publishEdit()
	l.sizer.Restart(editPlans)
	return l.volumes.ledger.HeldL - before
}

// publishEdit makes the level set, from outside of a step, the state that the next one begins with.
func (l *Liquid) publishEdit() {
	l.disturb()
	l.set.Publish()
	l.dropMarkers()
	l.resurvey()
	l.volumes.begin()
	l.out.stale = true
}

// clearBeyond takes away what an edit put beyond open sides, unbooked.
func (l *Liquid) clearBeyond() {
	drained := l.volumes.ledger.DrainedL
	l.spill()
	l.volumes.ledger.DrainedL = drained
	l.volumes.gained = l.volumes.gained[:0]
}

// absorbDroplets takes away the droplets within a shape: it is full of liquid, or of air, now.
func (l *Liquid) absorbDroplets(s SDF) {
	d := &l.set.Markers.Droplets
	pts := l.world.pts[:0]
	for i := range d.Radius {
		x := d.Position[3*i:]
		pts = append(pts, r3.Vec{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])})
	}
	l.world.pts, l.world.dist = pts, resize(l.world.dist, len(pts))
	s.Eval(l.world.dist, pts)
	kept := 0
	for i, r := range d.Radius {
		if l.world.dist[i] < 0 {
			d.Volume -= float64(4. / 3 * math.Pi * float64(r) * float64(r) * float64(r))
			continue
		}
		copy(d.Position[3*kept:][:3], d.Position[3*i:])
		copy(d.Velocity[3*kept:][:3], d.Velocity[3*i:])
		d.Radius[kept] = r
		kept++
	}
	d.Position, d.Velocity, d.Radius = d.Position[:3*kept], d.Velocity[:3*kept], d.Radius[:kept]
	if kept == 0 {
		d.Volume = 0 // and with it what rounding left
	}
}

// dropMarkers drops the markers of liquid that is no more: they would put it back.
func (l *Liquid) dropMarkers() {
	m := l.set.Markers
	for i, p := range m.Position {
		if m.Radius[i] < 0 && l.set.Tiles.At(p) >= 0 {
			m.Radius[i] = 0
		}
	}
}
