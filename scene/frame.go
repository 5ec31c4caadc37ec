package scene

import (
	"slices"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// pass is one step of Draw: it draws its outputs from its inputs.
type pass struct {
	name    string
	inputs  []string      // render targets that it reads
	outputs []string      // render targets that it draws into, each as large as its spec says before draw is called; none for the window or for nothing
	without []DrawQuality // that leave it out
	unseen  bool          // with each: for invisible liquids too, of which what they do to other things shows
	each    bool          // once for each liquid, in turn with the neighbours in the list that are so too
	draw    func(f *frame) error
}

// passes lists the steps of Draw in their order. TestPasses checks that inputs are drawn before they are read; debug views, GPU times, sizes and
// disposal follow from this list and targetSpecs.
//
// To add a pass:
//   - Write pass_NAME.go with a variable of type pass, and enter it here in its place; enter a render target that it draws into in targetSpecs.
//   - Its draw function binds an output with frame.begin, and draws over all of it with frame.screen, the liquid's triangles with frame.surface, or
//     any node with frame.render. Clear with frame.beginClear, or target.fill.
//   - Write assets/shaders/NAME_fragment.glsl and enter it in programs, shaders.go. A screenSpec or surfaceSpec names it and sets its uniforms.
//     A program for the liquid's triangles uses all four attributes of surface_place.glsl: g3n sets up a buffer's attributes once, for the program that
//     draws it first. One for a game's meshes, in MENISCUS_DEPTH for one, does so with their place, normal and texture coordinates.
//   - What the programs of all materials are to read of a target, g3n's too, is given in frame.lend and declared as sunlight.glsl is.
var passes = []pass{shadowPass, openPass, lightPass, scenePass, copyPass, underPass, intervalPass, frontPass, behindPass, glassPass, lastPass, beyondPass,
	mirrorPass, foamPass, shaftsPass, insidePass, waterPass, overPass, lensPass, bloomPass, picturePass, showPass}

// targetSpecs lists the render targets.
var targetSpecs = []targetSpec{
	{name: "shadow", depth: &shadow24, size: shadowSize, shadow: true, view: viewDepth},             // what the sun sees
	{name: "tops", depth: &depth24, size: openEdge, view: viewDepth},                                // heights from above
	{name: "undersides", depth: &depth24, size: openEdge, view: viewDepth},                          // of the same
	{name: "open", colors: []format{number16}, size: openSize, view: viewSigned},                    // the share of the sky, see open_fragment.glsl
	{name: "wave", colors: []format{number16}, depth: &depth24, size: lightEdge, view: viewNormal},  // the surface as the bent light comes to it
	{name: "receivers", depth: &depth24, size: lightEdge, view: viewDepth},                          // what that light comes to
	{name: "column", colors: []format{pair32}, size: lightEdge, view: viewSigned},                   // liquid above that, and 1 in it
	{name: "light", colors: []format{light16}, size: lightSize, view: viewLight},                    // see lightmap.glsl
	{name: "scene", colors: []format{light16}, depth: &depth24, view: viewLight},                    // everything but the liquids, then with the farther ones
	{name: "interval", colors: []format{number32}, view: viewSigned},                                // the way through a liquid, 1 in it, and faces, see its shader
	{name: "front", colors: []format{number16}, depth: &depth24, size: frontSize, view: viewNormal}, // the liquid's nearest face: normal, and distance, m
	{name: "foam", colors: []format{density16}, size: foamSize, view: viewSigned},                   // how much foam lies on that face
	{name: "behind", colors: []format{light16}, depth: &depth24, size: behindSize, view: viewLight}, // the scene without what lies before the liquid
	{name: "last", depth: &depth24, view: viewDepth},                                                // from where on there is something behind that; 0 for nowhere
	{name: "beyond", colors: []format{light16}, depth: &depth24, size: behindSize, view: viewLight}, // the scene from there on; its depth is 0 where there is nothing
	{name: "mirror", colors: []format{light16}, depth: &depth24, size: mirrorSize, view: viewLight}, // the scene mirrored at a liquid's level
	{name: "beams", colors: []format{pair16}, size: shaftsSize, view: viewSigned},                   // the sun's part in what is scattered to an eye in the liquid; its sight, m
	{name: "shafts", colors: []format{pair16}, size: shaftsSize, view: viewSigned},                  // that, smoothed
	{name: "mix", colors: []format{light16}, depth: &depth24, view: viewLight},                      // the scene with the liquids
	{name: "lens", colors: []format{light16}, size: lensSize, view: viewLight},                      // that, before what the lens does to it
	{name: "bloom", colors: []format{light16}, size: bloomSize(1), view: viewLight},                 // the glare of that, spread
	{name: "bloom2", colors: []format{light16}, size: bloomSize(2), view: viewNone},                 // and its smaller levels
	{name: "bloom3", colors: []format{light16}, size: bloomSize(3), view: viewNone},
	{name: "bloom4", colors: []format{light16}, size: bloomSize(4), view: viewNone},
	{name: "bloom5", colors: []format{light16}, size: bloomSize(5), view: viewNone},
	{name: "picture", colors: []format{shown16}, view: viewShown}, // what a display shows of it
}

// frame is what the passes of one picture work with.
type frame struct {
	gs         *gls.GLS
	rend       Renderer
	root       core.INode
	cam        camera.ICamera
	stage      *stage
	liquid     *Liquid // the one that a pass with each draws; the farthest comes first
	farther    *Liquid // the visible one that was drawn before it, if any; after all of them the nearest
	cut        cut     // of the programs that leave parts out
	x, y, w, h int32   // the viewport, pixels
	view       math32.Matrix4
	proj       math32.Matrix4
	beside     float32     // depth that assets/shaders/clip.glsl takes where it has none
	front      *lightFront // while its map is drawn
}

// run draws the picture.
func (f *frame) run() error {
	for i := 0; i < len(passes); {
		if !passes[i].each {
			if err := f.do(i); err != nil {
				return err
			}
			i++
			continue
		}
		end := i
		for end < len(passes) && passes[end].each {
			end++
		}
		f.farther = nil
		for _, l := range f.stage.found {
			f.liquid = l
			for k := i; k < end; k++ {
				if !l.Visible() && !passes[k].unseen {
					continue
				}
				if err := f.do(k); err != nil {
					return err
				}
			}
			if l.Visible() {
				f.farther = l
			}
		}
		f.liquid, i = nil, end
	}
	return nil
}

// do draws pass i, if the quality has it.
func (f *frame) do(i int) error {
	p := &passes[i]
	if slices.Contains(p.without, f.stage.quality) {
		return nil
	}
	for _, name := range p.outputs {
		t := f.target(name)
		w, h := f.w, f.h
		if t.spec.size != nil {
			w, h = t.spec.size(f)
		}
		if w <= 0 || h <= 0 {
			return nil
		}
		if err := t.resize(f.gs, w, h, f.stage.turn); err != nil {
			return err
		}
	}
	f.stage.clock.begin(i)
	defer f.stage.clock.end()
	return p.draw(f)
}

// target is a render target by its name.
func (f *frame) target(name string) *target {
	if t := f.stage.target(name); !t.spec.own || f.liquid == nil {
		return t
	}
	return f.liquid.stage.target(name)
}

// begin binds a target to draw into.
func (f *frame) begin(name string) *target {
	t := f.target(name)
	t.begin(f.gs)
	return t
}

// render draws a node and what is under it as the camera sees it.
func (f *frame) render(n core.INode) error { return f.rend.Render(n, f.cam) }

// target is one of the stage's targets by its name; it panics if there is none.
func (s *stage) target(name string) *target {
	for i := range s.targets {
		if s.targets[i].spec.name == name {
			return &s.targets[i]
		}
	}
	panic("scene: no render target " + name)
}
