package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/adaptive"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// A tap puts liquid into its mouth as its rate allows, and presses out what a full mouth can't take. Where that is too little for all of the
// mouth, it fills a ball in its middle, and where it is too little for that within patience, drops leave the mouth. A mouth or a drain that is
// too thin for the grid is grown.

// mouthDepth, in cells, is how deep a cell's centre must be in what a tap puts out for the grid to
// keep it.
const mouthDepth = .75

// mouthSlack is the part of what a tap gives in a substep that its mouth may take on too early.
const mouthSlack = .05

// patience, s, is how long a tap may owe what comes before the grid can hold it.
const patience = .2

// mouthCell is a cell in or around a mouth.
type mouthCell struct {
	cell        int32
	dist        float32 // from the shape, m
	edge        float32 // m
	before      float32 // φ before fillMouth, m
	centre      r3.Vec  // m
	fromDeepest float64 // from the deepest cell's centre, m: see measureFromDeepest
}

// filling is what of a mouth is filled: what is in the shape grown by grow, m, and in a ball around the deepest cell, of radius ball, m.
type filling struct{ grow, ball float64 }

// distance is that of a cell's centre from what is filled, m.
func (f filling) distance(c *mouthCell) float32 {
	d := c.dist - float32(f.grow)
	if math.IsInf(f.ball, 1) {
		return d
	}
	return max(d, float32(c.fromDeepest-f.ball))
}

// applyEmitters lets the open taps run for a substep.
func (l *Liquid) applyEmitters() {
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	w := &l.world
	for i, e := range w.emitters {
		if !e.running {
			continue
		}
		id := w.ids.emitters.ids[i]
		cell, put := l.applyEmitter(e, uint64(id))
		if cell == grid.None {
			e.debt, e.push = 0, 0
			l.out.ev.Blocked = append(l.out.ev.Blocked, EmitterID(id))
			continue
		}
		if put > 0 {
			l.ledger.EmittedL += put / litre
			l.m.Volumes.Gain(cell, put)
		}
	}
}

// applyEmitter lets one tap put what its rate gives, and what it owes, into its mouth. It returns the
// deepest cell of the mouth, or None if the mouth is not open, and what it put there, m³.
//
// What a mouth takes on is measured as the ledger measures it, and so need not be what was owed: the debt keeps the difference.
func (l *Liquid) applyEmitter(e *emitter, id uint64) (cell int32, put float64) {
	mouth := e.mouth()
	deep, ok := l.readMouth(mouth)
	if !ok {
		return grid.None, 0
	}
	all := filling{max(0, deep.depth(mouthDepth)), math.Inf(1)}
	e.grow, e.push = all.grow, 0
	_, whole := l.roomIn(all)
	volume := e.Rate * litre * l.m.Dt
	if volume > whole {
		l.warn("EmitterDef.Shape", "a tap's mouth is too small for its rate: it lets through what it holds in a substep")
		volume = whole
	}
	e.debt += volume
	took, needed := l.pourInto(mouth, &deep, all, e.debt, float64(mouthSlack*volume))
	switch {
	case needed > 0:
		if needed > float64(patience*e.Rate*litre) {
			l.drip(e, mouth, &deep, id)
		}
		return deep.cell, 0
	case took < e.debt && l.m.InSealedComponent(deep.cell):
		l.emptyMouth()
		return grid.None, 0
	case took < e.debt:
		put = max(0, min(e.debt-took, volume))
		e.push = put / l.m.Dt
	}
	put += took
	e.debt -= put
	return deep.cell, put
}

// pourInto fills a mouth that has been read with what is owed, m³, or more by up to slack: all of it, or as much of it as that is enough for.
// It returns what it put there. If it is enough for nothing that the grid keeps it returns, roughly, how much is needed instead.
func (l *Liquid) pourInto(mouth SDF, deep *mouthCell, all filling, owed, slack float64) (took, needed float64) {
	room, _ := l.roomIn(all)
	l.m.OpenTally(boxes.Grown(mouth.Bounds(), 2*l.def.CellSize))
	if took = l.fillMouth(all); took <= owed+slack {
		return took, 0
	}
	part := room / took
	at := float64(max(0, owed) * part) // in the terms of roomIn
	l.emptyMouth()
	least := filling{deep.depth(mouthDepth), math.Inf(1)}
	if room, _ := l.roomIn(least); room <= at {
		return l.fillMouth(l.largest(at, least, all)), 0
	}
	l.measureFromDeepest(deep)
	ball := filling{all.grow, float64(mouthDepth * float64(deep.edge))}
	room, _ = l.roomIn(ball)
	if room > at {
		return 0, room / part
	}
	return l.fillMouth(l.largest(at, ball, filling{all.grow, l.farthestFromDeepest()})), 0
}

// measureFromDeepest measures how far the mouth's cells are from the deepest one.
func (l *Liquid) measureFromDeepest(deep *mouthCell) {
	for i := range l.world.mouth {
		c := &l.world.mouth[i]
		c.fromDeepest = reproducible.Norm(r3.Sub(c.centre, deep.centre))
	}
}

// farthestFromDeepest is a ball that holds the mouth, m.
func (l *Liquid) farthestFromDeepest() (most float64) {
	for i := range l.world.mouth {
		most = max(most, l.world.mouth[i].fromDeepest)
	}
	return most + float64(2*l.def.CellSize)
}

// depth is by how much a shape must grow for the cell to be so many cells deep in it; negative if it
// must shrink.
func (m *mouthCell) depth(cells float32) float64 { return float64(m.dist + float32(cells*m.edge)) }

// readMouth lists the open cells in and around a shape in world.mouth and returns the deepest one; it
// is not ok if the shape reaches into none.
func (l *Liquid) readMouth(s SDF) (deep mouthCell, ok bool) {
	w := &l.world
	w.mouth = w.mouth[:0]
	around := 2 * l.def.CellSize
	bounds := s.Bounds()
	if !boxes.Overlap(boxes.Grown(bounds, around), l.m.Whole()) {
		return deep, false
	}
	l.m.EachBase(boxes.Grown(bounds, around), func(b int32) {
		h := float32(l.m.Grid.CellSize(l.m.Grid.Cur.Level[b]))
		pts := l.m.CentresIn(b, boxes.Grown(bounds, 2*float64(h)))
		if len(pts) == 0 {
			return
		}
		s.Eval(l.m.Dist, pts)
		for i, d := range l.m.Dist[:len(pts)] {
			c := mouthCell{cell: l.m.Cells[i], dist: d, edge: h, centre: pts[i]}
			if d > 2*h || l.m.Solids.Volume[c.cell] == 0 {
				continue
			}
			w.mouth = append(w.mouth, c)
			if d < .866*h && (!ok || c.depth(1) < deep.depth(1)) {
				deep, ok = c, true
			}
		}
	})
	return deep, ok
}

// roomIn is how much more liquid what is filled of the mouth can hold, and all that it holds, m³.
func (l *Liquid) roomIn(f filling) (room, whole float64) {
	for i := range l.world.mouth {
		c := &l.world.mouth[i]
		v := float64(l.m.Solids.Volume[c.cell])
		full, has := float64(adaptive.WetFraction(f.distance(c), c.edge)), float64(adaptive.WetFraction(l.m.Set.Phi[c.cell], c.edge))
		room += float64(v * max(0, full-has))
		whole += float64(v * full)
	}
	return room, whole
}

// largest is what is filled, between two of which one is in the other, where there is room for a volume, m³.
func (l *Liquid) largest(volume float64, least, most filling) filling {
	for range 20 {
		f := filling{(least.grow + most.grow) / 2, (least.ball + most.ball) / 2}
		if room, _ := l.roomIn(f); room <= volume {
			least = f
		} else {
			most = f
		}
	}
	return least
}

// fillMouth fills a part of the mouth and returns what it took on, m³, in the terms of the ledger.
func (l *Liquid) fillMouth(f filling) (took float64) {
	phi := l.m.Set.Phi
	for i := range l.world.mouth {
		c := &l.world.mouth[i]
		c.before = phi[c.cell]
		if d := f.distance(c); d < c.edge {
			phi[c.cell] = min(c.before, d)
		}
	}
	return l.m.CountTally()
}

// emptyMouth takes the last fillMouth back.
func (l *Liquid) emptyMouth() {
	for i := range l.world.mouth {
		c := &l.world.mouth[i]
		l.m.Set.Phi[c.cell] = c.before
	}
	l.m.CountTally()
}

// bubble, in cells, is the radius of a bubble that the grid keeps.
const bubble = 1.5

// ventSealedSinks has drains draw from liquid that no air touches, where nothing would follow what leaves: once they owe as much as
// a bubble holds they let one in, and then it is as elsewhere.
func (l *Liquid) ventSealedSinks() {
	if !slices.Contains(l.solver.Closed, true) {
		return
	}
	for _, s := range l.world.sinks {
		if !l.drainsSome(s) {
			s.debt = 0
			continue
		}
		deep, ok := l.readMouth(s.mouth())
		if !ok || !l.m.InSealedComponent(deep.cell) {
			s.debt = 0
			continue
		}
		s.debt += float64(s.rate * litre * l.m.Dt)
		if took := l.insertBubble(deep, s.debt); took > 0 {
			l.ledger.DrainedL += took / litre
			s.debt = 0
		}
	}
}

// drainsSome tells whether a drain comes near to liquid.
func (l *Liquid) drainsSome(s *sink) bool {
	box := boxes.Grown(s.mouth().Bounds(), l.m.Grid.H*grid.Edge)
	return boxes.Overlap(box, l.m.Whole()) && l.m.WetIn(box)
}

// insertBubble sets a bubble into a cell of a mouth, if it takes no more liquid than atMost, m³, and returns what it took.
func (l *Liquid) insertBubble(at mouthCell, atMost float64) (took float64) {
	l.eachIn(at, func(c int32, edge, air float32) {
		v := l.m.Set.Phi[c]
		took += float64(l.m.Solids.Volume[c] * (adaptive.WetFraction(v, edge) - adaptive.WetFraction(max(v, air), edge)))
	})
	if took > atMost {
		return 0
	}
	beside, deepest := at.cell, float32(0)
	l.eachIn(at, func(c int32, edge, air float32) {
		v := &l.m.Set.Phi[c]
		if *v = max(*v, air); *v < deepest {
			beside, deepest = c, *v
		}
	})
	l.m.Volumes.Gain(beside, -took)
	return took
}

// eachIn calls visit for the cells of the blocks that a bubble in a cell reaches, with their edges and how deep in it they are, m.
func (l *Liquid) eachIn(at mouthCell, visit func(c int32, edge, deep float32)) {
	radius := bubble * float64(at.edge)
	l.m.EachBase(boxes.Grown(r3.Box{Min: at.centre, Max: at.centre}, radius), func(b int32) {
		first, edge := l.m.Grid.Cur.First[b], float32(l.m.Grid.CellSize(l.m.Grid.Cur.Level[b]))
		for i, x := range l.m.Centres(b) {
			visit(first+int32(i), edge, float32(radius-reproducible.Norm(r3.Sub(x, at.centre))))
		}
	})
}

// setEmitterVelocity sets the velocity in the mouths of open taps.
func (l *Liquid) setEmitterVelocity() {
	gr := &l.graph
	for _, e := range l.world.emitters {
		if !e.running || e.Velocity == (r3.Vec{}) {
			continue
		}
		v := reproducible.Array(e.Velocity)
		mouth := e.mouth()
		box := boxes.Grown(mouth.Bounds(), e.grow)
		l.eachFaceIn(box, func(f int) {
			if l.within(mouth, e.grow, box, reproducible.Vector(gr.FaceCentre(f))) {
				gr.U[f] = v[gr.Axis[f]]
			}
		})
	}
}

// eachFaceIn calls visit for the graph's faces of the blocks that a box, m, reaches.
func (l *Liquid) eachFaceIn(box r3.Box, visit func(f int)) {
	l.m.EachBase(box, func(b int32) {
		for f := l.graph.Parts[b].Face; f < l.graph.Parts[b+1].Face; f++ {
			visit(int(f))
		}
	})
}

// within tells whether a point is in a shape that is grown by so much, with the box around it.
func (l *Liquid) within(s SDF, grow float64, box r3.Box, x r3.Vec) bool {
	if !boxes.Contains(box, x) {
		return false
	}
	l.m.Pts = append(l.m.Pts[:0], x)
	l.m.Dist = arrays.Resize(l.m.Dist, 1)
	s.Eval(l.m.Dist, l.m.Pts)
	return float64(l.m.Dist[0]) < grow
}

// pressAndDraw adds the taps' pressing, what drops bring, and the drains' drawing to the rows' sources, m³/s.
func (l *Liquid) pressAndDraw(rows []float64) {
	for _, e := range l.world.emitters {
		if e.running && e.push > 0 {
			l.distribute(e.mouth(), e.grow, e.push, rows)
		}
	}
	l.joinDrops(rows)
	for _, s := range l.world.sinks {
		if !l.hasRows(s.mouth().Bounds()) {
			continue
		}
		if deep, ok := l.readMouth(s.mouth()); ok {
			drawn := l.distribute(s.mouth(), max(0, deep.depth(.5)), float64(s.took/l.m.Dt)-float64(s.rate*litre), rows)
			l.ledger.DrainedL -= drawn * l.m.Dt / litre
		}
	}
}

// hasRows tells whether there is liquid to be solved for in the blocks that a drain in a box, m, may draw from.
func (l *Liquid) hasRows(box r3.Box) (some bool) {
	if box = boxes.Grown(box, 2*l.m.Grid.CellSize(0)); !boxes.Overlap(box, l.m.Whole()) {
		return false
	}
	l.m.EachBase(box, func(b int32) { some = some || l.graph.Parts[b].Row < l.graph.Parts[b+1].Row })
	return some
}

// distribute spreads a source, m³/s, over the rows in a grown shape by their volume and books a
// draw, which takes no more than half of what is there in a step, and nothing where no air follows. It returns what it spread.
func (l *Liquid) distribute(s SDF, grow, rate float64, rows []float64) float64 {
	gr, w := &l.graph, &l.world
	box := boxes.Grown(s.Bounds(), grow)
	total := 0.
	w.rows, l.m.Pts = w.rows[:0], l.m.Pts[:0]
	l.m.EachBase(box, func(b int32) {
		for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
			if rate > 0 || !l.solver.Closed[l.solver.Label[r]] {
				if x := reproducible.Vector(gr.Centre[r]); boxes.Contains(box, x) {
					w.rows, l.m.Pts = append(w.rows, r), append(l.m.Pts, x)
				}
			}
		}
	})
	l.m.Dist = arrays.Resize(l.m.Dist, len(l.m.Pts))
	s.Eval(l.m.Dist, l.m.Pts)
	within := w.rows[:0]
	for i, r := range w.rows {
		if float64(l.m.Dist[i]) < grow {
			within = append(within, r)
			total += float64(gr.Volume[r])
		}
	}
	if w.rows = within; total == 0 {
		return 0
	}
	rate = max(rate, -.5*total/l.m.Dt)
	for _, r := range w.rows {
		q := rate * float64(gr.Volume[r]) / total
		rows[r] += q
		if rate < 0 {
			l.m.Volumes.Targets.Add(l.solver.Label[r], float64(q*l.m.Dt))
		}
	}
	return rate
}

// A jet no wider than thinJet cells where it leaves its tap, which falls ever thinner, is followed for longestJet
// blocks: coarser cells would tear it.
const thinJet, longestJet = 8, 12

// appendJets lists the places, a base cell apart, that thin jets fall past before they meet more liquid, as they would in
// the void.
func (l *Liquid) appendJets(dst []r3.Box) []r3.Box {
	edge := float64(l.m.Grid.H * grid.Edge)
	for _, e := range l.world.emitters {
		if !e.running {
			continue
		}
		mouth := e.mouth().Bounds()
		if width := boxes.LeastEdge(mouth); !(width <= thinJet*l.def.CellSize) {
			continue
		}
		x, v := reproducible.Scale(.5, r3.Add(mouth.Min, mouth.Max)), e.Velocity
		for range longestJet {
			// The time that the way of a base cell's edge takes, from v t + g t²/2.
			g := l.accelerationAt(x)
			speed, weight := reproducible.Norm(v), reproducible.Norm(g)
			t := 2 * edge / (speed + math.Sqrt(float64(speed*speed)+float64(2*edge*weight)))
			x = r3.Add(x, r3.Add(reproducible.Scale(t, v), reproducible.Scale(t*t/2, g)))
			v = r3.Add(v, reproducible.Scale(t, g))
			if !boxes.Contains(l.def.Domain, x) {
				break
			}
			dst = append(dst, r3.Box{Min: x, Max: x})
			b, _, _, _ := l.m.Grid.Locate(l.m.Grid.ToPoint(x.X, x.Y, x.Z))
			if l.m.Survey.Fraction[b] > .5 {
				break
			}
		}
	}
	return dst
}
