package scene

import "github.com/g3n/engine/graphic"

// What one sees through is not drawn with the scene but between the liquids: of a pane that a liquid's first face cuts, what is behind it before the
// liquid, and the rest after it.

// glassPass draws what one sees through behind a liquid's first face.
var glassPass = pass{name: "glass", inputs: []string{"light", "shadow", "front", "interval"}, outputs: []string{"scene"}, each: true, draw: drawGlass}

// overPass draws what one sees through before all liquids, or in the nearest one with the eye.
var overPass = pass{name: "over", inputs: []string{"light", "shadow", "front", "interval"}, outputs: []string{"mix"}, draw: drawOver}

// cut is what a program that includes clip.glsl leaves out.
type cut int

const (
	cutBefore cut = iota // what is before the liquid where there is one
	cutOver              // what is before it, and everything where there is none
	cutUnder             // what is behind it
)

func drawGlass(f *frame) error { return f.glass("scene", cutOver) }

func drawOver(f *frame) error { return f.glass("mix", cutUnder) }

// glass draws what one sees through, without what the cut leaves out.
func (f *frame) glass(target string, c cut) error {
	d := &f.stage.drawn
	if len(d.glass) == 0 {
		return nil
	}
	if c == cutOver || f.farther != nil { // else there is no liquid
		setDefine(d.glass, behindDefine, true)
		defer setDefine(d.glass, behindDefine, false)
		f.bindCut()
	}
	as := *f
	as.cut = c
	if err := as.lend(); err != nil {
		return err
	}
	f.begin(target)
	return d.without(d.solid, f.scene)
}

// bindCut binds what clip.glsl reads.
func (f *frame) bindCut() {
	bindUnit(f.gs, unitFront, f.target("front").depth)
	bindUnit(f.gs, unitInside, f.target("interval").color())
}

// murk is what clip.glsl calls Murk, of the nearest liquid.
func (f *frame) murk() (m [12]float32) {
	if f.farther == nil {
		return m
	}
	look, light := f.farther.shared.look.medium(), f.farther.shared.sky.level()
	for k := range 3 {
		m[k], m[3+k], m[6+k] = look[k]+look[6], look[6]+.5*look[k], look[3+k]*light[k]
	}
	m[9], m[10] = 1/f.proj[0], 1/f.proj[5]
	return m
}

// setDefine sets a define of graphics to 1, or removes it.
func setDefine(graphics []graphic.IGraphic, name string, on bool) {
	for _, n := range graphics {
		if on {
			n.GetGraphic().ShaderDefines.Set(name, "1")
		} else {
			n.GetGraphic().ShaderDefines.Unset(name)
		}
	}
}
