package fluid

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/internal/callguard"
	"github.com/meniscus3d/meniscus/fluid/internal/flows"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func checkSink(s SDF, litresPerSecond float64) error {
	if err := CheckSDF(s); err != nil {
		return err
	}
	return flows.CheckRate(litresPerSecond)
}

// AddSink drains what liquid is in a shape, so many litres per second at most.
func (l *Liquid) AddSink(s SDF, litresPerSecond float64) (SinkID, error) {
	defer l.enter(&callguard.AddSink).leave()
	if err := l.sim.def.mustHaveSurface("AddSink"); err != nil {
		return 0, err
	}
	if err := l.sim.mustBeAble("AddSink", l.sim.can.Flows != nil); err != nil {
		return 0, err
	}
	if err := checkSink(s, litresPerSecond); err != nil {
		return 0, fmt.Errorf("fluid: AddSink: %w", err)
	}
	to := &flows.Sink{ID: l.sim.ids.sinks.Add(), Rate: litresPerSecond}
	to.SetShape(guarded(s))
	l.sim.warnOfOutside("AddSink", fmt.Sprintf("sink %d", to.ID), s.Bounds())
	l.sim.around.Flows.Sinks.All = append(l.sim.around.Flows.Sinks.All, to)
	return SinkID(to.ID), nil
}

// SetSink gives a sink another shape, where that is, and another rate, litres per second.
func (l *Liquid) SetSink(id SinkID, s SDF, litresPerSecond float64) error {
	defer l.enter(&callguard.SetSink).leave()
	to, err := l.sim.sink("SetSink", id)
	if err != nil {
		return err
	}
	if err := checkSink(s, litresPerSecond); err != nil {
		return fmt.Errorf("fluid: SetSink: %w", err)
	}
	to.SetShape(guarded(s))
	l.sim.warnOfOutside("SetSink", fmt.Sprintf("sink %d", id), s.Bounds())
	to.Rate = litresPerSecond
	return nil
}

// MoveSink moves a sink to its shape shifted by translation, m, from where AddSink or SetSink has it, and turned before that about its own origin by a
// rotation, of which the zero value is none. One that so leaves the domain is named in the next report.
func (l *Liquid) MoveSink(id SinkID, translation r3.Vec, rotation quat.Number) error {
	defer l.enter(&callguard.MoveSink).leave()
	s, err := l.sim.sink("MoveSink", id)
	if err != nil {
		return err
	}
	left, err := s.Move(translation, rotation, l.sim.def.Domain)
	if err != nil {
		return fmt.Errorf("fluid: MoveSink: %w", err)
	}
	if left {
		l.sim.warnOfOutside("MoveSink", fmt.Sprintf("sink %d", id), s.Opening().Bounds())
	}
	return nil
}

// RemoveSink stops a sink.
func (l *Liquid) RemoveSink(id SinkID) error {
	defer l.enter(&callguard.RemoveSink).leave()
	_, err := ids.RemoveFrom(&l.sim.ids.sinks, &l.sim.around.Flows.Sinks.All, "RemoveSink", "sink", int64(id))
	return err
}

func (l *simulation) sink(call string, id SinkID) (*flows.Sink, error) {
	return ids.Named(&l.ids.sinks, l.around.Flows.Sinks.All, call, "sink", int64(id))
}
