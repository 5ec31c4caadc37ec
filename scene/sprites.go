package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"

	"github.com/meniscus3d/meniscus/fluid"
)

// shutter is how long particles draw their streaks, s: a frame at 60 Hz, so that a particle's streaks of two frames join.
const shutter = 1. / 60

// spriteSpec is how particles of a kind are drawn.
type spriteSpec struct {
	kind    particleKind
	program string
	radii   float32 // half the width of what is drawn, in the particle's radii
	seconds float32 // of whose way a streak is as long
	order   int     // g3n's render order; the surface's is 10
	depth   bool    // it tests depth
	inDraw  bool    // only Draw draws it, and not DrawLow
}

// spriteSpecs are drawn with the liquid, one after another. Foam is not among them: it is drawn by the surface, see pass_foam.go.
// Bubbles are wider than they are, as a haze of smaller ones goes with them, and hardly streak.
var spriteSpecs = []spriteSpec{
	{kind: bubbleKind, program: bubbleProgram, radii: 5, seconds: shutter / 4, order: 11, inDraw: true},
	{kind: dropletKind, program: dropletProgram, radii: 1, seconds: shutter, order: 12, depth: true},
	{kind: sprayKind, program: sprayProgram, radii: 1.5, seconds: shutter, order: 13, depth: true},
}

// sprites draws the particles of a kind, each as a streak.
type sprites struct {
	graphic.Graphic
	spec     *spriteSpec
	of       *particles
	shared   *shared
	material *material.Material
	uniforms uniformSet
}

// newSprites draws some of the particles. It shares their geometry.
func newSprites(spec *spriteSpec, of *particles, sh *shared) *sprites {
	s := &sprites{spec: spec, of: of, shared: sh, material: newMaterial(spec.program)}
	s.material.SetTransparent(true)
	s.material.SetDepthTest(spec.depth)
	s.material.SetDepthMask(false)
	s.Graphic.Init(s, of.geometry.Incref(), gls.POINTS)
	s.AddMaterial(s, s.material, 0, 0)
	s.SetCullable(false)
	s.SetRenderable(false)
	s.SetRenderOrder(spec.order)
	return s
}

// show draws the particles that there are. full: Draw draws, with all passes.
func (s *sprites) show(full bool) {
	n := s.of.count(s.spec.kind)
	s.SetRenderable(n > 0 && (full || !s.spec.inDraw))
	s.ClearMaterials()
	s.AddMaterial(s, s.material, s.of.first[s.spec.kind], n)
}

// RenderSetup is called by g3n before drawing.
func (s *sprites) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	sh, u := s.shared, &s.uniforms
	gs.BlendFunc(gls.ONE, gls.ONE_MINUS_SRC_ALPHA) // light is premultiplied, so that the order hardly shows
	sh.common(gs, info, u)
	u.sprite(gs, info, s.spec, float32(sh.height), sh.back)
	u.vec3(gs, "FoamColor", math32.Vector3{X: sh.look.Foam.R, Y: sh.look.Foam.G, Z: sh.look.Foam.B})
	inv := inverseViewProj(info)
	u.mat4(gs, "InvViewProj", &inv)
	u.bindTexture(gs, "SceneColor", unitColor, sh.color)
	u.bindTexture(gs, "SceneDepth", unitDepth, sh.depth)
	if s.spec.inDraw {
		u.bindTexture(gs, "Interval", unitInterval, sh.interval)
		u.bindTexture(gs, "Front", unitFront, sh.front)
		sh.setupInscatter(gs, u)
	}
}

// sprite sets what particle_geometry.glsl reads, for a viewport of a height in pixels.
func (s *uniformSet) sprite(gs *gls.GLS, info *core.RenderInfo, spec *spriteSpec, height, back float32) {
	s.mat4(gs, "View", &info.ViewMatrix)
	s.float(gs, "Back", back)
	s.vec4(gs, "Sprite", [4]float32{spec.radii, spec.seconds, .5 * height * info.ProjMatrix[5], oneIf(info.ProjMatrix[11] != 0)})
}

// showParticles takes a surface's droplets and, if it is to be seen, its white water.
func (l *Liquid) showParticles(s *fluid.Surface) {
	most := mostParticles[l.stage.quality]
	if l.options.NoWhiteWater {
		most = 0
	}
	l.particles.set(s, most)
	l.showSprites(false)
}

// showSprites draws the particles that there are. full: Draw draws, with all passes.
func (l *Liquid) showSprites(full bool) {
	for _, s := range l.sprites {
		s.show(full)
	}
}
