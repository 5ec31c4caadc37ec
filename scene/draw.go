package scene

import (
	"errors"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/window"
)

// stage holds the render targets and the full-screen passes of Draw.
type stage struct {
	liquid *Liquid
	gs     *gls.GLS
	scene  target // everything but the liquids
	exit   target // where rays leave the liquid, half size
	mix    target // the scene with the liquids
	light  target // caustics
	copy   *screenPass
	show   *screenPass
	fill   *screenPass
	found  []*Liquid    // to be drawn
	hidden []core.INode // while the scene is drawn
	inside *Liquid      // that the camera is in, or nil
	huds   []*HUD
	window func() (width, height int, ok bool)
	closed bool
}

func newStage(l *Liquid) *stage {
	s := &stage{liquid: l, window: windowSize}
	s.copy = newScreenPass(s, copyProgram)
	s.copy.material.SetDepthFunc(gls.ALWAYS)
	s.show = newScreenPass(s, showProgram)
	s.show.material.SetDepthTest(false)
	s.fill = newScreenPass(s, fillProgram)
	s.fill.material.SetDepthTest(false)
	return s
}

// Draw draws root as cam sees it to the window (g3n's nodes keep the name Render for
// themselves), the liquid refracting what lies behind it.
// Every Liquid under root is drawn, though none is seen through another. It clears the
// render targets with the game's clear colour; the window needs no clearing.
//
// Draw fills g3n's viewport. While nothing else sets one, it is the whole window: Draw follows the
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
	}
	gs, sh := s.gs, s.liquid.shared
	x, y, w, h, err := s.viewport(cam)
	if err != nil || w <= 0 || h <= 0 {
		return err // none: a minimised window
	}
	if err := s.resize(w, h); err != nil {
		return err
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
	s.find(root)
	s.findSubmerged(cam)
	for _, l := range s.found {
		l.drawn(cam, h)
	}
	return s.passes(rend, root, cam, x, y)
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

// findSubmerged finds the liquid that the camera is in.
func (s *stage) findSubmerged(cam camera.ICamera) {
	var view math32.Matrix4
	cam.ViewMatrix(&view)
	eye := eyeOf(&view)
	s.inside = nil
	for _, l := range s.found {
		if s.inside == nil && l.Visible() && l.Submerged(eye) {
			s.inside = l
		}
	}
}

// passes draws the render targets one after the other.
func (s *stage) passes(rend Renderer, root core.INode, cam camera.ICamera, x, y int32) error {
	gs, sh := s.gs, s.liquid.shared
	for _, l := range s.found {
		if err := l.stage.caustics(gs, rend, cam); err != nil {
			return err
		}
	}
	s.scene.begin(gs)
	gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	s.hideLiquids()
	err := rend.Render(root, cam)
	for _, n := range s.hidden {
		n.SetVisible(true)
	}
	if err != nil {
		return err
	}
	s.exit.begin(gs)
	gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	for _, l := range s.found {
		if l.Visible() {
			if err := rend.Render(l.surface.exit, cam); err != nil {
				return err
			}
		}
	}
	s.mix.begin(gs)
	if err := rend.Render(s.copy, cam); err != nil {
		return err
	}
	s.hideHUDs()
	for _, l := range s.found {
		o := l.shared
		o.refract, o.color, o.depth, o.exit = true, s.scene.color, s.scene.depth, s.exit.depth
		o.width, o.height, o.under = sh.width, sh.height, l == s.inside
		l.bodies.SetVisible(false)
		err := rend.Render(l, cam)
		l.bodies.SetVisible(true)
		o.refract, o.under, o.color, o.depth, o.exit = false, false, 0, 0, 0 // they are this stage's, which may end first
		if err != nil {
			return err
		}
	}
	gs.BindFramebuffer(0)
	gs.Viewport(x, y, sh.width, sh.height)
	if err := rend.Render(s.show, cam); err != nil {
		return err
	}
	for _, h := range s.huds {
		h.SetVisible(true)
		if err := rend.Render(h, cam); err != nil {
			return err
		}
	}
	return nil
}

// hideLiquids hides all of the liquids but the bodies that they show.
func (s *stage) hideLiquids() {
	s.hidden = s.hidden[:0]
	for _, l := range s.found {
		for _, c := range l.Children() {
			if c != core.INode(l.bodies) && c.Visible() {
				c.SetVisible(false)
				s.hidden = append(s.hidden, c)
			}
		}
	}
}

// hideHUDs hides the liquids' HUDs until after antialiasing, so that letters stay sharp.
func (s *stage) hideHUDs() {
	s.huds = s.huds[:0]
	for _, l := range s.found {
		for _, c := range l.Children() {
			if h, ok := c.(*HUD); ok && l.Visible() && h.Visible() {
				h.SetVisible(false)
				s.huds = append(s.huds, h)
			}
		}
	}
}

// caustics draws the light that the surface sends to the floor of its bounds.
func (s *stage) caustics(gs *gls.GLS, rend Renderer, cam camera.ICamera) error {
	size := int32(s.liquid.options.Caustics)
	p, still := s.liquid.surface.caustic, s.liquid.surface.still
	if size <= 0 || !p.Renderable() {
		s.liquid.shared.caustic = 0
		return nil
	}
	if err := s.light.resize(gs, size, size, gls.LINEAR); err != nil {
		return err
	}
	b := s.liquid.shared.box
	p.floor = b[1]
	w, d := max(b[3]-b[0], 1e-3), max(b[5]-b[2], 1e-3)
	p.area = [4]float32{b[0], b[2], 1 / w, 1 / d}
	p.texel = w * d / float32(size*size)
	still.floor, still.area, still.texel = p.floor, p.area, p.texel
	s.light.begin(gs)
	if err := rend.Render(s.fill, cam); err != nil {
		return err
	}
	s.liquid.shared.caustic = s.light.color
	if err := rend.Render(p, cam); err != nil {
		return err
	}
	return rend.Render(still, cam)
}

func (s *stage) resize(w, h int32) error {
	for _, err := range []error{
		s.scene.resize(s.gs, w, h, gls.NEAREST),
		s.exit.resize(s.gs, (w+1)/2, (h+1)/2, gls.LINEAR),
		s.mix.resize(s.gs, w, h, gls.NEAREST),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// find lists the liquids to draw, which are those under root that no invisible node is above, and the
// stage's own if it is not under root. It gives all that is drawn one daylight.
func (s *stage) find(root core.INode) {
	s.found = s.found[:0]
	own := false
	var walk func(n core.INode, shown bool)
	walk = func(n core.INode, shown bool) {
		if l, ok := n.(*Liquid); ok {
			own = own || l == s.liquid
			if shown && !l.stage.closed {
				s.found = append(s.found, l)
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
		s.found = append(s.found, s.liquid)
	}
	sky := s.liquid.shared.sky
	eachDaylight(root, sky.follow)
	s.liquid.shared.sky.follow(&sky)
	lightAll(root, &sky)
}

func (s *stage) dispose() {
	s.closed = true
	for _, t := range []*target{&s.scene, &s.exit, &s.mix, &s.light} {
		t.dispose()
	}
	for _, p := range []*screenPass{s.copy, s.show, s.fill} {
		p.Dispose()
	}
}

// screenPass draws a program over the whole render target.
type screenPass struct {
	graphic.Graphic
	stage    *stage
	uniforms uniformSet
	material *material.Material
}

func newScreenPass(s *stage, program string) *screenPass {
	p := &screenPass{stage: s, material: newMaterial(program)}
	p.material.SetBlending(material.BlendNone)
	initScreen(&p.Graphic, p, p.material, 0)
	return p
}

// RenderSetup is called by g3n before drawing.
func (p *screenPass) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	s, u := p.stage, &p.uniforms
	sh, in := s.liquid.shared, s.liquid.shared
	if s.inside != nil {
		in = s.inside.shared
	}
	switch p {
	case s.copy:
		u.bindTexture(gs, "SceneColor", unitColor, s.scene.color)
		u.bindTexture(gs, "SceneDepth", unitDepth, s.scene.depth)
		inv := inverseViewProj(info)
		u.mat4(gs, "InvViewProj", &inv)
		u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
		u.vec3s(gs, "Box", in.box[:])
		u.vec3s(gs, "Sky", sh.sky.values[:])
		medium := in.look.medium(s.inside != nil)
		u.vec3s(gs, "Medium", medium[:])
	case s.show:
		u.bindTexture(gs, "SceneColor", unitColor, s.mix.color)
		smooth := float32(0)
		if sh.smoothed {
			smooth = 1
		}
		u.vec3(gs, "Texel", math32.Vector3{X: 1 / float32(sh.width), Y: 1 / float32(sh.height), Z: smooth})
	}
}

// probe reads g3n's OpenGL state.
type probe struct {
	core.Node
	gs *gls.GLS
}

// Render is called by g3n for nodes that are neither graphics nor lights.
func (p *probe) Render(gs *gls.GLS) { p.gs = gs }
