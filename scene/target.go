package scene

import (
	"fmt"
	"slices"

	"github.com/g3n/engine/gls"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// format is how a texture of a render target keeps a pixel.
type format struct {
	internal     int32
	layout, kind uint32
	filter       int32
}

// The formats of render targets. Light is linear and not limited to 1: half floats keep it.
var (
	light16   = format{gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT, gl.LINEAR}
	number16  = format{gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT, gl.NEAREST}
	shown16   = format{gl.RGBA16, gl.RGBA, gl.UNSIGNED_SHORT, gl.LINEAR}
	density16 = format{gl.R16F, gl.RED, gl.HALF_FLOAT, gl.LINEAR}
	pair16    = format{gl.RG16F, gl.RG, gl.HALF_FLOAT, gl.NEAREST}
	pair32    = format{gl.RG32F, gl.RG, gl.FLOAT, gl.NEAREST}
	number32  = format{gl.RGBA32F, gl.RGBA, gl.FLOAT, gl.NEAREST}
	depth24   = format{gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, gl.NEAREST}
	shadow24  = format{gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, gl.LINEAR} // compared, then filtered
)

// targetSpec is a render target as data.
type targetSpec struct {
	name   string
	colors []format                    // a texture each; none for depth alone
	depth  *format                     // nil for none
	own    bool                        // each liquid has one, and not each stage
	size   func(f *frame) (w, h int32) // pixels; nil for the viewport's, and 0 for no such target
	shadow bool                        // its depth is compared when it is read
	view   viewKind                    // how a debug view shows it
}

// target is a render target. It is as large as it was asked to be last, and keeps storages of other sizes for viewports that take turns, those of a
// split screen.
type target struct {
	spec *targetSpec
	storage
	kept []storage
}

// storage is a framebuffer with its textures.
type storage struct {
	gs            *gls.GLS // that made it
	framebuffer   uint32
	colors        []uint32 // textures
	depth         uint32   // texture; 0 for none
	width, height int32
	turn          int // of the picture that it was drawn for last
}

// A target keeps at most mostKept storages of other sizes, each until it was not drawn for keptTurns pictures.
const (
	mostKept  = 3
	keptTurns = 8
)

// spare holds the names of unused framebuffers: g3n can't delete one.
// Only the goroutine that draws uses it.
var spare = map[*gls.GLS][]uint32{}

// color is the first colour texture; 0 for none.
func (m *storage) color() uint32 {
	if len(m.colors) == 0 {
		return 0
	}
	return m.colors[0]
}

// resize makes the target w by h pixels, for the picture of a turn.
func (t *target) resize(gs *gls.GLS, w, h int32, turn int) error {
	if t.width != w || t.height != h {
		if err := t.swap(gs, w, h); err != nil {
			return err
		}
	}
	t.turn = turn
	for i := len(t.kept) - 1; i >= 0; i-- {
		if turn-t.kept[i].turn > keptTurns {
			t.kept[i].dispose()
			t.kept = slices.Delete(t.kept, i, i+1)
		}
	}
	return nil
}

// swap takes a kept storage of a size, or a new one, or makes the one that waits longest as large.
func (t *target) swap(gs *gls.GLS, w, h int32) error {
	if t.framebuffer != 0 {
		t.kept = append(t.kept, t.storage)
		t.storage = storage{}
	}
	oldest := 0
	for i := range t.kept {
		k := &t.kept[i]
		if k.width == w && k.height == h {
			t.take(i)
			return nil
		}
		if k.turn < t.kept[oldest].turn {
			oldest = i
		}
	}
	if len(t.kept) > mostKept {
		t.take(oldest)
	}
	return t.allocate(gs, w, h)
}

// take makes a kept storage the target's.
func (t *target) take(i int) {
	t.storage = t.kept[i]
	t.kept = slices.Delete(t.kept, i, i+1)
}

// allocate makes the storage w by h pixels, without content.
func (t *target) allocate(gs *gls.GLS, w, h int32) error {
	if t.framebuffer == 0 {
		t.make(gs)
	}
	for i, f := range t.spec.colors {
		f.allocate(gs, t.colors[i], w, h)
	}
	if t.depth != 0 {
		t.spec.depth.allocate(gs, t.depth, w, h)
		if t.spec.shadow {
			gs.TexParameteri(gls.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
			gs.TexParameteri(gls.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL)
		}
	}
	gs.BindFramebuffer(t.framebuffer)
	t.attach(gs)
	if status := gs.CheckFramebufferStatus(); status != gls.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("scene: Draw: the %d×%d framebuffer %s is incomplete, status %#x", w, h, t.spec.name, status)
	}
	t.width, t.height = w, h
	return nil
}

// make takes names for the framebuffer and its textures.
func (t *target) make(gs *gls.GLS) {
	if names := spare[gs]; len(names) > 0 {
		t.framebuffer = names[len(names)-1]
		spare[gs] = names[:len(names)-1]
	} else {
		t.framebuffer = gs.GenFramebuffer()
	}
	t.gs = gs
	for range t.spec.colors {
		t.colors = append(t.colors, gs.GenTexture())
	}
	if t.spec.depth != nil {
		t.depth = gs.GenTexture()
	}
}

// allocate gives a texture a size, without content.
func (f *format) allocate(gs *gls.GLS, tex uint32, w, h int32) {
	gs.ActiveTexture(gls.TEXTURE0)
	gs.BindTexture(gls.TEXTURE_2D, tex)
	gs.TexImage2D(gls.TEXTURE_2D, 0, f.internal, w, h, f.layout, f.kind, nil)
	gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_MIN_FILTER, f.filter)
	gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_MAG_FILTER, f.filter)
	gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_WRAP_S, gls.CLAMP_TO_EDGE)
	gs.TexParameteri(gls.TEXTURE_2D, gls.TEXTURE_WRAP_T, gls.CLAMP_TO_EDGE)
}

// attach hangs the textures on the framebuffer, which is bound.
func (t *target) attach(gs *gls.GLS) {
	buffers := []uint32{gl.NONE}
	for i, tex := range t.colors {
		gs.FramebufferTexture2D(uint(gls.COLOR_ATTACHMENT0+i), gls.TEXTURE_2D, tex)
		buffers = append(buffers[:i], gl.COLOR_ATTACHMENT0+uint32(i))
	}
	gl.DrawBuffers(int32(len(buffers)), &buffers[0])
	gl.ReadBuffer(buffers[0])
	gs.FramebufferTexture2D(gls.DEPTH_ATTACHMENT, gls.TEXTURE_2D, t.depth)
}

// begin binds t as the framebuffer.
func (t *target) begin(gs *gls.GLS) {
	gs.BindFramebuffer(t.framebuffer)
	gs.Viewport(0, 0, t.width, t.height)
}

// fill gives all pixels of the first colour texture a value, whatever the game's clear colour. t is bound.
func (t *target) fill(v [4]float32) { gl.ClearBufferfv(gl.COLOR, 0, &v[0]) }

// beginClear binds a target whose depth is the farthest and whose colour is v everywhere.
func (f *frame) beginClear(name string, v [4]float32) {
	t := f.begin(name)
	f.gs.DepthMask(true) // or it is not cleared
	f.gs.Clear(gls.DEPTH_BUFFER_BIT)
	t.fill(v)
}

// copyTo copies colour and depth to a target of the same formats and size.
func (t *target) copyTo(gs *gls.GLS, to *target) {
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.framebuffer)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, to.framebuffer)
	gl.BlitFramebuffer(0, 0, t.width, t.height, 0, 0, to.width, to.height, gl.COLOR_BUFFER_BIT|gl.DEPTH_BUFFER_BIT, gl.NEAREST)
	to.begin(gs)
}

func (t *target) dispose() {
	t.storage.dispose()
	for i := range t.kept {
		t.kept[i].dispose()
	}
	*t = target{spec: t.spec}
}

func (m *storage) dispose() {
	if m.framebuffer == 0 {
		return
	}
	gs := m.gs
	gs.BindFramebuffer(m.framebuffer)
	for i := range m.colors {
		gs.FramebufferTexture2D(uint(gls.COLOR_ATTACHMENT0+i), gls.TEXTURE_2D, 0)
	}
	gs.FramebufferTexture2D(gls.DEPTH_ATTACHMENT, gls.TEXTURE_2D, 0)
	gs.BindFramebuffer(0)
	if len(m.colors) > 0 {
		gs.DeleteTextures(m.colors...)
	}
	if m.depth != 0 {
		gs.DeleteTextures(m.depth)
	}
	spare[gs] = append(spare[gs], m.framebuffer)
	*m = storage{}
}
