package fluidtrace

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// The phases of trace events that are written.
const (
	complete = 'X'
	counter  = 'C'
	instant  = 'i'
	metadata = 'M'
)

// encoder appends events as JSON objects, one a line, the fields in the order of the format's document.
//
// Source: Trace Event Format (Duca, Sinclair), "JSON Array Format": ts and dur are µs.
type encoder struct {
	buf  []byte
	pid  int
	some bool // an event was written before: a comma leads
	args bool // the event under way has arguments
}

// begin opens an event; end must follow.
func (e *encoder) begin(phase byte, name string, tid int, ts time.Duration) {
	if e.some {
		e.buf = append(e.buf, ",\n"...)
	}
	e.some, e.args = true, false
	e.buf = append(e.buf, `{"name":`...)
	e.buf = appendString(e.buf, name)
	e.buf = append(e.buf, `,"ph":"`...)
	e.buf = append(e.buf, phase, '"')
	e.field("ts")
	e.buf = appendMicroseconds(e.buf, ts)
	e.field("pid")
	e.buf = strconv.AppendInt(e.buf, int64(e.pid), 10)
	e.field("tid")
	e.buf = strconv.AppendInt(e.buf, int64(tid), 10)
}

func (e *encoder) field(name string) {
	e.buf = append(e.buf, `,"`...)
	e.buf = append(e.buf, name...)
	e.buf = append(e.buf, `":`...)
}

// length gives a complete event its duration.
func (e *encoder) length(d time.Duration) {
	e.field("dur")
	e.buf = appendMicroseconds(e.buf, d)
}

// scope says that an instant is shown through the whole process.
func (e *encoder) scope() {
	e.field("s")
	e.buf = append(e.buf, `"p"`...)
}

func (e *encoder) arg(name string) {
	if e.args {
		e.buf = append(e.buf, ',')
	} else {
		e.field("args")
		e.buf = append(e.buf, '{')
		e.args = true
	}
	e.buf = appendString(e.buf, name)
	e.buf = append(e.buf, ':')
}

// number adds an argument; one that is not finite, which JSON can't tell, is left out.
func (e *encoder) number(name string, v float64) {
	if v-v != 0 {
		return
	}
	e.arg(name)
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		e.buf = strconv.AppendInt(e.buf, int64(v), 10)
		return
	}
	e.buf = strconv.AppendFloat(e.buf, v, 'g', -1, 64)
}

func (e *encoder) text(name, v string) {
	e.arg(name)
	e.buf = appendString(e.buf, v)
}

func (e *encoder) end() {
	if e.args {
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, '}')
}

// appendMicroseconds writes d in µs, to the nanosecond.
func appendMicroseconds(b []byte, d time.Duration) []byte {
	return strconv.AppendFloat(b, float64(d)/1e3, 'f', 3, 64)
}

// appendString writes s as JSON; what is no UTF-8 becomes the replacement character.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
