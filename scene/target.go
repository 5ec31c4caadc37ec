package scene

import (
	"fmt"

	"github.com/g3n/engine/gls"
)

// target is a render target with depth.
type target struct {
	gs            *gls.GLS // that made it
	framebuffer   uint32
	color, depth  uint32
	width, height int32
}

// spare holds the names of unused framebuffers: g3n can't delete one.
// Only the goroutine that draws uses it.
var spare = map[*gls.GLS][]uint32{}

// resize makes the target w by h pixels; depthFilter is the filter of its depth texture.
func (t *target) resize(gs *gls.GLS, w, h int32, depthFilter int32) error {
	if t.width == w && t.height == h {
		return nil
	}
	if t.framebuffer == 0 {
		if names := spare[gs]; len(names) > 0 {
			t.framebuffer = names[len(names)-1]
			spare[gs] = names[:len(names)-1]
		} else {
			t.framebuffer = gs.GenFramebuffer()
		}
		t.gs, t.color, t.depth = gs, gs.GenTexture(), gs.GenTexture()
	}
	gs.ActiveTexture(gls.TEXTURE0)
	picture := func(tex uint32, format int32, layout, kind uint32, filter int32) {
		gs.BindTexture(gls.TEXTURE_2D, tex)
		gs.TexImage2D(gls.TEXTURE_2D, 0, format, w, h, layout, kind, nil)
		gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_MIN_FILTER, filter)
		gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_MAG_FILTER, filter)
		gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_WRAP_S, gls.CLAMP_TO_EDGE)
		gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_WRAP_T, gls.CLAMP_TO_EDGE)
	}
	picture(t.color, gls.RGBA8, gls.RGBA, gls.UNSIGNED_BYTE, gls.LINEAR)
	picture(t.depth, gls.DEPTH_COMPONENT24, gls.DEPTH_COMPONENT, gls.UNSIGNED_INT, depthFilter)
	gs.BindFramebuffer(t.framebuffer)
	gs.FramebufferTexture2D(gls.COLOR_ATTACHMENT0, gls.TEXTURE_2D, t.color)
	gs.FramebufferTexture2D(gls.DEPTH_ATTACHMENT, gls.TEXTURE_2D, t.depth)
	if status := gs.CheckFramebufferStatus(); status != gls.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("scene: Draw: a %d×%d framebuffer is incomplete, status %#x", w, h, status)
	}
	t.width, t.height = w, h
	return nil
}

// begin binds t as the framebuffer.
func (t *target) begin(gs *gls.GLS) {
	gs.BindFramebuffer(t.framebuffer)
	gs.Viewport(0, 0, t.width, t.height)
}

func (t *target) dispose() {
	if t.framebuffer == 0 {
		return
	}
	gs := t.gs
	gs.BindFramebuffer(t.framebuffer)
	gs.FramebufferTexture2D(gls.COLOR_ATTACHMENT0, gls.TEXTURE_2D, 0)
	gs.FramebufferTexture2D(gls.DEPTH_ATTACHMENT, gls.TEXTURE_2D, 0)
	gs.BindFramebuffer(0)
	gs.DeleteTextures(t.color, t.depth)
	spare[gs] = append(spare[gs], t.framebuffer)
	*t = target{}
}
