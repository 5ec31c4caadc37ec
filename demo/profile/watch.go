package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// watch starts the profiles of Go's own that the settings ask for; stop ends them.
func watch(s settings) (stop func() error, err error) {
	var stops []func() error
	stop = func() error {
		var errs []error
		for _, f := range stops {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	begin := func(name string, start func(f *os.File) error, end func()) error {
		f, err := os.Create(filepath.Join(s.out, name))
		if err != nil {
			return err
		}
		if err := start(f); err != nil {
			return errors.Join(err, f.Close())
		}
		stops = append(stops, func() error {
			end()
			return f.Close()
		})
		return nil
	}
	if s.cpu {
		err = begin("cpu.pprof", func(f *os.File) error { return pprof.StartCPUProfile(f) }, pprof.StopCPUProfile)
	}
	if s.regions && err == nil {
		err = begin("regions.trace", func(f *os.File) error { return trace.Start(f) }, trace.Stop)
	}
	if err != nil {
		return nil, errors.Join(err, stop())
	}
	return stop, nil
}

// watchers are told of a run's steps.
type watchers struct {
	trace *fluidtrace.Writer
	file  *os.File
	box   *fluidtrace.FlightRecorder
}

// newWatchers starts what the settings ask for.
func newWatchers(sc *scene, s settings) (w watchers, err error) {
	var p fluid.Profiling
	if s.cpu {
		p.Labels = pprof.WithLabels(context.Background(), pprof.Labels("scene", s.scene))
	}
	p.WorkerSpans = 4096
	if err := sc.liquid.Profile(p); err != nil {
		return w, err
	}
	if w.file, err = os.Create(filepath.Join(s.out, fluidtrace.TraceFile)); err != nil {
		return w, err
	}
	w.trace = fluidtrace.NewWriter(w.file, fluidtrace.Options{Process: s.scene})
	if s.box {
		w.box, err = sc.box(fluidtrace.FlightRecorderOptions{
			Dir: filepath.Join(s.out, "box"), Budget: s.budget,
			About: fmt.Sprintf("demo/profile -scene %s -cell %g -budget %v -work %g -seed %d -workers %d", s.scene, sc.liquid.Def().CellSize, s.budget, s.work, s.seed, s.workers),
		})
	}
	return w, err
}

// step tells of a step.
func (w *watchers) step(r *fluid.Report) {
	w.trace.Step(r)
	if w.box != nil {
		w.box.Step(r)
	}
}

// close ends what newWatchers started.
func (w *watchers) close() (err error) {
	if w.box != nil {
		err = w.box.Close()
	}
	if w.trace != nil {
		err = errors.Join(err, w.trace.Close(), w.file.Close())
	}
	return err
}
