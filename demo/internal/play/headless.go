package play

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/demo/internal/picture"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
	"github.com/meniscus3d/meniscus/scene"
	"github.com/meniscus3d/meniscus/scene/adapter"
)

// studio draws a scenario into files.
type studio struct {
	settings Settings
	gs       *gls.GLS
	rend     *renderer.Renderer
	cam      *camera.Camera
	stage    *stage.Stage
	panel    *panel
	grid     *grid
	sheet    picture.Sheet
	name     string // of the pictures
	shown    int    // frame last drawn
	err      error  // the first of cues beside the frames
}

// witness is told of the steps.
type witness struct {
	rec *report.Recorder
	box *fluidtrace.FlightRecorder // nil without -box
}

func (w *witness) step(r *fluid.Report) {
	w.rec.Add(r)
	if w.box != nil {
		w.box.Step(r)
	}
}

// runHeadless plays the scenario at 1/60 s a frame: once with a budget of work, for pictures that are the same on every machine, and once
// undrawn within the time budget, if there is one, for the report.
func (d *Demo[S]) runHeadless(s Settings) error {
	st, err := openStudio(d.Name, s)
	if err != nil {
		return err
	}
	if all, names := d.variants(s); len(names) > 0 {
		return d.compare(st, s, all, names)
	}
	run, err := d.record(st, s)
	if err != nil {
		return err
	}
	if err := report.Write(s.reportPath(), run); err != nil {
		return err
	}
	fmt.Println(run.Summary())
	return st.close()
}

// columns is how many pictures of a variant are drawn, and narrow how wide they are on the sheet, pixels, unless the settings say otherwise.
const columns, narrow = 8, 360

// compare plays the variants one after another. The report is a list.
func (d *Demo[S]) compare(st *studio, s Settings, all []Settings, names []string) error {
	if s.Every == 0 {
		s.Every = max(1, s.Frames/columns)
	}
	st.settings = s
	st.sheet = picture.Sheet{Columns: (s.Frames + s.Every - 1) / s.Every, Width: narrow, Rows: names}
	var runs []report.Run
	for i, name := range names {
		fmt.Fprintf(os.Stderr, "%s: %s\n", d.Name, name)
		all[i].Every, st.name = s.Every, fmt.Sprintf("row%d", i+1)
		run, err := d.record(st, all[i])
		if err != nil {
			return err
		}
		run.Variant = name
		runs = append(runs, run)
		fmt.Printf("%s: %s\n", name, run.Summary())
	}
	if err := report.Write(s.reportPath(), runs); err != nil {
		return err
	}
	return st.close()
}

// record plays the scenario for its pictures, and once more within the time budget if there is one.
func (d *Demo[S]) record(st *studio, s Settings) (report.Run, error) {
	run, err := d.film(st, s)
	if err != nil {
		return run, err
	}
	run.Pictures = &report.Pictures{WorkK: s.Work, Unknowns: run.Unknowns, Volume: run.Volume, Bodies: run.Bodies, Hash: run.Hash}
	if s.Budget > 0 {
		pictures := run.Pictures
		if run, err = d.time(st, s); err != nil {
			return run, err
		}
		run.Pictures = pictures
	}
	return run, nil
}

// film plays the scenario for its pictures.
func (d *Demo[S]) film(st *studio, s Settings) (report.Run, error) {
	s.Box = "" // what a picture takes is no miss
	return d.play(st, s, "frame", s.drawn, func(l *fluid.Liquid) error {
		if !planned(l) {
			return nil
		}
		return l.SetBudget(s.drawnWithin())
	})
}

// planned tells whether a liquid takes budgets and views: without cells it is the same in every step.
func planned(l *fluid.Liquid) bool { return l.Def().Method != fluid.BoundaryOnly }

// time plays the scenario again within its time budget. Nothing is drawn.
func (d *Demo[S]) time(st *studio, s Settings) (report.Run, error) {
	undrawn := func(int) bool { return false }
	return d.play(st, s, "timed step", undrawn, func(*fluid.Liquid) error { return nil })
}

// play plays a new scenario, whose liquid it readies first, and reports.
func (d *Demo[S]) play(st *studio, s Settings, what string, drawn func(n int) bool, ready func(*fluid.Liquid) error) (run report.Run, err error) {
	scenario, err := d.New(s)
	if err != nil {
		return run, err
	}
	defer scenario.Close()
	liquid := scenario.Liquid()
	if err := ready(liquid); err != nil {
		return run, err
	}
	d.dress(st, s, scenario)
	defer st.stage.Root.Dispose()
	fmt.Fprintf(os.Stderr, "%s: loading: the liquid takes its memory and tries its first steps\n", d.Name)
	liquid.Prewarm()
	box, err := d.openBox(s, scenario)
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, closeBox(box, s)) }()
	rec := report.Recorder{Budget: s.Budget}
	if err := beside(func(draw drawer) error {
		return st.film(take{what, drawn, draw}, scenario, NewMover(s.Camera, d.Views), &witness{&rec, box})
	}); err != nil {
		return run, err
	}
	run = rec.Run(liquid.Ledger(), liquid.Surface(), scenario.Bodies())
	run.Readings, run.Hash = scenario.Readings(), fmt.Sprintf("%016x", liquid.Hash())
	for _, note := range rec.Notes() {
		fmt.Fprintf(os.Stderr, "%s: %s\n", d.Name, note)
	}
	return run, nil
}

// dress builds what a scenario looks like.
func (d *Demo[S]) dress(st *studio, s Settings, scenario S) {
	var cue func()
	if s.Async {
		cue = func() { st.err = cmp.Or(st.err, scenario.Cue()) }
	}
	st.stage, st.shown = d.Dress(scenario, s.options(cue)), 0
	st.grid = newGrid(scenario.Liquid(), st.stage.Water, s.Grid)
}

// openStudio opens a window to draw in and makes the folder for the pictures.
func openStudio(name string, s Settings) (*studio, error) {
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return nil, err
	}
	if err := window.Init(s.Size.Width, s.Size.Height, name); err != nil {
		return nil, fmt.Errorf("no window: %w", err)
	}
	st := &studio{settings: s, name: "frame", gs: window.Get().Gls(), cam: newCamera(s.Size)}
	st.rend = renderer.NewRenderer(st.gs)
	if err := st.rend.AddDefaultShaders(); err != nil {
		return nil, err
	}
	st.gs.Viewport(0, 0, int32(s.Size.Width), int32(s.Size.Height))
	stage.ClearColour(st.gs, s.daylight())
	st.panel = newPanel(s.Readings)
	st.panel.resize(s.Size.Width, s.Size.Height)
	return st, nil
}

// drawer has something done on OpenGL's thread, and waits.
type drawer func(f func() error) error

// beside runs film on a goroutine of its own, and here what it has drawn. A goroutine that is locked to OpenGL's thread
// loses its processor every 10 ms, for as long as it takes to wake two threads: steps that it takes or waits for
// would be timed with that.
func beside(film func(draw drawer) error) error {
	todo, done := make(chan func()), make(chan error)
	go func() {
		done <- film(func(f func() error) error {
			drawn := make(chan error)
			todo <- func() { drawn <- f() }
			return <-drawn
		})
	}()
	for {
		select {
		case f := <-todo:
			f()
		case err := <-done:
			return err
		}
	}
}

// take is one run through a scenario.
type take struct {
	what  string // of the progress line
	drawn func(n int) bool
	draw  drawer
}

// film takes the steps and has the frames drawn that are due.
func (st *studio) film(t take, scenario Scenario, moves *Mover, w *witness) error {
	s := &st.settings
	line := progress.New(os.Stderr, t.what, s.Frames)
	step := st.step
	if s.Async {
		step = st.stepBeside
		defer st.takeOver(0, scenario, w)
	}
	for n := 1; n <= s.Frames; n++ {
		pose := moves.Advance(Timestep, scenario.Subject())
		place(st.cam, pose)
		look(scenario, pose)
		if moves.steers() && planned(scenario.Liquid()) {
			if err := scenario.Liquid().SetView(ViewOf(pose, s.Size)); err != nil {
				return err
			}
		}
		r, err := step(scenario, w)
		if err != nil {
			return err
		}
		if t.drawn(n) {
			if err := t.draw(func() error {
				st.panel.show(scenario.Readings())
				return st.shoot(n, pose)
			}); err != nil {
				return err
			}
		}
		line.Done(n, fmt.Sprintf("step %.1f ms, %d unknowns", report.Milliseconds(r.Duration), r.UnknownCount()))
	}
	return nil
}

// step takes a step.
func (st *studio) step(scenario Scenario, w *witness) (*fluid.Report, error) {
	r, err := Step(scenario)
	if err == nil {
		st.stage.Water.Capture()
		w.step(r)
	}
	return r, err
}

// stepBeside has a step taken as in a window with Async, but waits for it, so that nothing is
// drawn while it is timed. The report is of the step before.
func (st *studio) stepBeside(scenario Scenario, w *witness) (*fluid.Report, error) {
	f := st.takeOver(time.Second/60, scenario, w)
	w.rec.Stalled(f.Stall)
	st.stage.Water.Wait()
	return &f.Report, st.err
}

// takeOver is a frame of a length in which the step before is taken over.
func (st *studio) takeOver(dt time.Duration, scenario Scenario, w *witness) scene.Frame {
	return st.stage.Water.Update(dt, func(r *fluid.Report) {
		advance(scenario, r)
		w.step(r)
	})
}

// shoot draws frame n and writes it. With Async it shows what a window would, two steps back.
func (st *studio) shoot(n int, pose view.Pose) error {
	if !st.settings.Async {
		st.stage.Water.Refresh(1, time.Duration(float64(n-st.shown)*Timestep*float64(time.Second)))
	}
	st.stage.Prepare(pose.Eye)
	st.stage.Water.BetweenSteps(func() { st.grid.update(pose) })
	st.shown = n
	if err := st.stage.Water.Draw(st.rend, st.stage.Root, st.cam); err != nil {
		return err
	}
	return st.save(st.name, n)
}

// save draws the panel over what was drawn and writes it as picture n of a name.
func (st *studio) save(name string, n int) error {
	if err := st.panel.draw(st.gs, st.rend, st.cam); err != nil {
		return err
	}
	img, err := scene.Picture(st.gs)
	if err != nil {
		return err
	}
	st.sheet.Add(img, n)
	return adapter.SavePNG(filepath.Join(st.settings.Out, fmt.Sprintf("%s_%05d.png", name, n)), img)
}

// close writes the contact sheet and says where everything is.
func (st *studio) close() error {
	s := &st.settings
	fmt.Printf("%d pictures and contact.png in %s, report in %s\n", st.sheet.Len(), s.Out, s.reportPath())
	return adapter.SavePNG(filepath.Join(s.Out, "contact.png"), st.sheet.Image())
}
