package adapter

import (
	"reflect"
	"slices"
	"sync"

	"github.com/meniscus3d/meniscus/fluid"
)

// underWay are the batches under way of liquids that share their bodies, of all Steppers of the process: those of one
// world find each other here.
var underWay struct {
	sync.Mutex
	of []*background
}

// enlist notes that a batch is under way that moves the bodies, if there are any.
func (b *background) enlist(bodies fluid.Bodies) {
	if b.bodies = bodies; bodies != nil {
		underWay.Lock()
		underWay.of = append(underWay.of, b)
		underWay.Unlock()
	}
}

// strike notes that it is no more.
func (b *background) strike() {
	if b.bodies != nil {
		underWay.Lock()
		i := slices.Index(underWay.of, b)
		underWay.of = slices.Delete(underWay.of, i, i+1)
		underWay.Unlock()
		b.bodies = nil
	}
}

// coupled is a Source that tells what bodies it is coupled to; *fluid.Liquid is one.
type coupled interface{ Coupled() fluid.Bodies }

// bodies are what the liquid may share with others, if that can be told. While a step is under way they are not asked for.
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

// waitForOthers returns when no step is under way of another liquid that is coupled to the same bodies: it
// moves what is this one's too.
func (s *Stepper) waitForOthers() {
	own := s.bodies()
	if own == nil {
		return
	}
	s.others = s.others[:0]
	underWay.Lock()
	for _, b := range underWay.of {
		if b != s.background && b.bodies == own {
			s.others = append(s.others, b)
		}
	}
	underWay.Unlock()
	for _, b := range s.others {
		b.wait()
	}
	clear(s.others)
}
