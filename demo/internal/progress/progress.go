// Package progress shows how far a run is.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Line is one line that counts up: rewritten in place on a terminal, else written anew at
// each tenth. Make one with New.
type Line struct {
	w        io.Writer
	terminal bool
	what     string
	total    int
	tenth    int
	width    int
	started  time.Time
	shown    time.Time
	now      func() time.Time
}

// New returns a line for total steps of what. It rewrites itself if w is a terminal.
func New(w io.Writer, what string, total int) *Line {
	l := &Line{w: w, what: what, total: total, now: time.Now}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			l.terminal = info.Mode()&os.ModeCharDevice != 0
		}
	}
	l.started = l.now()
	return l
}

// repaint is how often a terminal's line is rewritten at most.
const repaint = 100 * time.Millisecond

// Done says that n steps are done, with a note, and shows it when it is due.
func (l *Line) Done(n int, note string) {
	now := l.now()
	last := n >= l.total
	if l.terminal {
		if !last && now.Sub(l.shown) < repaint {
			return
		}
		l.shown = now
		text := l.text(n, note, now)
		fmt.Fprintf(l.w, "\r%-*s", l.width, text)
		l.width = len(text)
		if last {
			fmt.Fprintln(l.w)
		}
		return
	}
	if tenth := 10 * n / max(1, l.total); tenth > l.tenth {
		l.tenth = tenth
		fmt.Fprintln(l.w, l.text(n, note, now))
	}
}

func (l *Line) text(n int, note string, now time.Time) string {
	s := fmt.Sprintf("%s %d/%d (%d %%) %.0f s", l.what, n, l.total, 100*n/max(1, l.total), now.Sub(l.started).Seconds())
	if note != "" {
		s += ", " + note
	}
	return s
}
