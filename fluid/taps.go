package fluid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/exact"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
)

// A tap puts liquid into its mouth as its rate allows, and presses out what a full mouth can't take.
// What it owes too little of for the grid to hold, it keeps until it is enough, and books it then. A mouth or a drain
// that is too thin for the grid is grown.

// mouthDepth, in cells, is how deep a cell's centre must be in what a tap puts out for the grid to
// keep it.
const mouthDepth = .75

// mouthSlack is the part of what a tap gives in a substep that its mouth may take on too early.
const mouthSlack = .05

// mouthCell is a cell in or around a mouth.
type mouthCell struct {
	cell   int32
	dist   float32 // from the shape, m
	edge   float32 // m
	before float32 // φ before fillMouth, m
	// centre, m, is known of the deepest alone.
	centre r3.Vec
}

// pour lets the open taps run for a substep.
func (l *Liquid) pour() {
	l.out.ev.Blocked = l.out.ev.Blocked[:0]
	for id, e := range l.world.emitters {
		if e == nil || !e.running {
			continue
		}
		cell, put := l.pourFrom(e)
		if cell == grid.None {
			e.debt, e.push = 0, 0
			l.out.ev.Blocked = append(l.out.ev.Blocked, EmitterID(id))
			continue
		}
		if put > 0 {
			l.volumes.ledger.EmittedL += put / litre
			l.volumes.gained = append(l.volumes.gained, gain{cell, put})
		}
	}
}

// pourFrom lets one tap put what its rate gives, and what it owes, into its mouth. It returns the
// deepest cell of the mouth, or None if the mouth is not open, and what it put there, m³.
//
// What a mouth takes on is measured as the ledger measures it, and so need not be what was owed: the debt keeps the difference.
func (l *Liquid) pourFrom(e *emitter) (cell int32, put float64) {
	deep, ok := l.readMouth(e.Shape)
	if !ok {
		return grid.None, 0
	}
	e.grow, e.push = max(0, deep.depth(mouthDepth)), 0
	room, whole := l.roomIn(e.grow)
	volume := e.Rate * litre * l.step.dt
	if volume > whole {
		l.warn("EmitterDef.Shape", "a tap's mouth is too small for its rate: it lets through what it holds in a substep")
		volume = whole
	}
	e.debt += volume
	l.openTally(grown(e.Shape.Bounds(), 2*l.def.CellSize))
	least := deep.depth(mouthDepth)
	took := l.fillMouth(e.grow)
	switch {
	case took > e.debt+float64(mouthSlack*volume):
		at := max(0, e.debt) * room / took // in the terms of roomIn
		l.emptyMouth()
		if room, _ := l.roomIn(least); room > at {
			return deep.cell, 0
		}
		took = l.fillMouth(l.growthFor(at, least, e.grow))
	case took < e.debt && l.brimful(deep.cell):
		l.emptyMouth()
		return grid.None, 0
	default:
		put = max(0, min(e.debt-took, volume))
		e.push = put / l.step.dt
	}
	put += took
	e.debt -= put
	return deep.cell, put
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
	l.eachBase(grown(s.Bounds(), around), func(b int32) {
		pts, first := l.centres(b), l.grid.Cur.First[b]
		h := float32(l.grid.CellSize(l.grid.Cur.Level[b]))
		s.Eval(w.dist, pts)
		for i, d := range w.dist[:len(pts)] {
			c := mouthCell{cell: first + int32(i), dist: d, edge: h}
			if d > 2*h || l.solids.Volume[c.cell] == 0 {
				continue
			}
			w.mouth = append(w.mouth, c)
			if d < .866*h && (!ok || c.depth(1) < deep.depth(1)) {
				deep, ok = c, true
				deep.centre = pts[i]
			}
		}
	})
	return deep, ok
}

// roomIn is how much more liquid the mouth grown by so much, m, can hold, and all that it holds, m³.
func (l *Liquid) roomIn(grow float64) (room, whole float64) {
	for _, c := range l.world.mouth {
		v := float64(l.solids.Volume[c.cell])
		full, has := float64(wetFraction(c.dist-float32(grow), c.edge)), float64(wetFraction(l.set.Phi[c.cell], c.edge))
		room += float64(v * max(0, full-has))
		whole += float64(v * full)
	}
	return room, whole
}

// growthFor is the growth between two at which the mouth has room for a volume, m³.
func (l *Liquid) growthFor(volume, least, most float64) float64 {
	for range 20 {
		grow := (least + most) / 2
		if room, _ := l.roomIn(grow); room <= volume {
			least = grow
		} else {
			most = grow
		}
	}
	return least
}

// fillMouth fills the mouth grown by so much, m, and returns what it took on, m³, in the terms of the ledger.
func (l *Liquid) fillMouth(grow float64) (took float64) {
	phi := l.set.Phi
	for i := range l.world.mouth {
		c := &l.world.mouth[i]
		c.before = phi[c.cell]
		if d := c.dist - float32(grow); d < c.edge {
			phi[c.cell] = min(c.before, d)
		}
	}
	return l.countTally()
}

// emptyMouth takes the last fillMouth back.
func (l *Liquid) emptyMouth() {
	for i := range l.world.mouth {
		c := &l.world.mouth[i]
		l.set.Phi[c.cell] = c.before
	}
	l.countTally()
}

// brimful tells whether a cell's liquid, in the last step, had no air to rise into.
func (l *Liquid) brimful(cell int32) bool {
	label := l.volumes.label[cell]
	return label >= 0 && int(label) < len(l.solver.Closed) && l.solver.Closed[label]
}

// bubble, in cells, is the radius of a bubble that the grid keeps.
const bubble = 1.5

// letAirIn has drains draw from liquid that no air touches, where nothing would follow what leaves: once they owe as much as
// a bubble holds they let one in, and then it is as elsewhere.
func (l *Liquid) letAirIn() {
	if !slices.Contains(l.solver.Closed, true) {
		return
	}
	for _, s := range l.world.sinks {
		if s == nil {
			continue
		}
		deep, ok := l.readMouth(s.shape)
		if !ok || !l.brimful(deep.cell) {
			s.debt = 0
			continue
		}
		s.debt += float64(s.rate * litre * l.step.dt)
		if took := l.blow(deep, s.debt); took > 0 {
			l.volumes.ledger.DrainedL += took / litre
			s.debt = 0
		}
	}
}

// blow sets a bubble into a cell of a mouth, if it takes no more liquid than atMost, m³, and returns what it took.
func (l *Liquid) blow(at mouthCell, atMost float64) (took float64) {
	l.eachIn(at, func(c int32, edge, air float32) {
		v := l.set.Phi[c]
		took += float64(l.solids.Volume[c] * (wetFraction(v, edge) - wetFraction(max(v, air), edge)))
	})
	if took > atMost {
		return 0
	}
	beside, deepest := at.cell, float32(0)
	l.eachIn(at, func(c int32, edge, air float32) {
		v := &l.set.Phi[c]
		if *v = max(*v, air); *v < deepest {
			beside, deepest = c, *v
		}
	})
	l.volumes.gained = append(l.volumes.gained, gain{beside, -took})
	return took
}

// eachIn calls visit for the cells of the blocks that a bubble in a cell reaches, with their edges and how deep in it they are, m.
func (l *Liquid) eachIn(at mouthCell, visit func(c int32, edge, deep float32)) {
	radius := bubble * float64(at.edge)
	l.eachBase(grown(r3.Box{Min: at.centre, Max: at.centre}, radius), func(b int32) {
		first, edge := l.grid.Cur.First[b], float32(l.grid.CellSize(l.grid.Cur.Level[b]))
		for i, x := range l.centres(b) {
			visit(first+int32(i), edge, float32(radius-exact.Norm(r3.Sub(x, at.centre))))
		}
	})
}

// jet sets the velocity in the mouths of open taps.
func (l *Liquid) jet() {
	gr := &l.graph
	for _, e := range l.world.emitters {
		if e == nil || !e.running || e.Velocity == (r3.Vec{}) {
			continue
		}
		v := array(e.Velocity)
		box := grown(e.Shape.Bounds(), e.grow)
		l.eachFaceIn(box, func(f int) {
			if l.within(e.Shape, e.grow, box, toVec(gr.FaceCentre(f))) {
				gr.U[f] = v[gr.Axis[f]]
			}
		})
	}
}

// eachFaceIn calls visit for the graph's faces of the blocks that a box, m, reaches.
func (l *Liquid) eachFaceIn(box r3.Box, visit func(f int)) {
	l.eachBase(box, func(b int32) {
		for f := l.graph.Parts[b].Face; f < l.graph.Parts[b+1].Face; f++ {
			visit(int(f))
		}
	})
}

// within tells whether a point is in a shape that is grown by so much, with the box around it.
func (l *Liquid) within(s SDF, grow float64, box r3.Box, x r3.Vec) bool {
	if !contains(box, x) {
		return false
	}
	w := &l.world
	w.pts = append(w.pts[:0], x)
	w.dist = resize(w.dist, 1)
	s.Eval(w.dist, w.pts)
	return float64(w.dist[0]) < grow
}

// pressAndDraw adds the taps' pressing and the drains' drawing to the rows' sources, m³/s.
func (l *Liquid) pressAndDraw(rows []float64) {
	for _, e := range l.world.emitters {
		if e != nil && e.running && e.push > 0 {
			l.distribute(e.Shape, e.grow, e.push, rows)
		}
	}
	for _, s := range l.world.sinks {
		if s == nil {
			continue
		}
		if deep, ok := l.readMouth(s.shape); ok {
			drawn := l.distribute(s.shape, max(0, deep.depth(.5)), -s.rate*litre, rows)
			l.volumes.ledger.DrainedL -= drawn * l.step.dt / litre
		}
	}
}

// distribute spreads a source, m³/s, over the rows in a grown shape by their volume and books a
// draw, which takes no more than half of what is there in a step, and nothing where no air follows. It returns what it spread.
func (l *Liquid) distribute(s SDF, grow, rate float64, rows []float64) float64 {
	gr, w := &l.graph, &l.world
	box := grown(s.Bounds(), grow)
	total := 0.
	w.rows = w.rows[:0]
	l.eachBase(box, func(b int32) {
		for r := gr.Parts[b].Row; r < gr.Parts[b+1].Row; r++ {
			if (rate > 0 || !l.solver.Closed[l.solver.Label[r]]) && l.within(s, grow, box, toVec(gr.Centre[r])) {
				w.rows = append(w.rows, r)
				total += float64(gr.Volume[r])
			}
		}
	})
	if total == 0 {
		return 0
	}
	rate = max(rate, -.5*total/l.step.dt)
	for _, r := range w.rows {
		q := rate * float64(gr.Volume[r]) / total
		rows[r] += q
		if rate < 0 {
			v := &l.volumes.target[l.solver.Label[r]]
			*v = max(0, *v+float64(q*l.step.dt))
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
	edge := float64(l.grid.H * grid.Edge)
	for _, e := range l.world.emitters {
		if e == nil || !e.running {
			continue
		}
		mouth := e.Shape.Bounds()
		if width := leastEdge(mouth); !(width <= thinJet*l.def.CellSize) {
			continue
		}
		x, v := exact.Scale(.5, r3.Add(mouth.Min, mouth.Max)), e.Velocity
		for range longestJet {
			// The time that the way of a base cell's edge takes, from v t + g t²/2.
			g := l.accelerationAt(x)
			speed, weight := exact.Norm(v), exact.Norm(g)
			t := 2 * edge / (speed + math.Sqrt(float64(speed*speed)+float64(2*edge*weight)))
			x = r3.Add(x, r3.Add(exact.Scale(t, v), exact.Scale(t*t/2, g)))
			v = r3.Add(v, exact.Scale(t, g))
			if !contains(l.def.Domain, x) {
				break
			}
			dst = append(dst, r3.Box{Min: x, Max: x})
			b, _, _, _ := l.grid.Locate(l.grid.ToPoint(x.X, x.Y, x.Z))
			if l.blocksInfo.fraction[b] > .5 {
				break
			}
		}
	}
	return dst
}
