package scene

import (
	"math"

	"github.com/g3n/engine/core"
	"github.com/go-gl/gl/v3.3-core/gl"
)

// scenePass draws everything but the liquids and what one sees through.
var scenePass = pass{name: "scene", inputs: []string{"light", "shadow", "open"}, outputs: []string{"scene"}, draw: drawScene}

func drawScene(f *frame) error {
	if err := f.lend(); err != nil {
		return err
	}
	f.beginClear("scene", clearLight())
	d := &f.stage.drawn
	return d.without(d.glass, f.scene)
}

// scene draws everything but the liquids, as far as nothing hides it, into the target that is bound.
func (f *frame) scene() error {
	f.stage.hideLiquids()
	err := f.render(f.root)
	f.stage.showLiquids()
	return err
}

// clearLight is the game's clear colour, which is a display's, as light.
func clearLight() [4]float32 {
	var c [4]float32
	gl.GetFloatv(gl.COLOR_CLEAR_VALUE, &c[0])
	for i, v := range c[:3] {
		if v <= .04045 {
			c[i] = v / 12.92
		} else {
			c[i] = float32(math.Pow((float64(v)+.055)/1.055, 2.4))
		}
	}
	return c
}

// hideLiquids hides all of the liquids but the bodies that they show.
func (s *stage) hideLiquids() {
	s.hidden = s.hidden[:0]
	for _, l := range s.found {
		for _, c := range l.Children() {
			if c != core.INode(l.bodies) && c.Visible() {
				c.SetVisible(false)
				s.hidden = append(s.hidden, c)
			}
		}
	}
}

// showLiquids ends what hideLiquids began.
func (s *stage) showLiquids() {
	for _, n := range s.hidden {
		n.SetVisible(true)
	}
}
