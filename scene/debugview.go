package scene

import (
	"fmt"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// viewKind is how a debug view shows a render target.
type viewKind int

const (
	viewLight  viewKind = iota // tone-mapped
	viewDepth                  // near white, far black
	viewSigned                 // the first number: red above 0, blue below; the second: green
	viewNormal                 // -1 to 1 as colours
	viewShown                  // as it is
	viewNone                   // not at all
)

var debugScreen = screenSpec{program: debugProgram, setup: setupDebug}

// DebugViews names the render targets that SetDebugView can show, in the order in which Draw fills them.
func DebugViews() []string {
	var names []string
	for i := range targetSpecs {
		if targetSpecs[i].view != viewNone {
			names = append(names, targetSpecs[i].name)
		}
	}
	return names
}

// SetDebugView has Draw show one of its render targets, as DebugViews names it, in place of the picture; "" ends that. Of several
// liquids it shows the nearest one's. What the quality leaves out is black.
func (l *Liquid) SetDebugView(name string) error {
	if name == "" {
		l.stage.view = nil
		return nil
	}
	for i := range targetSpecs {
		if targetSpecs[i].name == name && targetSpecs[i].view != viewNone {
			l.stage.view = &targetSpecs[i]
			return nil
		}
	}
	return fmt.Errorf("scene: SetDebugView: there is no render target %q; there are %q", name, DebugViews())
}

// DebugView is the render target that SetDebugView was given last; "" for none.
func (l *Liquid) DebugView() string {
	if l.stage.view == nil {
		return ""
	}
	return l.stage.view.name
}

func setupDebug(f *frame, gs *gls.GLS, info *core.RenderInfo, u *uniformSet) {
	t := f.target(f.stage.view.name)
	if t.spec.own && len(f.stage.found) > 0 {
		t = f.stage.found[len(f.stage.found)-1].stage.target(t.spec.name)
	}
	tex := t.color()
	if t.spec.view == viewDepth {
		tex = t.depth
	}
	u.bindTexture(gs, "SceneColor", unitColor, tex)
	if t.spec.shadow && tex != 0 { // a texture that is compared can't be read as it is
		gs.TexParameteri(gls.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.NONE)
	}
	near := info.ProjMatrix[14] / (info.ProjMatrix[10] - 1)
	if info.ProjMatrix[11] == 0 || t.spec.shadow {
		near = 0 // depth is even
	}
	u.vec2(gs, "Show", float32(t.spec.view), near)
}
