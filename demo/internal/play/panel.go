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
	reads         bool       // shows readings
	readings      *gui.Label // nil until there are some
	help          *gui.Label // nil without help
	notice        *gui.Label // in the middle; nil without one
	parts         []string   // of the help
	width, height float32    // of the picture, pixels
}

// newPanel makes the panel, with readings or none, and a help of these parts; it needs the window.
func newPanel(readings bool, help ...string) *panel {
	p := &panel{root: core.NewNode(), reads: readings, parts: help}
	gui.Manager().Set(p.root)
	if len(help) > 0 {
		p.help = p.label("", 15)
		p.help.SetLineSpacing(1.3)
	}
	return p
}

func (p *panel) label(text string, size float64) *gui.Label {
	l := gui.NewLabel(text)
	l.SetFontSize(size)
	l.SetColor(&math32.Color{R: 1, G: 1, B: 1})
	l.SetBgColor4(&math32.Color4{R: 0.05, G: 0.08, B: 0.12, A: 0.82})
	l.SetPaddings(4, 10, 4, 10)
	p.root.Add(l)
	return l
}

// show writes the readings, one a line.
func (p *panel) show(readings []report.Reading) {
	if len(readings) == 0 || !p.reads {
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

// announce shows a line in the middle of the picture; an empty one takes it away.
func (p *panel) announce(text string) {
	if p.notice == nil {
		p.notice = p.label(text, 20)
	}
	p.notice.SetText(text)
	p.notice.SetVisible(text != "")
	p.place()
}

// resize fits the panel to a picture, pixels.
func (p *panel) resize(width, height int) {
	p.width, p.height = float32(width), float32(height)
	if p.help != nil {
		p.wrap()
	}
	p.place()
}

// wrap breaks the help into lines that the picture has room for.
func (p *panel) wrap() {
	text, line := "", ""
	for _, part := range p.parts {
		longer := part
		if line != "" {
			longer = line + "  ·  " + part
		}
		p.help.SetText(longer)
		if line != "" && p.help.Width() > p.width-2*edge {
			text += line + "\n"
			longer = part
		}
		line = longer
	}
	p.help.SetText(text + line)
}

// edge, pixels, is how far labels stay from the picture's edges.
const edge = 10

func (p *panel) place() {
	if p.help != nil {
		p.help.SetPosition(edge, p.height-p.help.Height()-edge)
	}
	if p.readings != nil {
		p.readings.SetPosition(p.width-p.readings.Width()-edge, edge)
	}
	if p.notice != nil {
		p.notice.SetPosition((p.width-p.notice.Width())/2, (p.height-p.notice.Height())/2)
	}
}

// draw draws the panel over everything.
func (p *panel) draw(gs *gls.GLS, rend *renderer.Renderer, cam *camera.Camera) error {
	gs.Clear(gls.DEPTH_BUFFER_BIT)
	return rend.Render(p.root, cam)
}
