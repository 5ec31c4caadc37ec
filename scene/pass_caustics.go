package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// causticPass draws the light that a liquid's surface sends to the floor of its bounds.
var causticPass = pass{name: "caustics", outputs: []string{"caustics"}, cost: .2, each: true, unseen: true, draw: drawCaustics}

// causticMap is where a map of caustics lies.
type causticMap struct {
	floor float32    // y, m
	area  [4]float32 // least x and z, 1/size in x and z
	texel float32    // m²
}

// The surface is drawn as it is, and as if the water were still.
var (
	causticSurface = surfaceSpec{program: causticProgram, side: material.SideDouble, blend: material.BlendAdditive, free: true,
		setup: func(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) { f.setupCaustics(gs, u, 0) }}
	stillSurface = surfaceSpec{program: causticProgram, side: material.SideDouble, blend: material.BlendAdditive, free: true,
		setup: func(f *frame, gs *gls.GLS, _ *core.RenderInfo, u *uniformSet) { f.setupCaustics(gs, u, 1) }}
)

// causticSize is the size of a liquid's map, texels.
func causticSize(f *frame) (w, h int32) {
	edge := int32(max(f.liquid.options.Caustics, 0))
	return edge, edge
}

func drawCaustics(f *frame) error {
	sh := f.liquid.shared
	if !f.liquid.surface.Renderable() || sh.free == 0 {
		return nil
	}
	b, t := sh.box, f.begin("caustics")
	w, d := max(b[3]-b[0], 1e-3), max(b[5]-b[2], 1e-3)
	sh.causticAt = causticMap{floor: b[1], area: [4]float32{b[0], b[2], 1 / w, 1 / d}, texel: w * d / float32(t.width*t.height)}
	t.fill([4]float32{})
	if err := f.surface(&causticSurface); err != nil {
		return err
	}
	sh.caustic = t.color()
	return f.surface(&stillSurface)
}

// setupCaustics is for the surface as it is, calm 0, or as if the water were still, calm 1.
func (f *frame) setupCaustics(gs *gls.GLS, u *uniformSet, calm float32) {
	sh := f.liquid.shared
	u.vec3(gs, "Sun", sh.sky.sun())
	u.vec3(gs, "Floor", math32.Vector3{X: sh.causticAt.floor})
	u.vec4(gs, "Area", sh.causticAt.area)
	u.float(gs, "TexelArea", sh.causticAt.texel)
	u.float(gs, "Still", calm)
}
