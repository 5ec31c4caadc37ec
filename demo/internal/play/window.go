package play

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/g3n/engine/app"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
	"github.com/meniscus3d/meniscus/scene"
)

// show is a scenario in a window.
type show[S Scenario] struct {
	screen
	demo     *Demo[S]
	settings Settings
	scenario S
	stage    *stage.Stage
	moves    *Mover
	hud      *scene.HUD
	grid     *grid
	bodies   *scene.BodyOverlay
	drag     drag
	box      *fluidtrace.FlightRecorder // nil without -box
	subject  r3.Vec                     // after the last step
	readings []report.Reading           // after the last step
	slow     bool
	paused   bool
	loading  loading
}

// loading says how far the show is with what takes a moment before the first step.
type loading uint8

// A show says that it loads in one picture, and loads before the next.
const (
	announced loading = iota
	due
	done
)

// binding is what a key does.
type binding[S Scenario] struct {
	key  window.Key
	name string
	what string
	do   func(w *show[S])
}

// nextView shows the next of Draw's render targets, after the last one the picture again.
func (w *show[S]) nextView() error {
	views := scene.DebugViews()
	next := 1 + slices.Index(views, w.stage.Water.DebugView())
	if next == len(views) {
		return w.stage.Water.SetDebugView("")
	}
	return w.stage.Water.SetDebugView(views[next])
}

// bindings are all keys, the demo's own first, in the order in which the help line lists them.
func (d *Demo[S]) bindings(s Settings) []binding[S] {
	var all []binding[S]
	for _, k := range d.Keys {
		all = append(all, binding[S]{k.Key, k.Name, k.What, func(w *show[S]) { w.check(k.Do(w.scenario)) }})
	}
	if s.Box != "" {
		all = append(all, binding[S]{window.KeyF12, "F12", "dump", func(w *show[S]) { w.box.Dump("the player asked for it") }})
	}
	return append(all,
		binding[S]{window.KeyR, "R", "restart", func(w *show[S]) { w.again = true }},
		binding[S]{window.KeyC, "C", "camera", (*show[S]).nextCamera},
		binding[S]{window.KeyG, "G", "grid", func(w *show[S]) { w.grid.show(after(grids, w.grid.shown)) }},
		binding[S]{window.KeyB, "B", "bodies", func(w *show[S]) { w.bodies.Toggle() }},
		binding[S]{window.KeyH, "H", "timings", func(w *show[S]) { w.hud.Toggle() }},
		binding[S]{window.KeyV, "V", "what Draw draws", func(w *show[S]) { w.check(w.nextView()) }},
		binding[S]{window.KeyS, "S", "slow motion", func(w *show[S]) { w.slow = !w.slow }},
		binding[S]{window.KeyP, "P", "pause", func(w *show[S]) { w.paused = !w.paused }},
		binding[S]{window.KeyF1, "F1", "this line", func(w *show[S]) { w.panel.help.SetVisible(!w.panel.help.Visible()) }},
		binding[S]{window.KeyEscape, "Esc", "quit", func(w *show[S]) { w.app.Exit() }},
	)
}

// help names the keys and what the mouse does.
func (d *Demo[S]) help(s Settings) []string {
	var parts []string
	for _, b := range d.bindings(s) {
		parts = append(parts, b.name+" "+b.what)
	}
	return append(parts, dragHelp, mouseHelp)
}

// slowly is how much slower slow motion is.
const slowly = 5

// runWindow shows the scenario until the window is closed.
func (d *Demo[S]) runWindow(s Settings) error {
	w, end, err := d.begin(s)
	if err != nil {
		return err
	}
	w.app.Run(w.frame)
	fmt.Fprintf(os.Stderr, "%s given up by slow frames\n", w.stage.Water.Dropped().Round(time.Millisecond))
	return end()
}

// begin opens the window; end waits for the steps under way and returns the first error.
func (d *Demo[S]) begin(s Settings) (w *show[S], end func() error, err error) {
	scenario, err := d.New(s)
	if err != nil {
		return nil, nil, err
	}
	box, err := d.openBox(s, scenario)
	if err != nil {
		scenario.Close()
		return nil, nil, err
	}
	w = d.openShow(s, scenario)
	w.box = box
	return w, func() error { return errors.Join(w.err, w.leave()) }, nil
}

// leave waits for the steps under way, takes down what the scenario looks like, and closes it and its box.
func (w *show[S]) leave() error {
	w.stage.Water.Wait()
	w.stage.Root.Dispose()
	defer w.scenario.Close()
	return closeBox(w.box, w.settings)
}

// restart plays the scenario from its beginning. If that can't be made the show ends with the error.
func (w *show[S]) restart() error {
	scenario, err := w.demo.New(w.settings)
	if err != nil {
		return err
	}
	box, err := w.demo.openBox(w.settings, scenario)
	if err != nil {
		scenario.Close()
		return err
	}
	hud, grid, bodies := w.hud.Visible(), w.grid.shown, w.bodies.Visible()
	if err := w.leave(); err != nil {
		return err
	}
	w.scenario, w.box, w.moves, w.loading = scenario, box, NewMover(w.moves.mode, w.demo.Views), announced
	w.dress()
	w.hud.SetVisible(hud)
	w.grid.show(grid)
	w.bodies.SetVisible(bodies)
	w.observe()
	return nil
}

// dress builds what the scenario looks like, and what is drawn over it.
func (w *show[S]) dress() {
	w.stage = w.demo.Dress(w.scenario, w.settings.options(w.cue))
	w.hud = scene.NewHUD(scene.HUDOptions{Budget: w.settings.Budget})
	w.hud.SetVisible(false)
	w.stage.Water.Add(w.hud)
	w.grid = newGrid(w.scenario.Liquid(), w.stage.Water, w.settings.Grid)
	w.bodies = scene.NewBodyOverlay(w.scenario.World())
	w.stage.Water.Add(w.bodies)
	w.drag.hold(w.scenario.World())
	w.steer()
}

// Rehearse opens the window for a moment and presses every key between frames, in each of so many rounds, while the
// mouse drags what is in the middle.
func (d *Demo[S]) Rehearse(s Settings, rounds int) error {
	w, end, err := d.begin(s)
	if err != nil {
		return err
	}
	left, right := &window.MouseEvent{Button: window.MouseButtonLeft}, &window.MouseEvent{Button: window.MouseButtonRight}
	w.drag.cursor = [2]float64{float64(s.Size.Width / 2), float64(s.Size.Height / 2)}
	picture := func() { w.frame(w.app.Renderer(), time.Second/60) }
	for range rounds {
		for range 3 { // the first says that it loads, the next loads
			picture()
		}
		w.app.Dispatch(window.OnMouseDown, left)
		for _, b := range d.bindings(s) {
			w.press(b)
			picture()
		}
		w.app.Dispatch(window.OnMouseUp, left)
		picture()
		before := w.pose
		w.app.Dispatch(window.OnMouseDown, right)
		w.app.Dispatch(window.OnCursor, &window.CursorEvent{Xpos: 40, Ypos: 10})
		w.app.Dispatch(window.OnScroll, &window.ScrollEvent{Yoffset: 1})
		w.app.Dispatch(window.OnMouseUp, right)
		picture()
		if w.err == nil && w.pose == before {
			w.err = errors.New("the mouse does not move the camera")
		}
	}
	if w.err == nil && w.hud.Statistics().Count == 0 {
		w.err = errors.New("no step was taken")
	}
	return end()
}

func (d *Demo[S]) openShow(s Settings, scenario S) *show[S] {
	a := app.App(s.Size.Width, s.Size.Height, "meniscus: "+d.Name)
	w := &show[S]{screen: screen{app: a, cam: newCamera(s.Size)}, demo: d, settings: s, scenario: scenario, moves: NewMover(s.Camera, d.Views)}
	stage.ClearColour(a.Gls(), s.daylight())
	w.drag.listen(a, w.cam, func(f func()) { w.stage.Water.BetweenSteps(f) })
	w.listen()
	w.dress()
	w.panel = newPanel(s.Readings, d.help(s)...)
	w.observe()
	keys := d.bindings(s)
	a.Subscribe(window.OnWindowSize, func(string, any) { w.resize() })
	a.Subscribe(window.OnKeyDown, func(_ string, ev any) { w.key(keys, ev.(*window.KeyEvent).Key) })
	w.resize()
	return w
}

func (w *show[S]) key(keys []binding[S], k window.Key) {
	for _, b := range keys {
		if b.key == k {
			w.press(b)
		}
	}
}

// press does what a key does when liquid and bodies are free.
func (w *show[S]) press(b binding[S]) {
	w.stage.Water.BetweenSteps(func() {
		b.do(w)
		w.observe()
	})
}

func (w *show[S]) nextCamera() {
	if w.free != nil {
		w.free = nil // back on the way that it had
		return
	}
	w.moves.mode = w.moves.next()
	w.steer()
}

// steer lets the grid follow the camera, or not.
func (w *show[S]) steer() {
	if w.moves.steers() {
		w.stage.Water.Follow(w.cam)
	} else {
		w.stage.Water.Follow(nil)
	}
}

// observe keeps what the frames show of liquid and bodies, until these are free the next time.
func (w *show[S]) observe() {
	w.subject, w.readings = w.scenario.Subject(), w.scenario.Readings()
	if w.bodies.Visible() {
		w.bodies.Update()
	}
	w.grid.update(w.pose)
}

// stepped does what is due after a step.
func (w *show[S]) stepped(r *fluid.Report) {
	w.hud.Record(r)
	advance(w.scenario, r)
	if w.box != nil {
		w.box.Step(r)
	}
	w.observe()
}

// cue does what is due before a step.
func (w *show[S]) cue() {
	w.check(w.drag.move())
	w.check(w.scenario.Cue())
}

// frame is called for each picture.
func (w *show[S]) frame(rend *renderer.Renderer, elapsed time.Duration) {
	if w.again {
		w.again = false
		w.check(w.restart())
	}
	elapsed = w.load(elapsed)
	pose := w.aim(w.moves.Advance(min(elapsed.Seconds(), .1), w.subject))
	look(w.scenario, pose)
	dt := elapsed
	if w.slow {
		dt /= slowly
	}
	if w.paused {
		dt = 0
	}
	f := w.stage.Water.Update(dt, w.stepped)
	w.stage.Prepare(pose.Eye)
	w.hud.Tick(&f, elapsed)
	w.panel.show(w.readings)
	w.check(w.stage.Water.Draw(rend, w.stage.Root, w.cam))
	w.check(w.panel.draw(w.app.Gls(), rend, w.cam))
}

// load readies the liquid for its first steps, after a picture that says so, and returns what of the time since the last picture
// the game is to go on by.
func (w *show[S]) load(elapsed time.Duration) time.Duration {
	switch w.loading {
	case announced:
		w.panel.announce("loading: the liquid takes its memory and tries its first steps")
		w.loading = due
		return 0
	case due:
		w.scenario.Liquid().Prewarm()
		w.panel.announce("")
		w.loading = done
		return 0
	}
	return elapsed
}
