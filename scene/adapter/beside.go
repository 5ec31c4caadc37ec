package adapter

import (
	"reflect"
	"slices"
	"sync"

	"github.com/meniscus3d/meniscus/fluid"
)

// runningBatches lists the batches under way, of all Steppers of the process, of liquids that share their bodies.
var runningBatches struct {
	sync.Mutex
	of []*background
}

// register lists the batch as under way, if bodies are not nil.
func (b *background) register(bodies fluid.Bodies) {
	if b.bodies = bodies; bodies != nil {
		runningBatches.Lock()
		runningBatches.of = append(runningBatches.of, b)
		runningBatches.Unlock()
	}
}

// unregister removes the batch from the list.
func (b *background) unregister() {
	if b.bodies != nil {
		runningBatches.Lock()
		i := slices.Index(runningBatches.of, b)
		runningBatches.of = slices.Delete(runningBatches.of, i, i+1)
		runningBatches.Unlock()
		b.bodies = nil
	}
}

// coupled is a Source that reports the bodies to which it is coupled; *fluid.Liquid is one.
type coupled interface{ Coupled() fluid.Bodies }

// bodies are those that the liquid may share with others, nil if not known. It does not ask the source while a step is
// under way.
func (s *Stepper) bodies() fluid.Bodies {
	if s.background != nil && s.background.busy {
		return s.background.bodies
	}
	if c, ok := s.source.(coupled); ok {
		if b := c.Coupled(); b != nil && reflect.TypeOf(b).Comparable() {
			return b
		}
	}
	return nil
}

// waitForOthers waits for steps of other liquids that are coupled to the same bodies: those steps move this liquid's
// bodies.
func (s *Stepper) waitForOthers() {
	own := s.bodies()
	if own == nil {
		return
	}
	s.others = s.others[:0]
	runningBatches.Lock()
	for _, b := range runningBatches.of {
		if b != s.background && b.bodies == own {
			s.others = append(s.others, b)
		}
	}
	runningBatches.Unlock()
	for _, b := range s.others {
		b.wait()
	}
	clear(s.others)
}
