package fluid

import (
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// volumes is the controller that makes the liquid keep the ledger.
//
// Every connected component of the liquid has a target volume that follows it: when
// components merge the targets add, when one splits its target is shared in proportion
// (Brochu 2006 §4.4). The difference between target and measure becomes a gentle,
// uniform source in the pressure solve (Kim, Liu, Llamas, Rossignac 2007), and where it is large a
// shift of the surface.
type volumes struct {
	label  []int32   // per cell: the component that its liquid was of in the last step, or -1
	now    []int32   // likewise now
	target []float64 // per component, m³
	next   []float64
	held   []float64 // measured now
	rate   []float64 // per component: its sources, 1/s

	shared []share         // per base cell
	shores []blocks.Shores // per worker: scratch
	pairs  []pair
	swept  sweeper
	seen   []float64 // per old component: what is still there of its liquid
	known  []bool    // per component: it has cells of an old one
	adopt  bool      // targets are to be what is there, whatever the ledger says: solids were put in or taken out
	gained []gain
	shift  shifter

	losses  losses
	tracing bool       // weigh is to trace where fresh liquid came from
	origins [][]origin // per worker: what it found
}

// pair is how much liquid an old component, or none, -1, and a new one share.
type pair struct {
	from, to int32
	volume   float64
}

// share is what a block's cells share, if those of old components are all of the same, and all are of the same new one.
type share struct {
	pair
	fresh float64 // volume in the cells of no old component
}

// What a block's share may tell instead of a new component.
const (
	dry   int32 = -1 - iota // its cells are of none
	mixed                   // they differ
)

// ofNone is the labels of a block's cells that are of no component: to copy them is faster than to write them.
var ofNone = func() (label [grid.Edge * grid.Edge * grid.Edge]int32) {
	for c := range label {
		label[c] = -1
	}
	return label
}()

// gain is liquid that came or went at a component: m³.
type gain struct {
	cell   int32
	volume float64
}

func (v *volumes) grow(n int) {
	old := len(v.label)
	v.losses.part = arrays.Lengthen(v.losses.part, n)
	v.shift.done = arrays.Lengthen(v.shift.done, n)
	v.label, v.now = arrays.Lengthen(v.label, n), arrays.Lengthen(v.now, n)
	for c := old; c < n; c++ {
		v.label[c] = -1
	}
}

// begin has the next step's components start anew, with what is there for their targets: liquid was put in or taken out.
func (v *volumes) begin() {
	v.target = v.target[:0]
	for c := range v.label {
		v.label[c] = -1
	}
}

// adoptTargets has the step in which solids appear in the liquid, or go, leave what they displace to those after it: a game that puts a body
// into the liquid sees no jolt.
func (l *Liquid) adoptTargets() {
	if l.ledger.HeldL > 0 {
		l.volumes.adopt = true
	}
}

// forget is begin after a step that went wrong.
func (v *volumes) forget() {
	v.begin()
	v.adopt = true
}

const (
	// volumeGain is the part of a component's error that is made good in a second: fast enough for
	// splashing, slow enough that the measure's noise moves nothing one can see.
	volumeGain = 12
	// volumeNoise is the part of its volume by which a component's measure changes with the levels of
	// the blocks at a still surface.
	volumeNoise = 1e-4
	// volumeLimit bounds the source: the part of its volume that a component may gain or lose
	// in a second.
	volumeLimit = 0.6
)

// correctVolume measures the components, brings their targets up to date and writes the sources that
// close the gap into the step's rows.
func (l *Liquid) correctVolume() {
	l.begin(StageVolume)
	v, rows := &l.volumes, arrays.Resize(l.step.rows, l.graph.Rows)
	l.step.rows = rows
	n := l.solver.Prepare(&l.graph)
	v.held = arrays.Resize(v.held, n)
	begun := len(v.target) == 0
	l.weigh(!v.adopt && !begun)
	if n == 0 && !begun {
		l.leaveFilm()
	}
	l.follow(n)
	if !v.adopt {
		v.shift.slack = volumeSlack
		if l.correctLosses() {
			v.shift.slack = v.losses.slack
			l.weigh(false)
		}
		l.balance()
		for range shifts {
			l.shiftSurface()
			l.balance()
		}
	}
	if begun { // what no shift is worth waits until the levels have settled
		copy(v.target, v.held)
	}
	v.adopt = false
	v.chooseRates(l.m.Dt, l.solver.Closed)
	par.Each(l.pool, l.m.Grid.Bases(), 4, l, (*Liquid).blockSources)
	v.label, v.now = v.now, v.label
	l.addSources(rows)
	l.lap(n)
}

// chooseRates sets by what part of its volume each component is to grow in a second, 1/s.
func (v *volumes) chooseRates(dt float64, closed []bool) {
	v.rate = arrays.Resize(v.rate, len(v.held))
	gain, limit := min(1, volumeGain*dt), volumeLimit*dt
	for c, held := range v.held {
		v.rate[c] = 0
		if held > 0 && !closed[c] {
			gap := gain * beyond(v.target[c]-held, float64(volumeNoise*held))
			v.rate[c] = max(-limit*held, min(limit*held, gap)) / held / dt
		}
	}
}

// blockSources writes the sources of a block's rows.
func (l *Liquid) blockSources(_ int, b int32) {
	gr, rate := &l.graph, l.volumes.rate
	lo, hi := gr.Parts[b].Row, gr.Parts[b+1].Row
	rows, label := l.step.rows[lo:hi], l.solver.Label[lo:hi]
	for r, c := range gr.Cell[lo:hi] {
		rows[r] = l.m.HeldIn(c) * rate[label[r]]
	}
}

// beyond is how far x is from 0 beyond a limit, with the sign of x.
func beyond(x, limit float64) float64 { return math.Copysign(max(0, math.Abs(x)-limit), x) }

// weigh measures the cells and the components, and may trace where fresh liquid came from.
func (l *Liquid) weigh(trace bool) {
	v := &l.volumes
	v.tracing = trace
	par.Each(l.pool, l.m.Grid.Bases(), measureGrain, l, (*Liquid).weighBlock)
	l.sumVolume()
	v.noteOrigins()
	clear(v.held)
	l.eachShared(func(_, to int32, volume float64) { v.held[to] += volume })
}

func (l *Liquid) weighBlock(worker int, b int32) {
	l.m.MeasureBlock(worker, b)
	l.blockShare(worker, b)
}

// blockShare measures a block's cells. Those of air at the surface hold liquid, too: it is of the component beside them. Were only
// rows counted, a pool whose level rises past the middles of its cells would gain half a cell everywhere at once.
func (l *Liquid) blockShare(worker int, b int32) {
	v, gr, label := &l.volumes, &l.graph, l.solver.Label
	first, n := l.m.Grid.Cur.First[b], 1<<(3*l.m.Grid.Cur.Level[b])
	now := v.now[first:][:n]
	copy(now, ofNone[:])
	of := share{pair: pair{from: -1, to: dry}}
	lo, hi := gr.Parts[b].Row, gr.Parts[b+1].Row
	rows, trace := label[lo:hi], v.tracing && !l.m.Set.ClipBlocks[b]
	for r, c := range gr.Cell[lo:hi] {
		from := v.label[c]
		if from < 0 && trace {
			from = l.traceFresh(worker, c, &gr.Centre[int(lo)+r])
		}
		v.now[c] = rows[r]
		of.add(from, rows[r], l.m.HeldIn(c))
	}
	if l.m.Survey.Volume[b] > 0 {
		s := &v.shores[worker]
		l.m.Solids.FindShores(s, b, l.m.Fraction[first:][:n])
		for _, at := range s.List {
			v.now[at.Cell] = label[at.Row]
			of.add(v.label[at.Cell], label[at.Row], l.m.HeldIn(at.Cell))
		}
	}
	v.shared[b] = of
}

// add adds what a cell holds of an old component, or of none, -1, and a new one.
func (s *share) add(from, to int32, volume float64) {
	if s.to == dry {
		s.to = to
	}
	if from < 0 {
		s.fresh += volume
	} else {
		s.volume += volume
		if s.from < 0 {
			s.from = from
		}
		if from != s.from {
			s.to = mixed
		}
	}
	if to != s.to {
		s.to = mixed
	}
}

// eachShared calls visit for what old and new components share, block by block.
func (l *Liquid) eachShared(visit func(from, to int32, volume float64)) {
	v, m := &l.volumes, &l.m.Grid.Cur
	for b := range v.shared {
		switch s := &v.shared[b]; s.to {
		case dry:
		case mixed:
			for c := m.First[b]; c < m.First[b]+1<<(3*m.Level[b]); c++ {
				if to := v.now[c]; to >= 0 {
					visit(v.label[c], to, l.m.HeldIn(c))
				}
			}
		default:
			visit(-1, s.to, s.fresh)
			if s.from >= 0 {
				visit(s.from, s.to, s.volume)
			}
		}
	}
}

// settleGains books what came or went at known places with the components there. What is new there is what came.
func (v *volumes) settleGains() {
	for _, g := range v.gained {
		switch to := v.now[g.cell]; {
		case to < 0:
		case v.known[to]:
			v.next[to] = max(0, v.next[to]+g.volume)
		default:
			v.next[to], v.known[to] = v.held[to], true
		}
	}
	v.gained = v.gained[:0]
}

// balance scales the targets so that together they ask for just what the ledger misses. Were
// they to gather up what is missing, step by step, they would overshoot and swing.
func (l *Liquid) balance() {
	v := &l.volumes
	asked, held := 0., 0.
	for c, t := range v.target {
		asked += t
		held += v.held[c]
	}
	if asked <= 0 {
		return
	}
	missing := -float64(l.account().DriftL * litre)
	scale := max(.5, min(1.5, (held+missing)/asked))
	for c := range v.target {
		v.target[c] *= scale
	}
}

// Ledger is the account of the liquid so far.
func (l *Liquid) Ledger() Ledger {
	defer l.enter(&inLedger).leave()
	return l.account()
}

// account is Ledger within a call.
func (l *Liquid) account() Ledger {
	g := l.ledger
	g.DriftL = g.HeldL - (g.FilledL + g.EmittedL - g.DrainedL)
	return g
}
