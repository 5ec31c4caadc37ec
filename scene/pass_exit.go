package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/material"
)

// exitPass draws where rays leave the liquids, at half size.
var exitPass = pass{name: "exit", outputs: []string{"exit"}, cost: .25, draw: drawExit}

var exitSurface = surfaceSpec{program: exitProgram, side: material.SideBack, blend: material.BlendNone, depth: true,
	setup: func(_ *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
		vp := viewProj(info)
		u.mat4(gs, "ViewProj", &vp)
	}}

func halfSize(f *frame) (w, h int32) { return (f.w + 1) / 2, (f.h + 1) / 2 }

func drawExit(f *frame) error {
	f.begin("exit")
	f.gs.DepthMask(true)
	f.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	defer func() { f.liquid = nil }()
	for _, f.liquid = range f.stage.found {
		if !f.liquid.Visible() {
			continue
		}
		if err := f.surface(&exitSurface); err != nil {
			return err
		}
	}
	return nil
}
