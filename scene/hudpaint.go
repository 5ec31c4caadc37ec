package scene

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"time"

	"github.com/g3n/engine/gui/assets"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/text"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// The panel's size, pixels: a quarter of a 1280×720 window's width and a third of its height. Controls have a line each below.
const (
	panelWidth  = 328
	panelHeight = 246
	margin      = 8
	lineHeight  = 13
	graphHeight = 48
	maxControls = 6  // that have a line
	lineLetters = 44 // that a line has room for
)

// Colours are not premultiplied: the panel's shader blends by alpha.
var (
	panelBack  = color.RGBA{12, 18, 26, 222}
	panelInk   = color.RGBA{226, 234, 240, 255}
	panelDim   = color.RGBA{176, 190, 200, 255}
	panelGood  = color.RGBA{92, 200, 150, 255}
	panelBad   = color.RGBA{240, 96, 80, 255}
	panelLine  = color.RGBA{250, 206, 96, 255}
	stageInks  = [5]color.RGBA{{86, 156, 240, 255}, {240, 160, 70, 255}, {110, 200, 130, 255}, {200, 120, 220, 255}, {120, 210, 220, 255}}
	stageOther = color.RGBA{110, 120, 128, 255}
)

func (h *HUD) paint() {
	high := panelHeight + lineHeight*min(len(h.controls), maxControls+1)
	if len(h.passes) > 0 {
		high += lineHeight
	}
	if high != h.panel.Rect.Dy() {
		h.panel = image.NewRGBA(image.Rect(0, 0, panelWidth, high))
	}
	p := h.panel
	draw.Draw(p, p.Bounds(), image.NewUniform(color.NRGBA{}), image.Point{}, draw.Src)
	fill(p, p.Bounds(), panelBack)
	s := h.Statistics()
	y := margin + 10
	h.say(margin, y, panelInk, "p50 %s  p95 %s  p99 %s  max %s ms", ms(s.P50), ms(s.P95), ms(s.P99), ms(s.Max))
	y += lineHeight
	h.say(margin, y, inkIf(h.dropped > 0 || h.late > 0), "stall %.2f ms  %d late frames  %s dropped", h.stall.Seconds()*1e3, h.late, h.dropped.Round(time.Millisecond))
	y += lineHeight
	h.say(margin, y, inkIf(s.Misses > 0), "%d of %d over%s", s.Misses, s.Count, causes(&s))
	y += 6
	h.graph(image.Rect(margin, y, panelWidth-margin, y+graphHeight))
	y += graphHeight + 6
	y = h.stages(y)
	y = h.numbers(y)
	if len(h.passes) > 0 {
		h.say(margin, y, panelInk, "%s", passLine(h.passes))
		y += lineHeight
	}
	h.controlLines(y)
	h.picture.SetFromRGBA(p)
}

// graph draws one column per step, newest at the right, and the budget's line at two thirds.
func (h *HUD) graph(r image.Rectangle) {
	fill(h.panel, r, color.RGBA{0, 0, 0, 120})
	budget := h.window.Last()
	budget = cmp.Or(budget, time.Second/60)
	count := h.window.Len()
	line := r.Max.Y - r.Dy()*2/3
	for x := 0; x < r.Dx(); x++ {
		// Several steps may share a column: show the worst, so that no miss hides.
		from, to := count*x/r.Dx(), max(count*(x+1)/r.Dx(), count*x/r.Dx()+1)
		worst, ink := time.Duration(0), panelGood
		for i := from; i < to && i < count; i++ {
			took, missed := h.window.At(i)
			worst = max(worst, took)
			if missed {
				ink = panelBad
			}
		}
		tall := min(int(int64(r.Dy()*2/3)*int64(worst)/int64(budget)), r.Dy())
		fill(h.panel, image.Rect(r.Min.X+x, r.Max.Y-tall, r.Min.X+x+1, r.Max.Y), ink)
	}
	fill(h.panel, image.Rect(r.Min.X, line, r.Max.X, line+1), panelLine)
	h.say(r.Max.X-56, line-2, panelLine, "%s ms", ms(budget))
}

// stages draws the shares as a bar and names the largest; it returns the next line's y.
func (h *HUD) stages(y int) int {
	left, width := margin, panelWidth-2*margin
	big := h.shares.largest(len(stageInks))
	x := left
	for i, st := range big {
		w := int(h.shares.part[st]*float64(width) + 0.5)
		fill(h.panel, image.Rect(x, y, min(x+w, left+width), y+7), stageInks[i])
		x += w
	}
	if h.shares.any {
		fill(h.panel, image.Rect(min(x, left+width), y, left+width, y+7), stageOther)
	}
	y += 7 + lineHeight
	for i, st := range big {
		if i == 4 || !h.shares.any {
			break
		}
		h.say(left+(i%2)*width/2, y+(i/2)*lineHeight, stageInks[i], "%-11s%3.0f%%", st, 100*h.shares.part[st])
	}
	return y + 2*lineHeight + 2
}

// numbers writes what the last report says; it returns the next line's y.
func (h *HUD) numbers(y int) int {
	r := &h.last
	cells, levels := 0, ""
	for level, n := range r.Cells {
		cells += n
		if level > 0 {
			levels += "|"
		}
		levels += short(n)
	}
	h.say(margin, y, panelInk, "cells %s  %s", short(cells), levels)
	y += lineHeight
	h.say(margin, y, panelInk, "unknowns %s  %d iterations to %.0e", short(r.UnknownCount()), r.Iterations, r.Residual)
	y += lineHeight
	p := &r.Plan
	h.say(margin, y, panelInk, "plan %s unknowns  %d substeps  %d workers", short(p.TargetUnknowns), p.Substeps, r.Workers)
	y += lineHeight
	h.say(margin, y, panelDim, "%s", p.Reductions())
	y += lineHeight
	m := h.memory.read()
	h.say(margin, y, inkIf(m.collections > 0), "gc %d times  pause %.2f ms  %s B/step", m.collections, m.pause.Seconds()*1e3, short(m.bytes))
	y += lineHeight
	l := r.Ledger
	ink := panelInk
	if bad := l.HeldL * 0.01; l.DriftL > bad || l.DriftL < -bad {
		ink = panelBad
	}
	h.say(margin, y, ink, "%.0f L held  drift %+.1f L", l.HeldL, l.DriftL)
	y += lineHeight
	h.say(margin, y, panelDim, "%.0f L filled  %.0f L in  %.0f L out", l.FilledL, l.EmittedL, l.DrainedL)
	return y + lineHeight
}

// passLine is how long the graphics card takes for a picture, and for the passes that take the longest, as many as fit a line.
func passLine(passes []PassTime) string {
	longest, sum := slices.Clone(passes), time.Duration(0)
	for _, p := range passes {
		sum += p.GPU
	}
	slices.SortStableFunc(longest, func(a, b PassTime) int { return int(b.GPU - a.GPU) })
	text := fmt.Sprintf("gpu %s ms", ms(sum))
	for _, p := range longest {
		more := fmt.Sprintf("  %s %s", p.Pass, ms(p.GPU))
		if len(text)+len(more) > lineLetters {
			break
		}
		text += more
	}
	return text
}

// controlLines writes a line for each control.
func (h *HUD) controlLines(y int) {
	for i := range h.controls {
		if i == maxControls {
			h.say(margin, y, panelDim, "and %d controls more", len(h.controls)-maxControls)
			return
		}
		h.say(margin, y, panelInk, "%s", controlLine(&h.controls[i]))
		y += lineHeight
	}
}

// controlLine is a control's strength, what of what it wants it holds, how far the liquid's surface is from its own, and its force.
func controlLine(r *fluid.ControlReport) string {
	return fmt.Sprintf("α %.2f  %s of %s L  off %.1f cm  %s N", r.Strength, amount(r.HeldL), amount(r.WantedL), 100*r.Error, amount(r3.Norm(r.Force)))
}

// amount writes an amount in about five characters.
func amount(x float64) string {
	if math.Abs(x) < 99.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return short(int(math.Round(x)))
}

// say writes a line whose baseline is at y. Drawn twice: g3n's only fixed-width font is a hairline.
func (h *HUD) say(x, y int, ink color.RGBA, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	h.font.SetFgColor(&math32.Color4{R: float32(ink.R) / 255, G: float32(ink.G) / 255, B: float32(ink.B) / 255, A: 1})
	for range 2 {
		h.font.DrawTextOnImage(line, x, y-h.font.Metrics().Ascent.Round(), h.panel)
	}
}

// panelFont is the fixed-width font that g3n brings along.
func panelFont() *text.Font {
	f, err := text.NewFontFromData(assets.MustAsset("fonts/FreeMono.ttf"))
	if err != nil {
		panic("scene: g3n's own font does not parse: " + err.Error())
	}
	f.SetPointSize(11.6)
	return f
}

func fill(p *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(p.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p.SetRGBA(x, y, c)
		}
	}
}

// inkIf is for what is bad, or else of no concern.
func inkIf(bad bool) color.RGBA {
	if bad {
		return panelBad
	}
	return panelDim
}

// causes lists what made steps miss, the most frequent first, as far as it fits a line.
func causes(s *fluidtrace.Statistics) string {
	text, left := "", s.Causes
	for range 2 {
		most := fluidtrace.None
		for c, n := range left {
			if n > left[most] {
				most = fluidtrace.Cause(c)
			}
		}
		if most == fluidtrace.None {
			break
		}
		text += fmt.Sprintf("  %d %v", left[most], most)
		left[most] = 0
	}
	return text
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)) }

// short writes a count in at most five characters.
func short(n int) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n >= 100_000:
		return fmt.Sprintf("%dk", n/1000)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprint(n)
}
