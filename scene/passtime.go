package scene

import (
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// PassTime is how long the graphics card took for one of Draw's passes.
type PassTime struct {
	Pass string
	GPU  time.Duration
}

// PassTimes appends to dst the time of each pass of a picture that Draw has drawn some frames ago, in their order. It appends nothing where
// the driver has no timer queries, and before the first times are known.
func (l *Liquid) PassTimes(dst []PassTime) []PassTime {
	c := &l.stage.clock
	for i, took := range c.times {
		if c.known && took > 0 {
			dst = append(dst, PassTime{passes[i].name, took})
		}
	}
	return dst
}

// delay is after how many frames a time is read: reading it sooner would wait for the graphics card.
const delay = 4

// clock times the passes with OpenGL's timer queries.
type clock struct {
	asked, works bool
	known        bool
	fresh        bool            // times are new
	times        []time.Duration // by pass
	frames       [delay]struct {
		passes  []int // what was timed, in order
		queries []uint32
	}
	now int // of frames
}

// frame begins a picture, and reads the times of the one that was drawn delay pictures before.
func (c *clock) frame() {
	if !c.asked {
		var bits int32
		gl.GetQueryiv(gl.TIME_ELAPSED, gl.QUERY_COUNTER_BITS, &bits)
		c.asked, c.works, c.times = true, bits > 0, make([]time.Duration, len(passes))
	}
	if !c.works {
		return
	}
	c.now = (c.now + 1) % delay
	c.read()
}

// read takes what the oldest frame measured, if the graphics card is done with it.
func (c *clock) read() {
	f := &c.frames[c.now]
	n := len(f.passes)
	if n == 0 {
		return
	}
	var done int32
	gl.GetQueryObjectiv(f.queries[n-1], gl.QUERY_RESULT_AVAILABLE, &done)
	if done != 0 {
		clear(c.times)
		for k, pass := range f.passes {
			var ns uint64
			gl.GetQueryObjectui64v(f.queries[k], gl.QUERY_RESULT, &ns)
			c.times[pass] += time.Duration(ns)
		}
		c.known, c.fresh = true, true
	}
	f.passes = f.passes[:0]
}

// begin starts to time a pass.
func (c *clock) begin(pass int) {
	if !c.works {
		return
	}
	f := &c.frames[c.now]
	f.passes = append(f.passes, pass)
	if len(f.queries) < len(f.passes) {
		var q uint32
		gl.GenQueries(1, &q)
		f.queries = append(f.queries, q)
	}
	gl.BeginQuery(gl.TIME_ELAPSED, f.queries[len(f.passes)-1])
}

// end stops what begin started.
func (c *clock) end() {
	if c.works {
		gl.EndQuery(gl.TIME_ELAPSED)
	}
}

func (c *clock) dispose() {
	for i := range c.frames {
		if q := c.frames[i].queries; len(q) > 0 {
			gl.DeleteQueries(int32(len(q)), &q[0])
		}
	}
	*c = clock{}
}
