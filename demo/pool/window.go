package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/g3n/engine/app"
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/gui"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/scene"
)

// show is the pool in a window.
type show struct {
	app     *app.Application
	pool    *pool
	stage   *stage
	cam     *camera.Camera
	moves   *mover
	hud     *scene.HUD
	overlay *scene.LevelOverlay
	panel   *core.Node // of the gui, drawn over everything
	help    *gui.Label
	slow    bool
	paused  bool
	err     error
}

// binding is what a key does.
type binding struct {
	key  window.Key
	name string
	what string
	do   func(s *show)
}

// bindings are all keys, in the order in which the help line lists them.
var bindings = []binding{
	{window.KeySpace, "Space", "drop one more", func(s *show) { s.check(s.pool.dropRandom()) }},
	{window.KeyE, "E", "spout", func(s *show) { s.check(s.pool.togglePouring()) }},
	{window.KeyC, "C", "camera", (*show).nextCamera},
	{window.KeyG, "G", "grid", func(s *show) { s.overlay.Toggle() }},
	{window.KeyH, "H", "timings", func(s *show) { s.hud.Toggle() }},
	{window.KeyS, "S", "slow motion", func(s *show) { s.slow = !s.slow }},
	{window.KeyP, "P", "pause", func(s *show) { s.paused = !s.paused }},
	{window.KeyF1, "F1", "this line", func(s *show) { s.help.SetVisible(!s.help.Visible()) }},
	{window.KeyEscape, "Esc", "quit", func(s *show) { s.app.Exit() }},
}

// helpLine names the keys.
func helpLine() string {
	var parts []string
	for _, b := range bindings {
		parts = append(parts, b.name+" "+b.what)
	}
	return strings.Join(parts, "  ·  ")
}

// slowly is how much slower slow motion is.
const slowly = 5

// runWindow shows the pool until the window is closed.
func runWindow(s settings) error {
	p, err := newPool(s.cell, s.budget, s.seed)
	if err != nil {
		return err
	}
	defer p.close()
	show := openShow(s, p)
	show.app.Run(show.frame)
	fmt.Fprintf(os.Stderr, "%s given up by frames that needed more than %d steps\n", show.stage.water.Dropped().Round(time.Millisecond), 3)
	return show.err
}

func openShow(s settings, p *pool) *show {
	a := app.App(s.size.Width, s.size.Height, "meniscus: pool")
	w := &show{app: a, pool: p, moves: newMover(s.camera), cam: newCamera(s.size.Width, s.size.Height)}
	clearColour(a.Gls())
	w.stage = newStage(p, s.size.Height)
	w.hud = scene.NewHUD(scene.HUDOptions{Budget: s.budget})
	w.hud.SetVisible(false)
	w.stage.water.Add(w.hud)
	w.overlay = scene.NewLevelOverlay(p.liquid, false)
	w.overlay.SetVisible(false)
	w.stage.water.Add(w.overlay)
	w.addHelp()
	w.steer()
	a.Subscribe(window.OnWindowSize, func(string, any) { w.resize() })
	a.Subscribe(window.OnKeyDown, func(_ string, ev any) { w.key(ev.(*window.KeyEvent).Key) })
	w.resize()
	return w
}

func (w *show) addHelp() {
	w.panel = core.NewNode()
	gui.Manager().Set(w.panel)
	w.help = gui.NewLabel(helpLine())
	w.help.SetFontSize(15)
	w.help.SetColor(&math32.Color{R: 1, G: 1, B: 1})
	w.help.SetBgColor4(&math32.Color4{R: 0.05, G: 0.08, B: 0.12, A: 0.55})
	w.help.SetPaddings(4, 10, 4, 10)
	w.panel.Add(w.help)
}

func (w *show) resize() {
	width, height := w.app.GetFramebufferSize()
	if width <= 0 || height <= 0 {
		return // minimised
	}
	w.app.Gls().Viewport(0, 0, int32(width), int32(height))
	w.cam.SetAspect(float32(width) / float32(height))
	w.help.SetPosition(10, float32(height)-w.help.Height()-10)
}

func (w *show) key(k window.Key) {
	for _, b := range bindings {
		if b.key == k {
			b.do(w)
		}
	}
}

// check keeps the first error and ends the show.
func (w *show) check(err error) {
	if err != nil && w.err == nil {
		w.err = err
		w.app.Exit()
	}
}

func (w *show) nextCamera() {
	w.moves.mode = w.moves.next()
	w.steer()
}

// steer lets the grid follow the camera, or not.
func (w *show) steer() {
	if w.moves.steers() {
		w.stage.water.Follow(w.cam)
	} else {
		w.stage.water.Follow(nil)
	}
}

// frame is called for each picture.
func (w *show) frame(rend *renderer.Renderer, elapsed time.Duration) {
	pose := w.moves.advance(min(elapsed.Seconds(), .1), w.pool.subject())
	place(w.cam, pose)
	w.stage.openSides(pose.Eye)
	dt := elapsed
	if w.slow {
		dt /= slowly
	}
	if w.paused {
		dt = 0
	}
	w.check(w.pool.cue())
	f := w.stage.water.Update(dt, func(r *fluid.Report) {
		w.hud.Record(r)
		w.pool.advanced()
		w.check(w.pool.cue())
	})
	if w.overlay.Visible() && f.Stepped() {
		w.overlay.Update()
	}
	w.hud.Tick(elapsed)
	w.check(w.stage.water.Draw(rend, w.stage.root, w.cam))
	w.app.Gls().Clear(gls.DEPTH_BUFFER_BIT)
	w.check(rend.Render(w.panel, w.cam))
}
