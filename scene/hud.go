package scene

import (
	"cmp"
	"image"
	"time"

	"github.com/g3n/engine/core"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/text"
	"github.com/g3n/engine/texture"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// HUDOptions places the HUD. The zero value of every field is a good default.
type HUDOptions struct {
	// Budget is drawn as a line and counts misses. 0 means what the reports say; where they know of none
	// either, the line stands at 1/60 s and nothing counts as a miss.
	Budget time.Duration
	// Samples is how many steps the graph and the percentiles span. Default 240.
	Samples int
	// Every is the time between repaints. Default 0.25 s.
	Every time.Duration
	// X and Y are the distance of the panel from the viewport's upper left, pixels. Default 8.
	X, Y int
	// Scale multiplies the panel's size. Default 1.
	Scale float32
}

// HUD is a small panel of timings: percentiles, how long the liquid kept a frame, steps that were
// late, misses and what caused them, the steps' graph against the budget, the stages' shares, cells
// and unknowns per level, the plan and what it gave up, what the program allocates and how long the
// garbage collector stops it, the ledger, and what controls do. Add it to the Liquid node, which draws it last, or
// render it alone after everything else.
type HUD struct {
	graphic.Graphic
	options  HUDOptions
	uniforms uniformSet
	picture  *texture.Texture2D
	panel    *image.RGBA
	font     *text.Font
	window   *fluidtrace.Window
	memory   memory
	shares   shares
	last     fluid.Report
	controls []fluid.ControlReport // last's
	passes   []PassTime            // of Draw
	dropped  time.Duration
	late     int           // frames
	stall    time.Duration // the longest since it was painted
	since    time.Duration
}

// NewHUD returns a HUD without samples.
func NewHUD(o HUDOptions) *HUD {
	o.Samples = cmp.Or(o.Samples, 240)
	o.Every = cmp.Or(o.Every, time.Second/4)
	o.X = cmp.Or(o.X, 8)
	o.Y = cmp.Or(o.Y, 8)
	o.Scale = cmp.Or(o.Scale, 1)
	if o.Samples < 0 || o.Scale < 0 || o.Budget < 0 || o.Every < 0 {
		panic("scene: NewHUD: HUDOptions.Samples, Scale, Budget and Every must not be negative")
	}
	h := &HUD{options: o, window: fluidtrace.NewWindow(o.Samples), memory: newMemory(), font: panelFont(), since: o.Every}
	h.window.Budget = o.Budget
	h.panel = image.NewRGBA(image.Rect(0, 0, panelWidth, panelHeight))
	h.picture = texture.NewTexture2DFromRGBA(h.panel)
	h.picture.SetUniformNames("Picture", "PictureInfo")
	h.picture.SetMinFilter(gls.LINEAR)
	mat := newMaterial(panelProgram)
	mat.SetTransparent(true)
	mat.SetDepthTest(false)
	mat.SetDepthMask(false)
	mat.AddTexture(h.picture)
	initScreen(&h.Graphic, h, mat, 0)
	h.SetRenderOrder(1000)
	h.paint()
	return h
}

// Record adds a step's report.
func (h *HUD) Record(r *fluid.Report) {
	h.window.Step(r)
	h.memory.steps++
	h.shares.add(r)
	h.controls = append(h.controls[:0], r.Controls...)
	cells, unknowns := append(h.last.Cells[:0], r.Cells...), append(h.last.Unknowns[:0], r.Unknowns...)
	h.last = *r
	h.last.Cells, h.last.Unknowns = cells, unknowns
	h.last.StageSpans, h.last.WorkerSpans, h.last.Warnings, h.last.Views, h.last.Controls = nil, nil, nil, nil, nil // they live only until the next step
}

// Update records a frame and repaints the panel when it is due. Frames with several steps
// hand only the last one's report on: for all, pass Record to Liquid.Update and use Tick.
func (h *HUD) Update(f *Frame, dt time.Duration) {
	if f.Steps > 0 {
		h.Record(&f.Report)
	}
	h.Tick(f, dt)
}

// Tick records what a frame had to wait for and gave up, without its steps, and repaints the
// panel when it is due.
func (h *HUD) Tick(f *Frame, dt time.Duration) {
	h.dropped += f.Dropped
	h.stall = max(h.stall, f.Stall)
	if f.Late {
		h.late++
	}
	h.since += dt
	if h.since >= h.options.Every && h.Visible() {
		h.since = 0
		h.paint()
		h.stall = 0
	}
}

// SetBudget moves the budget line for the steps to come; 0 as in HUDOptions.
func (h *HUD) SetBudget(b time.Duration) { h.window.Budget = b }

// Toggle shows or hides the panel.
func (h *HUD) Toggle() { h.SetVisible(!h.Visible()) }

// Statistics summarises the steps that the graph spans.
func (h *HUD) Statistics() fluidtrace.Statistics { return h.window.Statistics() }

// Panel is the image as last painted.
func (h *HUD) Panel() *image.RGBA { return h.panel }

// RenderSetup is called by g3n before drawing.
func (h *HUD) RenderSetup(gs *gls.GLS, _ *core.RenderInfo) {
	_, _, w, ht := gs.GetViewport()
	width, height := float32(panelWidth)*h.options.Scale, float32(h.panel.Rect.Dy())*h.options.Scale
	cx := (float32(h.options.X)+width/2)/float32(w)*2 - 1
	cy := 1 - (float32(h.options.Y)+height/2)/float32(ht)*2
	h.uniforms.vec4(gs, "Rect", [4]float32{cx, cy, width / float32(w), height / float32(ht)})
}
