package fluid

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

type sink struct {
	shape SDF
	rate  float64 // litres/s
	movable
	debt   float64 // m³ that is due and has not gone yet, for want of air that follows
	before float64 // debt before the substep
	took   float64 // m³ of drops that it took in this substep
}

// opening is the shape where it is now.
func (s *sink) opening() SDF { return s.where(s.shape) }

func checkSink(s SDF, litresPerSecond float64) error {
	if err := CheckSDF(s); err != nil {
		return err
	}
	if !(litresPerSecond > 0 && litresPerSecond <= maxRate) {
		return fmt.Errorf("%v litres/s; must be > 0 and at most %g", litresPerSecond, maxRate)
	}
	return nil
}

// AddSink drains what liquid is in a shape, so many litres per second at most.
func (l *Liquid) AddSink(s SDF, litresPerSecond float64) (SinkID, error) {
	defer l.enter(&inAddSink).leave()
	if err := l.def.mustHaveSurface("AddSink"); err != nil {
		return 0, err
	}
	if err := checkSink(s, litresPerSecond); err != nil {
		return 0, fmt.Errorf("fluid: AddSink: %w", err)
	}
	id := l.world.ids.sinks.add()
	s = l.openingShape("AddSink", "sink", id, s)
	l.world.sinks = append(l.world.sinks, &sink{shape: s, rate: litresPerSecond})
	return SinkID(id), nil
}

// SetSink gives a sink another shape, where that is, and another rate, litres per second.
func (l *Liquid) SetSink(id SinkID, s SDF, litresPerSecond float64) error {
	defer l.enter(&inSetSink).leave()
	to, err := l.sink("SetSink", id)
	if err != nil {
		return err
	}
	if err := checkSink(s, litresPerSecond); err != nil {
		return fmt.Errorf("fluid: SetSink: %w", err)
	}
	s = l.openingShape("SetSink", "sink", int64(id), s)
	to.shape, to.rate, to.moved = s, litresPerSecond, r3.Vec{}
	return nil
}

// MoveSink moves a sink to its shape shifted by translation, m, from where AddSink or SetSink has it. One that so leaves the domain is
// named in the next report.
func (l *Liquid) MoveSink(id SinkID, translation r3.Vec) error {
	defer l.enter(&inMoveSink).leave()
	s, err := l.sink("MoveSink", id)
	if err != nil {
		return err
	}
	if err := checkTranslation(translation); err != nil {
		return fmt.Errorf("fluid: MoveSink: %w", err)
	}
	away := l.away(s.opening().Bounds())
	s.moved = translation
	s.place(s.shape)
	if !away {
		l.outside("MoveSink", fmt.Sprintf("sink %d", id), s.opening().Bounds())
	}
	return nil
}

// RemoveSink stops a sink.
func (l *Liquid) RemoveSink(id SinkID) error {
	defer l.enter(&inRemoveSink).leave()
	w := &l.world
	at, err := w.ids.sinks.find("RemoveSink", "sink", int64(id))
	if err != nil {
		return err
	}
	w.sinks = slices.Delete(w.sinks, at, at+1)
	w.ids.sinks.remove(at)
	return nil
}

func (l *simulation) sink(call string, id SinkID) (*sink, error) {
	at, err := l.world.ids.sinks.find(call, "sink", int64(id))
	if err != nil {
		return nil, err
	}
	return l.world.sinks[at], nil
}

// ventSealedSinks has sinks draw from liquid that no air touches, where nothing would follow what leaves: once as much is due as a bubble
// holds they let one in, and then it is as elsewhere.
func (l *simulation) ventSealedSinks() {
	if !slices.Contains(l.solver.Closed, true) {
		return
	}
	for _, s := range l.world.sinks {
		if !l.sources.WetAround(s.opening().Bounds()) {
			s.debt = 0
			continue
		}
		o := l.sources.Opening(s.opening())
		if o == nil || !o.Sealed() {
			s.debt = 0
			continue
		}
		s.debt += float64(s.rate * litre * l.step.dt)
		if took := o.InsertBubble(s.debt); took > 0 {
			l.ledger.DrainedL += took / litre
			s.debt = 0
		}
	}
}

// drawSinks has sinks draw what their rates allow beyond the drops that they took.
func (l *simulation) drawSinks(rows []float64) {
	for _, s := range l.world.sinks {
		opening := s.opening()
		if !l.sources.HasRowsAround(opening.Bounds()) {
			continue
		}
		if o := l.sources.Opening(opening); o != nil {
			drawn := l.sources.Distribute(opening, o.DrawGrowth(), float64(s.took/l.step.dt)-float64(s.rate*litre), rows)
			l.ledger.DrainedL -= drawn * l.step.dt / litre
		}
	}
}

// takeDrops has sinks take the drops in them.
func (l *simulation) takeDrops() {
	for _, s := range l.world.sinks {
		s.took = l.world.drops.TakeFrom(s.opening(), float64(s.rate*litre*l.step.dt))
		l.ledger.DrainedL += s.took / litre
	}
}
