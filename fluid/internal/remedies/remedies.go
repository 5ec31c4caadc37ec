// Package remedies chooses what substeps leave out when they keep failing, so that a liquid never repeats the same failing step.
//
// A substep that fails is rolled back, and the next one begins at rest. If that one fails too, or any of the Watch substeps after it, the substep is
// repeated at once: first without the body that has no finite velocity; then without what acts on the liquid, kind by kind, each single one of a few
// and then all of the kind; then without all kinds together. If all of these fail, the liquid stands still. What made a substep succeed is left out
// of those that follow, and then tried again. Each time it fails again it is left out for twice as long.
package remedies

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

const (
	// Watch is the number of substeps after a failed one in which the next failure is repeated at once, not rolled back.
	Watch = 60
	// first and longest bound the number of substeps for which something is left out before it is tried again.
	first, longest = 16, 1024
	// few is the largest number of things of a kind that are also left out one by one.
	few = 8
)

// Kind is a kind of things that act on the liquid.
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

// Choice is what is left out: all of a kind, or one of it.
type Choice struct {
	Kind Kind
	One  bool
	ID   int64 // if One
}

func (c Choice) String() string {
	if c.One {
		return fmt.Sprintf("%s %d", single[c.Kind], c.ID)
	}
	return names[c.Kind]
}

// Text says that the choice is left out from now on, and names the error that this avoids.
func (c Choice) Text(why error) string {
	return fmt.Sprintf("left out for now, since steps with it go wrong: %v (%v)", c, why)
}

// Of returns what the choice leaves out of a kind.
func (c Choice) Of(k Kind) Out {
	switch {
	case c.Kind == Everything && k < Everything || c.Kind == k && !c.One:
		return Out{all: true}
	case c.Kind == k:
		return Out{one: true, id: c.ID}
	}
	return Out{}
}

// Out is what is left out of a kind. The zero value is nothing.
type Out struct {
	all, one bool
	id       int64
}

// Has reports whether the thing with an id is left out.
func (o Out) Has(id int64) bool { return o.all || o.one && o.id == id }

// All reports whether all things of the kind are left out.
func (o Out) All() bool { return o.all }

// Ladder is the state of the search for what to leave out.
type Ladder struct {
	Choice        // of the current substep
	left   int    // substeps for which Choice stays left out
	period int    // the initial value of left
	watch  int    // substeps in which a failure is repeated at once
	was    Choice // what is tried again in this substep
	tried  int    // number of candidates tried in this substep
	list   []Choice
}

// Recent reports whether a substep has failed recently.
func (l *Ladder) Recent() bool { return l.Kind != Nothing || l.watch > 0 }

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

// Failed records that the substep has failed. acting lists what acts on the liquid: the body without a finite velocity first, then kind by kind. Failed reports
// whether to repeat the substep with a new Choice; otherwise it is to be rolled back.
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

// listCandidates lists what to leave out, in order.
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

// Passed records that the substep has succeeded. It reports whether something new was left out.
func (l *Ladder) Passed() (chosen bool) {
	if l.tried == 0 {
		return false
	}
	l.period = max(first, min(2*l.period, longest))
	l.left = l.period
	return true
}

// Code encodes and decodes the state that decides later substeps.
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
