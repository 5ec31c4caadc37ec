package scene

import (
	"slices"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// openPass finds how much of the sky is seen over the liquids and what stands about them: walls and bodies hide some. It draws from above how high the
// tops of things lie and how high their undersides, and then looks from each place of that map along 12 directions for what stands in the way.
// Source: Bavoil, Sainz and Dimitrov, Image-space horizon-based ambient occlusion (2008), here in a picture from above.
var openPass = pass{name: "open", outputs: []string{"tops", "undersides", "open"}, without: shadowWithout, draw: drawOpen}

// openTexels is the edge of the maps of heights. That of the sky has half of it.
const openTexels = 256

// openOver is how high over the liquids something begins that is taken for a ceiling, which hides no sky, m.
const openOver = 2

func openEdge(f *frame) (w, h int32) {
	if slices.Contains(shadowWithout, f.stage.quality) {
		return 0, 0
	}
	return openTexels, openTexels
}

// openSize has room for two texels of each place.
func openSize(f *frame) (w, h int32) {
	edge, _ := openEdge(f)
	return edge, edge / 2
}

var openScreen = screenSpec{program: openProgram, setup: func(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) {
	u.bindTexture(gs, "Tops", unitDepth, f.target("tops").depth)
	u.bindTexture(gs, "Undersides", unitBehindDepth, f.target("undersides").depth)
	f.lendOpen(u)
}}

func drawOpen(f *frame) error {
	f.root.UpdateMatrixWorld()
	s, d := f.stage, &f.stage.drawn
	boxes := d.sortCasters()
	subject := f.subject(boxes)
	all := d.casters
	d.leaveOut(subject.Max.Y + openOver)
	s.open.fit(subject, math32.Vector3{Y: 1}, openTexels, d.boxes[:d.casters])
	err := f.heights("tops", material.SideDouble)
	if err == nil {
		err = f.heights("undersides", material.SideBack)
	}
	d.casters = all
	if err != nil {
		return err
	}
	s.openBase = subject.Min.Y
	f.begin("open")
	return f.screen(&openScreen)
}

// heights draws how deep the faces of one side of what throws shadows lie, from above.
func (f *frame) heights(name string, side material.Side) error {
	f.begin(name)
	return f.drawCasters(&f.stage.open, side)
}

// leaveOut has what begins higher than that, m, be none of the casters.
func (d *drawn) leaveOut(height float32) {
	g := d.groups[0].graphics
	for i := 0; i < d.casters; {
		if d.boxes[i].Min.Y <= height {
			i++
			continue
		}
		d.casters--
		g[i], g[d.casters] = g[d.casters], g[i]
		d.boxes[i], d.boxes[d.casters] = d.boxes[d.casters], d.boxes[i]
	}
}

// lendOpen sets the uniforms of assets/shaders/openness.glsl and binds its texture.
func (f *frame) lendOpen(u *uniformSet) {
	w, _ := openEdge(f)
	world := f.stage.open.matrix()
	u.integer(f.gs, "OpenSky", unitOpen)
	u.mat4(f.gs, "OpenFromWorld", &world)
	u.vec4(f.gs, "OpenMap", [4]float32{oneIf(w > 0), f.stage.open.texel, f.stage.openBase})
}
