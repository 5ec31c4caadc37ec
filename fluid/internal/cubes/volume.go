package cubes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/components"
	"github.com/meniscus3d/meniscus/fluid/internal/cubes/cutting"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Volumes is what cells know of the liquid's components, for the controller that has each keep its volume.
type Volumes struct {
	m       *Cells
	survey  *Survey
	surface *Surface
	heldIn  func(cell int32) float64                           // Survey.HeldIn
	clip    func(worker int, b int32, from, to []layout.Point) // ends traces that lead back in time at thin walls

	Targets components.Targets
	motion  components.Motion
	label   []int32 // per cell: the component that its liquid was of in the last step, or -1
	now     []int32 // likewise in this step
	gains   []gain

	shared []share                // per base cell
	shores []cutting.SurfaceCells // per worker: scratch

	tracing bool       // weigh is to trace where fresh liquid came from
	origins [][]origin // per worker: what it found
	sources []float64  // per row, m³/s

	swept  sweptCells
	losses losses
	shift  surfaceShift
}

// gain is liquid that came or went at a cell: m³.
type gain struct {
	cell   int32
	base   int32 // that the cell is in; -1: not known
	volume float64
	merges bool // it is of a droplet, whose momentum is known
}

// share is what a block's cells share, if those of old components are all of the same, and all are of the same new one.
type share struct {
	components.Pair
	fresh float64 // volume in the cells of no old component
}

// What a block's share may tell instead of a new component.
const (
	dry   int32 = -1 - iota // its cells are of none
	mixed                   // they differ
)

// ofNone is the labels of a block's cells that are of no component: to copy them is faster than to write them.
var ofNone = func() (label [layout.Edge * layout.Edge * layout.Edge]int32) {
	for c := range label {
		label[c] = -1
	}
	return label
}()

// measureGrain is how many blocks workers take at a time to measure.
const measureGrain = 2

func (v *Volumes) init(m *Cells, survey *Survey, surface *Surface, clip func(worker int, b int32, from, to []layout.Point)) {
	bases, workers := m.Grid.Bases(), m.Pool.Workers()
	v.m, v.survey, v.surface, v.heldIn, v.clip = m, survey, surface, survey.HeldIn, clip
	v.shared, v.shores = make([]share, bases), make([]cutting.SurfaceCells, workers)
	for w := range v.shores {
		v.shores[w] = cutting.MakeSurfaceCells()
	}
	v.Targets, v.origins = components.Make(), make([][]origin, workers)
	v.swept.reserve()
	v.losses.init(bases)
}

// grow makes room for n cells.
func (v *Volumes) grow(n int) {
	old := len(v.label)
	v.losses.part = arrays.Lengthen(v.losses.part, n)
	v.shift.done = arrays.Lengthen(v.shift.done, n)
	v.label, v.now = arrays.Lengthen(v.label, n), arrays.Lengthen(v.now, n)
	for c := old; c < n; c++ {
		v.label[c] = -1
	}
}

// Restart has the next step's components start anew, with what is there for their targets: liquid was put in or taken out.
func (v *Volumes) Restart() {
	v.Targets.Restart()
	v.motion.Forget()
	for c := range v.label {
		v.label[c] = -1
	}
}

// Forget is Restart after a step that went wrong.
func (v *Volumes) Forget() {
	v.Restart()
	v.Targets.Defer()
}

// Gain books liquid, m³, that came or went at a cell since the last step with the component that will be there.
func (v *Volumes) Gain(cell int32, volume float64) {
	v.gains = append(v.gains, gain{cell: cell, base: -1, volume: volume})
}

// GainAt is Gain for the cell at a place, m.
func (v *Volumes) GainAt(x r3.Vec, volume float64) { v.gains = append(v.gains, v.gainAt(x, volume)) }

// merge books the volume of a droplet, m³, that merged at a place, m.
func (v *Volumes) merge(x r3.Vec, volume float64) {
	g := v.gainAt(x, volume)
	g.merges = true
	v.gains = append(v.gains, g)
}

func (v *Volumes) gainAt(x r3.Vec, volume float64) gain {
	g := v.m.Grid
	b, fx, fy, fz := g.Locate(g.ToPoint(x.X, x.Y, x.Z))
	return gain{cell: g.Cur.CellIn(b, fx, fy, fz), base: b, volume: volume}
}

// countGains is how many gains are booked.
func (v *Volumes) countGains() int { return len(v.gains) }

// scaleGains makes the losses that are booked, from one to another, add up to a volume, m³.
func (v *Volumes) scaleGains(from, to int, lost float64) {
	sum := 0.
	for _, g := range v.gains[from:to] {
		sum -= g.volume
	}
	for i := range v.gains[from:to] {
		v.gains[from+i].volume *= lost / sum
	}
}

// DropGains forgets all gains.
func (v *Volumes) DropGains() { v.gains = v.gains[:0] }

// inSealed tells whether a cell's liquid, in the last step, had no air to rise into.
func (v *Volumes) inSealed(cell int32) bool {
	m := v.m
	label, closed := v.label[cell], m.Components.Closed
	return label >= 0 && int(label) < len(closed) && closed[label]
}

// EachFormer calls visit for the cells that held liquid of a component in the last step and that solids leave room in: with that room, m³, and
// their centres, m.
func (v *Volumes) EachFormer(visit func(room float64, centre r3.Vec)) {
	m := v.m
	cur := &m.Grid.Cur
	for b := range int32(m.Grid.Bases()) {
		first, n, listed := cur.First[b], int32(1)<<(3*cur.Level[b]), false
		var pts []r3.Vec
		for c := first; c < first+n; c++ {
			if v.label[c] >= 0 && m.Solids.Volume[c] > 0 {
				if !listed {
					pts, listed = m.Centres.Of(m.Grid, b), true
				}
				visit(float64(m.Solids.Volume[c]), pts[c-first])
			}
		}
	}
}

// MeasureComponents measures the n components of the graph's rows, and what they share with those of the last step. It tells whether no cell
// can tell any more of liquid that there was.
func (v *Volumes) MeasureComponents(n int, a *components.Account) (lost bool) {
	if v.surface.isGiven() {
		v.measureGiven(a)
		return false
	}
	v.surface.residual.emptyThin()
	t := &v.Targets
	t.Resize(n)
	fresh := !t.Defers() && !t.Empty()
	v.weigh(a, fresh)
	return n == 0 && fresh
}

// measureGiven measures what the account holds of liquid that is given.
func (v *Volumes) measureGiven(a *components.Account) {
	m := v.m
	par.Each(m.Pool, m.Grid.Bases(), measureGrain, v.survey, (*Survey).MeasureBlock)
	a.HeldL = (v.Held() + a.Loose) / components.Litre
}

// Correct brings the targets of the components up to date, corrects the surface where it has lost or gained much, and returns the sources,
// m³/s per row, that close the rest of the gap. They are valid until the next call. MeasureComponents comes before it.
func (v *Volumes) Correct(a *components.Account) (sources []float64) {
	m := v.m
	if v.surface.isGiven() { // nothing makes up for what it gains or loses
		v.sources = arrays.Resize(v.sources, m.Graph.Rows)
		clear(v.sources)
		return v.sources
	}
	t := &v.Targets
	begun := t.Empty()
	v.matchComponents()
	slack, later := components.Slack, 0.
	if t.Defers() {
		later = missing(a) - missingBefore(a)
	} else if v.correctLosses(a) {
		slack = v.losses.slack
		v.reweigh(a)
	}
	t.Balance(missing(a) - later)
	for range components.Shifts {
		v.shiftSurface(a, slack)
		t.Balance(missing(a) - later)
	}
	if begun { // what is too little for a shift is left: levels have not settled yet
		copy(t.Target, t.Held)
	}
	t.ChooseRates(m.Dt, m.Graph, m.Components)
	v.sources = arrays.Resize(v.sources, m.Graph.Rows)
	par.Each(m.Pool, m.Grid.Bases(), 4, v, (*Volumes).writeSources)
	v.surface.merging.grow(v.sources)
	v.restoreBubbles()
	v.label, v.now = v.now, v.label
	mustHold(v.check)
	return v.sources
}

// missing is what the ledger misses, m³.
func missing(a *components.Account) float64 { return -float64(a.Drift() * components.Litre) }

// missingBefore is what the ledger missed before the substep, m³.
func missingBefore(a *components.Account) float64 {
	return -float64(a.Before.Drift() * components.Litre)
}

// writeSources writes the sources of a block's rows.
func (v *Volumes) writeSources(_ int, b int32) {
	m := v.m
	gr, rate := m.Graph, v.Targets.Rate
	lo, hi := gr.Parts[b].Row, gr.Parts[b+1].Row
	rows, label := v.sources[lo:hi], m.Components.Label[lo:hi]
	m.Mesh.WriteHeld(rows, b, v.heldIn)
	for r := range rows {
		rows[r] *= rate[label[r]]
	}
}

// Held is the liquid in blocks and spray as it was measured last, m³.
func (v *Volumes) Held() float64 {
	m := v.m
	total := 0.
	for _, v := range v.survey.Volume {
		total += v
	}
	return total + m.Spray.Volume
}

// weigh measures the cells, the components and what the account holds, and may trace where fresh liquid came from.
func (v *Volumes) weigh(a *components.Account, trace bool) {
	m := v.m
	v.tracing = trace
	par.Each(m.Pool, m.Grid.Bases(), measureGrain, v, (*Volumes).weighBlock)
	v.noteOrigins()
	v.sumHeld(a)
}

// reweigh is weigh after correctLosses: what a block holds has changed only where the surface has moved in it or in one around it.
func (v *Volumes) reweigh(a *components.Account) {
	m := v.m
	v.tracing = false
	par.Each(m.Pool, m.Grid.Bases(), measureGrain, v, (*Volumes).reweighBlock)
	mustHold(v.checkReweighed)
	v.sumHeld(a)
}

// sumHeld sums up what the account and the components hold.
func (v *Volumes) sumHeld(a *components.Account) {
	a.HeldL = (v.Held() + a.Loose) / components.Litre
	v.Targets.Measure()
	v.eachShared(func(_, to int32, volume float64) {
		if to >= 0 {
			v.Targets.AddHeld(to, volume)
		}
	})
}

func (v *Volumes) weighBlock(worker int, b int32) {
	v.survey.MeasureBlock(worker, b)
	v.shareBlock(worker, b)
}

func (v *Volumes) reweighBlock(worker int, b int32) {
	if v.losses.moved[b] {
		v.weighBlock(worker, b)
	}
}

// shareBlock measures what a block's cells share. Those of air at the surface hold liquid, too: it is of the component beside them. Were only
// rows counted, a pool whose level rises past the middles of its cells would gain half a cell everywhere at once.
func (v *Volumes) shareBlock(worker int, b int32) {
	m := v.m
	gr, label := m.Graph, m.Components.Label
	first, n := m.Grid.Cur.First[b], 1<<(3*m.Grid.Cur.Level[b])
	now := v.now[first:][:n]
	copy(now, ofNone[:])
	of := share{Pair: components.Pair{From: -1, To: dry}}
	lo, hi := gr.Parts[b].Row, gr.Parts[b+1].Row
	rows, trace := label[lo:hi], v.tracing && !m.Set.ClipBlocks[b]
	for r, c := range m.Mesh.RowCells()[lo:hi] {
		if c < 0 {
			continue
		}
		from := v.label[c]
		if from < 0 && trace {
			from = v.traceFresh(worker, c, &gr.Centre[int(lo)+r])
		}
		v.now[c] = rows[r]
		of.add(from, rows[r], v.survey.HeldIn(c))
	}
	if v.survey.Volume[b] > 0 {
		s := &v.shores[worker]
		m.Mesh.FindSurfaceCells(s, b, m.Fraction[first:][:n])
		trace = trace && v.surface.hasLoose()
		for _, at := range s.List {
			from := v.label[at.Cell]
			if from < 0 && trace {
				x := m.centreIn(b, at.Cell)
				from = v.traceFresh(worker, at.Cell, &x)
			}
			v.now[at.Cell] = label[at.Row]
			of.add(from, label[at.Row], v.survey.HeldIn(at.Cell))
		}
	}
	if v.surface.hasLoose() && v.survey.Volume[b] > 0 && v.loosens(b) {
		of.To = mixed
	}
	v.shared[b] = of
}

// loosens tells whether some cell of a block holds liquid that was of a component and is of none: of a sheet or a drop that no row knows of.
func (v *Volumes) loosens(b int32) bool {
	m := v.m
	first, n := m.Grid.Cur.First[b], 1<<(3*m.Grid.Cur.Level[b])
	now := v.now[first:][:n]
	for i, from := range v.label[first:][:n] {
		if from >= 0 && now[i] < 0 && v.survey.HeldIn(first+int32(i)) > 0 {
			return true
		}
	}
	return false
}

// add adds what a cell holds of an old component, or of none, -1, and a new one.
func (s *share) add(from, to int32, volume float64) {
	if s.To == dry {
		s.To = to
	}
	if from < 0 {
		s.fresh += volume
	} else {
		s.Volume += volume
		if s.From < 0 {
			s.From = from
		}
		if from != s.From {
			s.To = mixed
		}
	}
	if to != s.To {
		s.To = mixed
	}
}

// eachShared calls visit for what old and new components share, block by block. One of the two is -1 where liquid was, or is, of none.
func (v *Volumes) eachShared(visit func(from, to int32, volume float64)) {
	m := v.m
	cur, loose := &m.Grid.Cur, v.surface.hasLoose()
	for b := range v.shared {
		switch s := &v.shared[b]; s.To {
		case dry:
		case mixed:
			for c := cur.First[b]; c < cur.First[b]+1<<(3*cur.Level[b]); c++ {
				if from, to := v.label[c], v.now[c]; to >= 0 || from >= 0 && loose {
					visit(from, to, v.survey.HeldIn(c))
				}
			}
		default:
			visit(-1, s.To, s.fresh)
			if s.From >= 0 {
				visit(s.From, s.To, s.Volume)
			}
		}
	}
}

// Code encodes or decodes the components and their targets, after State.Code.
func (v *Volumes) Code(c *codec.Codec, coded []uint8) {
	m := v.m
	c.Part("components")
	closed := &m.Components.Closed
	moves := 0
	if v.motion.Known() {
		moves = 1
	}
	n, moves := c.Halves(len(v.Targets.Target), moves, math.MaxInt32, 1)
	k := c.Count(len(*closed), math.MaxInt32, 1)
	if c.Reading() {
		*closed = slices.Grow((*closed)[:0], k)[:k]
		v.DropGains()
	}
	v.Targets.CodeTargets(c, n)
	v.motion.Code(c, n, moves == 1)
	c.Bools(*closed, k)
	v.Targets.CodeDefer(c)
	for b, level := range coded {
		c.Int32s(partOf(c, m.Grid, v.label, coded, b), 1<<(3*level), -1, int32(n)-1)
	}
}
