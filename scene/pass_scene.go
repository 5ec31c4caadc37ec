package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
)

// scenePass draws everything but the liquids.
var scenePass = pass{name: "scene", inputs: []string{"caustics", "shadow"}, outputs: []string{"scene"}, cost: 2, draw: drawScene}

func drawScene(f *frame) error {
	if err := f.lend(); err != nil {
		return err
	}
	f.begin("scene")
	f.gs.DepthMask(true) // or it is not cleared
	f.gs.Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	return f.scene()
}

// scene draws everything but the liquids into the target that is bound.
func (f *frame) scene() error {
	f.stage.hideLiquids()
	err := f.render(f.root)
	f.stage.showLiquids()
	return err
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
