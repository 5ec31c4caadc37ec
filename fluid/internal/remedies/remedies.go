// Package remedies chooses what substeps leave out that would go wrong otherwise, so that a liquid never takes the same step in vain twice.
//
// A substep that goes wrong is rolled back, and the next one begins at rest. If that goes wrong too, or any of the Watch substeps after it, it is taken
// again at once: without the body that has no finite velocity; then kind by kind without what acts on the liquid, each of a few alone and then all of the
// kind; then without all of that together. If nothing helps, the liquid stands still. What helped is left out of the substeps that follow, and
// then tried again: each time that it goes wrong again it is left out for twice as long.
package remedies

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

const (
	// Watch is for how many substeps after one that went wrong the next is no rollback.
	Watch = 60
	// first and longest are for how many substeps something is left out before it is tried again.
	first, longest = 16, 1024
	// few is of how many things of a kind each is left out alone.
	few = 8
)

// Kind is a kind of what acts on the liquid.
type Kind uint8

// The kinds, in the order in which they are left out.
const (
	Nothing Kind = iota
	Drops        // of emitters, as they join the liquid
	Emitters
	Sinks
	Currents
	Controls
	Fields
	Forces // surface tension, viscosity and wind
	Volume // the sources that keep the liquid's volume
	Bodies
	Everything // of the kinds above
	Motion     // the liquid stands still
)

var names = [...]string{
	Nothing: "nothing", Drops: "all drops that join the liquid", Emitters: "all emitters", Sinks: "all sinks", Currents: "all currents", Controls: "all controls",
	Fields: "all fields", Forces: "surface tension, viscosity and wind", Volume: "the correction of the volume", Bodies: "all bodies",
	Everything: "all that acts on the liquid", Motion: "the motion of the liquid",
}

var single = [...]string{Emitters: "emitter", Sinks: "sink", Currents: "the current through side", Controls: "control", Fields: "field", Bodies: "the body with ID"}

// Choice is what is left out: all of a kind, or one.
type Choice struct {
	Kind Kind
	One  bool
	ID   int64 // of the one
}

func (c Choice) String() string {
	if c.One {
		return fmt.Sprintf("%s %d", single[c.Kind], c.ID)
	}
	return names[c.Kind]
}

// Of is what of a kind is left out.
func (c Choice) Of(k Kind) Out {
	switch {
	case c.Kind == Everything && k < Everything || c.Kind == k && !c.One:
		return Out{all: true}
	case c.Kind == k:
		return Out{one: true, id: c.ID}
	}
	return Out{}
}

// Out is what of a kind is left out. The zero value is nothing.
type Out struct {
	all, one bool
	id       int64
}

// Has tells whether the one with an id is left out.
func (o Out) Has(id int64) bool { return o.all || o.one && o.id == id }

// All tells whether all are.
func (o Out) All() bool { return o.all }

// Ladder chooses what is left out.
type Ladder struct {
	Choice        // in the substep under way
	left   int    // substeps for which it still is
	period int    // for how many it was when it was chosen
	watch  int    // substeps for which one that goes wrong is taken again
	was    Choice // what a trial has brought back
	tried  int    // of the candidates, in this substep
	list   []Choice
}

// Some tells whether a substep has gone wrong not long ago.
func (l *Ladder) Some() bool { return l.Kind != Nothing || l.watch > 0 }

// Begin begins a substep: what has been left out for long enough is tried again.
func (l *Ladder) Begin() {
	l.was, l.tried = Choice{}, 0
	switch {
	case l.Kind == Nothing:
		l.watch = max(0, l.watch-1)
	case l.left > 0:
		l.left--
	default:
		l.was, l.Choice = l.Choice, Choice{}
	}
	if l.watch == 0 {
		l.period = 0
	}
}

// Failed notes that the substep has gone wrong, with what acts on the liquid: kind by kind, and the body that has no finite velocity before them. It tells
// whether the substep is to be taken again, with another Choice; else it is to be rolled back.
func (l *Ladder) Failed(acting []Choice) (again bool) {
	if l.watch == 0 {
		l.watch = Watch
		return false
	}
	if l.tried == 0 {
		l.listCandidates(acting)
	}
	for l.list[l.tried] == l.Choice && l.tried < len(l.list)-1 {
		l.tried++
	}
	l.Choice = l.list[l.tried]
	l.tried = min(l.tried+1, len(l.list)-1)
	l.watch = Watch
	return true
}

// Substeps takes the substeps of a liquid.
type Substeps interface {
	// LeaveOut has what a choice leaves out not act.
	LeaveOut(Choice)
	Substep(dt float64) error
	// Stand takes one in which the liquid stands still.
	Stand(dt float64)
	// Acting appends what the last one may have gone wrong with: see Failed.
	Acting(dst []Choice) []Choice
	// RollBack takes the last one back, which went wrong: for another attempt, or else for good.
	RollBack(again bool, err error)
}

// Take takes a substep of dt seconds. It returns what is left out from now on and why, or nothing, and an error if the substep was rolled back for good.
func (l *Ladder) Take(s Substeps, dt float64) (left string, err error) {
	var why error
	for l.Begin(); ; {
		if s.LeaveOut(l.Choice); l.Kind == Motion {
			s.Stand(dt)
			break
		}
		if err = s.Substep(dt); err == nil {
			break
		}
		again := l.Failed(s.Acting(nil))
		if s.RollBack(again, err); !again {
			return "", err
		}
		why = err
	}
	if l.Passed() {
		left = fmt.Sprintf("left out for now, since steps with it go wrong: %v (%v)", l.Choice, why)
	}
	return left, nil
}

// listCandidates lists what is to be left out one after the other.
func (l *Ladder) listCandidates(acting []Choice) {
	l.list = l.list[:0]
	if l.was.Kind != Nothing {
		l.list = append(l.list, l.was)
	}
	for i := 0; i < len(acting); {
		n := i
		for n < len(acting) && acting[n].Kind == acting[i].Kind {
			n++
		}
		if n-i <= few {
			l.list = append(l.list, acting[i:n]...)
		}
		if all := (Choice{Kind: acting[i].Kind}); n-i != 1 || acting[i].One {
			l.list = append(l.list, all)
		}
		i = n
	}
	l.list = append(l.list, Choice{Kind: Everything}, Choice{Kind: Motion})
}

// Passed notes that the substep has gone well. It tells whether something was left out of it that was not before.
func (l *Ladder) Passed() (chosen bool) {
	if l.tried == 0 {
		return false
	}
	l.period = max(first, min(2*l.period, longest))
	l.left = l.period
	return true
}

// Code goes along what decides the substeps to come.
func (l *Ladder) Code(c *codec.Codec) {
	c.Part("what is left out")
	kind := []uint8{uint8(l.Kind)}
	c.Draft(kind, 0, uint8(Motion))
	one, id, left, period, watch := l.One, l.ID, l.left, l.period, l.watch
	c.Bool(&one)
	c.Int64(&id, math.MinInt64, math.MaxInt64)
	c.Int(&left, 0, longest)
	c.Int(&period, 0, longest)
	c.Int(&watch, 0, Watch)
	if c.Reading() {
		*l = Ladder{Choice: Choice{Kind(kind[0]), one, id}, left: left, period: period, watch: watch, list: l.list}
	}
}
