package scene

import (
	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// stage holds the pictures and the full-screen passes of Draw.
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
	found  []*Liquid
	was    []bool
	huds   []*HUD
}

func newStage(l *Liquid) *stage {
	s := &stage{liquid: l}
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
// pictures it draws into with the game's clear colour; the window needs no clearing.
//
// GUI panels belong in a scene of their own, rendered after this.
// Draw uses rend for all its passes and returns the first error of one.
func (l *Liquid) Draw(rend Renderer, root core.INode, cam camera.ICamera) error {
	return l.stage.render(rend, root, cam)
}

func (s *stage) render(rend Renderer, root core.INode, cam camera.ICamera) error {
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
	x, y, w, h := gs.GetViewport()
	if w <= 0 || h <= 0 {
		return nil // a minimised window
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
	}()
	var view math32.Matrix4
	cam.ViewMatrix(&view)
	sh.under = s.liquid.Submerged(eyeOf(&view))
	sh.width, sh.height = w, h
	return s.passes(rend, root, cam, x, y)
}

// passes draws the pictures one after the other.
func (s *stage) passes(rend Renderer, root core.INode, cam camera.ICamera, x, y int32) error {
	gs, sh := s.gs, s.liquid.shared
	s.find(root)
	for i, l := range s.found {
		s.was[i] = l.Visible()
		l.SetVisible(false)
	}
	if err := s.caustics(rend, cam); err != nil {
		return err
	}
	s.scene.begin(gs)
	gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	err := rend.Render(root, cam)
	for i, l := range s.found {
		l.SetVisible(s.was[i])
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
		o.width, o.height, o.under = sh.width, sh.height, sh.under
		err := rend.Render(l, cam)
		o.refract, o.under = false, false
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

// hideHUDs keeps the liquids' HUDs out of the picture until it is smoothed: letters must
// stay sharp.
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
func (s *stage) caustics(rend Renderer, cam camera.ICamera) error {
	size := int32(s.liquid.options.Caustics)
	p := s.liquid.surface.caustic
	if size <= 0 || !p.Renderable() {
		s.liquid.shared.caustic = 0
		return nil
	}
	if err := s.light.resize(s.gs, size, size, gls.LINEAR); err != nil {
		return err
	}
	b := s.liquid.shared.box
	p.floor = b[1]
	w, d := max(b[3]-b[0], 1e-3), max(b[5]-b[2], 1e-3)
	p.area = [4]float32{b[0], b[2], 1 / w, 1 / d}
	p.texel = w * d / float32(size*size)
	s.light.begin(s.gs)
	if err := rend.Render(s.fill, cam); err != nil {
		return err
	}
	s.liquid.shared.caustic = s.light.color
	return rend.Render(p, cam)
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

// find lists the liquids under root, the stage's own included.
func (s *stage) find(root core.INode) {
	s.found = s.found[:0]
	var walk func(core.INode)
	walk = func(n core.INode) {
		if l, ok := n.(*Liquid); ok {
			s.found = append(s.found, l)
			return
		}
		for _, c := range n.Children() {
			walk(c)
		}
	}
	walk(root)
	own := false
	for _, l := range s.found {
		own = own || l == s.liquid
	}
	if !own {
		s.found = append(s.found, s.liquid)
	}
	for len(s.was) < len(s.found) {
		s.was = append(s.was, false)
	}
}

func (s *stage) dispose() {
	if s.gs == nil {
		return
	}
	for _, t := range []*target{&s.scene, &s.exit, &s.mix, &s.light} {
		t.dispose(s.gs)
	}
	for _, p := range []*screenPass{s.copy, s.show, s.fill} {
		p.Dispose()
	}
}

// screenPass draws a program over the whole picture.
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
	sh := s.liquid.shared
	switch p {
	case s.copy:
		u.bindTexture(gs, "SceneColor", unitColor, s.scene.color)
		u.bindTexture(gs, "SceneDepth", unitDepth, s.scene.depth)
		inv := inverseViewProj(info)
		u.mat4(gs, "InvViewProj", &inv)
		u.vec3(gs, "Eye", eyeOf(&info.ViewMatrix))
		u.vec3s(gs, "Box", sh.box[:])
		u.vec3s(gs, "Sky", sh.sky[:])
		medium := sh.look.medium(sh.under)
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

// probe learns g3n's OpenGL state.
type probe struct {
	core.Node
	gs *gls.GLS
}

// Render is called by g3n for nodes that are neither graphics nor lights.
func (p *probe) Render(gs *gls.GLS) { p.gs = gs }
