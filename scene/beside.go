package scene

import (
	"reflect"

	"github.com/meniscus3d/meniscus/fluid"
)

// asyncs are the nodes whose steps run beside the frames, in the order in which they were made. Touched
// only on the goroutine of Update.
var asyncs []*Liquid

// addAsync and removeAsync keep asyncs.
func addAsync(l *Liquid) { asyncs = append(asyncs, l) }

func removeAsync(l *Liquid) {
	for i, o := range asyncs {
		if o == l {
			asyncs = append(asyncs[:i], asyncs[i+1:]...)
			return
		}
	}
}

// coupled is a Source that tells what bodies it is coupled to; *fluid.Liquid is one.
type coupled interface{ Coupled() fluid.Bodies }

// bodiesOf are what the liquid shares with others, if that can be told.
func (l *Liquid) bodiesOf() fluid.Bodies {
	c, ok := l.source.(coupled)
	if !ok {
		return nil
	}
	b := c.Coupled()
	if b == nil || !reflect.TypeOf(b).Comparable() {
		return nil
	}
	return b
}

// waitForOthers returns when no step is under way of another liquid that is coupled to the same bodies: it
// moves what is this one's too.
func (l *Liquid) waitForOthers() {
	if len(asyncs) == 0 || len(asyncs) == 1 && asyncs[0] == l {
		return
	}
	own := l.bodiesOf()
	if own == nil {
		return
	}
	for _, o := range asyncs {
		if o != l && o.bodiesOf() == own {
			o.background.wait()
		}
	}
}
