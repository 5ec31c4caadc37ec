package scene

import (
	"errors"
	"fmt"
	"time"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/window"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// stage holds the render targets and the full-screen passes of Draw.
type stage struct {
	liquid   *Liquid
	gs       *gls.GLS
	quality  DrawQuality
	targets  []target // as targetSpecs
	turn     int      // counts pictures
	clock    clock
	pace     pace
	screens  []*screenPass
	grid     *photonGrid // made when it is drawn
	view     *targetSpec // that a debug view shows, or nil
	found    []*Liquid   // to be drawn
	drawn    drawn       // what else is
	wet      wetness
	sun      sunMap
	open     sunMap  // how things look to the sky straight above
	openBase float32 // height of the lowest floor that it knows of, m
	lent     lightUniforms
	hidden   []core.INode // while the scene is drawn
	huds     []*HUD
	drops    *dropQuads // nil before the first
	window   func() (width, height int, ok bool)
	closed   bool
}

func newStage(l *Liquid) *stage {
	s := &stage{liquid: l, quality: l.options.Quality, pace: newPace(l.options.Quality), window: windowSize}
	for i := range targetSpecs {
		s.targets = append(s.targets, target{spec: &targetSpecs[i]})
	}
	return s
}

// Draw draws root as cam sees it to the window (g3n's nodes keep the name Render for
// themselves), the liquid refracting what lies behind it.
// Every Liquid under root is drawn, and is seen through the nearer ones, and so is glass, see the package's doc. It clears the
// render targets with the game's clear colour; the window needs no clearing.
//
// Light is linear until it reaches the window, see the package's doc: g3n's standard, physical, basic, point and panel materials
// are drawn with programs of this package's, and so look different than in the game's own Render.
//
// Draw fills g3n's viewport: for a split screen set it before each of several calls. While nothing else sets one, it is the whole window: Draw follows the
// window's size, and gives a camera with a method SetAspect its proportions.
//
// GUI panels belong in a scene of their own, rendered after this: Draw leaves the window's depth
// cleared, so that they lie over the picture.
// Draw uses rend for all its passes and returns the first error of one. It is an error to draw
// without a window or viewport, and with a liquid that is disposed of.
func (l *Liquid) Draw(rend Renderer, root core.INode, cam camera.ICamera) error {
	return l.stage.render(rend, root, cam)
}

func (s *stage) render(rend Renderer, root core.INode, cam camera.ICamera) error {
	if s.closed {
		return errors.New("scene: Draw: the liquid is disposed of; draw with another one")
	}
	if s.gs == nil {
		// g3n hands its OpenGL state only to nodes that it renders.
		probe := &probe{}
		probe.Init(probe)
		register(rend)
		if err := rend.Render(probe, cam); err != nil {
			return err
		}
		s.gs = probe.gs
		if err := gl.Init(); err != nil {
			return fmt.Errorf("scene: Draw: OpenGL 3.3: %w", err)
		}
	}
	gs, sh := s.gs, s.liquid.shared
	x, y, w, h, err := s.viewport(cam)
	if err != nil || w <= 0 || h <= 0 {
		return err // none: a minimised window
	}
	defer func() {
		for _, h := range s.huds {
			h.SetVisible(true)
		}
		gs.BindFramebuffer(0)
		gs.Viewport(x, y, w, h)
		gs.DepthMask(true) // or it is not cleared
		gs.Clear(gls.DEPTH_BUFFER_BIT)
	}()
	sh.width, sh.height = w, h
	s.turn++
	s.huds = s.huds[:0]
	s.find(root, cam, h)
	s.clock.frame()
	s.keepPace()
	s.tellHUDs()
	f := frame{gs: gs, rend: rend, root: root, cam: cam, stage: s, x: x, y: y, w: w, h: h}
	cam.ViewMatrix(&f.view)
	cam.ProjMatrix(&f.proj)
	backToFront(s.found, eyeOf(&f.view))
	s.drawn.begin(root, s.found, &f.view)
	defer s.drawn.end()
	if err := s.drawn.takeOwn(rend); err != nil {
		return err
	}
	if s.quality != DrawLow {
		s.drawn.sharpen(gs)
	}
	s.wet.begin(&f)
	defer s.wet.end()
	f.wetLenses()
	return f.run()
}

// sized are the viewports that Draw has set where nothing else had. Only the goroutine that draws uses it.
var sized = map[*gls.GLS][4]int32{}

// viewport is g3n's, pixels. Where nothing has set one it becomes the window's.
func (s *stage) viewport(cam camera.ICamera) (x, y, w, h int32, err error) {
	x, y, w, h = s.gs.GetViewport()
	unset := w <= 0 || h <= 0
	if !unset && sized[s.gs] != [4]int32{x, y, w, h} {
		return x, y, w, h, nil
	}
	width, height, ok := s.window()
	if !ok {
		if unset {
			err = errors.New("scene: Draw: the viewport has no size and g3n no window to take it from: call gls.GLS.Viewport(0, 0, width, height) first")
		}
		return x, y, w, h, err
	}
	w, h = int32(width), int32(height)
	if w > 0 && h > 0 {
		x, y = 0, 0
		s.gs.Viewport(x, y, w, h)
		sized[s.gs] = [4]int32{x, y, w, h}
		if c, ok := cam.(interface{ SetAspect(float32) }); ok {
			c.SetAspect(float32(w) / float32(h))
		}
	}
	return x, y, w, h, nil
}

// windowSize is the size of the framebuffer of g3n's window, pixels, if there is one.
func windowSize() (width, height int, ok bool) {
	defer func() { ok = recover() == nil }() // window.Get panics if there is none
	width, height = window.Get().GetFramebufferSize()
	return width, height, true
}

// keepPace chooses the quality by what a picture took, where there is a budget and new times are known.
func (s *stage) keepPace() {
	o := &s.liquid.options
	if o.DrawBudget <= 0 || !s.clock.fresh {
		return
	}
	s.clock.fresh = false
	var sum time.Duration
	for _, t := range s.clock.times {
		sum += t
	}
	s.quality = s.pace.picture(sum, o.DrawBudget, o.Quality)
}

// tellHUDs gives the HUDs the passes' times.
func (s *stage) tellHUDs() {
	for _, l := range s.found {
		for _, c := range l.Children() {
			if h, ok := c.(*HUD); ok {
				h.passes = s.liquid.PassTimes(h.passes[:0])
			}
		}
	}
}

// find lists the liquids to draw, which are those under root that no invisible node is above, and the
// stage's own if it is not under root. It gives all that is drawn one daylight.
func (s *stage) find(root core.INode, cam Camera, height int32) {
	s.found = s.found[:0]
	own := false
	var walk func(n core.INode, shown bool)
	walk = func(n core.INode, shown bool) {
		if l, ok := n.(*Liquid); ok {
			own = own || l == s.liquid
			if shown {
				s.add(l, cam, height)
			}
			return
		}
		shown = shown && n.Visible()
		for _, c := range n.Children() {
			walk(c, shown)
		}
	}
	walk(root, true)
	if !own {
		s.add(s.liquid, cam, height)
	}
	sky := s.liquid.shared.sky
	eachDaylight(root, sky.follow)
	s.liquid.shared.sky.follow(&sky)
	lightAll(root, &sky)
}

// add lists a liquid if it is to be drawn. What was drawn for it in the frame before is void.
func (s *stage) add(l *Liquid, cam Camera, height int32) {
	if l.stage.closed {
		return
	}
	l.drawn(cam, height)
	l.shared.light.drawn, l.shared.shafts = false, 0
	s.found = append(s.found, l)
}

func (s *stage) dispose() {
	s.closed = true
	for i := range s.targets {
		s.targets[i].dispose()
	}
	s.clock.dispose()
	if s.grid != nil {
		s.grid.Dispose()
		s.grid = nil
	}
	for _, p := range s.screens {
		p.Dispose()
	}
	s.screens = nil
	if s.drops != nil {
		s.drops.Dispose()
		s.drops = nil
	}
}
