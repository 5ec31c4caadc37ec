package play

import (
	"strings"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/gui"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"

	"github.com/meniscus3d/meniscus/demo/internal/report"
)

// panel is the text over the picture: readings in the upper right corner, help in the lower left.
type panel struct {
	root          *core.Node
	readings      *gui.Label // nil until there are some
	help          *gui.Label // nil without help
	width, height float32    // of the picture, pixels
}

// newPanel makes the panel; it needs the window.
func newPanel(help string) *panel {
	p := &panel{root: core.NewNode()}
	gui.Manager().Set(p.root)
	if help != "" {
		p.help = p.label(help, 15)
	}
	return p
}

func (p *panel) label(text string, size float64) *gui.Label {
	l := gui.NewLabel(text)
	l.SetFontSize(size)
	l.SetColor(&math32.Color{R: 1, G: 1, B: 1})
	l.SetBgColor4(&math32.Color4{R: 0.05, G: 0.08, B: 0.12, A: 0.55})
	l.SetPaddings(4, 10, 4, 10)
	p.root.Add(l)
	return l
}

// show writes the readings, one a line.
func (p *panel) show(readings []report.Reading) {
	if len(readings) == 0 {
		return
	}
	var lines []string
	for _, r := range readings {
		lines = append(lines, r.String())
	}
	text := strings.Join(lines, "\n")
	if p.readings == nil {
		p.readings = p.label(text, float64(max(9, p.height/36)))
		p.readings.SetLineSpacing(1.2)
	}
	p.readings.SetText(text)
	p.place()
}

// resize fits the panel to a picture, pixels.
func (p *panel) resize(width, height int) {
	p.width, p.height = float32(width), float32(height)
	p.place()
}

func (p *panel) place() {
	const margin = 10
	if p.help != nil {
		p.help.SetPosition(margin, p.height-p.help.Height()-margin)
	}
	if p.readings != nil {
		p.readings.SetPosition(p.width-p.readings.Width()-margin, margin)
	}
}

// draw draws the panel over everything.
func (p *panel) draw(gs *gls.GLS, rend *renderer.Renderer, cam *camera.Camera) error {
	gs.Clear(gls.DEPTH_BUFFER_BIT)
	return rend.Render(p.root, cam)
}
