package play

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/g3n/engine/app"
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/demo/internal/option"
	"github.com/meniscus3d/meniscus/demo/internal/progress"
	"github.com/meniscus3d/meniscus/demo/internal/report"
	"github.com/meniscus3d/meniscus/demo/internal/stage"
	"github.com/meniscus3d/meniscus/demo/internal/view"
	"github.com/meniscus3d/meniscus/physics"
	"github.com/meniscus3d/meniscus/scene"
)

// Act is a scene of rigid bodies alone.
type Act interface {
	World() *physics.World
	// Step takes a step of Timestep.
	Step()
	// Steps is how many a headless run takes at most.
	Steps() int
	Camera() view.Pose
	Readings() []report.Reading
	// Dress adds to root what the act looks like, and ties it to the bodies. It needs the
	// window's OpenGL context.
	Dress(root *core.Node, binder *scene.Binder)
	// Show is called before the act is drawn.
	Show()
}

// Acts is a demo of rigid bodies alone: acts, one in a window at a time, in turn without one.
type Acts[A Act] struct {
	Name string
	Acts []string // their names
	New  func(index int) (A, error)
	// Report is what a headless run writes and tells people.
	Report func(acts []A) (rows any, text string)
}

// every is the value of -scene for all acts.
const every = "all"

// actSettings are the flags.
type actSettings struct {
	Settings
	scene string
	debug bool
}

func (d *Acts[A]) readSettings(args []string) (*actSettings, *option.Set, error) {
	s := &actSettings{Settings: Settings{Frames: 1_000_000, Size: option.Size{Width: 1280, Height: 720}, Out: "out/" + d.Name, Camera: actCameras[0], Readings: true}, scene: every}
	set := option.New(d.Name)
	s.common(set)
	set.Choice(&s.Camera, actCameras, "camera", "fixed, or orbit about what the scene shows, once in 40 s")
	s.skyFlag(set, "")
	set.Choice(&s.scene, append([]string{every}, d.Acts...), "scene", "which scene; a window begins with the first of all")
	set.Bool(&s.debug, "debug", "draw shapes, contacts and joints too")
	set.Note(keyNote(actHelp[A]()))
	err := set.Parse(args)
	return s, set, err
}

// actCameras are the values of -camera.
var actCameras = []string{"fixed", "orbit"}

// camera is that of an act after so many steps.
func (s *Settings) camera(act view.Pose, steps int) view.Pose {
	if s.Camera == actCameras[0] {
		return act
	}
	const period = 40 // s
	c := view.FreeFrom(act)
	c.Turn(2*math.Pi*Timestep/period*float64(steps), 0)
	return c.Pose()
}

// picked are the indices of the acts that the flags ask for.
func (d *Acts[A]) picked(s *actSettings) (picked []int) {
	for i, name := range d.Acts {
		if s.scene == name || s.scene == every {
			picked = append(picked, i)
		}
	}
	return picked
}

// Run plays the acts as the arguments, without the program's name, say. It returns the exit code.
func (d *Acts[A]) Run(args []string) int {
	s, set, err := d.readSettings(args)
	return run(d.Name, s.Settings, set, err, func(Settings) error {
		if s.Headless {
			return d.runHeadless(s)
		}
		return d.runWindow(s)
	})
}

// actScene is an act and what it looks like.
type actScene[A Act] struct {
	act     A
	steps   int // that were taken
	root    *core.Node
	binder  scene.Binder
	overlay *scene.BodyOverlay
}

func newActScene[A Act](act A, sky scene.SkyOptions, debug bool) *actScene[A] {
	s := &actScene[A]{act: act, root: core.NewNode(), overlay: scene.NewBodyOverlay(act.World())}
	s.root.Add(scene.NewDaylight(sky))
	stage.Ground(s.root, 0, sky.Horizon)
	act.Dress(s.root, &s.binder)
	s.overlay.SetVisible(debug)
	s.root.Add(s.overlay)
	return s
}

func (s *actScene[A]) step() {
	s.act.Step()
	s.steps++
	s.binder.Capture()
}

// draw draws the moment alpha, 0 to 1, between the last two steps, as a camera sees it.
func (s *actScene[A]) draw(gs *gls.GLS, rend *renderer.Renderer, cam *camera.Camera, alpha float64) error {
	s.binder.Interpolate(alpha)
	s.act.Show()
	if s.overlay.Visible() {
		s.overlay.Update()
	}
	gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	return rend.Render(s.root, cam)
}

// runHeadless runs the acts in turn and draws some frames of each. Nothing is drawn while a
// step is timed.
func (d *Acts[A]) runHeadless(s *actSettings) error {
	studio, err := openStudio(d.Name, s.Settings)
	if err != nil {
		return err
	}
	picked := d.picked(s)
	var acts []A
	for _, i := range picked {
		act, err := d.New(i)
		if err != nil {
			return err
		}
		acts = append(acts, act)
		frames := s.Settings
		frames.Frames = min(s.Frames, act.Steps())
		if frames.Every == 0 && len(picked) > 1 {
			frames.Every = max(1, frames.Frames/4)
		}
		if err := film(studio, frames, d.Acts[i], newActScene(act, s.daylight(), s.debug)); err != nil {
			return err
		}
	}
	rows, text := d.Report(acts)
	fmt.Print(text)
	if err := report.Write(s.reportPath(), rows); err != nil {
		return err
	}
	return studio.close()
}

// film takes the steps of an act and draws the frames that are due.
func film[A Act](st *studio, s Settings, name string, a *actScene[A]) error {
	defer a.root.Dispose()
	line := progress.New(os.Stderr, name, s.Frames)
	for n := 1; n <= s.Frames; n++ {
		a.step()
		if s.drawn(n) {
			st.panel.show(a.act.Readings())
			place(st.cam, s.camera(a.act.Camera(), a.steps))
			if err := a.draw(st.gs, st.rend, st.cam, 1); err != nil {
				return err
			}
			if err := st.save(name, n); err != nil {
				return err
			}
		}
		line.Done(n, "")
	}
	return nil
}

// actShow is the acts in a window.
type actShow[A Act] struct {
	screen
	acts     *Acts[A]
	settings Settings
	index    int
	scene    *actScene[A]
	time     time.Duration // not stepped yet
	paused   bool
	drag     drag
}

type actKey[A Act] struct {
	key        window.Key
	name, what string
	do         func(w *actShow[A])
}

func actKeys[A Act]() []actKey[A] {
	return []actKey[A]{
		{window.KeySpace, "Space", "next scene", func(w *actShow[A]) { w.begin(w.index + 1) }},
		{window.KeyR, "R", "restart", func(w *actShow[A]) { w.begin(w.index) }},
		{window.KeyC, "C", "camera", (*actShow[A]).nextCamera},
		{window.KeyB, "B", "shapes, contacts and joints", func(w *actShow[A]) { w.scene.overlay.Toggle() }},
		{window.KeyP, "P", "pause", func(w *actShow[A]) { w.paused = !w.paused }},
		{window.KeyF1, "F1", "this line", func(w *actShow[A]) { w.panel.help.SetVisible(!w.panel.help.Visible()) }},
		{window.KeyEscape, "Esc", "quit", func(w *actShow[A]) { w.app.Exit() }},
	}
}

// actHelp names the keys and what the mouse does.
func actHelp[A Act]() []string {
	var parts []string
	for _, k := range actKeys[A]() {
		parts = append(parts, k.name+" "+k.what)
	}
	return append(parts, dragHelp, mouseHelp)
}

func (d *Acts[A]) runWindow(s *actSettings) error {
	w := d.open(s)
	w.app.Run(func(_ *renderer.Renderer, elapsed time.Duration) { w.frame(elapsed) })
	return w.err
}

// Rehearse opens a window for a moment and presses every key between frames, in each of so many rounds.
func (d *Acts[A]) Rehearse(args []string, rounds int) error {
	s, _, err := d.readSettings(args)
	if err != nil {
		return err
	}
	w := d.open(s)
	for range rounds {
		for _, k := range actKeys[A]() {
			k.do(w)
			w.frame(time.Second / 60)
		}
	}
	if w.err == nil && w.index != rounds%len(d.Acts) {
		return errors.New("the scene did not change")
	}
	return w.err
}

func (d *Acts[A]) open(s *actSettings) *actShow[A] {
	w := &actShow[A]{acts: d, settings: s.Settings, screen: screen{app: app.App(s.Size.Width, s.Size.Height, "meniscus: "+d.Name), cam: newCamera(s.Size)}}
	stage.ClearColour(w.app.Gls(), s.daylight())
	w.panel = newPanel(s.Readings, actHelp[A]()...)
	w.app.Subscribe(window.OnWindowSize, func(string, any) { w.resize() })
	w.app.Subscribe(window.OnKeyDown, func(_ string, ev any) {
		for _, k := range actKeys[A]() {
			if k.key == ev.(*window.KeyEvent).Key {
				k.do(w)
			}
		}
	})
	w.drag.listen(w.app, w.cam, func(f func()) { f() })
	w.listen()
	w.resize()
	w.begin(d.picked(s)[0])
	if w.scene != nil && s.debug {
		w.scene.overlay.Toggle()
	}
	return w
}

func (w *actShow[A]) nextCamera() {
	if w.free != nil {
		w.free = nil // back on the way that it had
		return
	}
	w.settings.Camera = after(actCameras, w.settings.Camera)
}

// begin begins an act anew; the overlay stays as it was.
func (w *actShow[A]) begin(index int) {
	index %= len(w.acts.Acts)
	act, err := w.acts.New(index)
	if err != nil {
		w.check(err)
		return
	}
	debug := false
	if w.scene != nil {
		debug = w.scene.overlay.Visible()
		w.scene.root.Dispose()
	}
	w.index, w.scene, w.time = index, newActScene(act, w.settings.daylight(), debug), 0
	w.drag.hold(act.World())
}

// frame takes the steps that are due, of a slow frame three at most, and draws.
func (w *actShow[A]) frame(elapsed time.Duration) {
	const step = time.Second / 60
	if w.scene == nil {
		return
	}
	if !w.paused {
		w.time = min(w.time+elapsed, 3*step)
	}
	for ; w.time >= step; w.time -= step {
		w.check(w.drag.move())
		w.scene.step()
	}
	w.panel.show(w.scene.act.Readings())
	gs, rend := w.app.Gls(), w.app.Renderer()
	w.aim(w.settings.camera(w.scene.act.Camera(), w.scene.steps))
	w.check(w.scene.draw(gs, rend, w.cam, float64(w.time)/float64(step)))
	w.check(w.panel.draw(gs, rend, w.cam))
}
