// Replay takes the recorded steps of a black box's dump again, from the state that the dump has, and says of each hash
// that was recorded whether it agrees. It needs neither a screen nor a C compiler.
//
//	go run ./demo/pool -headless -budget 4ms -box out/box
//	go run ./demo/replay out/box/step0000011-miss
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/pool"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// settings are the flags.
type settings struct {
	workers int
	out     string // "": no trace
	dump    string
}

// Exit codes.
const (
	differs = 1
	failed  = 1
)

func readSettings(args []string) (settings, *option.Set, error) {
	s := settings{}
	set := option.New("replay")
	set.Int(&s.workers, 0, 256, "workers", "goroutines that share a step, of which the hashes don't depend; 0 means one per processor")
	set.Text(&s.out, "out", "folder for the trace of the replay, trace.json")
	set.Operand(&s.dump, "DUMP")
	err := set.Parse(args)
	if err == nil && s.dump == "" {
		err = errors.New("replay: needs the folder of a dump, as demo/pool -box and demo/profile -box leave them: replay out/box/step0000011-miss")
	}
	return s, set, err
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code.
func run(args []string, out, errs io.Writer) int {
	s, set, err := readSettings(args)
	if code, ends := set.Ends(err, out, errs); ends {
		return code
	}
	agree, err := replay(s, out, errs)
	switch {
	case err != nil:
		fmt.Fprintln(errs, "replay:", err)
		return failed
	case !agree:
		return differs
	}
	return 0
}

// replay takes the steps of a dump again and tells whether all hashes agree.
func replay(s settings, out, errs io.Writer) (agree bool, err error) {
	d, err := fluidtrace.OpenDump(s.dump)
	if err != nil {
		return false, err
	}
	p, err := pool.Restore(d, s.workers)
	if err != nil {
		return false, err
	}
	defer p.Close()
	trace, err := newTrace(s.out, p.Liquid())
	if err != nil {
		return false, err
	}
	last := d.Steps[len(d.Steps)-1]
	fmt.Fprintf(out, "steps %d to %d, from the state after step %d: %s\n", d.Steps[0].Step, last.Step, d.Start.Step, last.Reason)
	c := comparison{out: out}
	c.compare(&d.Start, p)
	line := progress.New(errs, "step", len(d.Steps))
	for i := range d.Steps {
		t := &d.Steps[i]
		r, err := p.Replay(t)
		if err != nil {
			return false, errors.Join(fmt.Errorf("step %d: %w", t.Step, err), trace.close())
		}
		trace.step(&r)
		line.Done(i+1, fmt.Sprintf("%d unknowns", r.UnknownCount()))
		c.compare(t, p)
	}
	return c.tell(), trace.close()
}

// comparison counts the hashes that agree.
type comparison struct {
	out           io.Writer
	known, agreed int
}

// compare compares the hashes after a step, if they were recorded.
func (c *comparison) compare(t *fluidtrace.StepRecord, p *pool.Pool) {
	if t.Hash == 0 {
		return
	}
	c.known++
	liquid, bodies := verdict(p.Liquid().Hash(), t.Hash), verdict(p.Hash(), t.GameHash)
	if liquid == agrees && bodies == agrees {
		c.agreed++
	}
	fmt.Fprintf(c.out, "step %d: liquid %016x %s, bodies %016x %s\n", t.Step, t.Hash, liquid, t.GameHash, bodies)
}

const agrees = "agrees"

// verdict says whether a hash is the recorded one.
func verdict(now, recorded uint64) string {
	if now == recorded {
		return agrees
	}
	return fmt.Sprintf("DIFFERS: %016x", now)
}

// tell says how many hashes agree, and whether all do.
func (c *comparison) tell() bool {
	fmt.Fprintf(c.out, "%d of %d hashes agree\n", c.agreed, c.known)
	if c.agreed < c.known {
		fmt.Fprintf(c.out, "This is %s %s/%s; the dump's summary tells where it was made. Builds for other processors round otherwise.\n",
			runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	return c.agreed == c.known
}

// trace writes the replay's trace. The nil one writes none.
type trace struct {
	writer *fluidtrace.Writer
	file   *os.File
}

func newTrace(dir string, l *fluid.Liquid) (*trace, error) {
	if dir == "" {
		return nil, nil
	}
	if err := l.Profile(fluid.Profiling{WorkerSpans: 4096}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(filepath.Join(dir, fluidtrace.TraceFile))
	if err != nil {
		return nil, err
	}
	return &trace{fluidtrace.NewWriter(file, fluidtrace.Options{Process: "replay"}), file}, nil
}

func (t *trace) step(r *fluid.Report) {
	if t != nil {
		t.writer.Step(r)
	}
}

func (t *trace) close() error {
	if t == nil {
		return nil
	}
	return errors.Join(t.writer.Close(), t.file.Close())
}
